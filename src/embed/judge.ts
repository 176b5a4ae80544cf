/**
 * A judge without a proxy: give it a function that asks your model, and every verdict is checked for what it
 * rests on before you see it.
 *
 *     const judge = createJudge({ ask: (prompt) => callYourModel(prompt) });
 *     const { verdict, status } = await judge.verdict(prompt);
 */
import { applyEdits, type Case, type Prompt, type PromptPart, readVerdict } from '../case/index.ts';
import {
  createFacts,
  createPassFacts,
  type JudgeAnswer,
  type JudgeCall,
  type JudgmentFacts,
} from '../judgment/index.ts';
import type { CallKind } from '../ports.ts';
import { type Trace, type TraceVerdict, toTraceVerdict } from '../trace/index.ts';
import { type JudgmentSettings, judgeCase, withDefaults } from './judgment.ts';

/** What a judge is asked: one text, or texts with their roles (`system`, `user`, `assistant`). */
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
   * for a text, parts for parts. What it throws at the first call, `verdict` throws; what it throws later costs
   * only the check. To have a later failure tried again, throw a `JudgeError` that is `retryable`.
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
   * @throws whatever `ask` throws at the first call, the signal's reason, or InputError for a `case` that does
   *   not stand in the prompt
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
  const { ask, model = 'judge' } = options;
  const settings = withDefaults(options);
  const { mode } = settings;

  return {
    learn(prompt, { schema } = {}) {
      settings.readPrompt({ prompt: { parts: partsOf(prompt) }, schema });
    },
    async verdict(prompt, { schema, case: declared, signal = new AbortController().signal } = {}) {
      signal.throwIfAborted();
      const parts = partsOf(prompt);
      const reading = mode === 'off' ? null : settings.readPrompt({ prompt: { parts }, schema, declared });
      const found = reading?.found;
      if (mode === 'off' || !reading || !found?.subject) {
        const text = await ask(prompt, { kind: 'judge', steady: false, signal });
        reading?.hear(text, null);
        const status = reading === null ? 'bypassed' : 'no-verdict';
        const reason = found?.reason ?? 'off';
        return { text, verdict: null, ...createPassFacts(status, reason), trace: null };
      }
      const { subject } = found;
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
            const { asked, steady } = questionOf(call);
            return said(await ask(asked, { kind, steady, signal: until }));
          },
        },
        { ...settings, mode },
        signal,
      );
      const { first } = outcome;
      reading.hear(first.verdict.text, first.verdict);
      const text = outcome.written ?? outcome.final.reply;
      return { text, verdict: verdictOf(text, subject), ...createFacts(outcome, trace.calls.length), trace };
    },
  };
}

const partsOf = (prompt: JudgePrompt): readonly PromptPart[] =>
  typeof prompt === 'string' ? [{ role: 'user', text: prompt }] : prompt;

const asText = ({ parts }: Prompt) => parts.map(({ text }) => text).join('\n\n');

const verdictOf = (text: string, subject: Case) =>
  toTraceVerdict(subject, readVerdict(text, subject.form, subject.options));

/** A function that gives back a text says nothing of tokens, nor of why the text ends. */
const said = (text: string): JudgeAnswer<string> => ({
  reply: text,
  read: { texts: [text], finish: null, usage: null, tokens: null },
});
