/** The figures of a run, by what they tell. */
import type { Inflation, Kinds } from './kinds.ts';
import type { Measured } from './measure.ts';
import type { VoteMeasured } from './measure-vote.ts';
import type { Transfer } from './transfer.ts';

export interface Figures {
  readonly split: string;
  readonly methods: readonly Measured[];
  readonly vote: VoteMeasured | null;
  readonly transfers: readonly Transfer[];
  readonly kinds: readonly Kinds[];
  readonly inflation: readonly Inflation[];
}
