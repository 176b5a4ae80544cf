/** One answer has a score. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';
import { toTracedSpread, tracedSpread } from './spread.ts';

export const score = {
  isSame: (a, b) => a.score === b.score,
  distance: (a, b) => Math.abs(a.score - b.score),
  spread: (verdict) => verdict.spread,
  describe: (verdict) => `a score of ${verdict.score}`,
  remind: () => 'the score you gave then',
  brief: (verdict) => `Score: ${verdict.score}`,
  readBrief(text) {
    const [, said] = /^Score: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined || Number.isNaN(Number(said)) ? null : { kind: 'score', score: Number(said) };
  },
  plain: (verdict) => String(verdict.score),
  traced: { score: z.number().optional(), spread: tracedSpread },
  toTrace: (verdict) => ({
    score: verdict.score,
    ...(verdict.spread && { spread: toTracedSpread(verdict.spread) }),
  }),
  fromTrace: ({ score: told }) => (typeof told === 'number' ? { kind: 'score', score: told } : null),
} as const satisfies VerdictKind<'score'>;
