/** What a file of the corpus knows of its requests, as the reader is asked for it. */
import { gemini } from '../../adapters/gemini/index.ts';
import type { Case, Prompt, Span, Verdict } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { type Reply, type Slot, type TemplateRequest, textParts } from './schema.ts';

export function promptOf({ body }: TemplateRequest): Prompt {
  return { parts: textParts(body).map(({ role, text }) => ({ role, text })) };
}

/** The schema of the reply as an adapter would find it. */
export function replySchemaOf({ body }: TemplateRequest): unknown {
  const at = (value: unknown, ...path: (string | number)[]): unknown =>
    path.reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    );
  return (
    at(body, 'response_format', 'json_schema', 'schema') ??
    at(body, 'text', 'format', 'schema') ??
    at(body, 'tools', 0, 'function', 'parameters') ??
    at(body, 'tools', 0, 'parameters') ??
    at(body, 'tools', 0, 'input_schema') ??
    (at(body, 'generationConfig', 'responseSchema') && ofGemini(body)) ??
    null
  );
}

/** Google writes types large (`STRING`), and its adapter small. */
function ofGemini(body: TemplateRequest['body']): unknown {
  return gemini.readRequest(JSON.stringify(body), '/v1beta/models/m:generateContent').schema;
}

/** Whether what would be exchanged is what was put in; of a list of claims, of which nothing is, whether it is all of them. */
export function isReadRight({ options, form, prompt }: Case, { slots }: TemplateRequest): boolean {
  const [list, ...others] = options;
  const claims = slots.options.flatMap((option) => option.slots);
  const isInside = ({ part, start, end }: (typeof claims)[number]) =>
    list !== undefined && part === list.at.part && list.at.start <= start && end <= list.at.end;
  const asides = [...slots.instruction, ...slots.reference, ...slots.rubric, ...slots.context];
  const isAt = (span: (typeof options)[number]['at'], own: readonly Slot[]) =>
    own.some(({ part, start, end }) => part === span.part && start === span.start && end === span.end);
  const isWholeList = list !== undefined && form.kind === 'list' && others.length === 0;
  if (isWholeList && claims.every(isInside) && !asides.some(isInside)) return true;
  return (
    options.length === slots.options.length &&
    options.every(({ at, moves = [at] }, n) => {
      const own = slots.options[n]?.slots ?? [];
      return isWholeConversation(at, own, slots) || moves.some((span) => isAt(span, own));
    }) &&
    movesRight(options, slots, prompt)
  );
}

/**
 * Whether nothing is moved but the texts and what is told of each, such as who wrote it: whole texts of the context, and no words of the
 * prompt around these but what is the same for all options.
 */
function movesRight(options: Case['options'], slots: TemplateRequest['slots'], { parts }: Prompt): boolean {
  const texts = slots.options.map((option) => option.slots);
  const asides = [...slots.instruction, ...slots.reference, ...slots.rubric];
  const moved = options.flatMap(({ at, moves = [at] }, n) =>
    isWholeConversation(at, texts[n] ?? [], slots) ? [] : [{ moves, own: texts[n] ?? [] }],
  );
  const isIn = (slot: Slot, { part, start, end }: Span) =>
    slot.part === part && start < slot.end && slot.start < end;
  /** What a place holds beside texts of the context; null where it holds anything else that was put in. */
  const wordsIn = (span: Span, own: readonly Slot[]) => {
    const isOwn = own.some(
      ({ part, start, end }) => part === span.part && start === span.start && end === span.end,
    );
    if (isOwn) return '';
    const held = slots.context.filter((slot) => isIn(slot, span));
    const isOther = [...asides, ...texts.flat()].some((slot) => isIn(slot, span));
    if (held.length === 0 || isOther) return null;
    const bounds = [span.start, ...held.flatMap(({ start, end }) => [start, end]), span.end];
    return bounds
      .flatMap((from, n) => (n % 2 === 0 ? [parts[span.part]?.text.slice(from, bounds[n + 1]) ?? ''] : []))
      .join('\0');
  };
  const words = moved.map(({ moves, own }) => moves.map((span) => wordsIn(span, own)));
  return words.every((own) => !own.includes(null) && own.join('\n') === words[0]?.join('\n'));
}

/** Whether a place holds all turns of a conversation, the user's among them, and nothing else that was put in. */
function isWholeConversation(
  at: Case['options'][number]['at'],
  turns: readonly Slot[],
  { options, reference, rubric }: TemplateRequest['slots'],
): boolean {
  const isInside = ({ part, start, end }: Slot) => part === at.part && at.start <= start && end <= at.end;
  const others = [...options.flatMap(({ slots }) => slots), ...reference, ...rubric];
  return (
    new Set(turns.map(({ text }) => text)).size > 1 &&
    turns.every(isInside) &&
    others.every((one) => turns.includes(one) || !isInside(one))
  );
}

/** How the verdict of a reply is read; `open` where it is read and nothing tells which of its two values is the good one. */
export type VerdictReading = 'right' | 'open' | 'unread' | 'wrong';

/** @returns how the verdict of a reply is read in the form of a case, beside what the corpus has for it */
export function readingOf({ form, options }: Case, { text, verdict: said }: Reply): VerdictReading {
  const read = readVerdict(text, form, options);
  if (read.kind === 'none') return 'none' in said ? 'right' : 'unread';
  if (form.kind === 'pass' && form.polarity === 'unknown') return 'open';
  return isSameVerdict(read, said) ? 'right' : 'wrong';
}

/** Whether two verdicts say the same, also where one has more to say: an order says who is best, marks say in which order. */
function isSameVerdict(read: Verdict, said: Reply['verdict']): boolean {
  if ('choice' in said) {
    if (typeof said.choice === 'number') return bestOf(read).join() === String(said.choice);
    return read.kind === 'tie' || bestOf(read).length > 1;
  }
  if ('ranking' in said) {
    if (read.kind === 'choice') return read.option === said.ranking[0];
    return (
      read.kind === 'scores' &&
      said.ranking.every((option, n) => isAhead(read.scores, option, said.ranking[n + 1]))
    );
  }
  if ('score' in said) return read.kind === 'score' && read.score === said.score;
  if ('pass' in said) {
    if (read.kind === 'pass') return read.pass === said.pass;
    return read.kind === 'category' || (read.kind === 'score' && read.score === Number(said.pass));
  }
  if ('category' in said) return read.kind === 'category' || read.kind === 'pass';
  if ('list' in said) return (numbersOf(read)?.length ?? 1) === said.list.length;
  if ('scores' in said) {
    // Marks that are all the same are one mark, and of each option there may be several, which are read as their mean.
    if (read.kind === 'score') return said.scores.every((score) => score === read.score);
    const numbers = numbersOf(read);
    return numbers !== null && said.scores.length % numbers.length === 0 && said.scores.length > 0;
  }
  return false;
}

/** The options that a verdict puts first. */
function bestOf(read: Verdict): number[] {
  if (read.kind === 'choice') return [read.option];
  if (read.kind !== 'scores') return [];
  const most = Math.max(...read.scores);
  return read.scores.flatMap((score, option) => (score === most ? [option] : []));
}

const isAhead = (scores: readonly number[], option: number, next: number | undefined) =>
  next === undefined || (scores[option] ?? 0) > (scores[next] ?? 0);

const numbersOf = (read: Verdict): readonly unknown[] | null =>
  read.kind === 'scores' ? read.scores : read.kind === 'list' ? read.items : null;
