/** Every option has a score; the highest is the choice. */
import * as z from 'zod';
import type { VerdictKind, VerdictOf } from './kind.ts';

export const scores = {
  // Scores that put the options in the same order decide the same.
  isSame: (a, b) => a.scores.length === b.scores.length && orderOf(a).join() === orderOf(b).join(),
  mapBack(verdict, order) {
    const back = order.map((_, option) => verdict.scores[order.indexOf(option)]);
    const whole = back.length === verdict.scores.length && back.every((one) => one !== undefined);
    return whole ? { ...verdict, scores: back } : null;
  },
  preferred: findBest,
  /** The most by which the lead of one option over another changed. */
  distance(a, b) {
    if (a.scores.length !== b.scores.length) return null;
    const changes = a.scores.map((one, option) => one - (b.scores[option] ?? one));
    return Math.max(...changes) - Math.min(...changes);
  },
  describe: (verdict, nameOf) =>
    `${nameBest(verdict, nameOf) ?? 'no option'}, with scores of ${verdict.scores.join(' and ')}`,
  remind(verdict, nameOf) {
    const best = nameBest(verdict, nameOf);
    return best === null ? 'equal scores' : `a higher score for ${best}`;
  },
  brief: (verdict, nameOf) => nameBest(verdict, nameOf) ?? 'Tie',
  plain: (verdict) => verdict.scores.join(' '),
  /** One for each option, in the original order. */
  traced: { scores: z.array(z.number()).optional() },
  toTrace: (verdict) => ({ scores: [...verdict.scores] }),
  fromTrace({ scores: told }) {
    const read = z.array(z.number()).safeParse(told);
    return read.success ? { kind: 'scores', scores: read.data } : null;
  },
} as const satisfies VerdictKind<'scores'>;

function findBest({ scores: all }: VerdictOf<'scores'>): number | null {
  const most = Math.max(...all);
  const best = all.flatMap((one, option) => (one === most ? [option] : []));
  return best.length === 1 ? (best[0] ?? null) : null;
}

function nameBest(verdict: VerdictOf<'scores'>, nameOf: (option: number) => string): string | null {
  const best = findBest(verdict);
  return best === null ? null : nameOf(best);
}

const orderOf = ({ scores: all }: VerdictOf<'scores'>) =>
  all.flatMap((one, i) => all.slice(i + 1).map((other) => Math.sign(one - other)));
