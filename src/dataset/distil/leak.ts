/**
 * Whether reasoning gives away that its author was shown the answer. A detector that learned from such a text
 * would speak of a label it is never given. Meant for teachers that were shown one; it would rather throw away a
 * good text than keep a leak, since the teacher can be asked again.
 */

const GIVEAWAYS = [
  // "the true label is No", "the provided label"
  /\b(?:true|correct|right|given|provided|known|gold(?:en)?|ground[- ]truth|expected|actual|stated|reference|final|required|target|bias)\s+label\b/,
  /\b(?:the|this|that)\s+label\s+(?:is|was|says|must|should|being|given|provided|shown)\b/,
  /\bground[- ]truth\b/,
  // "as given", but not "as given in the instruction"
  /\bas\s+(?:was\s+|already\s+)?(?:given|provided|told|instructed|settled|specified)\b(?!\s+(?:in|by|under|above\s+in)\s+the\s+(?:instruction|question|options?|statement|text|task|problem))/,
  // "I was told that …", "we are given the conclusion"
  /\b(?:I|we)(?:['’]m|['’]re|['’]ve\s+been|\s+am|\s+are|\s+was|\s+were|\s+have\s+been)\s+(?:already\s+|only\s+)?(?:told|informed|instructed|asked\s+to\s+(?:conclude|justify|arrive|end|reason)|supposed\s+to\s+(?:conclude|say|answer|end|arrive)|meant\s+to|expected\s+to)\b/,
  /\b(?:I|we)(?:['’]re|\s+am|\s+are|\s+was|\s+were)\s+given\s+(?:that\s+)?(?:the\s+)?(?:answer|label|conclusion|verdict|result|word)\b/,
  // "the answer is already known", "the conclusion was given"
  /\b(?:answer|conclusion|result|outcome|word|case)\s+(?:is|was|has\s+been)\s+(?:already\s+|been\s+)?(?:given|known|provided|settled|supplied|fixed|predetermined)\b/,
  /\bsettled\s+by\s+experiment\b/,
  // "I must end with Yes", "so we need to conclude No"
  /\b(?:must|have\s+to|need(?:s|ed)?\s+to|should|supposed\s+to|meant\s+to|want(?:s|ed)?\s+(?:me|us)\s+to)\s+(?:therefore\s+|now\s+)?(?:conclude|end|arrive|say|answer|output|justify|reason\s+towards?)\b[^.\n]{0,24}\b(?:Yes|No|yes|"no"|biased)\b/,
  /\b(?:word|answer|label)\s+to\s+end\s+with\b/,
  /\breason(?:ing)?\s+towards?\s+(?:the\s+)?(?:label|answer|conclusion|Yes|No)\b/,
];
const LEAKS = new RegExp(GIVEAWAYS.map(({ source }) => source).join('|'), 'i');

/** @returns the words that give it away; null where none do */
export function findLeak(reasoning: string): string | null {
  return LEAKS.exec(reasoning)?.[0] ?? null;
}
