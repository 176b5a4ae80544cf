/**
 * Every option has a score in one reply; the highest is the choice. Two numbers on the first line (`9 6`: JudgeLM,
 * alpaca_eval's lmsys prompt), in brackets (`[[9,6]]`: FastChat), or each behind its option's name (`Assistant A: 9`).
 * Only the asked spelling is read: numbers are everywhere in prose.
 */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { labelKey } from '../counterfactual.ts';
import * as fields from './file-fields.ts';
import {
  type FormKind,
  type FormOf,
  type FormSource,
  noVerdict,
  type VerdictKind,
  type VerdictOf,
} from './kind.ts';
import { listIn } from './list.ts';
import { isRow, valuesFramed, valuesInRow } from './reading/frames.ts';
import { isUnread, type Reply, readInBoth, type Unread, withReason } from './reading/reply.ts';
import { scoreLiked } from './score.ts';
import {
  fieldPattern,
  NUMBER,
  namesFor,
  numberPatterns,
  tellScale,
  tellTemplate,
  withDigits,
  withPoints,
} from './spelling.ts';

export const scores = {
  // Scores that put the options in the same order decide the same.
  isSame: (a, b) => a.scores.length === b.scores.length && orderOf(a).join() === orderOf(b).join(),
  mapBack(verdict, order) {
    const back = order.map((_, option) => verdict.scores[order.indexOf(option)]);
    const whole = back.length === verdict.scores.length && back.every((one) => one !== undefined);
    return whole ? { ...verdict, scores: back } : null;
  },
  preferred: findBest,
  /** The most by which the lead of one option over another changed. */
  distance(a, b) {
    if (a.scores.length !== b.scores.length) return null;
    const changes = a.scores.map((one, option) => one - (b.scores[option] ?? one));
    return Math.max(...changes) - Math.min(...changes);
  },
  describe: (verdict, nameOf) =>
    `${nameBest(verdict, nameOf) ?? 'no option'}, with scores of ${verdict.scores.join(' and ')}`,
  remind(verdict, nameOf) {
    const best = nameBest(verdict, nameOf);
    return best === null ? 'equal scores' : `a higher score for ${best}`;
  },
  brief: (verdict, nameOf) => nameBest(verdict, nameOf) ?? 'Tie',
  plain: (verdict) => verdict.scores.join(' '),
  /** One for each option, in the original order. */
  traced: { scores: z.array(z.number()).optional() },
  toDraw: ({ scores: each }) => ({ scores: each }),
  toTrace: (verdict) => ({ scores: [...verdict.scores] }),
  fromTrace({ scores: told }) {
    const read = z.array(z.number()).safeParse(told);
    return read.success ? { kind: 'scores', scores: read.data } : null;
  },
} as const satisfies VerdictKind<'scores'>;

function findBest({ scores: all }: VerdictOf<'scores'>): number | null {
  const most = Math.max(...all);
  const best = all.flatMap((one, option) => (one === most ? [option] : []));
  return best.length === 1 ? (best[0] ?? null) : null;
}

function nameBest(verdict: VerdictOf<'scores'>, nameOf: (option: number) => string): string | null {
  const best = findBest(verdict);
  return best === null ? null : nameOf(best);
}

const orderOf = ({ scores: all }: VerdictOf<'scores'>) =>
  all.flatMap((one, i) => all.slice(i + 1).map((other) => Math.sign(one - other)));

type ScoresForm = FormOf<'scores'>;

/**
 * In the order of the options: in `fields` (several of one option are its criteria, and their mean counts), in the list that `field` holds (in `item` of its entries, or bare), or in the
 * places of a `template`.
 */
const file = strictFields({
  kind: z.literal('scores'),
  ...fields.scale,
  fields: z
    .array(z.union([fields.words, z.array(fields.words).min(2).max(32)]))
    .min(2)
    .max(32)
    .exactOptional(),
  field: fields.field,
  item: fields.field,
  template: fields.frames,
}).refine(
  ({ field, item, fields: each, template }) =>
    [field ?? item, each, template].filter((one) => one !== undefined).length === 1,
  { error: 'must have fields, or a field or an item or both, or a template', path: ['fields'] },
);

export const scoresForm = {
  read(reply, form, { options }) {
    const read = withReason(scoresIn(reply, form, options.length), reply);
    return isUnread(read) ? noVerdict(read.none) : { kind: 'scores', scores: read.scores };
  },
  write(verdict, form) {
    if (verdict.kind !== 'scores' || isUnread(onScale(verdict.scores, form))) return null;
    const { template, fields: names, field, item } = form;
    const { scores: all } = verdict;
    // An entry has the option's name and its reason beside the score.
    if (field !== null) return item === undefined ? JSON.stringify({ [field]: all }) : null;
    if (names !== null)
      return names.length === all.length && names.every((name) => typeof name === 'string')
        ? JSON.stringify(Object.fromEntries(names.map((name, option) => [name, all[option]])))
        : null;
    const pieces = template?.split('{}');
    if (pieces?.length !== all.length + 1) return null;
    return pieces.map((piece, option) => piece + (all[option] ?? '')).join('');
  },
  describe(form) {
    const names = form.fields
      ?.flat()
      .map((one) => `"${one}"`)
      .join(', ');
    const where = names === undefined ? '' : `, in the JSON fields ${names}`;
    return `a number${tellScale(form)} for each option${tellTemplate(form.template)}${where}`;
  },
  patterns: ({ fields: names, field, item, template }) => [
    ...(names?.flat() ?? [item ?? field ?? []].flat()).flatMap(fieldPattern),
    ...numberPatterns(template ?? '{}'),
  ],
  decide: (liked, form) => ({ kind: 'scores', scores: liked.map((one) => scoreLiked(one, form)) }),
  file,
  fromFile: ({ min = null, max = null, fields: names = null, field = null, item, template = null }) => ({
    kind: 'scores',
    min,
    max,
    template,
    fields: names,
    field,
    ...(item !== undefined && { item }),
  }),
  countOptions: ({ fields: names, template }) =>
    names?.length ??
    (template === undefined ? null : (template.split('{}').length - 1) / criteriaIn(template)),
  forOptions({ fields: names, template, ...rest }, count) {
    const own = names?.every((name) => typeof name === 'string') ? namesFor(names, count) : null;
    if (own) return { ...rest, fields: [...own] };
    const lines = template === undefined ? null : namesFor(template.split('\n'), count);
    return lines?.every((line) => line.includes('{}')) ? { ...rest, template: lines.join('\n') } : null;
  },
} as const satisfies FormKind<'scores', z.infer<typeof file>>;

function scoresIn(reply: Reply, form: ScoresForm, options: number): ScoresRead {
  const { field, item = null, fields: names, template } = form;
  if (names === null && template !== null) {
    // A line for each option is read by no known client: markup does not matter there.
    const named = !isRow(template) && /\p{L}|\n/u.test(template);
    return named
      ? scoresInFrames(reply.said, template, form)
      : readInBoth(reply, (text) => scoresInText(text, template, form));
  }
  const { objects } = reply.json;
  if (objects.length > 1 && (field !== null || item === null)) return { none: 'contradictory' };
  const read = listIn(objects, { field, item, fields: names?.flat() ?? null });
  if (isUnread(read)) return { none: 'no-label' };
  const numbers = read.items.map(numberOf);
  const all = names?.map((name) => mean(numbers.splice(0, [name].flat().length))) ?? numbers;
  return all.length === options ? onScale(all, form) : { none: 'no-label' };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

type ScoresRead = { readonly scores: readonly number[] } | Unread;

function numberOf(text: string): number {
  const number = withPoints(text.trim());
  return new RegExp(`^${NUMBER}$`).test(number) ? Number(number) : Number.NaN;
}

function scoresInText(text: string, template: string, form: ScoresForm): ScoresRead {
  const options = template.split('{}').length - 1;
  if (isRow(template) && !template.includes('['))
    return onScale((valuesInRow(withDigits(text), template) ?? []).map(numberOf), form, options);
  const brackets = /^\[*/.exec(template)?.[0].length ?? 0;
  const inBrackets = new RegExp(
    `(?<!\\[)\\[{${brackets}}\\s*${Array(options).fill(`(${NUMBER})`).join('\\s*,\\s*')}\\s*\\]{${brackets}}(?!\\])`,
    'g',
  );
  const all = [...text.matchAll(inBrackets)].map((match) => match.slice(1).map(Number));
  const [first] = all;
  if (first === undefined) return { none: 'no-label' };
  return all.every((one) => one.join() === first.join()) ? onScale(first, form) : { none: 'contradictory' };
}

/** The marks of one option by several criteria, on a line of its own: `A: {},{},{}`. Their mean is its score. */
const ROW = /\{\}(?:,\{\}){1,31}$/gm;

/** How many marks each line of the template has; 1 where they have not as many. */
function criteriaIn(template: string): number {
  const counts = new Set(template.split('\n').map((line) => line.match(/\{\}/g)?.length ?? 0));
  const [count = 1] = counts;
  return counts.size === 1 && template.includes('\n') && template.match(ROW) ? count : 1;
}

/** Each score behind the words in front of its place in the template. */
function scoresInFrames(said: string, template: string, form: ScoresForm): ScoresRead {
  const criteria = criteriaIn(template);
  const found = valuesFramed(
    withPoints(said, template),
    template.replaceAll(ROW, '{}'),
    criteria > 1
      ? `${NUMBER}(?:\\s{0,9},\\s{0,9}${NUMBER}){${criteria - 1}}`
      : `${NUMBER}(?:\\s{0,9}(?:/|out of)\\s{0,9}\\d{1,9})?`,
  );
  if (isUnread(found)) return found;
  if (criteria > 1)
    return onScale(
      found.map((row) => mean(row.split(',').map(Number))),
      form,
    );
  const numbers = found.map((text) => {
    const [number, outOf] = text.split(/\/|out of/i).map(Number);
    return outOf !== undefined && form.max !== null && outOf !== form.max
      ? Number.NaN
      : (number ?? Number.NaN);
  });
  return onScale(numbers, form);
}

function onScale(scores: readonly number[], { min, max }: ScoresForm, count = scores.length): ScoresRead {
  if (scores.length !== count || !scores.every(Number.isFinite)) return { none: 'no-label' };
  const off = scores.some((score) => (min !== null && score < min) || (max !== null && score > max));
  return off ? { none: 'off-scale' } : { scores };
}

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
): ScoresForm | null {
  const form = (template: string): ScoresForm => ({
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
