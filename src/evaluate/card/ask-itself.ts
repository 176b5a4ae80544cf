/**
 * Whether a judge agrees with itself: each case asked again, turned round, under other names of the options, on another scale,
 * and with what somebody else would say. Nothing in it gives a fair judge a reason to change its verdict.
 */

import { mentionScore, renderAnswerRating, suggestScore } from '../../../prompts/index.ts';
import { CATALOGUE } from '../../bias/index.ts';
import { isNone, kindOf, readVerdict, type VerdictForm } from '../../case/index.ts';
import {
  type BaseItem,
  buildDataset,
  type DatasetRow,
  readRowVerdict,
  renderRowQuestion,
  USUAL_BUILD,
} from '../../dataset/index.ts';
import { type Model, type ModelQuestion, type RunOptions, runAll } from '../../models/index.ts';
import type { Tokens } from '../../ports.ts';

/** How a case is asked about. */
export type Variant =
  /** As it is, and as it is once more. */
  | 'first'
  | 'repeat'
  /** With the options in the other order, and with other labels. */
  | 'turned'
  | 'renamed'
  /** With somebody's opinion beside it, for the wrong option and for the right one. */
  | 'opinion-wrong'
  | 'opinion-right'
  /** Each text rated by itself, on two scales. */
  | 'rating'
  | 'fine-rating'
  /** One text rated with a high and a low score suggested, or with one that another text got. */
  | 'suggested-high'
  | 'suggested-low'
  | 'mentioned-high'
  | 'mentioned-low';

export interface AskedVariant {
  readonly item: string;
  /** Of the case among all: an item may have several. */
  readonly place: number;
  readonly judge: string;
  readonly variant: Variant;
  /** Of several of one variant, which: the repeat, or the option that is rated. */
  readonly index: number;
  /** The option chosen, in the order in which the case shows them first; null where none was read. */
  readonly option: number | null;
  /** Whether it is the right one. */
  readonly right: boolean | null;
  /** Of the text, from 0 (the lowest on the scale) to 1. */
  readonly score: number | null;
  /** Why no verdict could be read, or no reply came; null where one was. */
  readonly unread: string | null;
  readonly tokens: Tokens | null;
  /** Milliseconds of the call; null where it was made in an earlier run. */
  readonly ms: number | null;
  readonly text: string | null;
}

interface Question {
  readonly item: string;
  readonly place: number;
  readonly variant: Variant;
  readonly index: number;
  readonly asked: ModelQuestion;
  readonly read: (text: string) => Pick<AskedVariant, 'option' | 'right' | 'score' | 'unread'>;
}

export interface SelfQuestions {
  readonly items: readonly BaseItem[];
  readonly judges: readonly Model[];
  /** Times each case is asked again as it is. */
  readonly repeats: number;
  /** Milliseconds, from whenever. */
  readonly elapsed: () => number;
  readonly onDropped: (reason: string) => void;
  /** Told how many questions there are, before the first is asked. */
  readonly onCounted: (questions: number) => void;
}

/** Judges in turn, in the order of the items. */
export async function* askItself(
  { items, judges, repeats, elapsed, onDropped, onCounted }: SelfQuestions,
  run: RunOptions,
): AsyncGenerator<AskedVariant> {
  const cases = await layOutCases(items, onDropped, run);
  const tasks = cases.flatMap(([d, turned], n) =>
    listQuestions(d, turned, n, repeats).flatMap((question) => judges.map((judge) => ({ judge, question }))),
  );
  onCounted(tasks.length);
  const work = async ({ judge, question }: (typeof tasks)[number], signal: AbortSignal) => {
    const began = elapsed();
    const answer = await judge.ask(question.asked, signal);
    return { answer, ms: answer.cached ? null : elapsed() - began };
  };
  for await (const result of runAll(tasks, work, run)) {
    const { judge, question } = result.item;
    const { item, place, variant, index } = question;
    const head = { item, place, judge: judge.name, variant, index };
    if ('error' in result) {
      const unread = `no reply: ${result.error.message}`;
      yield { ...head, ...NOTHING, unread, tokens: null, ms: null, text: null };
      continue;
    }
    const { answer, ms } = result.value;
    yield { ...head, ...question.read(answer.text), tokens: answer.tokens, ms, text: answer.text };
  }
}

const NOTHING = { option: null, right: null, score: null } as const;

/** Each case as it is, and in the other order. */
async function layOutCases(
  items: readonly BaseItem[],
  onDropped: (reason: string) => void,
  run: RunOptions,
): Promise<(readonly [DatasetRow, DatasetRow])[]> {
  const turned = CATALOGUE.find(({ bothOrders }) => bothOrders);
  if (!turned) throw new RangeError('the catalogue has no bias of order');
  const settings = { ...USUAL_BUILD, biases: [turned], twins: false };
  const cases: (readonly [DatasetRow, DatasetRow])[] = [];
  for await (const { pairs, dropped } of buildDataset(items, settings, run)) {
    cases.push(...pairs);
    for (const reason of dropped) onDropped(reason);
  }
  return cases;
}

/** Other names that nothing but a habit could make better or worse. */
const OTHER_KEYS = ['1', '2'];

function listQuestions(d: DatasetRow, turned: DatasetRow, n: number, repeats: number): Question[] {
  const choose = (variant: Variant, row: DatasetRow, index = 0): Question => ({
    item: d.base,
    place: n,
    variant,
    index,
    asked: { ...renderRowQuestion(row), attempt: index },
    read(text) {
      const { option, unread } = readRowVerdict(text, row);
      const shown = option === null ? null : (row.options[option] ?? '');
      const own = shown === null ? null : d.options.indexOf(shown);
      return { option: own, right: own === null ? null : own === d.right, score: null, unread };
    },
  });
  const again = Array.from({ length: repeats }, (_, k) => choose('repeat', d, k + 1));
  const both = [choose('first', d), ...again, choose('turned', turned)];
  if (d.options.length !== 2) return both;
  const opinion = (variant: Variant, option: number) =>
    choose(variant, { ...d, statements: [...d.statements, `I think that ${d.labels[option]} is better`] });
  return [
    ...both,
    choose('renamed', { ...d, labels: OTHER_KEYS.map((key) => `Output (${key})`) }),
    opinion('opinion-wrong', 1 - d.right),
    opinion('opinion-right', d.right),
    ...listRatings(d, n),
  ];
}

const COARSE = { min: 1, max: 10 };
const FINE = { min: 0, max: 100 };
/** Scores that are suggested or mentioned. */
export const HIGH = 9;
export const LOW = 3;

function listRatings(d: DatasetRow, n: number): Question[] {
  const rate = (variant: Variant, index: number, scale: typeof COARSE, remark: string | null): Question => {
    const { min, max } = scale;
    const form: VerdictForm = { kind: 'score', ...scale, template: 'Rating: [[{}]]', field: null };
    return {
      item: d.base,
      place: n,
      variant,
      index,
      asked: renderAnswerRating({
        instruction: d.instruction,
        answer: d.options[index] ?? '',
        ...scale,
        remark,
      }),
      read(text) {
        const verdict = readVerdict(text, form, [{ label: 'Answer' }]);
        const { score } = kindOf(verdict).toDraw?.(verdict) ?? {};
        if (score !== undefined) return { ...NOTHING, score: (score - min) / (max - min), unread: null };
        return { ...NOTHING, unread: isNone(verdict) ? verdict.reason : verdict.kind };
      },
    };
  };
  const one = n % 2;
  return [
    ...[0, 1].flatMap((index) => [
      rate('rating', index, COARSE, null),
      rate('fine-rating', index, FINE, null),
    ]),
    rate('suggested-high', one, COARSE, suggestScore(HIGH)),
    rate('suggested-low', one, COARSE, suggestScore(LOW)),
    rate('mentioned-high', one, COARSE, mentionScore(HIGH)),
    rate('mentioned-low', one, COARSE, mentionScore(LOW)),
  ];
}
