/**
 * The sandbox judge: a simulation that needs no key and no network. Its preference among options is a
 * declared sum of weights, so a newcomer sees the loop work at once and tests know the truth. Nothing
 * measured on it says anything about real judges.
 */
import { findRemand, locateRemand } from '../../prompts/remand.ts';
import { findRewrite, findRewriteIn, renderRewritten } from '../../prompts/rewrite.ts';
import { findCase } from '../case/read.ts';
import type { Case, Prompt } from '../case/types.ts';
import { createEndpoint, type EndpointQuestion } from './endpoint.ts';
import { decide } from './sandbox/decision.ts';
import {
  arithmeticQuality,
  DEFAULT_WEIGHTS,
  heeding,
  preferences,
  type Quality,
  type Weights,
} from './sandbox/preference.ts';
import { sayVerdict } from './sandbox/reply.ts';
import { reword } from './sandbox/rewording.ts';
import type { Clock, Fetch } from './types.ts';
import { wait } from './wait.ts';

export { SANDBOX_DEMO } from './sandbox/demo.ts';
export { DEFAULT_WEIGHTS, type Quality, type Weights } from './sandbox/preference.ts';

export interface SandboxOptions {
  /** Default `DEFAULT_WEIGHTS`; those not named keep their default. */
  readonly weights?: Partial<Weights>;
  /** Merit of an option in [-0.5, 0.5], 0 where it is not known. Default: knows sums, and nothing else. */
  readonly quality?: Quality;
  /** How far a remand note lowers the weights of the biases it names, in [0, 1]. Default 0.8. */
  readonly heeds?: number;
  /** The label alone (default), or a sentence of explanation before it. */
  readonly replies?: 'label' | 'conclusion';
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
      const text = replyTo(question, options);
      const asked = question.prompt.parts.map((part) => part.text).join(' ');
      return {
        text,
        model: question.model || MODEL,
        fingerprint: 'simulation',
        // Words stand for tokens, so that usage adds up in a way that can be followed.
        tokens: { input: countWords(asked), output: countWords(text) },
      };
    },
  });
}

function replyTo(question: EndpointQuestion, options: SandboxOptions): string {
  const [system, user] = question.prompt.parts;
  const rewrite = system && (user ? findRewrite(system.text, user.text) : findRewriteIn(system.text));
  if (rewrite) return renderRewritten(rewrite.texts.map((text) => reword(rewrite.task, text)));
  const read = readCase(question);
  if (!read) return NO_CASE;
  const weights = heeding({ ...DEFAULT_WEIGHTS, ...options.weights }, read.told, options.heeds ?? 0.8);
  const liked = preferences(read.subject, weights, options.quality ?? arithmeticQuality);
  return sayVerdict(decide(read.subject, liked), read.subject, question.schema, options.replies ?? 'label');
}

interface Read {
  readonly subject: Case;
  /** Biases that a note names. */
  readonly told: readonly string[];
}

/** The case, and what a note says of it. A note inside an option is the option's own text, not ours. */
function readCase({ prompt, schema, declared }: EndpointQuestion): Read | null {
  const request = { schema, declared };
  const noted = prompt.parts.findLastIndex((part) => locateRemand(part.text) !== null);
  const text = prompt.parts[noted]?.text ?? '';
  const place = locateRemand(text);
  if (place) {
    const rest = text.slice(0, place.start).trimEnd() + text.slice(place.end);
    const bare: Prompt = {
      parts: prompt.parts.with(noted, { role: prompt.parts[noted]?.role ?? '', text: rest }),
    };
    const subject = findCase(bare, request);
    const at = text.slice(0, place.start).trimEnd().length;
    const within = subject?.options.some(
      (option) => option.at.part === noted && option.at.start < at && at < option.at.end,
    );
    if (subject && !within) return { subject, told: findRemand(text)?.biases ?? [] };
  }
  const subject = findCase(prompt, request);
  return subject && { subject, told: [] };
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
