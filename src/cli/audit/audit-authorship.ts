/** `remand audit authorship`: is this review written by a language model, and how often is that answer wrong? */

import { join } from 'node:path';
import { defineCommand } from 'citty';
import {
  type AuthorshipAnswer,
  type Evaluation,
  type ExactShare,
  evaluateAuthorship,
  formatShare as percent,
  TARGETS,
} from '../../audit/index.ts';
import { type ColumnNames, readReviews } from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { draw } from '../../stats/seeded-draw.ts';
import { parseOneOf, parseWholeNumber, readLimit, runInterruptible, takeFirst } from '../arguments.ts';
import { modelArguments, type Paid, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { describeOrigin, formatResult, keepDate } from '../result-origin.ts';
import { alignRows, print } from '../terminal.ts';
import {
  prepareAnchors,
  readSetup,
  type ScoringOutcome,
  scoreReviews,
  setupArguments,
  surveyReviews,
} from './authorship/score-reviews.ts';

/** The outcome of `remand audit authorship` as a terminal shows it: sentences, then figures. */
interface Shown extends Evaluation {
  readonly reviews: number;
  readonly scored: number;
  readonly failed: number;
  readonly passed: Readonly<Record<string, number>>;
  readonly unscored: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** Answers for single reviews that are printed; the rest is in the file. */
const MOST = 20;

function formatAuthorshipTable(result: Shown, answers: readonly AuthorshipAnswer[]): string {
  const rows = result.methods.flatMap(({ method, auc, bounded, targets }) =>
    targets.map(({ target, refused, fpr, tpr, expected }) => [
      ...[
        method,
        auc.value === null ? '-' : `${auc.value.toFixed(3)}${bounded ? ' at worst' : ''}`,
        percent(target),
      ],
      ...(refused === null
        ? [shown(tpr), shown(fpr), expected ? `${expected.low} to ${expected.high}` : '-']
        : ['refused', '', '']),
    ]),
  );
  const gone = [...Object.entries(result.passed), ...Object.entries(result.unscored)].map(
    ([why, count]) => `  ${count} not scored: ${why}`,
  );
  const said = answers.slice(0, MOST).map(({ id, words }) => `${id}: ${words}`);
  const more = answers.length > MOST ? [`… and ${answers.length - MOST} more in answers.jsonl`] : [];
  return `${[
    ...result.verdicts,
    '',
    alignRows([['method', 'AUC', 'promised', 'models found', 'people flagged', 'expected'], ...rows]),
    `${result.scored} of ${result.reviews} reviews scored, ${result.failed} failed${result.failed > 0 ? ' (start again to retry them)' : ''}; ${result.calls} calls`,
    ...gone,
    ...(said.length > 0 ? ['', ...said, ...more] : []),
  ].join('\n')}\n`;
}

function shown({ share, count, n }: ExactShare): string {
  return share === null ? '-' : `${percent(share)} (${count} of ${n})`;
}

export const auditAuthorshipCommand = defineCommand({
  meta: {
    name: 'authorship',
    description:
      'Measure how much a review resembles what a model writes, and how often that answer is wrong. A run that was stopped resumes.',
  },
  args: {
    reviews: {
      type: 'string',
      required: true,
      description: 'JSONL, <conference>.<subset>.<model>.csv or .parquet, or folders of them; several with ,',
    },
    out: {
      type: 'string',
      required: true,
      description: 'folder for anchors, scores, answers, result.json and the call store',
    },
    ...setupArguments,
    columns: {
      type: 'string',
      description: 'which column is what: paper=forum,label=who,rating=score,text=summary+weaknesses',
    },
    targets: {
      type: 'string',
      default: TARGETS.map((target) => `${100 * target}`).join(','),
      description: 'percent of reviews by people that may be flagged',
    },
    'correct-vote': {
      type: 'boolean',
      default: false,
      description: 'raise the lines of several anchors until their vote keeps the target',
    },
    language: {
      type: 'string',
      default: 'en',
      description: 'en: reviews in other languages are left out; any',
    },
    seed: {
      type: 'string',
      default: '1',
      description: 'seed of the bootstrap, and of the halves where none are given',
    },
    concurrency: { type: 'string', default: '16', description: 'reviews at a time' },
    limit: { type: 'string', description: 'at most so many reviews' },
    ...modelArguments,
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run(context) {
    const { args } = context;
    const paths = args.reviews.split(',').map((path) => path.trim());
    const columns = readColumns(args.columns);
    const limit = readLimit(args.limit);
    const setup = readSetup(args);
    const targets = readTargets(args.targets);
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31);
    const language = parseOneOf('--language', args.language, ['en', 'any']);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const reviews = () => takeFirst(readReviews(paths, '--reviews', columns), limit);

    const seen = await surveyReviews(reviews());
    if (seen.reviews === 0) throw new InputError('--reviews', 'hold no review');

    const run = (signal: AbortSignal) => ({ concurrency, language, signal });
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const held: { outcome?: ScoringOutcome } = {};
    const ask = (models: Models) =>
      runInterruptible(async (signal) => {
        const out = await models.folder(args.out);
        using shelf = await prepareAnchors(out, setup, seen, models, run(signal));
        held.outcome = await scoreReviews(out, reviews(), setup, shelf, seen, models, run(signal));
      });
    await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, ask, async (paid) => {
      if (held.outcome) await tellOutcome(held.outcome, paid);
    });

    async function tellOutcome({ rows, methods, counts }: ScoringOutcome, paid: Paid): Promise<void> {
      const half = (paper: string) => draw(seed, paper) < 0.5;
      const corrected = args['correct-vote'];
      const { evaluation, answers } = evaluateAuthorship(rows, methods, { targets, seed, corrected, half });
      const result = {
        ...{ audit: 'authorship' as const, embedding: setup.embedding, corrected, seed, ...counts },
        ...{ ...evaluation, answered: answers.length },
      };
      const path = join(args.out, 'result.json');
      const origin = keepDate(path, result, await describeOrigin('audit authorship', context));
      await writeWhole({ result: path, answers: join(args.out, 'answers.jsonl') }, async (files) => {
        await files.result.write(formatResult(result, origin));
        for (const answer of answers) await files.answers.write(formatJsonLine(answer));
      });
      if (counts.scored === 0) process.exitCode = 1;
      print(
        args.json
          ? formatResult({ ...result, answers, ...paid }, origin)
          : formatAuthorshipTable({ ...result, ...paid }, answers),
      );
    }
  },
});

function readTargets(text: string): number[] {
  const targets = text.split(',').map((one) => Number(one.trim()) / 100);
  if (targets.some((one) => !(one > 0 && one < 1)))
    throw new InputError('--targets', `must be percentages between 0 and 100, not "${text}"`);
  return [...new Set(targets)].sort((a, b) => a - b);
}

function readColumns(text: string | undefined): ColumnNames {
  if (text === undefined) return {};
  const pairs = text.split(',').map((pair) => pair.split('=').map((one) => one.trim()));
  const known = ['paper', 'label', 'rating', 'id', 'text'];
  for (const [name = '', column] of pairs)
    if (!known.includes(name) || !column)
      throw new InputError(
        '--columns',
        `"${name}" is no pair such as paper=forum; known are ${known.join(', ')}`,
      );
  const { text: prose, ...columns } = Object.fromEntries(pairs.map(([name, column]) => [name, column]));
  return { ...columns, ...(prose === undefined ? {} : { text: prose.split('+') }) };
}
