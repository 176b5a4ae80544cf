/** `remand dataset judge`: judges decide the rows of D and of D_bias. */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { InputError } from '../../case/errors.ts';
import { datasetFiles, readPairs } from '../../dataset/files.ts';
import { judgePairs, questionOf } from '../../dataset/verdicts.ts';
import { createSpend } from '../../judge/spend.ts';
import { sqliteCalls } from '../../judge/store/sqlite.ts';
import { jsonLine } from '../../records/jsonl.ts';
import { writeWhole } from '../../records/whole.ts';
import { interrupted, taken, wholeNumber } from '../arguments.ts';
import { createModels } from '../models.ts';
import { showProgress } from '../progress.ts';

export const judge = defineCommand({
  meta: {
    name: 'judge',
    description: 'Let judges decide the rows of D and of D_bias. Started again, it goes on.',
  },
  args: {
    in: { type: 'string', required: true, description: 'folder with d.jsonl and d_bias.jsonl' },
    judge: {
      type: 'string',
      required: true,
      description: 'comma-free list by repeating with ";": model@url, protocol:model@url, sandbox',
    },
    parameters: {
      type: 'string',
      default: '{"temperature":0}',
      description: 'JSON: further fields of each request',
    },
    concurrency: { type: 'string', default: '16', description: 'rows judged at a time' },
    budget: { type: 'string', description: 'most model calls' },
    tokens: { type: 'string', description: 'most tokens, input and output together' },
    limit: { type: 'string', description: 'at most so many rows' },
    store: {
      type: 'string',
      description: 'file of finished model calls (default: calls.sqlite in the folder)',
    },
    'dry-run': { type: 'boolean', default: false, description: 'say what it would ask, and ask nothing' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const parameters = readParameters(args.parameters);
    const limit =
      args.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--limit', args.limit, 1, 1e9);
    const concurrency = wholeNumber('--concurrency', args.concurrency, 1, 1024);
    const spend = createSpend({
      calls: args.budget === undefined ? null : wholeNumber('--budget', args.budget, 0, 1e9),
      tokens: args.tokens === undefined ? null : wholeNumber('--tokens', args.tokens, 0, 1e15),
    });
    const specs = args.judge.split(';').map((spec) => spec.trim());
    const report = (result: object, words: string) =>
      process.stdout.write(args.json ? `${JSON.stringify(result)}\n` : `${words}\n`);
    if (args['dry-run']) {
      const estimate = await estimated(taken(readPairs(args.in), limit), specs.length);
      return void report(
        estimate,
        `${estimate.calls} calls at most (${estimate.rows} rows twice, ${specs.length} judges), about ${estimate.input_tokens} input tokens`,
      );
    }
    const store = sqliteCalls(args.store ?? join(args.in, 'calls.sqlite'));
    const models = createModels({ store, spend, env: process.env, keyVariable: 'JUDGE_API_KEY', parameters });
    const progress = showProgress('verdicts', null);
    const counts = { verdicts: 0, unread: 0, failed: 0 };
    try {
      const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
      const names = judges.map(({ name }) => name);
      if (new Set(names).size < names.length)
        throw new InputError(
          '--judge',
          `two judges have one name (${names.join(', ')}): name them with name=model@url`,
        );
      await interrupted((signal) =>
        writeWhole({ verdicts: datasetFiles(args.in).verdicts }, async (files) => {
          const pairs = taken(readPairs(args.in), limit);
          for await (const record of judgePairs(pairs, judges, { concurrency, signal })) {
            await files.verdicts.write(jsonLine(record));
            counts.verdicts++;
            if (record.error !== null) counts.failed++;
            else if (record.d?.unread || record.d_bias?.unread) counts.unread++;
            progress.update(counts.verdicts, counts.failed > 0 ? `${counts.failed} failed` : '');
          }
        }),
      );
    } finally {
      progress.stop();
      store.close();
      await models.close();
    }
    const { calls, tokens } = spend;
    report(
      { ...counts, calls, tokens },
      `${counts.verdicts} verdicts in ${datasetFiles(args.in).verdicts}: ${counts.unread} could not be read, ${counts.failed} failed; ` +
        `${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`,
    );
  },
});

/** Characters of English text for each token: a rule of thumb, for an estimate. */
const CHARACTERS = 4;

async function estimated(pairs: ReturnType<typeof readPairs>, judges: number) {
  let rows = 0;
  let characters = 0;
  for await (const pair of pairs) {
    rows++;
    for (const row of pair) {
      const { system, user } = questionOf(row);
      characters += system.length + user.length;
    }
  }
  return { rows, calls: rows * 2 * judges, input_tokens: Math.ceil((characters / CHARACTERS) * judges) };
}

function readParameters(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(
      '--parameters',
      `is not valid JSON: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError('--parameters', 'must be a JSON object');
  return { ...value };
}
