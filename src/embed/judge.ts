/**
 * A judge without a proxy: give it a function that asks your model, and every verdict is checked for what it
 * rests on before you see it.
 *
 *     const judge = createJudge({ ask: (prompt) => callYourModel(prompt) });
 *     const { verdict, status } = await judge.verdict(prompt);
 */

import * as z from 'zod';
import { type Bias, CATALOGUE, chooseBiases, DEFAULT_BIASES, findBias } from '../bias/index.ts';
import {
  applyEdits,
  type Case,
  createTemplateBook,
  createTemplateShelf,
  finished,
  type LearnMode,
  type Prompt,
  type PromptPart,
  type ReadableRequest,
  type Recognition,
  readTemplateFiles,
  readVerdict,
  recogniseAgain,
  recogniseByTemplates,
  type SecurityEvent,
  type Template,
  unlimited,
  type Verdict,
  wasRead,
} from '../case/index.ts';
import { createProbeDetector, type Detector } from '../detect/index.ts';
import { describeError, InputError } from '../errors.ts';
import { openTimeLimit } from '../http/index.ts';
import {
  createFacts,
  createPassFacts,
  type JudgeAnswer,
  type JudgeCall,
  type JudgeCaller,
  type JudgmentFacts,
  runJudgment,
} from '../judgment/index.ts';
import { DEFAULTS, type Outcome, POLICIES, type Policy } from '../loop/index.ts';
import { createLedger, type Ledger } from '../models/index.ts';
import { isObject } from '../parse-json.ts';
import { type CallKind, type Clock, systemClock } from '../ports.ts';
import { readWritten, strictFields } from '../strict-fields.ts';
import { removeTexts, type Trace, type TraceVerdict, toTraceVerdict } from '../trace/index.ts';

/**
 * What a judge is asked: one text, or texts with their roles (`system`, `user`, `assistant`). A part may hold fields of your
 * own, such as its pictures; where one stands behind its text, between two options, say so with `mediaFollow`.
 */
export type JudgePrompt = string | readonly PromptPart[];

/** What your function is told beside the prompt. */
export interface AskContext {
  /** What the call is for; `judge` is your own prompt, unchanged. */
  readonly kind: CallKind;
  /** Whether to ask at temperature 0: a test is evidence only where the judge does not waver by itself. */
  readonly steady: boolean;
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal;
}

export interface JudgeOptions<P extends JudgePrompt> extends JudgmentSettings {
  /**
   * Asks your model and gives back the text it answered. Gets prompts of the kind that `verdict` is given: a text
   * for a text, parts for parts, with all that yours hold. Only a call of the kind `rewrite` has two plain parts of
   * Remand's own, `{ role, text }`. What it throws at the first call, `verdict` throws; what it throws later costs only
   * the check. To give anything but a text is such a failure, too. To have a later failure tried again, throw a
   * `JudgeError` that is `retryable`.
   */
  readonly ask: (prompt: P, asking: AskContext) => Promise<string> | string;
  /** The model's name, which detectors and traces mention; default `judge`. */
  readonly model?: string | undefined;
}

export interface VerdictOptions {
  /** JSON schema that the reply is to follow, where there is one: it tells the verdict's field. */
  readonly schema?: unknown;
  /** What the case is, where you would rather say than have it found: `{ instruction, options, … }`. */
  readonly case?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** `status` is `no-verdict` also where the prompt is no judgment: then your model was asked once, and nothing was done. */
export interface VerdictResult extends JudgmentFacts {
  /** The text to take the verdict from: the judge's own reply, in the form your prompt asked for. */
  readonly text: string;
  /** What it says (`{ text, choice: 'Output (b)' }`, `{ text, score: 4 }`, …); null where no case was found. */
  readonly verdict: TraceVerdict | null;
  /** Everything that happened, as JSON; null where nothing was judged. */
  readonly trace: Trace | null;
}

export interface Judge<P extends JudgePrompt> {
  /**
   * One verdict, checked.
   *
   * @throws whatever `ask` throws at the first call, the signal's reason, or InputError for a prompt that is none, and
   *   for a `case` that does not stand in the prompt
   */
  verdict(prompt: P, options?: VerdictOptions): Promise<VerdictResult>;
  /**
   * Learns from a prompt that is judged later: where all prompts are known before the first verdict, none of them has to
   * be judged before its template is known.
   *
   * @example for (const prompt of prompts) judge.learn(prompt);
   */
  learn(prompt: P, options?: Pick<VerdictOptions, 'schema'>): void;
}

/**
 * @throws InputError naming the setting that cannot be used
 *
 * @example
 * const judge = createJudge({ ask: (prompt) => askMyModel(prompt) });
 * const { text, verdict, status } = await judge.verdict(prompt);
 */
export function createJudge<P extends JudgePrompt = string>(options: JudgeOptions<P>): Judge<P> {
  const { ask, model = 'judge', ...given } = options;
  readWritten(asked, { ask, model });
  const settings = withDefaults(given);
  const { mode } = settings;

  async function askText(prompt: P, asking: AskContext): Promise<string> {
    const text: unknown = await ask(prompt, asking);
    if (typeof text === 'string') return text;
    // OpenAI's `message.content` is null where the model refuses or calls a tool.
    throw new InputError('ask', `must give a text, gave ${text === null ? 'null' : typeof text}`);
  }

  return {
    learn(prompt, { schema } = {}) {
      settings.readPrompt({ prompt: { parts: partsOf(prompt) }, schema });
    },
    async verdict(prompt, { schema, case: declared, signal = new AbortController().signal } = {}) {
      signal.throwIfAborted();
      const parts = partsOf(prompt);
      const { clock } = settings;
      const askPlainly = async () => {
        const began = clock.elapsed();
        using limit = openTimeLimit(undefined, clock, signal);
        const text = await limit.until(askText(prompt, { kind: 'judge', steady: false, signal }));
        return { text, madeInMs: clock.elapsed() - began };
      };
      const left = { verdict: null, trace: null };
      if (mode === 'off')
        return { text: (await askPlainly()).text, ...left, ...createPassFacts('bypassed', 'off') };
      const reading = settings.readPrompt({ prompt: { parts }, schema, declared });
      const early = reading.found.subject ? null : await askPlainly();
      if (early) reading.hear(early.text, null);
      const found = early ? reading.again() : reading.found;
      const { subject } = found;
      if (!subject)
        return { text: early?.text ?? '', ...left, ...createPassFacts('no-verdict', found.reason) };
      // A text is asked as a text, parts as parts: P is one or the other, which TypeScript cannot follow.
      const shaped = (edited: Prompt) => (typeof prompt === 'string' ? asText(edited) : edited.parts) as P;
      const questionOf = (call: JudgeCall): { asked: P; steady: boolean } => {
        if (call.kind === 'rewrite') {
          const { system, user } = call.prompt;
          const parts = [
            { role: 'system', text: system },
            { role: 'user', text: user },
          ];
          return { asked: shaped({ parts }), steady: false };
        }
        const { changes } = call;
        if (changes === null) return { asked: prompt, steady: false };
        return { asked: shaped(applyEdits(subject.prompt, changes.edits)), steady: changes.steady };
      };
      const { outcome, trace } = await judgeCase<string>(
        found,
        {
          model,
          schema: schema ?? null,
          async ask(call, until) {
            const { kind } = call;
            if (early && kind === 'judge') return said(early.text);
            const { asked, steady } = questionOf(call);
            return said(await askText(asked, { kind, steady, signal: until }));
          },
        },
        { ...settings, mode, madeInMs: early?.madeInMs },
        signal,
      );
      const { first } = outcome;
      if (!early) reading.hear(first.verdict.text, first.verdict);
      const text = outcome.written?.text ?? outcome.final.reply;
      return { text, verdict: verdictOf(text, subject), ...createFacts(outcome, trace.calls.length), trace };
    },
  };
}

const partText = z.string({ error: 'must be a text; a part is { role, text }' });
const PromptParts = z.array(z.looseObject({ role: partText, text: partText }), {
  error: 'must be a text, or a list of parts { role, text }',
});

/** @throws InputError naming what is no text */
function partsOf(prompt: JudgePrompt): readonly PromptPart[] {
  if (typeof prompt === 'string') return [{ role: 'user', text: prompt }];
  readWritten(PromptParts, prompt, 'prompt');
  return prompt;
}

const asText = ({ parts }: Prompt) => parts.map(({ text }) => text).join('\n\n');

const verdictOf = (text: string, subject: Case) =>
  toTraceVerdict(subject, readVerdict(text, subject.form, subject.options));

/** A function that gives back a text says nothing of tokens, nor of why the text ends. */
const said = (text: string): JudgeAnswer<string> => ({
  reply: text,
  read: { texts: [text], finish: null, usage: null, tokens: null },
});

// One judgment in process, by the same settings and defaults as over HTTP.

export interface JudgmentSettings {
  /**
   * What says whether a verdict is biased; default: the probe, which needs no other model. A function is called
   * once a judgment, with its ledger: `(ledger) => createRbdDetector(meterDetectorModel(model, ledger))` has the
   * detector model's calls counted and limited, too.
   */
  readonly detector?: Detector | ((ledger: Ledger) => Detector) | undefined;
  /** Biases to look for, by name or as entries of your own; default: the catalogue but for those that must be named. */
  readonly biases?: readonly (string | Bias)[] | undefined;
  /** Most remands, 0 to 10; default 2. */
  readonly rounds?: number | undefined;
  /** `shadow` does everything and answers with the first verdict; `off` only asks; default `debias`. */
  readonly mode?: 'debias' | 'shadow' | 'off' | undefined;
  /** What to answer when a verdict stays unresolved; default `last-word`. */
  readonly policy?: Policy | undefined;
  /** Milliseconds for all work after the first verdict; default 8,000. */
  readonly deadlineMs?: number | undefined;
  /** Calls to any model beside the first, for one judgment; default 8. */
  readonly extraCalls?: number | undefined;
  /**
   * Whether a trace holds the texts of case, replies and reasons, or only what was decided; default true. Set it to
   * false where what is judged must not turn up wherever traces go, such as the AI SDK's telemetry.
   */
  readonly traceTexts?: boolean | undefined;
  /**
   * Is given the trace of every judgment, also of one whose first call failed and which therefore rejects. The verdict waits
   * for it, or for its signal; where it fails, there is a warning on the console.
   *
   * @example onTrace: (trace) => appendFileSync('traces.jsonl', `${JSON.stringify(trace)}\n`)
   */
  readonly onTrace?: ((trace: Trace) => void | Promise<void>) | undefined;
  /** Templates by which prompts are read: the contents of files that `npx remand read --learn` or a person wrote. */
  readonly templates?: readonly unknown[] | undefined;
  /**
   * `auto` (the default) learns the template of your prompts from the prompts themselves, so that one in no known
   * layout is read once three different cases were asked for: the third, and those still under way. It takes about 1 ms at
   * 2 KB, and up to some tenths of a second at 32 KiB, above which nothing is learned. `off` learns nothing.
   */
  readonly learn?: 'auto' | 'off' | undefined;
  readonly clock?: Clock | undefined;
  /** Names a trace; default: a random UUID. */
  readonly id?: (() => string) | undefined;
}

type Settings = ReturnType<typeof withDefaults>;

const isFunction = (value: unknown) => typeof value === 'function';
const callback = z.custom(isFunction, { error: 'must be a function' });
const asked = z.object({ ask: callback, model: z.string() });

/** What plain JavaScript may have wrong. Values are checked where they are used. */
const settingShapes = strictFields({
  detector: z
    .custom<Detector>((one) => isFunction(one) || (isObject(one) && isFunction(one.analyse)), {
      error: 'must be a detector, or a function that gives one',
    })
    .optional(),
  biases: z.array(z.unknown()).optional(),
  rounds: z.number().optional(),
  mode: z.string().optional(),
  policy: z.string().optional(),
  deadlineMs: z.number().optional(),
  extraCalls: z.number().optional(),
  traceTexts: z.boolean().optional(),
  onTrace: callback.optional(),
  templates: z.array(z.unknown()).optional(),
  learn: z.string().optional(),
  clock: z.looseObject({ now: callback, elapsed: callback, after: callback, alarm: callback }).optional(),
  id: callback.optional(),
});

/** @throws InputError naming the setting that cannot be used */
export function withDefaults(given: JudgmentSettings) {
  readWritten(settingShapes, given);
  const { detector = createProbeDetector(), mode = DEFAULTS.mode } = given;
  return {
    detector: typeof detector === 'function' ? detector : () => detector,
    ...(given.biases
      ? { biases: given.biases.map(requireBias), onlyTold: [] }
      : chooseBiases(DEFAULT_BIASES)),
    rounds: whole('rounds', given.rounds ?? DEFAULTS.rounds, 10),
    mode: oneOf('mode', mode, ['debias', 'shadow', 'off']),
    policy: oneOf('policy', given.policy ?? DEFAULTS.policy, POLICIES),
    deadlineMs: whole('deadlineMs', given.deadlineMs ?? DEFAULTS.deadlineMs, 24 * 3_600_000),
    extraCalls: whole('extraCalls', given.extraCalls ?? DEFAULTS.extraCalls, 1_000),
    traceTexts: given.traceTexts ?? true,
    onTrace: given.onTrace ?? (() => {}),
    readPrompt: createPromptReader(
      readTemplateFiles(given.templates ?? [], 'templates'),
      oneOf('learn', given.learn ?? 'auto', ['auto', 'off']),
    ),
    clock: given.clock ?? systemClock,
    id: given.id ?? (() => crypto.randomUUID()),
  };
}

function requireBias(bias: string | Bias): Bias {
  const found = typeof bias === 'string' ? findBias(bias) : bias;
  if (found) return found;
  const names = CATALOGUE.map(({ name }) => name).join(', ');
  throw new InputError('biases', `${String(bias)} is not among ${names}`);
}

function oneOf<T extends string>(name: string, value: T, allowed: readonly T[]): T {
  if (allowed.includes(value)) return value;
  throw new InputError(name, `must be ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}

function whole(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new InputError(name, `must be a whole number from 0 to ${most}`);
}

export interface JudgmentResult<Reply> {
  readonly outcome: Outcome<Reply>;
  readonly trace: Trace;
  /** Every reply of the judge, in the order in which they came. */
  readonly replies: readonly Reply[];
}

/** A case, and what its reading told of its texts. */
interface RecognisedCase {
  readonly subject: Case;
  readonly security: readonly SecurityEvent[];
}

/**
 * Rejects with what the first call was refused with, or with the signal's reason.
 *
 * @param settings.madeInMs how long the first call took, where its reply is here already
 */
export async function judgeCase<Reply>(
  { subject, security }: RecognisedCase,
  caller: JudgeCaller<Reply>,
  settings: Settings & { readonly mode: 'debias' | 'shadow'; readonly madeInMs?: number | undefined },
  signal: AbortSignal,
): Promise<JudgmentResult<Reply>> {
  const { clock, extraCalls, madeInMs } = settings;
  using limit = openTimeLimit(undefined, clock, signal);
  const ledger = createLedger({ clock, extraCalls, madeInMs });
  const detector = settings.detector(ledger);
  const plan = { ...settings, subject, security, detector, ledger };
  const run = await runJudgment(caller, plan, signal);
  const whole = run.trace(settings.id());
  const trace = settings.traceTexts ? whole : removeTexts(whole);
  await limit.until(tellTrace(settings.onTrace, trace));
  if (run.outcome === null) throw run.cause;
  return { outcome: run.outcome, trace, replies: run.replies };
}

/** A trace that cannot be kept costs a warning, never the verdict that was paid for. */
async function tellTrace(onTrace: Settings['onTrace'], trace: Trace): Promise<void> {
  try {
    await onTrace(trace);
  } catch (error) {
    console.warn(`remand: onTrace failed, and trace ${trace.id} is lost: ${describeError(error)}`);
  }
}

/** A prompt as it was read, once it has been learned from. */
export interface PromptReading {
  readonly found: Recognition | Unread;
  /** Tells the prompt's template what the judge replied first; the verdict is null where none was looked for. */
  readonly hear: (text: string, verdict: Verdict | null) => void;
  /** Reads the prompt once more, by what was learned meanwhile. */
  readonly again: () => Recognition | Unread;
}

interface Unread {
  readonly subject: null;
  readonly reason: 'reader-failed';
  readonly security: readonly [];
}

/** @throws InputError where a declared case does not stand in the prompt */
type PromptReader = (request: ReadableRequest) => PromptReading;

/** @param templates those that act at once */
function createPromptReader(templates: readonly Template[], learn: LearnMode): PromptReader {
  let made = 0;
  const book = createTemplateBook({
    templates,
    learn,
    id: () => `learned-${++made}`,
    shelf: createTemplateShelf(),
  });
  const source = { tenant: null, path: '' };
  const unread = { subject: null, reason: 'reader-failed', security: [] } as const;
  return (request) => {
    try {
      const { found, template, learn } = recogniseByTemplates(book, request, source);
      const pipeline = finished(learn(unlimited)) ?? template;
      return {
        found,
        hear(text, verdict) {
          // Where it was read without a template, it says nothing of how well a template reads.
          const read = template === null || verdict === null ? null : wasRead(verdict);
          if (pipeline !== null) book.replied(pipeline, { text, read });
        },
        again() {
          if (found.subject || found.security.length > 0) return found;
          try {
            return recogniseAgain(book, request, source)?.found ?? found;
          } catch {
            // It was left alone, and is: its reply is there.
            return found;
          }
        },
      };
    } catch (error) {
      if (error instanceof InputError) throw error;
      return { found: unread, hear: () => undefined, again: () => unread };
    }
  };
}
