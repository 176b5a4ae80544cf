/** `remand audit cues`: whether judges follow what is said of a text's source or date, and whether they say so. */
import { basename, extname, join } from 'node:path';
import { defineCommand } from 'citty';
import { CUE_PLACES, type CuePlace, TEXT_KINDS } from '../../../prompts/cued-pair.ts';
import {
  type AuditPair,
  auditCues,
  type CuePair,
  type CueRecord,
  createCueQuestion,
  createCueReport,
  cueFile,
  parseCuePairs,
  USUAL_PAIRS,
} from '../../audit/cues/index.ts';
import { createSeedFields } from '../../audit/seed.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine } from '../../records/jsonl.ts';
import { writeWhole } from '../../records/whole-file.ts';
import {
  parseJsonObject,
  parseOneOf,
  parseWholeNumber,
  readLimit,
  readTextOption,
  runInterruptible,
} from '../arguments.ts';
import { baseArguments } from '../dataset/base-data.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import { readModelSpec } from '../model-spec.ts';
import type { Models } from '../open-models.ts';
import { showProgress } from '../progress.ts';
import { print } from '../terminal.ts';
import { type AuditSource, readAuditPairs } from './audit-pairs.ts';
import { formatCueTable } from './cue-table.ts';

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
    judge: {
      type: 'string',
      required: true,
      description: '[name=][protocol:]model@url[#KEY_VARIABLE]; several with ;',
    },
    out: { type: 'string', required: true, description: 'folder to write to' },
    cues: { type: 'string', default: USUAL_PAIRS, description: 'pairs of cues' },
    'cue-file': {
      type: 'string',
      description: 'JSON of further cues: {"name": {"wording": "{text} …", "called": "…", "named": ["…"]}}',
    },
    years: { type: 'string', default: '2025,1950', description: 'of the cues new and old' },
    texts: {
      type: 'string',
      description: `what they are: ${TEXT_KINDS.join(', ')} (default: story for litbench, else response)`,
    },
    place: {
      type: 'string',
      default: 'before',
      description: `where a cue stands beside its text: ${CUE_PLACES.join(', ')}`,
    },
    checker: { type: 'string', description: 'a model that says of each reason whether it names the cue' },
    limit: { type: 'string', description: 'at most so many pairs of each dataset' },
    seed: {
      type: 'string',
      default: '1',
      description: 'of the intervals, and sent to judges whose protocol has a seed',
    },
    concurrency: { type: 'string', default: '16', description: 'pairs judged at a time' },
    ...modelArguments,
    'dry-run': { type: 'boolean', default: false, description: 'say what it would ask, and ask nothing' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const specs = args.judge.split(';').map((spec) => spec.trim());
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const cues = readCues(args.cues, args.years, args['cue-file']);
    const kind = args.texts === undefined ? null : parseOneOf('--texts', args.texts, TEXT_KINDS);
    const place = parseOneOf('--place', args.place, CUE_PLACES);
    const skipped: Record<string, number> = {};
    const onSkipped = (reason: string) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    };
    const sources = sourcesOf(args.from.split(';').map((from) => from.trim()));
    const read = (signal: AbortSignal) =>
      readAuditPairs(sources, args, kind, readLimit(args.limit), signal, onSkipped);
    const printResult = (result: object, words: string) =>
      print(args.json ? `${JSON.stringify(result)}\n` : `${words}\n`);

    if (args['dry-run']) {
      const estimate = await runInterruptible((signal) =>
        estimated(read(signal), cues, place, specs.length, args.checker !== undefined),
      );
      const { pairs, calls, input_tokens } = estimate;
      return void printResult(
        estimate,
        `${calls} calls at most (${pairs} pairs of texts, ${cues.length} pairs of cues both ways, ${specs.length} judges), about ${input_tokens} input tokens of the judges`,
      );
    }

    const records: CueRecord[] = [];
    let failed = 0;
    const progress = showProgress('comparisons', null);
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const [verdicts, result] = [join(args.out, 'verdicts.jsonl'), join(args.out, 'result.json')];
    // The texts beside the verdicts: a report shows the cases with what the judge saw.
    const texts = join(args.out, 'pairs.jsonl');
    const spend = await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, async (models) => {
      const judges = await Promise.all(specs.map((spec) => openJudge(models, spec, seed)));
      if (new Set(judges.map(({ name }) => name)).size < judges.length)
        throw new InputError('--judge', 'two judges have one name: name them with name=model@url');
      const checker = args.checker === undefined ? null : await models.open(args.checker, '--checker');
      const audit = { judges, cues, place, checker };
      records.length = 0;
      failed = 0;
      await runInterruptible((signal) =>
        writeWhole({ verdicts, texts }, async (files) => {
          const pairs = noted(read(signal), (pair) => files.texts.write(formatJsonLine(pair)));
          for await (const record of auditCues(pairs, audit, { concurrency, signal })) {
            await files.verdicts.write(formatJsonLine(record));
            // Replies are in the file; the figures need none of their text.
            records.push(withoutReplies(record));
            if (record.error !== null) failed++;
            progress.update(records.length, failed > 0 ? `${failed} failed` : '');
          }
        }),
      );
    }).finally(() => progress.stop());

    const report = { ...createCueReport(records, { cues, place, seed, skipped }), ...spend };
    await writeWhole({ result }, (files) => files.result.write(`${JSON.stringify(report, null, 2)}\n`));
    if (records.length === 0 || failed === records.length) process.exitCode = 1;
    const note = failed > 0 ? `\n${failed} comparisons failed (start again to retry them)` : '';
    printResult(
      report,
      `${report.results.map(formatCueTable).join('\n\n')}\n\n${verdicts}, ${result}: ${spend.calls} calls${note}`,
    );
  },
});

function openJudge(models: Models, spec: string, seed: number) {
  return models.open(spec, '--judge', createSeedFields(readModelSpec(spec, '--judge').protocol, seed));
}

function readCues(list: string, years: string, file: string | undefined): CuePair[] {
  const [recent = '', old = '', more] = years.split(',');
  if (more !== undefined)
    throw new InputError('--years', `must be two years, such as 2025,1950, not "${years}"`);
  const dates = {
    new: parseWholeNumber('--years', recent, 1, 9999),
    old: parseWholeNumber('--years', old, 1, 9999),
  };
  if (file === undefined) return parseCuePairs(list, dates);
  const own = cueFile.safeParse(parseJsonObject('--cue-file', readTextOption(file, '--cue-file')));
  if (own.success) return parseCuePairs(list, dates, own.data);
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

function withoutReplies(record: CueRecord): CueRecord {
  const bare = (said: CueRecord['as_given']) => said && { ...said, text: '' };
  return { ...record, as_given: bare(record.as_given), exchanged: bare(record.exchanged) };
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
