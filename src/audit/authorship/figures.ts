/** The figures of a run, by what they tell. */
import type { Inflation, KindFigures } from './kinds.ts';
import type { MethodFigures } from './measure-method.ts';
import type { VoteFigures } from './measure-vote.ts';
import type { Transfer } from './transfer.ts';

export interface AuthorshipFigures {
  readonly split: string;
  readonly methods: readonly MethodFigures[];
  readonly vote: VoteFigures | null;
  readonly transfers: readonly Transfer[];
  readonly kinds: readonly KindFigures[];
  readonly inflation: readonly Inflation[];
}
