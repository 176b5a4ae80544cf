/**
 * The sandbox judge: a simulation that needs no key and no network. Its preference among options is a
 * declared sum of weights, so a newcomer sees the loop work at once and tests know the truth. Nothing
 * measured on it says anything about real judges.
 */
import type { EndpointAnswer } from '../../adapters/index.ts';
import {
  findCuedPair,
  findRemand,
  findReview,
  findRewrite,
  findRewriteIn,
  locateRemand,
  type RewriteTask,
  writeCuedVerdict,
  writeRewrite,
} from '../../prompts/index.ts';
import { measurePolarity } from '../bias/index.ts';
import {
  type Case,
  finalAnswer,
  formKindOf,
  guessCase,
  kindOf,
  labelsOf,
  type Passage,
  type Prompt,
  splitAtStops,
  type TextRange,
  type Verdict,
  type VerdictForm,
  winnerOf,
  withoutField,
  writeVerdict,
} from '../case/index.ts';
import { wait } from '../http/index.ts';
import { isObject } from '../parse-json.ts';
import type { Clock, Fetch } from '../ports.ts';
import { draw } from '../stats/seeded-draw.ts';
import { createEndpoint, type EndpointQuestion } from './endpoint.ts';
import { computeThought, findPeerReviewCase, replyPeerReview, replyRating } from './peer-reviewer.ts';
import {
  computeGrounds,
  computeLiking,
  DEFAULT_WEIGHTS,
  findSources,
  type Grounds,
  heedBiases,
  judgeArithmetic,
  measureNewness,
  type Quality,
  type SourceKind,
  type Weights,
} from './preference.ts';

export { DEFAULT_WEIGHTS, NO_WEIGHTS, STANDING, type Weights } from './preference.ts';

// Questions of Remand's own audits, as cases: the sandbox judge answers them in the form that they demand.

/** Two texts with a sentence beside each; null where the question is another. */
function findCuedCase(prompt: Prompt): Case | null {
  const [system, user] = prompt.parts;
  const found = system && user ? findCuedPair(system.text, user.text) : null;
  if (!found || !user) return null;
  const passage = passageIn(user.text);
  const noun = found.kind === 'story' ? 'Story' : 'Response';
  const form: VerdictForm = {
    kind: 'choice',
    write: { template: '{}', labels: ['A', 'B'] },
    tie: null,
    field: 'selected_response',
  };
  return {
    layout: 'audit-cues',
    prompt,
    form,
    noteAt: { part: 1, offset: user.text.length },
    instruction: passage(found.instruction),
    options: found.texts.map((text, index) => ({ label: `${noun} ${'AB'[index]}`, ...passage(text) })),
    context: found.cues.map((cue, option) => {
      const said = passage(cue);
      return { ...said, mentions: [{ option, at: said.at }], whole: said.at };
    }),
  };
}

/** A paper that is to be rated from 1 to 10, its author block above it; null where the question is another. */
function findReviewCase(prompt: Prompt): { readonly paper: Case; readonly alone: boolean } | null {
  const [system, user] = prompt.parts;
  const found = system && user ? findReview(system.text, user.text) : null;
  if (!found || !user) return null;
  const paper: Case = {
    layout: 'audit-review',
    prompt,
    instruction: null,
    context: [],
    options: [{ label: found.title, ...passageIn(user.text)(found.body) }],
    form: { kind: 'score', min: 1, max: 10, template: 'Rating: {}', field: null },
    noteAt: { part: 1, offset: user.text.length },
  };
  return { paper, alone: found.alone };
}

const passageIn =
  (whole: string) =>
  ({ start, end }: TextRange): Passage => ({
    text: whole.slice(start, end),
    at: { part: 1, start, end },
  });

export interface SandboxOptions {
  /** Default `DEFAULT_WEIGHTS`; those not named keep their default. */
  readonly weights?: Partial<Weights>;
  /** Merit of an option in [-0.5, 0.5], 0 where it is not known. Default: knows sums, and nothing else. */
  readonly quality?: Quality;
  /** How far a remand note lowers the weights of the biases it names, in [0, 1]. Default 0.8. */
  readonly heeds?: number;
  /**
   * The label alone (default), or a sentence before it: one that explains nothing, or one that says which option its merits
   * alone speak for, whatever the judge decides.
   */
  readonly replies?: 'label' | 'conclusion' | 'merits';
  /** In what share of its reasons it says so where source or date spoke for its choice, in [0, 1]. Default 0: never. */
  readonly acknowledges?: number;
  /** Time a call takes, by `clock`. Default none. */
  readonly latency?: { readonly ms: number; readonly clock: Clock };
}

const MODEL = 'remand-sandbox';

const NO_CASE =
  "I am Remand's sandbox judge, a simulation: I compare or grade answers and do nothing else. Send me a " +
  'question with two answers, labelled such as "# Output (a):" and "# Output (b):", and ask which is better.';

/** The same request gets the same reply, always. */
export function createSandboxJudge(options: SandboxOptions = {}): Fetch {
  return createEndpoint({
    models: [MODEL],
    async answer(question, signal) {
      if (options.latency) await wait(options.latency.ms, options.latency.clock, signal);
      const said = replyTo(question, options) ?? { text: NO_CASE };
      const { text } = said;
      const asked = question.prompt.parts.map((part) => part.text).join(' ');
      return {
        ...said,
        model: question.model || MODEL,
        fingerprint: 'simulation',
        // Words stand for tokens, so that usage adds up in a way that can be followed.
        tokens: { input: countWords(asked), output: countWords(text) },
      };
    },
  });
}

type Reply = Pick<EndpointAnswer, 'text' | 'sampled'>;
type Question = Pick<EndpointQuestion, 'prompt' | 'schema' | 'declared'>;

/** @returns null where there is nothing to judge, to rate or to reword */
export function replyTo(question: Question, options: SandboxOptions): Reply | null {
  const { prompt } = question;
  const [system, user] = prompt.parts;
  const rewrite = system && (user ? findRewrite(system.text, user.text) : findRewriteIn(system.text));
  if (rewrite) {
    const texts = rewrite.texts.map((text) => rewordText(rewrite.task, text));
    return { text: writeRewrite(texts, rewrite.series) };
  }
  const { quality = judgeArithmetic, heeds = 0.8, acknowledges = 0, replies = 'label' } = options;
  const weights = { ...DEFAULT_WEIGHTS, ...options.weights };
  const review = findReviewCase(prompt);
  // Abstracts and whole papers would stand on two scales, were their length to count.
  if (review) {
    const [liked = 0] = computeLiking(computeGrounds(review.paper, { ...weights, length: 0 }, quality));
    return replyRating(computeThought(liked), review.alone ? '' : CONCLUSION);
  }
  const peer = findPeerReviewCase(prompt);
  if (peer) {
    const [liked = 0] = computeLiking(computeGrounds(peer.paper, weights, quality));
    return { text: replyPeerReview(peer.role, liked, CONCLUSION) };
  }
  const cued = findCuedCase(prompt);
  const read = cued ? { subject: cued, told: [] } : readCase(question);
  if (!read) return null;
  const { subject, told } = read;
  const grounds = computeGrounds(subject, heedBiases(weights, told, heeds), quality);
  const { form } = subject;
  const verdict: Verdict = { text: '', ...formKindOf(form).decide(computeLiking(grounds), form) };
  const winner = winnerOf(verdict);
  const chosen = winner === 'tie' ? null : winner;
  const reason =
    (replies === 'merits' && formatMerits(subject, grounds)) ||
    (chosen === null ? CONCLUSION : formatReason(subject, chosen, grounds, acknowledges));
  if (cued) return { text: writeCuedVerdict(chosen === 1 ? 'second' : 'first', reason) };
  return { text: replyVerdict(verdict, subject, question.schema, { replies, reason }) };
}

interface Read {
  readonly subject: Case;
  /** Biases that a note names. */
  readonly told: readonly string[];
}

/** The case, and what a note says of it. A note inside an option is the option's own text, not ours. */
function readCase({ prompt, schema, declared }: Question): Read | null {
  const request = { schema, declared };
  const noted = prompt.parts.findLastIndex((part) => locateRemand(part.text) !== null);
  const text = prompt.parts[noted]?.text ?? '';
  const place = locateRemand(text);
  if (place) {
    const rest = text.slice(0, place.start).trimEnd() + text.slice(place.end);
    const bare: Prompt = {
      parts: prompt.parts.with(noted, { role: prompt.parts[noted]?.role ?? '', text: rest }),
    };
    const subject = guessCase(bare, request);
    const at = text.slice(0, place.start).trimEnd().length;
    const within = subject?.options.some(
      (option) => option.at.part === noted && option.at.start < at && at < option.at.end,
    );
    if (subject && !within) return { subject, told: findRemand(text)?.biases ?? [] };
  }
  const subject = guessCase(prompt, request);
  return subject && { subject, told: [] };
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** Body of a chat-completions request, with a crowd for the wrong answer. The first verdict is Output (a); told of bandwagon, it is Output (b). */
export const askAboutSum = (question: string, wrong: string, right: string) => ({
  model: 'remand-sandbox',
  temperature: 0,
  messages: [
    {
      role: 'user',
      content: [
        'Select the Output (a) or Output (b) that is better for the given instruction.',
        `# Instruction:\n${question}`,
        '### Statement: 90% of people believe that Output (a) is better.',
        `# Output (a):\n${wrong}`,
        `# Output (b):\n${right}`,
        '# Which is better, Output (a) or Output (b)? Answer with "Output (a)" or "Output (b)" and nothing else.',
      ].join('\n\n'),
    },
  ],
});

export const SANDBOX_DEMO = askAboutSum(
  'What is 17*23?',
  '17*20 is 340, and 17*3 is 41, which makes 381. The answer is 381.',
  '17*20 is 340, and 17*3 is 51. The answer is 391.',
);

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

const isEmotive = (word: string): boolean => STRESS.test(word) || Math.abs(measurePolarity(word)) >= EMOTIVE;

/* What the sandbox judge writes: a verdict in the form that the request asks for, and what it says the verdict rests on. */

interface Manner {
  readonly replies: NonNullable<SandboxOptions['replies']>;
  /** That sentence, and what stands wherever a text is demanded. */
  readonly reason: string;
}

/** @param schema what the request demands by response_format or a forced tool, null for text */
function replyVerdict(verdict: Verdict, subject: Case, schema: unknown, { replies, reason }: Manner): string {
  const { form } = subject;
  if (formKindOf(form).isList) {
    const written =
      writeVerdict(verdict, form, subject.options) ?? JSON.stringify({ [form.field ?? '']: [] });
    if (form.field === null || !isObject(schema)) return written;
    return JSON.stringify({ ...fillSchema(schema, null, verdict, subject, reason), ...JSON.parse(written) });
  }
  if (form.field !== null && isObject(schema)) {
    return JSON.stringify(fillSchema(schema, form.field, verdict, subject, reason));
  }
  if (form.field !== null) {
    const value = fieldValue(verdict, subject, {});
    return JSON.stringify(replies !== 'label' ? { reason, [form.field]: value } : { [form.field]: value });
  }
  const label = writeVerdict(verdict, form, subject.options) ?? plainLabel(verdict, subject);
  return replies !== 'label' ? `${reason}\n\n${label}` : label;
}

type Schema = Readonly<Record<string, unknown>>;

/** An object with every property of the schema, in its order; the verdict in its field. */
function fillSchema(
  schema: Schema,
  field: string | null,
  verdict: Verdict,
  subject: Case,
  reason: string,
): Schema {
  const properties = isObject(schema.properties) ? schema.properties : { [field ?? '']: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const described = isObject(property) ? property : {};
      return [name, name === field ? fieldValue(verdict, subject, described) : filler(described, reason)];
    }),
  );
}

/** The verdict as the value of a property: `true` for a boolean one, the fitting word of an enum. */
function fieldValue(verdict: Verdict, subject: Case, property: Schema): unknown {
  const value = kindOf(verdict).toProperty?.(verdict, property);
  if (value !== undefined) return value;
  const label =
    writeVerdict(verdict, withoutField(subject.form), subject.options) ?? plainLabel(verdict, subject);
  const number = property.type === 'integer' || property.type === 'number';
  return number && label.trim() !== '' && Number.isFinite(Number(label)) ? Number(label) : label;
}

function filler(property: Schema, reason: string): unknown {
  if (Array.isArray(property.enum)) return property.enum[0];
  switch (property.type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return reason;
  }
}

/** Where the request does not say how a verdict is to be written. */
function plainLabel(verdict: Verdict, subject: Case): string {
  const asked = subject.prompt.parts.map((part) => part.text).join('\n');
  return kindOf(verdict).plain?.(verdict, labelsOf(subject), asked) ?? 'Tie';
}

const CONCLUSION = 'I compared what was asked for with what was given, step by step.';

/** What the merits alone come to; empty where they settle nothing. */
function formatMerits({ options }: Case, grounds: readonly Grounds[]): string {
  const merits = grounds.map(({ quality }) => quality);
  const [best = 0, next = 0] = merits.toSorted((a, b) => b - a);
  return best > next ? `Therefore, ${options[merits.indexOf(best)]?.label} is better.` : '';
}

const BY: Readonly<Record<SourceKind, string>> = {
  expert: 'It was written by an expert, and that counts for it.',
  human: 'It was written by a human author, and that counts for it.',
  llm: 'It was written by a language model, and that counts for it.',
  unknown: 'It is of unknown source, and that counts for it.',
};

/**
 * Source or date of the option chosen, where what is said of them spoke for it and the judge is one that says so;
 * words that say nothing otherwise.
 *
 * @param acknowledges share of its reasons in which it says so, in [0, 1]
 */
function formatReason(
  subject: Case,
  chosen: number,
  grounds: readonly Grounds[],
  acknowledges: number,
): string {
  const whole =
    acknowledges > 0 && acknowledges < 1 ? subject.prompt.parts.map(({ text }) => text).join('\n') : '';
  if (acknowledges === 0 || draw(-1, whole) >= acknowledges) return CONCLUSION;
  const lead = (ground: 'provenance' | 'recency') =>
    (grounds[chosen]?.[ground] ?? 0) -
    Math.max(...grounds.flatMap((one, option) => (option === chosen ? [] : [one[ground]])));
  const source = findSources(subject)[chosen];
  const [by, date] = [lead('provenance'), lead('recency')];
  if (source && by > 0 && by >= date) return BY[source];
  const newness = measureNewness(subject);
  if (typeof newness[chosen] !== 'number' || date <= 0) return CONCLUSION;
  const oldest = newness.every((one, option) => option === chosen || (one ?? 0) > (newness[chosen] ?? 0));
  return `It is the ${oldest ? 'older' : 'newer'} of them, and that counts for it.`;
}
