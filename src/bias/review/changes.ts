/** Changes of a submission made, and taken back: byte for byte what it was. */
import type { Submission, TextChange } from './types.ts';

/** @throws RangeError where a change does not fit the text, or two overlap */
export function applyChanges(submission: Submission, changes: readonly TextChange[]): Submission {
  return rewritten(submission, changes, (text, own) => {
    let result = '';
    let from = 0;
    for (const { start, before, after } of own) {
      if (start < from || text.slice(start, start + before.length) !== before)
        throw new RangeError(`a change at ${start} does not fit the text of ${submission.id}`);
      result += text.slice(from, start) + after;
      from = start + before.length;
    }
    return result + text.slice(from);
  });
}

/** @throws RangeError where the submission is not the one that the changes made */
export function revertChanges(submission: Submission, changes: readonly TextChange[]): Submission {
  let moved = 0;
  const byPlace = Map.groupBy(changes, ({ part, item }) => `${part} ${item}`);
  const back = [...byPlace.values()].flatMap((own) => {
    moved = 0;
    return own
      .toSorted((a, b) => a.start - b.start)
      .map((change) => {
        const start = change.start + moved;
        moved += change.after.length - change.before.length;
        return { ...change, start, before: change.after, after: change.before };
      });
  });
  return applyChanges(submission, back);
}

function rewritten(
  submission: Submission,
  changes: readonly TextChange[],
  apply: (text: string, own: readonly TextChange[]) => string,
): Submission {
  const of = (part: TextChange['part'], item: number, text: string) => {
    const own = changes.filter((one) => one.part === part && one.item === item);
    return own.length === 0
      ? text
      : apply(
          text,
          own.toSorted((a, b) => a.start - b.start),
        );
  };
  return {
    ...submission,
    paper: of('paper', 0, submission.paper),
    reviews: submission.reviews.map((one, at) => ({ ...one, text: of('review', at, one.text) })),
    rebuttals: submission.rebuttals.map((one, at) => ({ ...one, text: of('rebuttal', at, one.text) })),
  };
}
