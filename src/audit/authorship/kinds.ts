/** What becomes of reviews that are neither a person's nor a model's alone, of those in another manner, and of ratings. */
import type { AuthorshipResult } from '../../report/index.ts';
import { holm, mean, ndcg, wilcoxonSignedRank } from '../../stats/index.ts';
import { average, sumUp } from '../../stats/mean.ts';
import { computeExactShare, computeThreshold } from './measure-method.ts';
import { EDIT_EXTENTS, isHuman, isWhole, listHumanScores, type ReviewScores } from './review.ts';

type KindFigures = AuthorshipResult['kinds'][number];
type FlaggedShare = KindFigures['edits'][number];

/** @param target the strictest that the people calibrate is used where this one is refused */
export function measureKinds(
  method: string,
  calibration: readonly ReviewScores[],
  tested: readonly ReviewScores[],
  targets: readonly number[],
): KindFigures {
  const humans = listHumanScores(calibration, method);
  const target = targets.find((one) => computeThreshold(humans, one).value !== null) ?? null;
  const line = target === null ? null : computeThreshold(humans, target).value;
  const scored = tested.filter(({ scores }) => scores[method]);
  const flagged = (name: string, some: readonly ReviewScores[]): FlaggedShare => ({
    name,
    ...computeExactShare(
      line === null ? 0 : some.filter(({ scores }) => (scores[method]?.low ?? 0) > line).length,
      line === null ? 0 : some.length,
    ),
  });
  const edited = scored.filter(({ edit, source }) => edit !== null && source !== 'bullets');
  const bullets = scored.filter(({ source }) => source === 'bullets');
  const archetypes = Map.groupBy(
    scored.filter((one) => isWhole(one) && one.archetype !== null),
    ({ archetype }) => archetype ?? '',
  );
  return {
    method,
    target,
    edits: EDIT_EXTENTS.flatMap((edit) => {
      const own = edited.filter((one) => one.edit === edit);
      return own.length > 0 ? [flagged(edit, own)] : [];
    }),
    edit_order: editOrder(method, edited, scored),
    bullets: bullets.length > 0 ? flagged('bullets', bullets) : null,
    archetypes: [...archetypes].map(([name, own]) => flagged(name, own)),
  };
}

/** Each person's review with its own edits is one list to be ordered; the review itself is the least of them. */
function editOrder(
  method: string,
  edited: readonly ReviewScores[],
  all: readonly ReviewScores[],
): KindFigures['edit_order'] {
  const originals = new Map(all.filter(isHuman).map((one) => [one.id, one]));
  const gains: number[] = [];
  const chances: number[] = [];
  for (const [of, own] of Map.groupBy(
    edited.filter(({ of }) => of !== null),
    ({ of }) => of ?? '',
  )) {
    const original = originals.get(of);
    const list = original && !own.includes(original) ? [original, ...own] : own;
    const relevances = list.map(({ edit }) => (edit === null ? 0 : EDIT_EXTENTS.indexOf(edit)));
    if (new Set(relevances).size < 2) continue;
    const gain = ndcg(
      relevances,
      list.map(({ scores }) => scores[method]?.low ?? 0),
    );
    // All scores alike: the mean over every order.
    const chance = ndcg(relevances, Array(list.length).fill(0));
    if (gain.value === null || chance.value === null) continue;
    gains.push(gain.value);
    chances.push(chance.value);
  }
  if (gains.length === 0) return null;
  return { ndcg: average(gains), chance: average(chances), reviews: gains.length };
}

type Inflation = AuthorshipResult['inflation'][number];

/** Whether models rate the same papers higher than people do. All reviews count, whatever they calibrate or test. */
export function measureInflation(reviews: readonly ReviewScores[]): Inflation[] {
  const rated = reviews.filter(({ rating }) => rating !== null);
  const people = meansBy(rated.filter(isHuman));
  const models = Map.groupBy(rated.filter(isWhole), ({ model }) => model ?? 'unnamed');
  const compared = [...models].flatMap(([model, own]) => {
    const differences = [...meansBy(own)].flatMap(([paper, rating]) => {
      const person = people.get(paper);
      return person === undefined ? [] : [rating - person];
    });
    return differences.length === 0 ? [] : [{ model, differences, test: wilcoxonSignedRank(differences) }];
  });
  const adjusted = holm(compared.map(({ test }) => (test.value === null ? 1 : test.p)));
  return compared.map(({ model, differences, test }, at) => {
    const figure = mean(sumUp(differences));
    const counts = new Map<number, number>();
    for (const one of differences) counts.set(Math.round(one), (counts.get(Math.round(one)) ?? 0) + 1);
    return {
      model,
      papers: differences.length,
      mean: figure.value ?? 0,
      interval: figure.value === null ? null : figure.interval,
      higher: differences.filter((one) => one > 0).length,
      lower: differences.filter((one) => one < 0).length,
      p_holm: adjusted[at] ?? 1,
      rank_biserial: test.value === null ? null : test.rankBiserial,
      spread: [...counts].sort(([a], [b]) => a - b),
    };
  });
}

function meansBy(reviews: readonly ReviewScores[]): Map<string, number> {
  const papers = Map.groupBy(reviews, ({ paper }) => paper);
  return new Map([...papers].map(([paper, own]) => [paper, average(own.map(({ rating }) => rating ?? 0))]));
}
