/** Several judges on the same items: what a vote is worth, beside the best of them alone. */

export interface Panel {
  readonly judges: readonly string[];
  readonly n: number;
  /** Of the option that most judges choose; a tie of votes is right by chance. */
  readonly accuracy: number;
  readonly bestJudge: { readonly name: string; readonly accuracy: number };
  /** Mean correlation of the errors of two judges; null where one of them never errs or always does. */
  readonly errorCorrelation: number | null;
  /** How many judges with independent errors are worth as much (Kish): of judges that err together, hardly more than one. */
  readonly effectiveJudges: number | null;
}

/** What the judges of a panel said of one item; `credits` in the order of the judges. */
export interface PanelItem {
  readonly vote: number;
  readonly credits: readonly number[];
}

/** @returns null without items, or with less than two judges */
export function describePanel(judges: readonly string[], items: readonly PanelItem[]): Panel | null {
  if (items.length === 0 || judges.length < 2) return null;
  const n = items.length;
  const accuracies = judges.map((_, judge) => mean(items.map(({ credits }) => credits[judge] ?? 0)));
  const best = accuracies.indexOf(Math.max(...accuracies));
  const correlations = judges.flatMap((_, a) =>
    judges.slice(a + 1).map((__, offset) =>
      correlate(
        items.map(({ credits }) => credits[a] ?? 0),
        items.map(({ credits }) => credits[a + 1 + offset] ?? 0),
      ),
    ),
  );
  const known = correlations.every((one) => one !== null) ? mean(correlations) : null;
  const k = judges.length;
  return {
    judges,
    n,
    accuracy: mean(items.map(({ vote }) => vote)),
    bestJudge: { name: judges[best] ?? '', accuracy: accuracies[best] ?? 0 },
    errorCorrelation: known,
    effectiveJudges: known === null ? null : Math.min(k, k / Math.max(1 / k, 1 + (k - 1) * known)),
  };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Pearson's; null where one of the two does not vary. */
function correlate(a: readonly number[], b: readonly number[]): number | null {
  const [middleA, middleB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [n, x] of a.entries()) {
    const [dx, dy] = [x - middleA, (b[n] ?? 0) - middleB];
    both += dx * dy;
    squaresA += dx * dx;
    squaresB += dy * dy;
  }
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
}
