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
import { fieldIn } from './reading/json.ts';
import { isUnread, type Reply, readInBoth, type Unread, withReason } from './reading/reply.ts';
import { scoreLiked } from './score.ts';
import { fieldPattern, numberPatterns, tellScale, tellTemplate } from './spelling.ts';

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

/** `fields`: in the order of the options. */
const file = strictFields({
  kind: z.literal('scores'),
  ...fields.scale,
  fields: z.array(fields.words).min(2).max(32),
});

export const scoresForm = {
  read(reply, form) {
    const read = withReason(scoresIn(reply, form), reply);
    return isUnread(read) ? noVerdict(read.none) : { kind: 'scores', scores: read.scores };
  },
  write(verdict, form) {
    if (verdict.kind !== 'scores' || isUnread(scoresInFields(verdict.scores, form))) return null;
    const { template, fields: names } = form;
    const { scores: all } = verdict;
    if (names !== null)
      return names.length === all.length
        ? JSON.stringify(Object.fromEntries(names.map((name, option) => [name, all[option]])))
        : null;
    const pieces = template?.split('{}');
    if (pieces?.length !== all.length + 1) return null;
    return pieces.map((piece, option) => piece + (all[option] ?? '')).join('');
  },
  describe(form) {
    const names = form.fields?.map((one) => `"${one}"`).join(', ');
    const where = names === undefined ? '' : `, in the JSON fields ${names}`;
    return `a number${tellScale(form)} for each option${tellTemplate(form.template)}${where}`;
  },
  patterns: ({ fields: names, template }) => [
    ...(names ?? []).flatMap(fieldPattern),
    ...numberPatterns(template ?? '{}'),
  ],
  decide: (liked, form) => ({ kind: 'scores', scores: liked.map((one) => scoreLiked(one, form)) }),
  file,
  fromFile: ({ min = null, max = null, fields: names }) => ({
    kind: 'scores',
    min,
    max,
    template: null,
    fields: names,
    field: null,
  }),
  countOptions: ({ fields: names }) => names.length,
} as const satisfies FormKind<'scores', z.infer<typeof file>>;

function scoresIn(reply: Reply, form: ScoresForm): ScoresRead {
  if (form.fields === null) {
    // A line for each option is read by no known client: markup does not matter there.
    const named = form.template !== null && /\p{L}/u.test(form.template);
    return named ? scoresInText(reply.said, form) : readInBoth(reply, (text) => scoresInText(text, form));
  }
  const [object, ...more] = reply.json.objects;
  if (!object) return { none: 'no-label' };
  if (more.length > 0) return { none: 'contradictory' };
  return scoresInFields(
    form.fields.map((field) => fieldIn(object, field)[0]),
    form,
  );
}

type ScoresRead = { readonly scores: readonly number[] } | Unread;

const NUMBER = '(-?\\d{1,9}(?:\\.\\d{1,9})?)';
const ENDS = '(?![\\p{L}\\p{N}%]|\\.\\d|,\\d|\\s*(?:-|–|to|or)\\s*\\d)';

function scoresInText(text: string, form: ScoresForm): ScoresRead {
  if (form.template === null) return { none: 'no-label' };
  const pieces = form.template.split('{}');
  const options = pieces.length - 1;
  if (/^[\s,]*$/.test(pieces.join(''))) return onFirstLine(text, options, form);
  if (form.template.startsWith('[[')) {
    const inBrackets = new RegExp(
      `\\[\\[\\s*${Array(options).fill(NUMBER).join('\\s*,\\s*')}\\s*\\]\\]`,
      'g',
    );
    return agreed(
      [...text.matchAll(inBrackets)].map((match) => match.slice(1).map(Number)),
      form,
    );
  }
  return byName(text, pieces.slice(0, -1), form);
}

/** The numbers of JSON fields, one for each option. */
function scoresInFields(values: readonly unknown[], form: ScoresForm): ScoresRead {
  const numbers = values.map((value) =>
    typeof value === 'number' || (typeof value === 'string' && new RegExp(`^${NUMBER}$`).test(value.trim()))
      ? Number(value)
      : Number.NaN,
  );
  return onScale(numbers, form);
}

/** `9 6` or `9, 6` alone on the first line: all that these clients read. */
function onFirstLine(text: string, options: number, form: ScoresForm): ScoresRead {
  const words = (text.trim().split('\n', 1)[0] ?? '').trim().split(/\s*,\s*|\s+/, options + 1);
  if (words.length !== options) return { none: 'no-label' };
  const whole = new RegExp(`^${NUMBER}$`);
  return onScale(
    words.map((word) => (whole.test(word) ? Number(word) : Number.NaN)),
    form,
  );
}

/** Each score behind the words in front of its place in the template, once. */
function byName(text: string, leads: readonly string[], form: ScoresForm): ScoresRead {
  const found = leads.map((lead) => {
    const words = RegExp.escape(lead.replace(/^[\s,;]+/, '').trim()).replace(/(?:\\x20|\s)+/g, '\\s+');
    const scored = new RegExp(
      `(?<![\\p{L}\\p{N}])${words}\\s*${NUMBER}(?:\\s*(?:/|out of)\\s*(\\d{1,9}))?${ENDS}`,
      'giu',
    );
    return [...text.matchAll(scored)].map(([, number, outOf]) =>
      outOf !== undefined && form.max !== null && Number(outOf) !== form.max ? Number.NaN : Number(number),
    );
  });
  if (found.some((numbers) => numbers.length === 0)) return { none: 'no-label' };
  if (found.some((numbers) => new Set(numbers).size > 1)) return { none: 'contradictory' };
  return onScale(
    found.map(([number]) => number ?? Number.NaN),
    form,
  );
}

function agreed(all: readonly (readonly number[])[], form: ScoresForm): ScoresRead {
  const [first] = all;
  if (first === undefined) return { none: 'no-label' };
  return all.every((one) => one.join() === first.join()) ? onScale(first, form) : { none: 'contradictory' };
}

function onScale(scores: readonly number[], { min, max }: ScoresForm): ScoresRead {
  if (!scores.every(Number.isFinite)) return { none: 'no-label' };
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
