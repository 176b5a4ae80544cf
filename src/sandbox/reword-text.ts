/** How the sandbox judge rewords a text when Remand asks it to: crudely, and the same way every time. */
import vader from 'vader-sentiment';
import type { RewriteTask } from '../../prompts/index.ts';
import { finalAnswer, splitAtStops } from '../case/index.ts';

export function rewordText(task: RewriteTask, text: string): string {
  // A text of nothing but feeling stays: an empty one would be no rewording.
  return (task === 'condense' ? condensed(text) : neutral(text)) || text;
}

/** The sentences with a number or the final answer; the first sentence where there are none. */
function condensed(text: string): string {
  const sentences = splitAtStops(text).map((sentence) => sentence.trim());
  const answer = finalAnswer(text);
  const kept = sentences.filter(
    (sentence) => /\d/.test(sentence) || (answer !== null && sentence.includes(answer)),
  );
  const claims = kept.length > 0 ? kept : sentences.slice(0, 1);
  return [...new Set(claims)].join(' ');
}

/** Polarity from which a single word is emotive; verbs such as "like" and "help" stay below it. */
const EMOTIVE = 0.41;
const STRESS = /^(?:so|very|really|absolutely|totally|incredibly|extremely|utterly|truly|completely)$/i;

/** Emotive words, stress and exclamation marks taken out. */
function neutral(text: string): string {
  return text
    .replace(/!+/g, '.')
    .replace(/(?:(?<!\s)\s+)?([\p{L}'’]+)/gu, (all, word: string) => (isEmotive(word) ? '' : all))
    .replace(/(?<![ \t])[ \t]+([.,;:?])/g, '$1')
    .replace(/(^|[.\n])\s{0,9}[.,;:]+/g, '$1')
    .trim();
}

function isEmotive(word: string): boolean {
  if (STRESS.test(word)) return true;
  return Math.abs(vader.SentimentIntensityAnalyzer.polarity_scores(word).compound) >= EMOTIVE;
}
