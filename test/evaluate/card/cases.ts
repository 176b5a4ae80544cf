/** Judges with declared faults, cases whose right answer they know, and their cards. */
import type { BaseItem } from '../../../src/dataset/index.ts';
import {
  askBiases,
  askItself,
  CHECKS,
  INJECTED,
  type JudgeCard,
  measureCards,
} from '../../../src/evaluate/index.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Weights } from '../../../src/sandbox/index.ts';
import { replyTo } from '../../../src/sandbox/sandbox.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';

/** Knows sums, and is swayed by nothing. */
export const FAIR: Partial<Weights> = {
  ...{ length: 0, position: 0, majority: 0, tone: 0 },
  ...{ provenance: 0, recency: 0, author: 0, hostility: 0 },
};

/** Faults as they are declared, and the checks in which each has to show. */
export const FAULTS = [
  { name: 'for the first place', weights: { position: 3 }, beyond: ['orders', 'position', 'accuracy'] },
  { name: 'for the crowd', weights: { majority: 3 }, beyond: ['bandwagon'] },
  { name: 'for what is new', weights: { recency: 4 }, beyond: ['recency'] },
  {
    name: 'for what others say',
    weights: { suggestion: 3, mention: 1 },
    beyond: ['opinion', 'suggested-score', 'mentioned-score'],
  },
  { name: 'for texts that speak to it', weights: { instruction: 3 }, beyond: ['instruction'] },
] as const;

/** @param seed the same numbers for the same one */
export function makeCases(seed: number, count: number): BaseItem[] {
  const draw = createSeededDraw(seed);
  return Array.from({ length: count }, (_, n): BaseItem => {
    const [a, b] = [11 + draw(80), 11 + draw(80)];
    const tens = Math.floor(b / 10) * 10;
    const say = (sum: number) =>
      `Split ${b} into ${tens} and ${b - tens}. ${a}*${tens} is ${a * tens}, and the rest is added to it. The answer is ${sum}.`;
    return {
      ...{ kind: 'pair', id: `q${n}`, instruction: `What is ${a}*${b}?`, answer: String(a * b) },
      ...{ positive: say(a * b), negative: say(a * b + (draw(2) === 0 ? 10 : -10)) },
      first: draw(2) === 0 ? 'positive' : 'negative',
    };
  });
}

/** Asked without a request around the question, which would take a fourth of the time. */
export function createFaultyJudge(name: string, weights: Partial<Weights>): Model {
  const options = { weights: { ...FAIR, ...weights } };
  return {
    name,
    async ask({ system, user }) {
      const parts = [
        { role: 'system', text: system ?? '' },
        { role: 'user', text: user },
      ];
      const reply = replyTo({ prompt: { parts }, schema: null, declared: undefined }, options);
      return { text: reply?.text ?? '', reasoning: null, finish: null, tokens: null, cached: false };
    },
  };
}

export async function readCard(judge: Model, items: readonly BaseItem[]): Promise<JudgeCard> {
  const run = { concurrency: 8, signal: new AbortController().signal };
  const asked = {
    items,
    judges: [judge],
    repeats: 1,
    elapsed: () => 0,
    onDropped: () => {},
    onCounted: () => {},
  };
  const variants = await collect(askItself(asked, run));
  const biases = await collect(askBiases({ ...asked, biases: INJECTED, tone: null }, run));
  const [card] = measureCards({ variants, biases }, CHECKS);
  if (!card) throw new RangeError('no card');
  return card;
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

/** Checks that are beyond their limits. */
export const listBeyond = ({ checks }: JudgeCard): string[] =>
  checks.filter(({ state }) => state === 'beyond').map(({ name }) => name);
