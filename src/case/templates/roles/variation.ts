/**
 * What varies alone is what is judged: of one question several answers, of one article several summaries. It is seen in any
 * language, and needs no name. What varies alone and comes again beside other texts (one criterion after the other, for each
 * answer) is what they are judged by.
 */

/** Texts beside which what is judged has to vary. */
const LEAST_BESIDE = 2;

/**
 * Whether slots varied alone: beside the same texts in all other slots they held others, for two such texts or more, and never
 * the same beside different ones.
 *
 * @param values what each slot holds, one for each request: the texts, or numbers that stand for them
 * @param told the slots that hold more than an id
 * @param judged the slots that may be what is judged
 */
export function variesAlone(
  values: readonly (readonly (string | number)[])[],
  told: readonly number[],
  judged: readonly number[],
): boolean {
  const beside = told.filter((index) => !judged.includes(index));
  const [first = []] = values;
  if (beside.length === 0 || judged.some((index) => !told.includes(index))) return false;
  // A text whose edges are not certain in some request is missing, and which one is not known.
  if (values.some(({ length }) => length !== first.length)) return false;
  const requests = first.map((_, n) => ({
    beside: JSON.stringify(beside.map((index) => values[index]?.[n])),
    own: judged.map((index) => values[index]?.[n] ?? ''),
  }));
  const groups = [...Map.groupBy(requests, (one) => one.beside).values()];
  const several = groups.filter((group) => new Set(group.map(({ own }) => own.join('\0'))).size > 1);
  if (several.length < LEAST_BESIDE) return false;
  return judged.every((_, at) => {
    const texts = groups.map((group) => new Set(group.map(({ own }) => own[at] ?? '')));
    const varies = several.some((group) => new Set(group.map(({ own }) => own[at])).size > 1);
    return (
      varies &&
      new Set(texts.flatMap((some) => [...some])).size === texts.reduce((sum, some) => sum + some.size, 0)
    );
  });
}
