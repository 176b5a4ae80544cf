/**
 * Whether a reading of a request rests on what its options say. A template is cut in the same places whatever
 * stands in it, so the case is read again with other texts in the options: exchanged, and with marks. Where the cuts
 * are then others, a text had a part in them: one that ends in the label of its neighbour, say.
 */
import { applyEdits, asGiven, type Counterfactual, editsFor, reversed } from './counterfactual.ts';
import type { Case, Option, Prompt } from './types.ts';

/**
 * @param read reads a prompt the way the case was found
 * @returns whether every other reading has the same cuts
 */
export function holdsWhenReread(subject: Case, read: (prompt: Prompt) => Case | null): boolean {
  return variantsOf(subject).every((variant) => {
    const edited = applyEdits(subject.prompt, editsFor(subject, variant));
    const again = read(edited);
    return again !== null && sameCuts(subject, variant, again);
  });
}

/** A word that no template has, and that no reader takes for anything but text. */
const markOf = (option: number) => `remand${String.fromCharCode(97 + (option % 26))}${option}`;

/**
 * The strings of a JSON document; `end` is there for those that are no name of a field. Written so that what is neither
 * quote nor backslash is one step: one step a character overflows the stack in a text of 10 MB. A string that nothing
 * closes ends the search: that keeps it linear.
 */
const STRINGS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"(?<end>\s*[,\]}])?)?/g;

/** An option that is a JSON document stays one: its strings become marks. */
function marked({ text }: Option, option: number): string {
  const mark = markOf(option);
  if (!/^\s*[[{]/.test(text)) return mark;
  const remarked = text.replace(STRINGS, (found, end?: string) =>
    end === undefined ? found : `"${mark}"${end}`,
  );
  return remarked === text ? mark : remarked.trim();
}

function variantsOf(subject: Case): Counterfactual[] {
  const withMarks = {
    ...asGiven(subject),
    options: new Map(subject.options.map((one, i) => [i, marked(one, i)])),
  };
  return subject.options.length > 1 ? [reversed(subject), withMarks] : [withMarks];
}

function sameCuts(subject: Case, { order, options }: Counterfactual, again: Case): boolean {
  if (again.layout !== subject.layout || again.options.length !== subject.options.length) return false;
  if (again.form.kind !== subject.form.kind || again.context.length !== subject.context.length) return false;
  return again.options.every((option, slot) => {
    const [here, there] = [subject.options[slot], subject.options[order[slot] ?? slot]];
    if (!here || !there || option.label !== here.label) return false;
    const wording = options.get(order[slot] ?? slot);
    return wording === undefined
      ? sameTexts(movedOf(again, option), movedOf(subject, there))
      : option.text.trim() === wording;
  });
}

const sameTexts = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, i) => text === b[i]);

/** What is exchanged of an option, as it was sent. */
const movedOf = ({ prompt: { parts } }: Case, { at, moves = [at] }: Option): string[] =>
  moves.map(({ part, start, end }) => parts[part]?.text.slice(start, end) ?? '');
