/**
 * Whether a prompt wants a score for each of its options, and how they are to be written: two numbers on the
 * first line (JudgeLM, alpaca_eval's lmsys prompt), `[[rating_a,rating_b]]` (FastChat), a line for each option.
 */
import { labelKey } from '../counterfactual.ts';
import type { VerdictForm } from '../types.ts';
import type { FormSource } from './source.ts';

type Scores = Extract<VerdictForm, { kind: 'scores' }>;

const ON_A_LINE =
  /\b(?:single|first|one) line\b[^\n]{0,60}\b(?:only )?(?:two|2) (?:values|numbers|scores)\b|\btwo scores\b[^\n]{0,30}\bseparated by\b/i;
const BOTH_IN_BRACKETS =
  /\[\[\s*(?:rating|score)_?\w{1,3}\s*,\s*(?:rating|score)_?\w{1,3}\s*\]\]|\[\[\s*\d{1,3}(?:\.\d+)?\s*,\s*\d{1,3}(?:\.\d+)?\s*\]\]/i;
/** A number, or words in brackets that stand for one; not `{answer}`, which tells where an option is found. */
const VALUE =
  '(?:\\d{1,3}(?:\\.\\d{1,9})?(?![\\d.]{0,9}\\d)|[<{[][^>}\\]\\n]{0,20}(?:score|rating|number|points|grade|integer|\\d)[^>}\\]\\n]{0,20}[>}\\]]|[XNx](?![\\p{L}]))';
/** A choice is wanted as well: which of the two is the verdict cannot be told. */
const CHOOSES = /\b(?:winner|verdict|final (?:choice|decision|answer))\b|\[RESULT\]|\[\[\w{1,10}\]\]/i;

/**
 * @param scale the ends of the scale, where the prompt names them
 * @returns null where a score for each is not asked for in a known way
 */
export function scoresInWords(
  { orders, labels }: Pick<FormSource, 'orders' | 'labels'>,
  scale: { readonly min: number | null; readonly max: number | null },
): Scores | null {
  const form = (template: string): Scores => ({
    kind: 'scores',
    min: scale.min,
    max: scale.max,
    template,
    fields: null,
    field: null,
  });
  if (labels.length === 2) {
    if (orders.includes('[[') && BOTH_IN_BRACKETS.test(orders)) return form('[[{},{}]]');
    if (ON_A_LINE.test(orders) && !/\[\[\w{1,10}\]\]/.test(orders)) return form('{} {}');
  }
  if (!HAS_PLACE.test(orders) || CHOOSES.test(orders)) return null;
  const leads = labels.map((label) => leadOf(orders, label));
  const named = leads.filter((lead) => lead !== null);
  return named.length === labels.length && new Set(named).size === named.length
    ? form(named.map((lead) => `${lead}{}`).join('\n'))
    : null;
}

/** A place for a number behind a colon, without which no label leads to one. */
const HAS_PLACE = new RegExp(`: ?${VALUE}`, 'iu');

/** `The score of Assistant 1: ` or `Assistant A: `, as it stands in front of a place for a number. */
function leadOf(orders: string, label: string): string | null {
  const lead = new RegExp(
    `((?:(?:the )?(?:score|rating) (?:of|for) )?${RegExp.escape(label)}(?:['’]s)?(?: (?:score|rating))?: ?)${VALUE}`,
    'iu',
  ).exec(orders)?.[1];
  return lead === undefined ? null : `${lead.trimEnd()} `;
}

const THINGS = 'assistant|response|answer|output|model|option|candidate';

/**
 * Number fields of which each is one option's (`score_a`, `score_b`); null where there are none.
 * @param fields names of the schema's number fields
 */
export function scoreFields(fields: readonly string[], labels: readonly string[]): readonly string[] | null {
  const own = labels.map((label) => {
    const key = RegExp.escape(labelKey(label));
    // `score_a`, `response_1_rating`, `A`; not `criterion_1`.
    const names = new RegExp(
      `(?:^|[_\\s-]|score|rating|${THINGS})${key}(?:[_\\s-](?:score|rating|grade|points))?$`,
      'i',
    );
    const scores = new RegExp(`score|rating|grade|points|${THINGS}|^${key}$`, 'i');
    const found = fields.filter((field) => names.test(field) && scores.test(field));
    return found.length === 1 ? found[0] : undefined;
  });
  const named = own.filter((field) => field !== undefined);
  return named.length === labels.length && new Set(named).size === named.length ? named : null;
}
