/** Edits that exchange two pieces of a prompt, found by what they say, for tests of the bytes that an edit moves. */
import type { Edit } from '../../src/case/counterfactual.ts';
import type { Prompt } from '../../src/case/types.ts';

/** The last part that holds both, else the first that holds each. */
export function exchanging({ parts }: Prompt, one: string, other: string): Edit[] {
  const both = parts.findLastIndex(({ text }) => text.includes(one) && text.includes(other));
  const span = (piece: string) => {
    const part = both >= 0 ? both : parts.findIndex(({ text }) => text.includes(piece));
    const start = parts[part]?.text.indexOf(piece) ?? -1;
    return { part, start, end: start + piece.length };
  };
  return [
    { at: span(one), with: span(other) },
    { at: span(other), with: span(one) },
  ];
}
