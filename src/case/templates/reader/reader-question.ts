/**
 * Asking a model what a template's slots hold, where that is open: once for a template, never for a request. Where the
 * learner cut wrongly, the model may say where the texts of one request begin and end.
 */
import { TEMPLATE_READER } from '../../../../prompts/index.ts';
import { findForm } from '../../form/find-form.ts';
import type { Case, Prompt } from '../../types.ts';
import { formKindOf } from '../../verdicts/index.ts';
import { hasWord } from '../align/tokens.ts';
import { optionsAlike } from '../alike.ts';
import { casesIn, formSourceOf, readsCleanly, repliesAreRead, witnessOf } from '../confirmation.ts';
import { findingOf } from '../finding.ts';
import { matchTemplate } from '../match.ts';
import { CASES_TO_CONFIRM, type Pipeline, shapeOf } from '../pipeline.ts';
import { LEAST_REPLIES, lookLikeVerdicts } from '../replies/index.ts';
import { openForm } from '../replies/replied.ts';
import type { Template } from '../template.ts';

/**
 * What is not known of a template: `edges` where nobody has said yet whether its slots hold whole texts, `cut` where its
 * slots are certain in too few of the requests.
 */
export const OPEN_POINTS = ['edges', 'cut', 'roles', 'form', 'polarity'] as const;
export type OpenPoint = (typeof OPEN_POINTS)[number];

export interface ReaderQuestion {
  readonly system: string;
  readonly user: string;
}

/** Characters shown of a slot's text, and of a reply. */
const EXCERPT = 80;
/** Requests and replies of which excerpts are shown. */
const SHOWN = 3;
const LONGEST_SCHEMA = 4_000;
/** Characters of a request that is shown whole. */
const LONGEST_REQUEST = 12_000;
/** Answers that are asked for of one pipeline, however often its template changes. */
const MOST_TIMES = 3;

/**
 * What a model may be asked of a pipeline.
 *
 * @param leastReplies that must have come, so that what it says of the verdict's form can be checked
 * @param texts whether texts of requests may be shown: without them nobody can say where they begin and end
 * @returns nothing where all is known, too little was seen, a person has decided, or it was asked already
 */
export function openPoints(
  pipeline: Pipeline,
  { leastReplies = LEAST_REPLIES, texts = true }: { leastReplies?: number; texts?: boolean } = {},
): OpenPoint[] {
  const { template, reader, answers = [] } = pipeline;
  if (answers.length < leastReplies) return [];
  if (template && reader && (reader.of === shapeOf(template) || reader.times >= MOST_TIMES)) return [];
  const points = unknownPoints(pipeline);
  if (texts) return points;
  return points.includes('cut') ? [] : points.filter((point) => point !== 'edges');
}

/** Whether a pipeline's verdicts go out unexamined: its template does not act, and its replies look like verdicts. */
export const isLeftAlone = ({ state, answers = [] }: Pipeline): boolean =>
  state === 'learning' && lookLikeVerdicts(answers);

/** The same as `openPoints`, whether or not a model was asked and replies came. */
export function unknownPoints(pipeline: Pipeline): OpenPoint[] {
  const { template, state, samples, reader } = pipeline;
  if (!template || (state !== 'learning' && state !== 'confirmed')) return [];
  if (samples.length < CASES_TO_CONFIRM) return [];
  // What a model cut is cut anew where it had to give way.
  const edges = (!reader || reader.cut) && requestsToShow(pipeline).length > 0;
  return [...(edges ? (['edges'] as const) : []), ...pointsWithin(pipeline, template)];
}

/** What is not known of a template, wherever its slots begin and end. */
function pointsWithin(pipeline: Pipeline, template: Template): OpenPoint[] {
  const { state, samples, origin } = pipeline;
  // A list of any length may be the steps of one run: then it is one text.
  const { more, ...fixed } = template;
  const isRow = more && witnessOf(pipeline, template) === 'certain';
  const counted = isRow && readsCleanly(template, samples, origin.schema) ? template : fixed;
  const matchesOf = (of: Template) =>
    samples.flatMap(({ prompt }) => {
      const match = matchTemplate(of, prompt);
      return match?.kind === 'slots' ? [match] : [];
    });
  const matches = matchesOf(counted);
  const [match] = matches;
  // What decides on judgments already is not named anew.
  if (state === 'confirmed') return match ? openInForm(pipeline) : [];
  const isCut = (all: readonly unknown[]) => all.length >= CASES_TO_CONFIRM;
  if (more && !isCut(matches) && isCut(matchesOf(template))) return ['roles', 'form'];
  if (!match || !isCut(matches) || match.slots.length === 0)
    return requestsToShow(pipeline).length > 0 ? ['cut', 'roles', 'form'] : [];
  if (!findingOf(template, match) || !optionsAlike(template)) return ['roles', 'form'];
  const certain = witnessOf(pipeline, template) === 'certain';
  // A form for another number of options tells that one of the two is wrong, and not which.
  if (casesIn(template, samples, origin.schema).includes(null)) {
    const asked = samples[0] && formSourceOf(template, samples[0].prompt, origin.schema);
    return certain && asked && findForm(asked.source) !== 'mismatch' ? ['form'] : ['roles', 'form'];
  }
  const clean = certain && readsCleanly(template, samples, origin.schema);
  return [...(clean ? [] : (['roles'] as const)), ...openInForm(pipeline)];
}

/** The requests that are short enough to be shown whole, the longest first: in that one no text is likely to be empty. */
export const requestsToShow = ({ samples }: Pipeline): readonly Prompt[] =>
  samples
    .map(({ prompt }) => ({ prompt, length: prompt.parts.reduce((sum, { text }) => sum + text.length, 0) }))
    .filter(({ length }) => length <= LONGEST_REQUEST)
    .toSorted((a, b) => b.length - a.length)
    .map(({ prompt }) => prompt);

/** The last line with a word in front of a slot. */
export const nameIn = (before: string) => before.split('\n').findLast(hasWord) ?? '';

function openInForm(pipeline: Pipeline): OpenPoint[] {
  const { template, samples, origin } = pipeline;
  const [subject] = template ? casesIn(template, samples, origin.schema) : [];
  const prompt = samples.at(-1)?.prompt;
  if (!template || !subject || !prompt) return [];
  const open =
    !repliesAreRead(pipeline) ||
    (!template.verdict && openForm(template, prompt, origin.schema, pipeline.answers) !== null);
  return [...(open ? (['form'] as const) : []), ...(hasOpenPolarity(subject) ? (['polarity'] as const) : [])];
}

export const hasOpenPolarity = ({ form }: Case) => formKindOf(form).isOpen?.(form) ?? false;

/**
 * The question about a pipeline's template. The template's own words stand as they are; everything else is quoted as
 * JSON, in which no mark of a slot and no tag stands.
 *
 * @param options.texts whether beginnings of the requests' texts and endings of replies may be shown
 */
export function questionOf(pipeline: Pipeline, { texts }: { readonly texts: boolean }): ReaderQuestion {
  const { template, origin, answers = [] } = pipeline;
  const parts: string[] = [];
  let number = 0;
  for (const { role, literals, slots } of template?.parts ?? []) {
    const text = literals.map((literal, n) => shown(literal) + (n < slots.length ? `⟦${++number}⟧` : ''));
    parts.push(`=== Message of the role ${JSON.stringify(role)} ===\n${text.join('')}`);
  }
  parts.push('=== End of the template ===');
  if (origin.schema !== null) {
    const schema = JSON.stringify(origin.schema) ?? '';
    parts.push(`The reply has to follow this JSON schema: ${quoted(schema.slice(0, LONGEST_SCHEMA))}`);
  }
  if (texts) {
    const points = unknownPoints(pipeline);
    parts.push(inSlots(pipeline), ...whole(pipeline));
    const endings = answers.slice(-SHOWN).map((text) => quoted(text.slice(-2 * EXCERPT)));
    if (endings.length > 0 && points.includes('form'))
      parts.push(`Untrusted data, endings of replies:\n${endings.join('\n')}`);
    if (template?.more) parts.push(LIST);
    if (points.includes('cut')) parts.push(UNCERTAIN);
  }
  return { system: TEMPLATE_READER, user: parts.join('\n\n') };
}

/** Said of a template whose slots cannot be used as they are. */
const UNCERTAIN =
  'In the requests seen it is not certain where these slots begin and end. Give "cuts", not "slots".';

/** Said of a template that other requests lengthen. */
const LIST =
  'Other requests have a longer list: the slots in it are those of its first two entries. If each entry is a text of its own that is judged, name the slots of these two. If its entries are one text, as the steps of one run are, give "cuts".';

function inSlots({ template, samples }: Pipeline): string {
  const own = template?.parts.flatMap(({ slots }) => slots) ?? [];
  // More options than the template's own stand behind its last one.
  const last = own.findLastIndex(({ role }) => role === 'option');
  const shownOf = samples
    .map(({ prompt }) => {
      const slots = (template && matchTemplate(template, prompt))?.slots ?? [];
      return { prompt, slots: slots.toSpliced(last + 1, slots.length - own.length) };
    })
    .filter(({ slots }) => slots.length === own.length)
    .slice(-SHOWN);
  const lines = (shownOf[0]?.slots ?? []).map((_, n) => {
    const beginnings = shownOf.map(({ prompt, slots }) => {
      const { part = 0, at = null } = slots[n] ?? {};
      const text = prompt.parts[part]?.text ?? '';
      return at ? text.slice(at.start, Math.min(at.end, at.start + EXCERPT)) : '';
    });
    return `⟦${n + 1}⟧: ${beginnings.map(quoted).join(', ')}`;
  });
  return `Untrusted data, beginnings of what stood in the slots:\n${lines.join('\n')}`;
}

function whole(pipeline: Pipeline): string[] {
  const [request] = requestsToShow(pipeline);
  if (!request) return [];
  const messages = request.parts.map(({ text }, n) => `${n + 1}: ${quoted(text)}`);
  return [`Untrusted data, one request, its messages as JSON strings:\n${messages.join('\n')}`];
}

/** A template's own words; the marks of slots are written in another way there. */
const shown = (literal: string) => literal.replaceAll('⟦', '[[').replaceAll('⟧', ']]');

/** A JSON string without anything that could be taken for the frame around it. */
const quoted = (text: string) =>
  JSON.stringify(text.toWellFormed()).replace(
    /[<>{}⟦⟧=\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
