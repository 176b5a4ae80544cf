/** `remand audit cues`: whether judges follow what is said of a text's source or date, and whether they say so. */
import { basename, extname, join } from 'node:path';
import { defineCommand } from 'citty';
import type { CuePlace } from '../../../prompts/index.ts';
import {
  type AuditPair,
  type CuePair,
  chooseCues,
  createCuePlan,
  createCueQuestion,
  cueFile,
  cueSettings,
  describeOptions,
  readSettings,
} from '../../audit/index.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine } from '../../records/node.ts';
import { parseJsonObject, readLimit, readTextOption, runInterruptible } from '../arguments.ts';
import { baseArguments } from '../dataset/base-data.ts';
import { print } from '../terminal.ts';
import { type AuditSource, readAuditPairs } from './audit-pairs.ts';
import { formatCueTable } from './cue-table.ts';
import { listJudges, planArguments, runAudit } from './run-audit.ts';

export const auditCuesCommand = defineCommand({
  meta: {
    name: 'cues',
    description:
      'Attach sentences on source and date to two texts, exchange them, and see whether the verdict follows. Started again, it goes on.',
  },
  args: {
    ...baseArguments,
    from: {
      type: 'string',
      required: true,
      description: 'pairs of texts: base data, as for dataset build; several with ;',
    },
    ...describeOptions(cueSettings),
    'cue-file': {
      type: 'string',
      description: 'JSON of further cues: {"name": {"wording": "{text} …", "called": "…", "named": ["…"]}}',
    },
    checker: { type: 'string', description: 'a model that says of each reason whether it names the cue' },
    ...planArguments,
  },
  async run({ args }) {
    const settings = readSettings(cueSettings, args, '--');
    const own = args['cue-file'] === undefined ? {} : readCueFile(args['cue-file']);
    let skipped: Record<string, number> = {};
    const onSkipped = (reason: string) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    };
    const sources = sourcesOf(args.from.split(';').map((from) => from.trim()));
    const limit = readLimit(args.limit);
    const read = (signal: AbortSignal) =>
      readAuditPairs(sources, args, settings.texts ?? null, limit, signal, onSkipped);
    const cues = chooseCues(settings, { own, prefix: '--' });
    const printResult = (result: object, words: string) =>
      print(args.json ? `${JSON.stringify(result)}\n` : `${words}\n`);

    if (args['dry-run']) {
      const judges = listJudges(args.judge).length;
      const estimate = await runInterruptible((signal) =>
        estimated(read(signal), cues, settings.place, judges, args.checker !== undefined),
      );
      const { pairs, calls, input_tokens } = estimate;
      return void printResult(
        estimate,
        `${calls} calls at most (${pairs} pairs of texts, ${cues.length} pairs of cues both ways, ${judges} judges), about ${input_tokens} input tokens of the judges`,
      );
    }

    const { report, failed, calls, tokens } = await runAudit(args, {
      noun: 'comparisons',
      total: null,
      // The texts stand beside the verdicts: a report shows the cases with what the judge saw.
      files: ['verdicts', 'pairs'],
      async open(judges, models) {
        skipped = {};
        const checker = args.checker === undefined ? null : await models.open(args.checker, '--checker');
        return createCuePlan(settings, judges, { own, prefix: '--', checker, skipped });
      },
      rows: (signal, { pairs }) => noted(read(signal), (pair) => pairs.write(formatJsonLine(pair))),
      write: (record, { verdicts }) => verdicts.write(formatJsonLine(record)),
    });
    const note = failed > 0 ? `\n${failed} comparisons failed (start again to retry them)` : '';
    const files = ['verdicts.jsonl', 'result.json'].map((name) => join(args.out, name)).join(', ');
    printResult(
      { ...report, calls, tokens },
      `${report.results.map(formatCueTable).join('\n\n')}\n\n${files}: ${calls} calls${note}`,
    );
  },
});

function readCueFile(file: string) {
  const own = cueFile.safeParse(parseJsonObject('--cue-file', readTextOption(file, '--cue-file')));
  if (own.success) return own.data;
  const wrong = own.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new InputError('--cue-file', `${file}: ${wrong.join('; ')}`);
}

/** A dataset is called by its file's name, or as the hub has it; by its whole path where two files have one name. */
function sourcesOf(all: readonly string[]): AuditSource[] {
  const short = all.map((from) => basename(from, extname(from)));
  const once = new Set(short).size === all.length;
  return all.map((from, index) => ({ from, dataset: (once && short[index]) || from }));
}

async function* noted(
  pairs: AsyncIterable<AuditPair>,
  note: (pair: AuditPair) => Promise<void>,
): AsyncGenerator<AuditPair> {
  for await (const pair of pairs) {
    await note(pair);
    yield pair;
  }
}

/** Characters of English text for each token: a rule of thumb, for an estimate. */
const CHARACTERS = 4;

async function estimated(
  pairs: ReturnType<typeof readAuditPairs>,
  cues: readonly CuePair[],
  place: CuePlace,
  judges: number,
  checked: boolean,
) {
  let count = 0;
  let characters = 0;
  for await (const pair of pairs) {
    count++;
    for (const two of cues) {
      const { system, user } = createCueQuestion(pair, two, place);
      // Both ways round it is as long.
      characters += 2 * ((system?.length ?? 0) + user.length);
    }
  }
  const verdicts = count * cues.length * 2 * judges;
  return {
    pairs: count,
    calls: verdicts * (checked ? 2 : 1),
    input_tokens: Math.ceil((characters / CHARACTERS) * judges),
  };
}
