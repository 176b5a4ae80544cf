/** What the replies to a pipeline's requests tell: whether its verdicts can be read, and how they are given. */
import { labelKey } from '../../counterfactual.ts';
import { areCodes } from '../../form/explained.ts';
import { findForm } from '../../form/find-form.ts';
import { formByAlternatives } from '../../form/form-by-alternatives.ts';
import { lettersExplained } from '../../form/words-asked.ts';
import type { Case, Prompt, Verdict } from '../../types.ts';
import { formFromFile, isUnderstood, tellingForm, type VerdictFile } from '../../verdicts/index.ts';
import { beginsAnOrder, wordsOfLabel } from '../../words/vocabulary.ts';
import {
  formSourceOf,
  isConfirmed,
  isReadBy,
  isUnmistakable,
  longestCase,
  repliesAreRead,
  settle,
  withoutDoubtfulNames,
} from '../confirmation.ts';
import { toldBefore } from '../extend.ts';
import { withOptionsReplied } from '../learned-template.ts';
import { isLookDue } from '../learner.ts';
import { CASES_TO_CONFIRM, type Pipeline, wordsOf } from '../pipeline.ts';
import type { Template } from '../template.ts';
import {
  concludesElsewhere,
  formFromReplies,
  LEAST_REPLIES,
  readsReplies,
  verdictsIn,
  verdictsOnAny,
} from './index.ts';
import { ownWordsOf } from './option-names.ts';
import { marksOfTexts, slotNames } from './options-in-replies.ts';
import { withoutSigns } from './reply-places.ts';

/** Replies kept of a pipeline, and characters of one of them and of all together. */
const MOST_ANSWERS = 20;
const LONGEST_ANSWER = 8_000;
const MOST_TEXT = 16_000;

/** A reply to a request of a template. */
export interface TemplateReply {
  /** The judge's own words. */
  readonly text: string;
  /** Whether a verdict was read from it; null where none was looked for, and where it is empty or refuses. */
  readonly read: boolean | null;
  /** The judge's model; absent where there is one judge. */
  readonly judge?: string;
}

/** Replies of which it is held whose they are. */
const MOST_HEARD = 40;

/** The pipeline with what a reply adds to what is known of it. */
export function withReply(before: Pipeline, { text, read, judge = '' }: TemplateReply): Pipeline {
  const latest = [...(before.heard ?? []), ...(read === null ? [] : [{ judge, read }])].slice(-MOST_HEARD);
  const pipeline = latest.length > 0 ? { ...before, heard: latest } : before;
  if (read === false && isReadBy(pipeline, (other) => other !== judge)) return pipeline;
  const told =
    read === null
      ? pipeline
      : {
          ...pipeline,
          replies: pipeline.replies + 1,
          repliesRead: pipeline.repliesRead + (read ? 1 : 0),
        };
  if (pipeline.state !== 'confirmed' && pipeline.state !== 'learning') return told;
  const answers = withAnswer(pipeline.answers ?? [], text);
  const answeredBy = [...(pipeline.answeredBy ?? []), ...(answers.at(-1) === text ? [judge] : [])].slice(
    -answers.length,
  );
  const heard = { ...told, answers, answeredBy };
  const isKnown = heard.state === 'confirmed' && read !== false && answers.length > LEAST_REPLIES;
  if (isKnown || !isLookDue(heard)) return afterUnreadReplies(heard);
  const own = withoutDoubtfulNames(heard);
  const byOwn = own && withFormHeard(own);
  const all = byOwn?.state === 'confirmed' ? byOwn : withFormHeard(heard);
  const isWhole = all.state === 'confirmed' && all.repliesRead === all.replies;
  return (isWhole ? null : byOneJudge(heard, judge)) ?? all;
}

/**
 * The pipeline as the replies of one of several judges alone tell it; null where they do not confirm its template. What was replied
 * before it was read counts as read by then.
 */
function byOneJudge(pipeline: Pipeline, judge: string): Pipeline | null {
  const { answers: all = [], answeredBy = [] } = pipeline;
  const answers = all.slice(-answeredBy.length).filter((_, n) => answeredBy[n] === judge);
  if (answers.length === all.length || answers.length < LEAST_REPLIES) return null;
  const own = withFormHeard({
    ...pipeline,
    state: 'learning',
    answers,
    answeredBy: answers.map(() => judge),
    heard: [],
    replies: answers.length,
    repliesRead: 0,
  });
  if (own.state !== 'confirmed') return null;
  const heard = Array.from({ length: own.replies }, (_, n) => ({ judge, read: n < own.repliesRead }));
  return { ...own, heard: heard.slice(-MOST_HEARD) };
}

/** The pipeline with what its replies tell of the verdict's form. */
function withFormHeard(heard: Pipeline): Pipeline {
  const formed = withForm({ ...heard, template: withOptionsReplied(heard) });
  const wasCounted = formed.state === 'learning' && formed.replies > 0;
  return afterUnreadReplies(afterReplies(wasCounted ? recounted(formed) : formed));
}

/** A pipeline that was learned from a request, with what was replied in the meantime. */
export function withRepliesOf(now: Pipeline, learned: Pipeline): Pipeline {
  const { replies, repliesRead, answers = [], answeredBy, heard } = now;
  const template = learned.template && toldBefore(now, learned.template);
  const { reader } = now;
  return afterUnreadReplies({
    ...learned,
    template,
    replies,
    repliesRead,
    answers,
    ...(answeredBy && { answeredBy }),
    ...(heard && { heard }),
    ...(reader && { reader }),
  });
}

/** The latest that are not too long, together nor alone. */
function withAnswer(answers: readonly string[], text: string): readonly string[] {
  if (text.trim() === '' || text.length > LONGEST_ANSWER) return answers;
  const kept: string[] = [];
  let room = MOST_TEXT;
  for (const one of [...answers, text].slice(-MOST_ANSWERS).reverse()) {
    room -= one.length;
    if (room < 0) break;
    kept.unshift(one);
  }
  return kept;
}

/** Replies that cannot be read speak against a template that nobody approved, and against the form that was learned. */
function afterUnreadReplies(pipeline: Pipeline): Pipeline {
  const { state, template } = pipeline;
  if (state !== 'confirmed' || repliesAreRead(pipeline)) return pipeline;
  return {
    ...pipeline,
    state: 'learning',
    template: template && { name: template.name, parts: template.parts },
  };
}

/** Takes the form of the verdict from the replies where the texts tell none. */
function withForm(pipeline: Pipeline): Pipeline {
  const { template, origin, answers = [] } = pipeline;
  const prompt = promptOf(pipeline);
  if (!template || template.verdict || !prompt) return pipeline;
  const open = openForm(template, prompt, origin.schema, answers);
  const verdict = open && formReplied(template, answers, open.labels);
  if (!open || !verdict) return pipeline;
  // What may be another text's form is not believed before it is known what is judged.
  if (open.labels.length < 2 && !isUnmistakable(pipeline, { ...template, verdict })) return pipeline;
  return counted(
    { ...pipeline, template: { ...template, verdict } },
    readBy(verdict, template, answers, open.labels),
  );
}

/**
 * What was replied before a template acts is counted by the replies that are held: those that could not be read when it acted
 * last do not speak against it for ever.
 */
function recounted(pipeline: Pipeline): Pipeline {
  const { template, origin, answers = [] } = pipeline;
  const prompt = promptOf(pipeline);
  const { source, subject } = (template && prompt && formSourceOf(template, prompt, origin.schema)) ?? {};
  const labels = subject?.options.map(({ label }) => label) ?? source?.labels ?? [];
  if (template?.verdict) return counted(pipeline, readBy(template.verdict, template, answers, labels));
  // A form for as many options as one case has reads no reply on more or fewer.
  return counted(pipeline, subject && !template?.more ? verdictsIn(subject.form, answers, labels) : []);
}

const promptOf = ({ template, samples }: Pipeline) =>
  template?.more ? longestCase(template, samples) : samples.at(-1)?.prompt;

const readBy = (
  verdict: VerdictFile,
  { more }: Template,
  answers: readonly string[],
  labels: readonly string[],
) => (more ? verdictsOnAny(verdict, answers, labels) : verdictsIn(formFromFile(verdict), answers, labels));

/** As the replies that came are read by the form. */
export const counted = (pipeline: Pipeline, verdicts: readonly Verdict[]): Pipeline => ({
  ...pipeline,
  replies: tellingForm(verdicts).length,
  repliesRead: verdicts.filter(isUnderstood).length,
});

/** How the replies give the verdict, where nothing in the template speaks against it. */
export function formReplied(
  template: Template,
  answers: readonly string[],
  labels: readonly string[],
): VerdictFile | null {
  const orders = wordsOf(template);
  const verdict =
    formFromReplies(answers, labels, orders) ??
    formByAsides(template, answers, labels, orders) ??
    (template.more ? formOnAny(answers, labels, orders) : null);
  if (!verdict) return null;
  if (
    labels.length < 2 &&
    (nameSlots(wordsOfForm(verdict), template) ||
      (verdict.kind === 'list' && marksOfTexts(template.parts, verdict.fields ?? [])) ||
      countsTexts(verdict, answers, template, orders))
  )
    return null;
  // What names another text is no tie: then there is an option more, unless the orders say what each number stands for.
  const { tie, labels: said = [] } = verdict.kind === 'choice' ? verdict : {};
  const namesText = tie !== undefined && slotNames(template.parts, [tie]).length > 0;
  return namesText && !areCodes(said, labels, orders) ? null : verdict;
}

/** An order of the options, or a number for each, however many there were. */
function formOnAny(
  answers: readonly string[],
  labels: readonly string[],
  orders: string,
): VerdictFile | null {
  const verdicts = [labels, labels.slice(0, 2)].map((some) => formFromReplies(answers, some, orders, true));
  return verdicts.find((verdict) => verdict?.kind === 'scores' || verdict?.kind === 'ranking') ?? null;
}

/**
 * Which option a reply chooses, or what number it gives each, by what stands in brackets behind the options' names: `Draft A (from
 * memory)`, `MEMORY_BETTER`. Names in the replies may be shorter: `LoRA score` for `Answer 2 (model tuned with LoRA)`.
 */
function formByAsides(
  template: Template,
  answers: readonly string[],
  labels: readonly string[],
  orders: string,
): VerdictFile | null {
  const asides = labels.map((label) => asideOf(template, label));
  if (labels.length < 2 || asides.includes('') || new Set(asides).size < labels.length) return null;
  return (
    [asides, ownWordsOf(asides)]
      .flatMap((names) =>
        new Set(names).size < labels.length ? [] : (formFromReplies(answers, names, orders) ?? []),
      )
      .find(({ kind }) => kind === 'choice' || kind === 'scores') ?? null
  );
}

/** What stands in brackets behind a label, up to a dash. */
function asideOf({ parts }: Template, label: string): string {
  const before = parts.flatMap(({ literals, slots }) =>
    slots.flatMap((slot, n) => (slot.role === 'option' && slot.label === label ? (literals[n] ?? '') : [])),
  );
  const [text = ''] = before;
  const line = text.slice(text.lastIndexOf(label) + label.length).split('\n', 1)[0] ?? '';
  return (
    /^\s?[([（]([^()[\]（）]{1,80})[)\]）]/u
      .exec(line)?.[1]
      ?.split(/\s[-–—]\s|[:：;,]/, 1)[0]
      ?.trim() ?? ''
  );
}

/**
 * Whether what looks like a score is the number of one of two texts, of which one has been the same in all requests: nothing but 1
 * and 2 was replied, and the orders write both replies out (`"Winner: 1" or "Winner: 2"`) or give both numbers to what stands in
 * front of a text (`Reply 1`, `Reply 2`). Steps and grades have numbers, too, but no text behind them.
 */
function countsTexts(
  verdict: VerdictFile,
  answers: readonly string[],
  template: Template,
  orders: string,
): boolean {
  if (verdict.kind !== 'score') return false;
  const verdicts = verdictsIn(formFromFile(verdict), answers, ['']);
  const scores = new Set(verdicts.flatMap((one) => (one.kind === 'score' ? one.score : [])));
  if (scores.size !== 2 || !scores.has(1) || !scores.has(2)) return false;
  const spelling = verdict.template ?? '{}';
  if (spelling !== '{}' && ['1', '2'].every((number) => orders.includes(spelling.replace('{}', number))))
    return true;
  const words = wordsOfLabel(orders);
  const numbersOf = (noun: string) =>
    new Set(words.filter((word, n) => words[n - 1] === noun && /^\d{1,2}$/.test(word)));
  return template.parts.some(({ literals }) =>
    literals.slice(0, -1).some((literal) => {
      const [noun = '', number = ''] = wordsOfLabel(literal).slice(-2);
      return (
        /\p{L}/u.test(noun) && /^\d{1,2}$/.test(number) && [...numbersOf(noun)].toSorted().join() === '1,2'
      );
    }),
  );
}

/** The words that a form sorts by, or the names of the places in which it has a value each. */
function wordsOfForm(verdict: VerdictFile): readonly string[] {
  if (verdict.kind === 'category') return verdict.labels;
  if (verdict.kind !== 'list') return [];
  return (
    verdict.fields ??
    (verdict.template ?? '').split('\n').map((line) => withoutSigns(line.split('{}')[0] ?? ''))
  );
}

/**
 * Whether words stand beside slots each, or count (`system 1`, `system 2`): then they name options of which one is chosen,
 * and sort no text.
 */
function nameSlots(words: readonly string[], template: Template): boolean {
  const { parts } = template;
  if (words.length < 2) return false;
  const edges = parts.flatMap(({ literals }) => [
    ...literals.slice(0, -1).map((literal) => literal.trimEnd().split('\n').at(-1) ?? ''),
    ...literals.slice(1).map((literal) => literal.trimStart().split('\n', 1)[0] ?? ''),
  ]);
  // Two words on one line are what the orders offer.
  const spaced = (text: string) => text.replaceAll(/[-_.]/g, ' ');
  const holds = (edge: string, word: string) => edge.includes(spaced(word));
  const only = edges.map(spaced).filter((edge) => words.filter((word) => holds(edge, word)).length === 1);
  const beside = words.filter((word) => only.some((edge) => holds(edge, word)));
  if (beside.length > 1) return true;
  const isExplained = lettersExplained(words, wordsOf(template)).length > 0;
  return !isExplained && beginsAnOrder(words.map(labelKey).toSorted());
}

/** What was learned may act once the replies tell how the verdict is given, and not where they give none. */
function afterReplies(pipeline: Pipeline): Pipeline {
  const { state, answers = [], template, samples } = pipeline;
  // After a restart the requests that it was learned from are gone, and a template that is kept stands in for them.
  const isHeld = samples.length >= CASES_TO_CONFIRM;
  if (state === 'confirmed' && isHeld && answers.length === LEAST_REPLIES && !isConfirmed(pipeline))
    return { ...pipeline, state: 'learning' };
  const changes = template?.verdict !== undefined || answers.length >= LEAST_REPLIES;
  return state === 'learning' && changes ? settle(pipeline) : pipeline;
}

/**
 * The options of a template of which it is open how the verdict is given: its texts do not tell, or some replies are not
 * given as they seem to tell.
 *
 * @returns null where it is not open, where the texts of less than two options tell nothing, or where the prompt is not
 *   certain
 */
export function openForm(
  template: Template,
  prompt: Prompt,
  schema: unknown,
  answers: readonly string[] = [],
): { readonly labels: readonly string[]; readonly subject: Case | null } | null {
  const { source, subject = null } = formSourceOf(template, prompt, schema) ?? {};
  if (!source) return null;
  const labels = subject?.options.map(({ label }) => label) ?? source.labels;
  const misses = (known: Case) =>
    !readsReplies(known.form, answers, labels) || concludesElsewhere(known.form, answers);
  if (subject && answers.length >= LEAST_REPLIES && misses(subject)) return { labels, subject };
  if (formByAlternatives(source) !== null) return null;
  if (subject === null) return { labels: source.labels, subject };
  const known = findForm(source);
  const open = known !== 'mismatch' && known.kind === 'choice' && !known.write && known.field === null;
  return open ? { labels: source.labels, subject } : null;
}
