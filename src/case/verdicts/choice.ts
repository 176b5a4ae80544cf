/** One option is better, or none is. */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { labelKey } from '../counterfactual.ts';
import type { Spelling, VerdictForm } from '../types.ts';
import { NEITHER } from '../words/vocabulary.ts';
import { type Choice, choiceInText, exactChoice } from './choice/choice-in-text.ts';
import { gradeIn, keysOf } from './choice/choice-in-words.ts';
import * as fields from './file-fields.ts';
import {
  type Decision,
  type FormKind,
  type FormOf,
  type Labelled,
  noVerdict,
  type VerdictKind,
} from './kind.ts';
import { asObject, jsonIn, verdictLike } from './reading/json.ts';
import {
  isUnread,
  type Reply,
  readByRule,
  readFieldOrWords,
  readInBoth,
  type Unread,
  withReason,
} from './reading/reply.ts';
import type { Ruled } from './reading/ruled.ts';
import { soleLabel, speaksAgainst } from './reading/sole-label.ts';
import { labelSource, namesFor, putInField, spellingPatterns, spellOut, tellLabels } from './spelling.ts';

export const choice = {
  // Choosing the same option by more or less (`A>B`, `A>>B`) is the same decision.
  isSame: (a, b) => a.option === b.option,
  mapBack(verdict, order) {
    const option = order[verdict.option];
    return option === undefined ? null : { ...verdict, option };
  },
  preferred: ({ option }) => option,
  likelihood({ probability: mean, missing = 0 }) {
    if (mean === undefined) return undefined;
    const low = mean * (1 - missing);
    return { mean, variance: mean * (1 - mean), missing, low, high: low + missing };
  },
  describe: ({ option }, nameOf) => nameOf(option),
  remind: ({ option }, nameOf) => nameOf(option),
  brief: ({ option }, nameOf) => nameOf(option),
  plain: ({ option }, nameOf) => nameOf(option),
  traced: {
    /** The chosen option's label. */
    choice: z.string().optional(),
    /** By how much it was chosen, where the form asks. */
    strength: z.enum(['slight', 'strong']).optional(),
    /** Of the chosen label among the labels of the form, by the judge's log-probabilities. */
    probability: z.number().optional(),
    /** Of the probability at the label, what is on none of the labels that the endpoint lists. */
    missing: z.number().optional(),
  },
  toTrace: ({ option, strength, probability, missing }, nameOf) => ({
    choice: nameOf(option),
    ...(strength && { strength }),
    ...(probability !== undefined && { probability }),
    ...(missing !== undefined && { missing }),
  }),
  toDraw: ({ option, probability }) => ({ choice: option, probability }),
  fromTrace({ choice: label }, optionOf) {
    const option = typeof label === 'string' ? optionOf(label) : -1;
    return option < 0 ? null : { kind: 'choice', option };
  },
  wordsOf: ({ option, strength }, form, options) => namesOf(option, strength, form, options),
  weigh(verdict, { all, whole, missing, lead }) {
    const same = all.filter(({ verdict: one }) => one.kind === 'choice' && one.option === verdict.option);
    return { ...verdict, probability: sumOf(same) / whole, missing, lead };
  },
} as const satisfies VerdictKind<'choice'>;

type ChoiceForm = FormOf<'choice'>;

/**
 * `labels`: what stands for each option, in the order of the options. `strong`: the same where an option is better by far,
 * once or for several degrees.
 */
const file = strictFields({
  kind: z.literal('choice'),
  labels: fields.labels.exactOptional(),
  strong: fields.labels.exactOptional(),
  template: fields.framed,
  tie: fields.words.exactOptional(),
  field: fields.field,
});

export const choiceForm = {
  read(reply, form, { options, checkpoint }) {
    // One of the two may be the verdict; which one, the client knows.
    if (readTwoOrders(reply.text)) return noVerdict('contradictory');
    if (form.field === null && (speaksOfEach(reply.raw) || namesEach(reply.said, form, options)))
      return noVerdict('no-label');
    const read = choiceIn(reply, form, options, checkpoint);
    if (read === 'tie') return { kind: 'tie' };
    if (isUnread(read))
      return noVerdict(
        read.none === 'no-label' && choosesNone(reply, form, options, checkpoint) ? 'neither' : read.none,
      );
    const chosen = typeof read === 'number' ? { option: read } : read;
    return clientTakesAnother(reply.text, form, chosen.option)
      ? noVerdict('contradictory')
      : { kind: 'choice', ...chosen };
  },
  write(verdict, { write, tie, field }, options) {
    if (verdict.kind === 'tie') return putInField(field, tie);
    if (verdict.kind !== 'choice' || !write || !options[verdict.option]) return null;
    const labels = verdict.strength === 'strong' && write.strong ? write.strong : write.labels;
    return putInField(field, spellOut(write, labels[verdict.option]));
  },
  describe({ write, tie }, labels) {
    const ties = tie === null ? '' : `; "${tie}" for a tie`;
    return write
      ? `one of ${tellLabels(write.template, write.labels)}${ties}`
      : `one of ${labels.join(', ')}, in whatever words the reply has${ties}`;
  },
  patterns: ({ write, tie }) => (write ? spellingPatterns(write, tie) : []),
  labelSource: ({ write, tie }) => (write ? labelSource(write, tie) : null),
  labels: ({ write, tie }, options) => [
    ...(write ? cores([...write.labels, ...(write.strong ?? [])]) : []),
    ...cores(options.map(({ label }) => label)),
    ...(tie === null ? [] : [tie.replace(/^[\s\p{P}\p{S}]+|(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$/gu, '')]),
  ],
  takesLikeliest: true,
  decide: (liked, { tie }) => decideChoice(liked, tie !== null),
  file,
  fromFile({ labels, strong, template = '{}', tie = null, field = null }) {
    // In words of its own a label is read as it is written and not in prose.
    const rule = (template !== '{}' || strong) && { rule: 'unique' as const };
    const write = labels ? { template, labels, ...(strong && { strong }), ...rule } : null;
    return { kind: 'choice', write, tie, field };
  },
  countOptions: ({ labels }) => labels?.length ?? null,
  forOptions(form, count) {
    const names = form.strong ? null : namesFor(form.labels ?? [], count);
    return names && withNames(form, names);
  },
} as const satisfies FormKind<'choice', z.infer<typeof file>>;

/** The form for the options of these names. What was taken for a tie between fewer may be the name of one more. */
export function withNames(form: z.infer<typeof file>, names: readonly string[]): z.infer<typeof file> {
  const { tie, template = '{}' } = form;
  const { tie: _, ...untied } = form;
  const isName = names.some((name) => template.replace('{}', () => name) === tie);
  return { ...(isName ? untied : form), labels: [...names] };
}

/** Closer than this two options are equally liked. */
const EQUAL = 1e-9;

/** @param ties whether a tie may be said; otherwise the first of the best is chosen */
export function decideChoice(liked: readonly number[], ties: boolean): Decision {
  const most = Math.max(...liked);
  const best = liked.flatMap((one, option) => (most - one <= EQUAL ? [option] : []));
  return best.length > 1 && ties ? { kind: 'tie' } : { kind: 'choice', option: best[0] ?? 0 };
}

type ChoiceRead = Choice | { readonly option: number; readonly strength: 'slight' | 'strong' } | Unread;

function choiceIn(reply: Reply, form: ChoiceForm, options: Labelled, checkpoint: Checkpoint): ChoiceRead {
  const { write, tie, field } = form;
  if (write && keysOf(write))
    return withReason<ChoiceRead>(
      readInBoth(reply, (text) => gradeIn(text, write)),
      reply,
    );
  const ruled = write ? readByRule(reply, write, field, tie) : null;
  if (write && ruled !== null) return withReason<ChoiceRead>(inDegrees(ruled, write), reply);
  const exact = exactChoice(reply.raw, form, options) ?? exactChoice(reply.said, form, options);
  if (exact !== null) return exact;
  checkpoint();
  const read = readFieldOrWords<ChoiceRead>(
    reply,
    field,
    {
      value: (value) => choiceInValue(value, form, options),
      words: (said) => choiceInText(said, form, options, checkpoint),
    },
    checkpoint,
  );
  // A label alone is asked for, and comes with a word or two. The name of a field says nothing: `{"new_is_worse": true}`.
  const isBare = field === null && write?.template === '{}' && !reply.json.whole;
  if (!isBare || !isUnread(read) || read.none !== 'no-label') return read;
  const sole = speaksAgainst(reply.said, write.labels) ? null : soleLabel(reply.said, write.labels);
  return sole ?? read;
}

/** Characters of a row of names. */
const LONGEST_ROW = 1000;

/** Marks and nothing else: `[9, 4, 1]`. */
const NUMBERS = /^\s*\[\s*-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?)+\s*\]\s*$/;

/** Whether a reply ends in JSON that says something of each of several, and of none that it is chosen: an order, or marks. */
function speaksOfEach(text: string): boolean {
  if (NUMBERS.test(text)) return true;
  if (!/\}\s*(?:```\s*)?$/.test(text.slice(-20))) return false;
  const values = verdictLike(jsonIn(text).objects.at(-1) ?? {});
  const isSeveral = (value: unknown) =>
    Array.isArray(value) ? value.length > 1 : Object.keys(asObject(value) ?? {}).length > 1;
  return values.length > 0 && values.every(isSeveral);
}

/** Whether a reply is names of several and nothing else, one a line or with commas between: which end is the best one, nothing says. */
function namesEach(text: string, { write }: ChoiceForm, options: Labelled): boolean {
  if (text.length > LONGEST_ROW) return false;
  const pieces = text
    .split(/[\n,]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const named = pieces.map((piece) =>
    [options.map(({ label }) => label), write?.labels ?? []]
      .map((names) => names.indexOf(piece))
      .find((one) => one >= 0),
  );
  return named.length > 1 && !named.includes(undefined) && new Set(named).size === named.length;
}

/** Whether the judge says, in the place of a label, that it chooses no option: `<best>none</best>`, `NEITHER`. */
function choosesNone(reply: Reply, form: ChoiceForm, options: Labelled, checkpoint: Checkpoint): boolean {
  const word = form.tie === null ? NEITHER.exec(reply.raw)?.[0] : undefined;
  if (word === undefined) return false;
  const tie = form.write?.template.replace('{}', () => word) ?? word;
  return choiceIn(reply, { ...form, tie }, options, checkpoint) === 'tie';
}

/** The option of a label, and by how much it is better where the form asks for that. */
function inDegrees(read: Ruled | Unread, { labels, strong }: Spelling): ChoiceRead {
  if (typeof read !== 'number' || !strong) return read;
  return { option: read % labels.length, strength: read < labels.length ? 'slight' : 'strong' };
}

/** In a list of one entry that entry counts: `{"selected": [2]}`. */
function choiceInValue(listed: unknown, form: ChoiceForm, options: Labelled): Choice {
  const value: unknown = Array.isArray(listed) && listed.length === 1 ? listed[0] : listed;
  // As JSON writes them: `{"new_is_worse": true}`, `{"winner": null}`.
  if (typeof value === 'boolean' || value === null)
    return exactChoice(String(value), form, options) ?? { none: 'no-label' };
  if (typeof value !== 'string' && typeof value !== 'number') return { none: 'no-label' };
  const text = String(value);
  return exactChoice(text, form, options) ?? choiceInText(text.slice(0, 500), form, options);
}

/**
 * Whether a client of this form would take another option from the reply, thinking included. Its verdict is the one that
 * counts, so one that it would not share is none.
 */
function clientTakesAnother(text: string, { field, write }: ChoiceForm, option: number): boolean {
  if (field !== null || !write) return false;
  if (write.template === '[[{}]]') {
    // A label that stands in the judge's thinking alone is the only one that such a parser finds.
    const found = write.labels.flatMap((label, one) => (text.includes(`[[${label}]]`) ? [one] : []));
    return found.length > 0 && !found.includes(option);
  }
  // LLMBar: a label that has a line to itself, `Output (a)` tried first.
  if (write.template !== 'Output ({})') return false;
  const lines = new Set(text.split('\n').map((line) => line.trim()));
  const taken = write.labels.findIndex((label) => lines.has(`Output (${label})`));
  return taken >= 0 && taken !== option;
}

const sumOf = (all: readonly { readonly probability: number }[]) =>
  all.reduce((sum, { probability }) => sum + probability, 0);

/**
 * What tells the labels apart, of each in turn: `a` and `b` of `Output (a)` and `Output (b)`, `4` and `4o` of
 * `gpt-4` and `gpt-4o`, but all of `A>B` and `B>A`.
 */
function cores(labels: readonly string[]): string[] {
  if (labels.length < 2) return labels.map(labelKey);
  const [first = ''] = labels;
  let shared = 0;
  while (shared < first.length && labels.every((one) => one[shared] === first[shared])) shared++;
  // Back to where a word or a number begins.
  while (shared > 0 && /[\p{L}\p{N}]/u.test(first[shared - 1] ?? '')) shared--;
  return labels.map(
    (one) => one.slice(shared).replace(/^[\s\p{P}\p{S}]+|(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$/gu, '') || one,
  );
}

function namesOf(
  option: number,
  strength: 'slight' | 'strong' | undefined,
  form: VerdictForm,
  options: Labelled,
): string[] {
  const write = form.kind === 'choice' ? form.write : null;
  const spelled = write ? cores([...write.labels, ...(write.strong ?? [])])[at(option, strength, write)] : '';
  return [spelled, cores(options.map(({ label }) => label))[option]].flatMap((name) => name || []);
}

function at(
  option: number,
  strength: string | undefined,
  write: { labels: readonly string[]; strong?: readonly string[] },
) {
  return strength === 'strong' && write.strong ? write.labels.length + option : option;
}

/** No option is better than the others. */
export const tie = {
  isSame: () => true,
  describe: () => 'a tie',
  remind: () => 'a tie',
  brief: () => 'Tie',
  readBrief: (text) => (text === 'Tie' ? { kind: 'tie' } : null),
  plain: () => 'Tie',
  traced: { tie: z.literal(true).optional() },
  toDraw: () => ({ choice: 'tie' }),
  toTrace: () => ({ tie: true }),
  fromTrace: ({ tie: told }) => (told === true ? { kind: 'tie' } : null),
} as const satisfies VerdictKind<'tie'>;

/** What the headings of a reply in both orders say. */
const ORDERED = /(?:original|swapped) order/i;

/**
 * The two texts of a reply that judges a pair in both orders, `### Original Order\nOutput (a)\n\n### Swapped Order\nOutput (b)`
 * (position rows of arXiv 2505.17100); null where it is none.
 */
export function readTwoOrders(text: string): { readonly original: string; readonly swapped: string } | null {
  if (!ORDERED.test(text)) return null;
  const headings = [...text.matchAll(/^[ \t#*]{0,12}(original|swapped) order[ \t*:]{0,12}$/gim)];
  const [first, second] = headings;
  if (headings.length !== 2 || !first || !second || first[1]?.toLowerCase() === second[1]?.toLowerCase())
    return null;
  const one = text.slice(first.index + first[0].length, second.index).trim();
  const two = text.slice(second.index + second[0].length).trim();
  return first[1]?.toLowerCase() === 'original'
    ? { original: one, swapped: two }
    : { original: two, swapped: one };
}
