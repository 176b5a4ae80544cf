/** `remand card`: what a judge is worth, in one command and one page. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import * as z from 'zod';
import { InputError, RemandError } from '../errors.ts';
import {
  type AskedBias,
  type AskedVariant,
  applyLimits,
  askBiases,
  askItself,
  type Check,
  INJECTED_BY_DEFAULT,
  type JudgeCard,
  measureCards,
} from '../evaluate/index.ts';
import { computeCost } from '../models/index.ts';
import { systemClock, type Tokens } from '../ports.ts';
import { formatJsonLine, writeWhole } from '../records/node.ts';
import {
  type CheckedFigure,
  formatLimit,
  type PricedCard,
  recogniseResult,
  renderReport,
} from '../report/index.ts';
import { formatPercent } from '../stats/index.ts';
import { addTo, type ReasonCounts, readJsonOption, takeFirst } from './arguments.ts';
import { planOptions, readInjected } from './audit/run-audit.ts';
import { CARD_TIMINGS, claimOutput } from './claim-output.ts';
import { asList, asText, asWhole, createCommand, optional, usual } from './command.ts';
import { baseOptions, openBaseReader } from './dataset/base-data.ts';
import { type Paid, withModels } from './model-arguments.ts';
import { type Models, readModelSpec } from './open-models.ts';
import { describeResult, formatResult, keepDate, loadPrices } from './result-origin.ts';

const { from: cases, ...baseRest } = baseOptions;

export const cardCommand = createCommand(
  {
    cases: { ...cases, description: `cases with a known right answer; ${cases.description}` },
    ...baseRest,
    ...planOptions,
    biases: usual(asList(','), INJECTED_BY_DEFAULT.join(','), 'comma separated; none for none'),
    tone: optional(asText, 'a model that rewrites tones: sentiment cannot be tested without one'),
    repeats: usual(asWhole(0, 20), '2', 'times each case is asked again as it is'),
    limits: optional(asText, 'JSON file {check: limit}, in place of the usual limits'),
    'fail-over': optional(
      asText,
      'as --limits; the exit code is 1 where a judge is beyond one of its limits',
    ),
  },
  async ({ args, texts, defaults, print, ...call }) => {
    const { repeats, limit, concurrency, judge: specs } = args;
    const biases = args.biases.join() === 'none' ? [] : readInjected(args.biases);
    const checks = await readLimits(args.limits, args['fail-over']);
    const known = await loadPrices(args.prices);
    const read = await openBaseReader({ ...args, from: args.cases });
    const dropped: Record<string, ReasonCounts> = {};
    const onDropped = (check: string, reason: string) => {
      dropped[check] ??= {};
      addTo(dropped[check], reason);
    };
    const readItems = (signal: AbortSignal) =>
      Array.fromAsync(
        takeFirst(
          read(signal, (reason) => onDropped('cases', reason)),
          limit,
        ),
      );
    const questions = { biases, repeats, elapsed: systemClock.elapsed, onDropped };
    const result = join(args.out, 'result.json');
    await claimOutput({
      path: result,
      command: 'card',
      args: { ...texts, 'fail-over': undefined },
      defaults,
      option: '--out',
    });
    const timings = readTimings(args.out);
    let asked: CardAnswers = { variants: [], biases: [] };
    const ask = async (models: Models, signal: AbortSignal) => {
      const judges = await models.openAll(specs, '--judge');
      const tone = await models.openOptional(args.tone, '--tone');
      for (const check of Object.keys(dropped)) delete dropped[check];
      const items = await readItems(signal);
      asked = await askAll({ ...questions, items, judges, tone }, { concurrency, signal }, (total) =>
        models.progress('verdicts', total),
      );
    };
    await withModels({ ...args, folder: args.out }, ask, writeCard);

    async function writeCard(paid: Paid): Promise<void> {
      if (asked.variants.length > 0 && asked.variants.every(({ text }) => text === null))
        throw new RemandError(`no card is written, since no judge answered: ${asked.variants[0]?.unread}`);
      for (const { judge, ms } of asked.variants) {
        const before = timings[judge] ?? { calls: 0, ms: 0 };
        if (ms !== null) timings[judge] = { calls: before.calls + 1, ms: before.ms + ms };
      }
      const models = new Map(
        specs.map((spec) => readModelSpec(spec, '--judge')).map((one) => [one.name, one.model]),
      );
      const cards = measureCards(asked, checks).map((card) =>
        finishCard(card, {
          dropped,
          timings,
          cost: (tokens) => computeCost(models.get(card.judge) ?? card.judge, tokens, known),
        }),
      );
      const report = { cards, dropped };
      const origin = keepDate(result, report, await call.origin());
      const found = recogniseResult(JSON.parse(formatResult(report, origin)));
      if (!found) throw new RangeError('the card is no result');
      const page = await renderReport('Remand: report card', [
        { source: 'result.json', result: found, cases: new Map() },
      ]);
      await writeFiles(args.out, {
        'result.json': formatResult(report, origin),
        [CARD_TIMINGS]: `${JSON.stringify(timings, null, 2)}\n`,
        'card.html': page,
        'junit.xml': await formatJUnit(cards),
        'summary.md': formatSummary(cards),
        'verdicts.jsonl': [...asked.variants, ...asked.biases].map(withoutTime).map(formatJsonLine).join(''),
      });
      const isOver = cards.some((card) => card.checks.some(({ state }) => state === 'beyond'));
      const isMute = asked.variants.every(({ unread }) => unread !== null);
      if (isMute || (isOver && args['fail-over'] !== undefined)) process.exitCode = 1;
      print(
        { ...report, ...paid },
        async () =>
          `${await describeResult({ cards, dropped })}\n${paid.calls} calls. The page: ${join(args.out, 'card.html')}\n`,
        origin,
      );
    }
  },
);

interface CardAnswers {
  readonly variants: readonly AskedVariant[];
  readonly biases: readonly AskedBias[];
}

/** `onDropped` is told of cases by the name of the check. */
type CardQuestions = Omit<Parameters<typeof askItself>[0], 'onDropped' | 'onCounted'> &
  Parameters<typeof askBiases>[0];

/** @param onCounted told how many verdicts there will be at most; gives what is to be told after each */
async function askAll(
  { onDropped, ...questions }: CardQuestions,
  run: { readonly concurrency: number; readonly signal: AbortSignal },
  onCounted: (total: number) => (done: number) => void,
): Promise<CardAnswers> {
  const variants: AskedVariant[] = [];
  const biases: AskedBias[] = [];
  const inBiases = questions.items.length * questions.judges.length * questions.biases.length * 2;
  let onDone: (done: number) => void = () => {};
  const itself = {
    ...questions,
    onDropped: (reason: string) => onDropped('cases', reason),
    onCounted(count: number) {
      onDone = onCounted(count + inBiases);
    },
  };
  for await (const one of askItself(itself, run)) {
    variants.push(one);
    onDone(variants.length);
  }
  for await (const one of askBiases({ ...questions, onDropped }, run)) {
    biases.push(one);
    onDone(variants.length + biases.length);
  }
  return { variants, biases };
}

async function readLimits(limits: string | undefined, failOver: string | undefined): Promise<Check[]> {
  if (limits !== undefined && failOver !== undefined)
    throw new InputError('--limits', 'does not go with --fail-over, which names limits itself');
  const [option, path] = failOver === undefined ? ['--limits', limits] : ['--fail-over', failOver];
  if (path === undefined) return applyLimits({});
  const given = await readJsonOption(path, option, z.record(z.string(), z.number()));
  try {
    return applyLimits(given);
  } catch (cause) {
    if (cause instanceof InputError) throw new InputError(option, `${path}: ${cause.message}`);
    throw cause;
  }
}

const timingsFile = z.record(z.string(), z.object({ calls: z.number(), ms: z.number() }));
type Timings = z.infer<typeof timingsFile>;

/** Of earlier runs: what is in the call store is not asked again, and its time not measured again. */
function readTimings(folder: string): Timings {
  const path = join(folder, CARD_TIMINGS);
  return existsSync(path) ? timingsFile.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
}

const withoutTime = ({ ms: _, ...one }: AskedVariant | (AskedBias & { readonly ms?: undefined })) => one;

interface CardExtras {
  readonly dropped: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly timings: Timings;
  readonly cost: (tokens: Tokens) => ReturnType<typeof computeCost>;
}

function finishCard(card: JudgeCard, { dropped, timings, cost: costOf }: CardExtras): PricedCard {
  const timed = timings[card.judge];
  const cost = card.tokens && costOf(card.tokens);
  const checks = card.checks.map((check) => {
    const [reason] = Object.entries(dropped[check.name] ?? {}).sort((a, b) => b[1] - a[1]);
    return check.value === null && reason
      ? { ...check, reason: `not put into any case: ${reason[0]}` }
      : check;
  });
  return {
    ...card,
    checks,
    seconds: timed ? timed.ms / timed.calls / 1000 : null,
    price_per_1000: cost && 1000 * (cost.input + cost.output),
  };
}

async function writeFiles(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const paths = Object.fromEntries(Object.keys(texts).map((name) => [name, join(folder, name)]));
  await writeWhole(paths, async (files) => {
    for (const [name, text] of Object.entries(texts)) await files[name]?.write(text);
  });
}

/** What is beyond its limit fails; what was not measured, or is unclear, is skipped and says so. */
async function formatJUnit(cards: readonly PricedCard[]): Promise<string> {
  const suites = cards.map(({ judge, checks }) => {
    const count = (state: string) => checks.filter((check) => check.state === state).length;
    const tests = checks.map((check) => {
      const told = `${check.about}: ${tellFigure(check)}, ${formatLimit(check)}`;
      const outcome =
        check.state === 'beyond'
          ? html`<failure message="${told}"></failure>`
          : check.state === 'within'
            ? html`<system-out>${told}</system-out>`
            : html`<skipped message="${check.state}: ${told}"></skipped>`;
      return html`  <testcase classname="${judge}" name="${check.name}">${outcome}</testcase>\n`;
    });
    return html`<testsuite name="${judge}" tests="${checks.length}" failures="${count('beyond')}" errors="0" skipped="${count('unclear') + count('not measured')}">
${tests}</testsuite>\n`;
  });
  return String(
    await html`${raw('<?xml version="1.0" encoding="UTF-8"?>')}\n<testsuites name="remand card">\n${suites}</testsuites>\n`,
  );
}

const MARKS = { within: '✅', unclear: '❔', beyond: '❌', 'not measured': '➖' } as const;

function formatSummary(cards: readonly PricedCard[]): string {
  const names = cards[0]?.checks.map(({ name }) => name) ?? [];
  const cell = (text: string) => text.replace(/[|\\`<>\r\n]/g, ' ');
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  const rows = names.map((name, n) => {
    const own = cards.map(({ checks }) => checks[n]);
    return row([
      name,
      own[0] ? formatLimit(own[0]) : '',
      ...own.map((check) => (check ? `${MARKS[check.state]} ${tellFigure(check)}` : '')),
    ]);
  });
  return `${[
    '## Report card',
    '',
    row(['check', 'limit', ...cards.map(({ judge }) => judge)]),
    row(['---', '---', ...cards.map(() => '---')]),
    ...rows,
    '',
    '❌ beyond the limit with its whole interval, ❔ the interval holds the limit, ➖ not measured',
  ].join('\n')}\n`;
}

function tellFigure({ value, interval, reason }: CheckedFigure): string {
  if (value === null || interval === null) return reason ?? 'none';
  return `${formatPercent(value)} [${formatPercent(interval.low)}, ${formatPercent(interval.high)}]`;
}
