/** `remand report`: one page from any results: what was measured, in words, charts and tables, with the cases behind. */

import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { describeError, InputError } from '../errors.ts';
import { escapeInPage } from '../records/index.ts';
import { readJsonFile, readJsonl, writeWhole } from '../records/node.ts';
import {
  type CaseGroup,
  type CaseLine,
  caseLine,
  type ReportInput,
  type ReportResult,
  recogniseResult,
  renderReport,
} from '../report/index.ts';
import { CARD_TIMINGS, RUN_NOTE } from './claim-output.ts';
import { asList, asText, createCommand, needed, usual } from './command.ts';
import { readArmCases } from './report/arm-cases.ts';
import { readAuthorCases } from './report/author-cases.ts';
import { readCueCases } from './report/cue-cases.ts';
import { createCaseGatherer } from './report/gather-cases.ts';
import { tell } from './terminal.ts';

/** Who writes each kind of result. */
const MAKERS: Readonly<Record<ReportResult['kind'], string>> = {
  authors: 'audit',
  authorship: 'audit',
  'bias-effects': 'audit',
  cues: 'audit',
  perturb: 'audit',
  arms: 'eval judge (but --records)',
  recorded: 'eval judge (but --records)',
  calibration: 'calibrate (but --records)',
  estimates: 'estimate (but --controlled)',
  card: 'card',
  drift: 'drift',
  look: 'look',
  rankings: 'rank',
  detectors: 'eval detector',
  rates: 'dataset label',
  distilled: 'distill',
  numbers: '/remand/numbers',
};
const JSON_OF = `the JSON of ${[...new Set(Object.values(MAKERS))].join(', ')}`;

export const reportCommand = createCommand(
  {
    in: needed(asList(','), `files or folders, comma separated: ${JSON_OF}`),
    out: usual(asText, 'report.html', 'the page'),
    title: usual(asText, 'Remand: what was measured', 'its heading'),
  },
  async ({ args, origin, print }) => {
    const paths = args.in.filter((path) => path !== '');
    if (paths.length === 0) throw new InputError('--in', 'names no file');
    const { results, passedOver } = await readResults(paths);
    for (const path of passedOver) tell(`${path}: no result, passed over\n`);
    const page = escapeInPage(await renderReport(args.title, results, await origin()));
    await writeWhole({ page: args.out }, (files) => files.page.write(page));
    const made = results.map(({ source, result }) => ({ source, kind: result.kind }));
    print(
      { out: args.out, bytes: Buffer.byteLength(page), results: made },
      () => `${args.out}: ${made.map(({ source, kind }) => `${source} (${kind})`).join(', ')}\n`,
    );
  },
);

// The results in files and folders, each known by its shape, and the records behind them where they lie beside.

// The cases that `eval judge` and `eval detector` wrote beside their figures.

/** What tells most comes first; what is not named here follows. */
const FIRST = ['wrong → right', 'right → wrong', 'bias missed', 'false alarm', 'unreadable'];

/**
 * @returns by group; no more cases are held than are shown
 * @throws InputError naming the line that is wrong
 */
async function readLinedCases(path: string): Promise<ReadonlyMap<string, readonly CaseGroup[]>> {
  const cases = createCaseGatherer<CaseLine>();
  for await (const line of readJsonl(path, caseLine)) {
    const { group, behind, outcome } = line;
    cases.add({ group, behind, outcome }, line);
  }
  const rank = (outcome: string) => (FIRST.includes(outcome) ? FIRST.indexOf(outcome) : FIRST.length);
  return cases.groups(
    (line) => line,
    (a, b) => Number(a.behind > b.behind) - Number(a.behind < b.behind) || rank(a.outcome) - rank(b.outcome),
  );
}

interface ReadResults {
  readonly results: readonly ReportInput[];
  /** JSON files of a folder that are no results. */
  readonly passedOver: readonly string[];
}

/**
 * @param paths files, which must be results, and folders, whose results are taken
 * @throws InputError naming the file that cannot be read or is no result, or the folder that has none
 */
async function readResults(paths: readonly string[]): Promise<ReadResults> {
  const read: { readonly path: string; readonly result: ReportResult }[] = [];
  const passedOver: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch((cause: unknown) => {
      throw new InputError('--in', `${path} cannot be read: ${describeError(cause)}`);
    });
    if (!found.isDirectory()) {
      read.push({ path, result: await readResult(path) });
      continue;
    }
    const names = (await readdir(path))
      .filter((name) => name.endsWith('.json') && !name.endsWith(RUN_NOTE) && name !== CARD_TIMINGS)
      .sort();
    let any = false;
    for (const file of names.map((name) => join(path, name))) {
      const result = recogniseResult(await readJsonFile(file, '--in'));
      if (result) read.push({ path: file, result });
      else passedOver.push(file);
      any ||= result !== null;
    }
    if (!any) throw new InputError('--in', `${path} has no JSON file that is a result; ${KNOWN}`);
  }
  const names = nameSources(read.map(({ path }) => path));
  const results = read.map(async ({ path, result }, n) => ({
    source: names[n] ?? path,
    result,
    cases: await casesBehind(path, result),
  }));
  return { results: await Promise.all(results), passedOver };
}

/** Each file from the folder on that holds all of them: the name alone where they lie in one. */
function nameSources(paths: readonly string[]): string[] {
  const all = paths.map((path) => resolve(path).split(sep));
  const shared =
    all[0]?.findIndex((name, n) => all.some((one) => n === one.length - 1 || one[n] !== name)) ?? 0;
  return all.map((one) => one.slice(shared).join('/'));
}

const KNOWN = `a result is ${JSON_OF}`;

async function readResult(path: string): Promise<ReportResult> {
  if (path.endsWith('.jsonl'))
    throw new InputError('--in', `${path} holds records, one a line, and is no result; ${KNOWN}`);
  const result = recogniseResult(await readJsonFile(path, '--in'));
  if (!result) throw new InputError('--in', `${path} is no result; ${KNOWN}`);
  return result;
}

/** The records where the result says they are, or else beside it; without them the figures stand alone. */
async function casesBehind(path: string, result: ReportResult): Promise<ReportInput['cases']> {
  const beside = (name: string) => join(dirname(path), name);
  const read = async (file: string, cases: (file: string) => Promise<ReportInput['cases']>) =>
    (await isFile(file)) ? cases(file) : null;
  const find = async () => {
    switch (result.kind) {
      case 'recorded':
      case 'detectors': {
        const lines = path.replace(/\.json$/, '.jsonl');
        return lines === path ? null : read(lines, readLinedCases);
      }
      case 'perturb':
        return read(beside('cases.jsonl'), readLinedCases);
      case 'cues':
        return (await isFile(beside('pairs.jsonl')))
          ? read(beside('verdicts.jsonl'), (file) => readCueCases(file, result.value))
          : null;
      case 'authors':
        return read(beside('reviews.jsonl'), (file) => readAuthorCases(file, result.value));
      case 'arms': {
        const { records } = result.value;
        const told = records === undefined ? null : await read(records, readArmCases);
        return told ?? read(beside('judgments.jsonl'), readArmCases);
      }
      default:
        return null;
    }
  };
  return (await find()) ?? new Map();
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
