/** How far people agree with one another and with each judge, beyond what chance would give. */
import type { VerdictValue } from '../../case/index.ts';
import { cohensKappa, type Figure, type Kappa, noFigure } from '../../stats/index.ts';
import { decideLabel, groupLabels, type Label } from './label.ts';

export interface Agreement {
  /** Each two people who labelled the same cases. */
  readonly people: readonly {
    readonly first: string;
    readonly second: string;
    readonly n: number;
    readonly kappa: Figure<Kappa>;
  }[];
  /** Each judge with what most people say; `drawn` counts only cases that chance chose, which stand for all. */
  readonly judges: readonly {
    readonly judge: string;
    readonly n: number;
    readonly kappa: Figure<Kappa>;
    readonly drawn: { readonly n: number; readonly kappa: Figure<Kappa> };
  }[];
}

/** Labels below which agreement says nothing. */
const LEAST = 10;

interface Pair {
  readonly first: VerdictValue;
  readonly second: VerdictValue;
  readonly random: boolean;
}

/** @param labels on each case side by side, as the store lists them */
export async function measureAgreement(labels: AsyncIterable<Label>): Promise<Agreement> {
  const people = new Map<string, Pair[]>();
  const judges = new Map<string, Pair[]>();
  for await (const same of groupLabels(labels)) {
    for (const [n, one] of same.entries())
      for (const other of same.slice(n + 1)) addPair(people, [one.who, other.who], one, other);
    const label = decideLabel(same);
    if (label) addPair(judges, [label.judge], label, { ...label, decision: label.judged });
  }
  return {
    people: [...people].map(([key, pairs]) => {
      const [first = '', second = ''] = JSON.parse(key);
      return { first, second, ...kappaOf(pairs) };
    }),
    judges: [...judges].map(([key, pairs]) => {
      const [judge = ''] = JSON.parse(key);
      return { judge, ...kappaOf(pairs), drawn: kappaOf(pairs.filter(({ random }) => random)) };
    }),
  };
}

function addPair(
  all: Map<string, Pair[]>,
  names: readonly string[],
  { decision: first, random }: Label,
  { decision: second }: Label,
): void {
  if (first === null || second === null) return;
  const key = JSON.stringify(names);
  const pairs = all.get(key) ?? [];
  all.set(key, pairs);
  pairs.push({ first, second, random });
}

const kappaOf = (pairs: readonly Pair[]) => ({
  n: pairs.length,
  kappa:
    pairs.length < LEAST
      ? noFigure(`too few: at least ${LEAST} are needed`)
      : cohensKappa(
          pairs.map(({ first }) => first),
          pairs.map(({ second }) => second),
        ),
});
