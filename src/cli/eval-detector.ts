/**
 * `remand eval detector`: how often detectors get the bias label of recorded verdicts right, on the published
 * rows and, with `--twins`, on their counterbalanced twins. One JSON document or a table on standard output.
 */
import { defineCommand } from 'citty';
import { detectorRow } from '../dataset/index.ts';
import { BASELINE_DETECTOR } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { checkShots, compareDetectors, type DetectorFinding, shotRow } from '../evaluate/index.ts';
import { writeJsonl } from '../records/node.ts';
import type { CaseLine } from '../report/index.ts';
import { parseWholeNumber, readTextOption, runInterruptible } from './arguments.ts';
import { createDetectorLine } from './eval-detector/detector-line.ts';
import { measureContestant } from './eval-detector/measure-contestant.ts';
import {
  ASKING_JUDGE,
  CONTESTANT_KINDS,
  openContestant,
  splitList,
} from './eval-detector/open-contestant.ts';
import { readRows, readTwins } from './eval-detector/read-twins.ts';
import { type ContestantScores, formatScoreTable } from './eval-detector/score-table.ts';
import { modelArguments, withModels } from './model-arguments.ts';
import { print, tell } from './terminal.ts';

export const evalDetectorCommand = defineCommand({
  meta: { name: 'detector', description: 'Measure detectors on verdicts whose bias label is known.' },
  args: {
    rows: { type: 'string', required: true, description: 'JSONL with the columns of the published dataset' },
    detector: {
      type: 'string',
      default: BASELINE_DETECTOR.name,
      description: `comma separated: ${CONTESTANT_KINDS}; recorded is the labels in the rows, rbd alone the model of RBD_BASE_URL or HF_TOKEN and RBD_MODEL; the others as kind=[name=][protocol:]model@url[#KEY_VARIABLE]`,
    },
    judge: {
      type: 'string',
      description: `whom ${ASKING_JUDGE} ask again, [name=][protocol:]model@url or sandbox: the judge of the rows, if it is to say anything about it`,
    },
    shots: {
      type: 'string',
      description: 'JSONL of labelled rows that are none of those measured: the first four are the examples',
    },
    twins: { type: 'string', description: 'folder of the bias4-eval files: measure on the twins, too' },
    template: {
      type: 'string',
      description: 'file with the prompt template that the rbd model was trained on',
    },
    concurrency: { type: 'string', default: '8', description: 'rows examined at a time' },
    seed: { type: 'string', default: '0', description: 'of the intervals of F1' },
    parameters: modelArguments.parameters,
    budget: modelArguments.budget,
    tokens: modelArguments.tokens,
    store: {
      type: 'string',
      description:
        'file of finished model calls: started again with it, the command goes on where it stopped',
    },
    retries: modelArguments.retries,
    timeout: modelArguments.timeout,
    records: {
      type: 'string',
      description: 'JSONL to write every finding to; beside x.json, x.jsonl is read by report',
    },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const rows = await readRows(args.rows, detectorRow, '--rows');
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 256);
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31 - 1);
    const twins = args.twins === undefined ? null : await readTwins(args.twins, log);
    const template = args.template === undefined ? undefined : readTextOption(args.template, '--template');
    const measured = [...rows, ...Object.values(twins ?? {}).flatMap((twin) => twin.rows)];
    const shots =
      args.shots === undefined ? null : checkShots(await readRows(args.shots, shotRow, '--shots'), measured);
    const results: Record<string, ContestantScores> = {};
    const answered = new Map<string, readonly DetectorFinding[]>();
    const lines: CaseLine[] = [];
    const common = { ...args, store: args.store ?? ':memory:', keyVariable: 'RBD_API_KEY' };
    await withModels(common, async (models) => {
      const judge = args.judge === undefined ? null : await models.open(args.judge, '--judge');
      if (judge && !rows.some((row) => row.llm_judge_model === judge.name))
        log(
          `the rows were judged by others than ${judge.name}: what probes of it show says nothing about them`,
        );
      const tools = { rows, template, shots, models, store: models.store, judge };
      const all = await Promise.all(splitList(args.detector).map((what) => openContestant(what, tools)));
      if (new Set(all.map(({ name }) => name)).size < all.length)
        throw new InputError(
          '--detector',
          'has two detectors of one name; tell them apart as kind=name=model@url',
        );
      await runInterruptible(async (signal) => {
        for (const one of all)
          results[one.name] = await measureContestant(one, {
            ...{ rows, twins, concurrency, seed, signal, log },
            keep(name, twin, findings) {
              if (twin === null) answered.set(name, findings);
              if (args.records !== undefined)
                lines.push(...findings.map((finding) => createDetectorLine(name, twin, finding)));
            },
          });
      });
    });
    for (const [name, scores] of Object.entries(results))
      results[name] = { ...scores, against: compared(name, answered, seed) };
    if (args.records !== undefined) await writeJsonl(args.records, lines);
    print(args.json ? `${JSON.stringify(results, null, 2)}\n` : formatScoreTable(results));
  },
});

/** One detector beside each of the others of the run: they were all asked about the same rows. */
function compared(
  name: string,
  answered: ReadonlyMap<string, readonly DetectorFinding[]>,
  seed: number,
): NonNullable<ContestantScores['against']> {
  const own = answered.get(name) ?? [];
  return Object.fromEntries(
    [...answered].flatMap(([other, findings]) => {
      const found = other === name ? null : compareDetectors(own, findings, seed);
      return found ? [[other, found]] : [];
    }),
  );
}

function log(message: string): void {
  tell(`${message}\n`);
}
