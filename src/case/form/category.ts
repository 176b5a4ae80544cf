/**
 * Letters that say how one answer relates to another text: Factuality's A to E (autoevals, openai/evals). They
 * are no options, and none is better than another; inspect_ai's C, P and I with partial credit are read so, too.
 */
import type { VerdictForm } from '../types.ts';

/** Words that let an answer pass or fail wherever they stand. */
const PASSES = /^(?:pass(?:ed)?|correct|valid|true)$/;

type Category = Extract<VerdictForm, { kind: 'category' }>;

/** `(A) The submitted answer is a subset …`, one a line, counting up from A. */
export function listedLetters(orders: string): string[] {
  const found = [...orders.matchAll(/^[ \t]*\(([A-Z])\)[ \t]+\S/gm)].map(([, letter = '']) => letter);
  const counts = found.every((letter, i) => letter === String.fromCharCode('A'.charCodeAt(0) + i));
  return counts && found.length > 1 ? found : [];
}

/** @returns null where the prompt does not ask for such a letter */
export function categoryInWords(orders: string): Category | null {
  if (/\bGRADE: ?\$LETTER\b/.test(orders) && /["'“]P["'”]/.test(orders))
    return {
      kind: 'category',
      write: { template: 'GRADE: {}', labels: ['C', 'P', 'I'], rule: 'last' },
      field: null,
    };
  const labels = listedLetters(orders);
  const asks =
    /\b(?:select|choos|pick)\w{0,9}\b[^\n]{0,40}\b(?:following )?(?:options|categories|choices|letters?)\b/i;
  return labels.length > 0 && asks.test(orders)
    ? { kind: 'category', write: { template: '{}', labels }, field: null }
    : null;
}

/**
 * `faithful` and `unfaithful`, `toxic` and `non-toxic` (phoenix): which of them lets pass depends on the word. What
 * has a word of its own is read as that (form/schema.ts).
 */
function areOpposites(values: readonly string[]): boolean {
  const [short = '', long = ''] = values
    .map((value) => value.toLowerCase())
    .sort((a, b) => a.length - b.length);
  return (
    values.length === 2 &&
    /^\p{L}{4,}$/u.test(short) &&
    !PASSES.test(short) &&
    new RegExp(`^(?:un|in|im|ir|il|dis|(?:non|not?)[-_ ]?)${short}$`, 'u').test(long)
  );
}

/** Pairs of the same sort whose words do not show it: phoenix, mlflow, langfuse. In no order. */
const PAIRS = [
  ['factual', 'hallucinated'],
  ['relevant', 'unrelated'],
  ['toxic', 'safe'],
  ['safe', 'unsafe'],
  ['grounded', 'hallucinated'],
  ['frustrated', 'ok'],
  ['good', 'bad'],
  ['supported', 'contradicted'],
  ['compliant', 'violating'],
];

function arePair(values: readonly string[]): boolean {
  const said = values.map((value) => value.toLowerCase());
  return said.length === 2 && PAIRS.some((pair) => pair.every((word) => said.includes(word)));
}

/**
 * The values a schema's field is limited to, where they are the letters that the orders explain or opposites; null where
 * they are not: other words may sort a text without judging it.
 */
export function categoryOf(values: readonly string[], orders: string, field: string): Category | null {
  const letters = listedLetters(orders);
  return (letters.length > 1 && letters.join() === values.join()) || areOpposites(values) || arePair(values)
    ? { kind: 'category', write: { template: '{}', labels: values }, field }
    : null;
}
