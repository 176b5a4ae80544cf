/**
 * Whether words of the judge's own ask for a verdict. Most prompts close with a question ("Which is better, Output (a) or
 * Output (b)?"); a note to the judge goes before it.
 */

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
