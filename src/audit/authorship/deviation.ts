/** How far figures would wander with other papers: standard deviations of the bootstrap, papers drawn whole. */
import { createSeededDraw } from '../../stats/index.ts';

interface ScoredCase {
  readonly paper: string;
  readonly score: number;
  readonly byModel: boolean;
}

interface Deviations {
  /** Null where no resample had reviews of both kinds. */
  readonly auc: number | null;
  /** For each line, of the share of reviews by models and by people above it. */
  readonly tpr: readonly (number | null)[];
  readonly fpr: readonly (number | null)[];
}

const RESAMPLES = 200;

/**
 * The reviews of a paper share its anchors, so they are drawn together (Davison and Hinkley, Bootstrap Methods and
 * their Application, 1997, §3.8). Sorted once, then weighted: a resample costs one walk over the reviews.
 */
export function computeDeviations(
  cases: readonly ScoredCase[],
  lines: readonly number[],
  seed: number,
): Deviations {
  const papers = [...new Set(cases.map(({ paper }) => paper))];
  const places = new Map(papers.map((paper, place) => [paper, place]));
  const sorted = cases
    .toSorted((a, b) => b.score - a.score)
    .map(({ paper, score, byModel }) => ({ place: places.get(paper) ?? 0, score, byModel }));
  const draw = createSeededDraw(seed);
  const spread = { auc: spreading(), tpr: lines.map(spreading), fpr: lines.map(spreading) };
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const weights = new Uint32Array(papers.length);
    for (let count = 0; count < papers.length; count++) {
      const drawn = draw(papers.length);
      weights[drawn] = (weights[drawn] ?? 0) + 1;
    }
    let [models, people, area, tied] = [0, 0, 0, { models: 0, people: 0, score: Number.NaN }];
    const above = lines.map(() => ({ models: 0, people: 0 }));
    for (const { place, score, byModel } of sorted) {
      const weight = weights[place] ?? 0;
      if (weight === 0) continue;
      if (score !== tied.score) {
        area += tied.people * (models - tied.models / 2);
        tied = { models: 0, people: 0, score };
      }
      const kind = byModel ? 'models' : 'people';
      tied[kind] += weight;
      if (byModel) models += weight;
      else people += weight;
      for (const [at, line] of lines.entries()) {
        const counts = above[at];
        if (counts && score > line) counts[kind] += weight;
      }
    }
    area += tied.people * (models - tied.models / 2);
    if (models > 0 && people > 0) spread.auc.add(area / (models * people));
    for (const [at, counts] of above.entries()) {
      if (models > 0) spread.tpr[at]?.add(counts.models / models);
      if (people > 0) spread.fpr[at]?.add(counts.people / people);
    }
  }
  return {
    auc: spread.auc.deviation(),
    tpr: spread.tpr.map((one) => one.deviation()),
    fpr: spread.fpr.map((one) => one.deviation()),
  };
}

/** Welford's running variance (Technometrics 4:419, 1962). */
function spreading() {
  let [count, mean, squares] = [0, 0, 0];
  return {
    add(value: number) {
      count++;
      const away = value - mean;
      mean += away / count;
      squares += away * (value - mean);
    },
    deviation: () => (count < 2 ? null : Math.sqrt(squares / (count - 1))),
  };
}
