/**
 * Where the judged text ends and the judge's orders go on. Most prompts close with a question ("Which is
 * better, Output (a) or Output (b)?") that no delimiter sets off from the last option. It must stay where it
 * is when options are exchanged, and a note to the judge goes before it.
 */
import { paragraphsIn, type Range } from './lines.ts';

/** Longer paragraphs are material, not orders. */
const LONGEST_ORDER = 1500;

const OPENS =
  /^(?:[#*\-[(>"'\s]|\d+\.\s)*(?:now|please(?! (?:keep|note|let|remember|feel|be ))|which|who|is|are|does|do|don['’]t|choose|select|pick|decide|answer|respond|reply|output|return|provide|give|write|print|state|rate|score|grade|judge|evaluate|compare|assess|rank|your|you|based on|considering|think|begin|first|after|finally|use|only|verdict|decision|feedback|evaluation|judge?ment|rating|format|final|in your|if|the (?:output|answer|response|verdict|format)|as (?:an?|the) (?:\w+ )?(?:judge|evaluator|grader)|let['’]s|explain)\b/i;
const DECIDES =
  /\b(?:better|best|worse|worst|prefer(?:red|able|s)?|verdict|decision|judge?ments?|winner|scor(?:e|es|ing)|rat(?:e|ing)|grade|ranking|choice|evaluat(?:e|ion)|criteri(?:a|on)|rubric|correct|superior|select|choose|pick|quality)\b/i;
// Not "Answer: he is left with 40", which ends many a worked solution.
const FORM =
  /\[\[|\b(?:answer|respond|reply|output|return|response|verdict|choice)\b(?!\**:)[^\n]{0,80}\b(?:only|with|either|exactly|json|format|should|must|strictly)\b|\b(?:only|just|single) (?:the |a |an |one )?(?:single )?(?:letter|number|label|index|digit|integer|word|character|json)\b/i;
const BLOCK =
  /^(?:```(?:json)?\s*)?\{\s*"?(?:winner|verdict|choice|score|rating|reason|pass|answer|preferred|explanation)/i;
const RULE = /^[-=*_~\s]{3,}$/;
const CUE =
  /^(?:[#*[\s]*)(?:your |my |final |the )*(?:verdict|decision|judge?ment|evaluation|feedback|score|rating|grade|choice|answer|response|better (?:output|response|answer)|winner|best (?:output|response|answer|choice))(?:\s*\([^\n]{1,80}\))?[\])*\s]*(?::|\?)?[*\s]*$/i;

/**
 * Whether a paragraph asks for a verdict on the options, rather than being part of one.
 * @param names how the prompt speaks of its options; only a paragraph that speaks of them, or says how the
 *   verdict is to be written, is an order to a judge
 */
export function asksForVerdict(text: string, paragraph: Range, names: RegExp): boolean {
  if (paragraph.end - paragraph.start > LONGEST_ORDER) return false;
  const words = text.slice(paragraph.start, paragraph.end);
  if (BLOCK.test(words) || CUE.test(words)) return true;
  if (!OPENS.test(words)) return false;
  return FORM.test(words) || (DECIDES.test(words) && names.test(words));
}

/** The same of a text that is the judge's own for certain, whatever it calls the options. */
export function asksAtAll(words: string): boolean {
  return (
    words.length <= LONGEST_ORDER &&
    (BLOCK.test(words) ||
      CUE.test(words) ||
      (OPENS.test(words) && (FORM.test(words) || DECIDES.test(words) || words.trimEnd().endsWith('?'))))
  );
}

/**
 * The paragraphs at the end of an option's range that ask for the verdict, in order; a rule (`---`) in front of
 * them goes with them. The first paragraph is the option itself, unless a heading sets it off from an option
 * that is empty or, where options begin beside their label (`inline`), it begins on another line.
 */
export function closingOf(text: string, range: Range, names: RegExp, inline: boolean): Range[] {
  const paragraphs = paragraphsIn(text, range);
  const own = paragraphs[0] && isOwn(text, range, paragraphs[0], inline) ? 1 : 0;
  let first = paragraphs.length;
  for (let i = paragraphs.length - 1; i >= own; i--) {
    const paragraph = paragraphs[i];
    if (!paragraph) break;
    const rule = RULE.test(text.slice(paragraph.start, Math.min(paragraph.end, paragraph.start + 100)));
    if (!rule && !asksForVerdict(text, paragraph, names)) break;
    if (!rule || first === i + 1) first = i;
  }
  const found = paragraphs.slice(first);
  return found.some((paragraph) => !RULE.test(text.slice(paragraph.start, paragraph.end))) ? found : [];
}

function isOwn(text: string, range: Range, first: Range, inline: boolean): boolean {
  const beside = !text.slice(range.start, first.start).includes('\n');
  return beside || (!inline && text[first.start] !== '#');
}

/**
 * Whether a closing paragraph stands twice: among the options, too, or among the closing ones. Then an option
 * may have ended with a copy of it, and nothing tells the two apart.
 * @param from where the first option begins
 */
export function isRepeated(text: string, closing: readonly Range[], from: number): boolean {
  const words = closing
    .map(({ start, end }) => text.slice(start, end))
    .filter((paragraph) => !RULE.test(paragraph));
  const options = text.slice(from, closing[0]?.start ?? from);
  return new Set(words).size < words.length || words.some((paragraph) => options.includes(paragraph));
}

/** How a prompt that calls its options `noun` speaks of them. */
export function namesOf(noun: string): RegExp {
  return new RegExp(
    `\\b(?:${noun}s?|outputs|responses|answers|assistants|candidates|submissions?)\\b|\\[\\[`,
    'i',
  );
}
