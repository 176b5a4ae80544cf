/** `remand audit authorship`: is this review written by a language model, and how often is that answer wrong? */

import { join } from 'node:path';
import { type AuthorshipAnswer, evaluateAuthorship, TARGETS } from '../../audit/index.ts';
import { type ColumnNames, readReviews } from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { draw } from '../../stats/seeded-draw.ts';
import { takeFirst } from '../arguments.ts';
import {
  asList,
  asOneOf,
  asText,
  asWhole,
  atMost,
  concurrency,
  createCommand,
  flag,
  needed,
  optional,
  usual,
} from '../command.ts';
import { modelOptions, type Paid, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { describeResult, formatResult, keepDate } from '../result-origin.ts';
import {
  prepareAnchors,
  readSetup,
  type ScoringOutcome,
  scoreReviews,
  setupOptions,
  surveyReviews,
} from './authorship/score-reviews.ts';

/** Answers for single reviews that are printed; the rest is in the file. */
const MOST = 20;

function listAnswers(answers: readonly AuthorshipAnswer[]): string[] {
  const said = answers.slice(0, MOST).map(({ id, words }) => `${id}: ${words}`);
  const more = answers.length > MOST ? [`… and ${answers.length - MOST} more in answers.jsonl`] : [];
  return [...said, ...more];
}

export const auditAuthorshipCommand = createCommand(
  {
    reviews: needed(
      asList(','),
      'JSONL, <conference>.<subset>.<model>.csv or .parquet, or folders of them; several with ,',
    ),
    out: needed(asText, 'folder for anchors, scores, answers, result.json and the call store'),
    ...setupOptions,
    columns: optional(
      asColumns,
      'which column is what: paper=forum,label=who,rating=score,text=summary+weaknesses',
    ),
    targets: usual(
      asTargets,
      TARGETS.map((target) => `${100 * target}`).join(','),
      'percent of reviews by people that may be flagged',
    ),
    'correct-vote': flag('raise the lines of several anchors until their vote keeps the target'),
    language: usual(asOneOf(['en', 'any']), 'en', 'en: reviews in other languages are left out; any'),
    seed: usual(asWhole(0, 2 ** 31), '1', 'seed of the bootstrap, and of the halves where none are given'),
    concurrency: concurrency('16', 'reviews at a time'),
    limit: atMost('at most this many reviews'),
    ...modelOptions,
  },
  async ({ args, print, ...call }) => {
    const { targets, seed, language, concurrency, 'correct-vote': corrected } = args;
    const setup = readSetup(args);
    const reviews = () => takeFirst(readReviews(args.reviews, '--reviews', args.columns), args.limit);

    const seen = await surveyReviews(reviews());
    if (seen.reviews === 0) {
      const why = Object.entries(seen.passed).map(([reason, count]) => `${reason} (${count})`);
      throw new InputError('--reviews', ['hold no review', why.join('; ')].filter(Boolean).join(': '));
    }

    const held: { outcome?: ScoringOutcome } = {};
    const ask = async (models: Models, signal: AbortSignal) => {
      const out = await models.folder(args.out);
      const options = { concurrency, language, signal };
      using shelf = await prepareAnchors(out, setup, seen, models, options);
      held.outcome = await scoreReviews(out, reviews(), setup, shelf, seen, models, options);
    };
    await withModels({ ...args, folder: args.out }, ask, async (paid) => {
      if (held.outcome) await tellOutcome(held.outcome, paid);
    });

    async function tellOutcome({ rows, methods, counts }: ScoringOutcome, paid: Paid): Promise<void> {
      const half = (paper: string) => draw(seed, paper) < 0.5;
      const { evaluation, answers } = evaluateAuthorship(rows, methods, { targets, seed, half });
      const result = {
        audit: 'authorship' as const,
        embedding: setup.embedding,
        corrected,
        seed,
        ...counts,
        ...evaluation,
        answered: answers.length,
      };
      const path = join(args.out, 'result.json');
      const origin = keepDate(path, result, await call.origin());
      await writeWhole({ result: path, answers: join(args.out, 'answers.jsonl') }, async (files) => {
        await files.result.write(formatResult(result, origin));
        for (const answer of answers) await files.answers.write(formatJsonLine(answer));
      });
      if (counts.scored === 0) process.exitCode = 1;
      const again = counts.failed > 0 ? ' (start again to retry them)' : '';
      const spent = `${counts.failed} failed${again}; ${paid.calls} calls`;
      print(
        { ...result, answers, ...paid },
        async () => `${await describeResult(result)}\n${[...listAnswers(answers), spent].join('\n')}\n`,
        origin,
      );
    }
  },
);

function asTargets(text: string, option: string): number[] {
  const targets = text.split(',').map((one) => Number(one.trim()) / 100);
  if (targets.some((one) => !(one > 0 && one < 1)))
    throw new InputError(option, `must be percentages between 0 and 100, not "${text}"`);
  return [...new Set(targets)].sort((a, b) => a - b);
}

function asColumns(text: string, option: string): ColumnNames {
  const pairs = text.split(',').map((pair) => pair.split('=').map((one) => one.trim()));
  const known = ['paper', 'label', 'rating', 'id', 'text'];
  for (const [name = '', column] of pairs)
    if (!known.includes(name) || !column)
      throw new InputError(option, `"${name}" is no pair such as paper=forum; known are ${known.join(', ')}`);
  const { text: prose, ...columns } = Object.fromEntries(pairs.map(([name, column]) => [name, column]));
  return { ...columns, ...(prose === undefined ? {} : { text: prose.split('+') }) };
}
