/**
 * Whether words of the judge's own ask for a verdict. Most prompts close with a question ("Which is better, Output (a) or
 * Output (b)?"); a note to the judge goes before it.
 */
import type { Case, Prompt, TextRange } from '../types.ts';
import type { Finding } from './layout.ts';
import { lineEnd, linesIn, paragraphsIn } from './lines.ts';

/** Longer paragraphs are material, not orders. */
const LONGEST_ORDER = 1500;

const OPENS =
  /^(?:[#*\-[(>"'\s]|\d+\.\s)*(?:now|then|next|end|conclude|finish|make|simply|please(?! (?:keep|note|let|remember|feel|be ))|which|who|is|are|does|do|don['’]t|choose|select|pick|decide|answer|respond|reply|output|return|provide|give|write|print|state|rate|score|grade|judge|evaluate|compare|assess|rank|your|you|based on|considering|think|begin|first|after|finally|use|only|verdict|decision|feedback|evaluation|judge?ment|rating|format|final|in your|if|the (?:output|answer|response|verdict|format)|as (?:an?|the) (?:\w+ )?(?:judge|evaluator|grader)|let['’]s|explain)\b/i;
const DECIDES =
  /\b(?:better|best|worse|worst|prefer(?:red|able|s)?|verdict|decision|judge?ments?|winner|scor(?:e|es|ing)|rat(?:e|ing)|grade|ranking|choice|evaluat(?:e|ion)|criteri(?:a|on)|rubric|correct|superior|select|choose|pick|quality)\b/i;
// Not "Answer: he is left with 40", which ends many a worked solution.
const FORM =
  /\[\[|\b(?:answer|respond|reply|output|return|response|verdict|choice)\b(?!\*{0,4}:)[^\n]{0,80}\b(?:only|with|either|exactly|json|format|should|must|strictly)\b|\b(?:only|just|single) (?:the |a |an |one )?(?:single )?(?:letter|number|label|index|digit|integer|word|character|json)\b/i;
const BLOCK =
  /^(?:```(?:json)?\s*)?\{\s*"?(?:winner|verdict|choice|score|rating|reason|pass|answer|preferred|explanation)/i;
const CUE =
  /^[#*[\s]{0,20}(?:your |my |final |the ){0,4}(?:verdict|decision|judge?ment|evaluation|feedback|reasoning|score|rating|grade|choice|answer|response|better (?:output|response|answer)|winner|best (?:output|response|answer|choice))(?:\s{0,9}\([^\n]{1,80}\))?[\])*\s]{0,20}[:?]?[*\s]{0,20}$/i;

/** @param words of a text that is the judge's own for certain, whatever it calls the options */
export function asksAtAll(words: string): boolean {
  return (
    words.length <= LONGEST_ORDER &&
    (BLOCK.test(words) ||
      CUE.test(words) ||
      (OPENS.test(words) && (FORM.test(words) || DECIDES.test(words) || words.trimEnd().endsWith('?'))))
  );
}

/** How DeepEval's prompts close: "IMPORTANT: … JSON format", "**Example JSON:**" with its example, "JSON:"; ragas' with "Output:". */
const EXAMPLE =
  /^(?:[-*=_]{2,}[ \t]*\n\s*)?(?:important:[^\n]{0,300}\bJSON\b|\W{0,6}(?:(?:example )?JSON|Output:)\W{0,4}(?:\n|$))/i;

/**
 * Where a note to the judge goes; whoever inserts it adds the blank lines around it. Before the last paragraph after the options that asks for the verdict or, without one, at the end of the
 * text: in the last part of the user's last message where that holds the case, else in the last part that
 * holds the case.
 */
export function notePlace(prompt: Prompt, { after }: Finding): Case['noteAt'] {
  const lastUser = prompt.parts.findLastIndex(({ role }) => role === 'user');
  // Parts of one message stand side by side and have one role.
  const together =
    lastUser > after.part && prompt.parts.slice(after.part, lastUser).every(({ role }) => role === 'user');
  const part = together ? lastUser : after.part;
  const text = prompt.parts[part]?.text ?? '';
  // Never on the line of an option: a note has lines of its own.
  const start = part === after.part ? lineEnd(text, after.offset) : 0;
  const tail = { start, end: text.length };
  const asks = ({ start: from, end }: TextRange) => asksAtAll(text.slice(from, end));
  // Orders may follow on a section's last line without a blank line between.
  const paragraphs = paragraphsIn(text, tail);
  const example =
    paragraphs.findLastIndex(({ start: from, end }) => !EXAMPLE.test(text.slice(from, end))) + 1;
  const closing = paragraphs[example];
  const last = paragraphs.findLastIndex(asks);
  if (closing && last < 0) return { part, offset: closing.start };
  const blocks = last < 0 ? linesIn(text, tail) : paragraphs;
  const asking = last < 0 ? blocks.findLastIndex(asks) : last;
  const shown = blocks[asking];
  if (!shown) return { part, offset: text.length };
  // The JSON to write belongs to the sentence that announces it.
  const announced = asking > 0 && /^[`{]/.test(text.slice(shown.start, shown.start + 1));
  return { part, offset: (announced ? blocks[asking - 1] : shown)?.start ?? shown.start };
}
