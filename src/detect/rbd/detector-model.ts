/** A model that answers a detector's prompt, whatever endpoint it stands behind. */

import { explainError, type RetryPolicy, withRetry } from '../../http/index.ts';
import type { Ledger } from '../../models/index.ts';
import { systemClock, type Tokens } from '../../ports.ts';

/** One answer to one prompt. Rejects with a JudgeError (status, endpoint and what to do in the message) or the signal's reason. */
type Complete = (prompt: string, signal: AbortSignal) => Promise<DetectorReply>;

export interface DetectorModel {
  readonly name: string;
  /** Retries are the model's own business. */
  readonly complete: Complete;
  /** How a model makes failed calls again that does so: for whoever has to know of each of them. */
  readonly attempts?: Attempts;
}

export interface Attempts {
  /** One call over the network. */
  readonly once: Complete;
  readonly policy: Pick<RetryPolicy, 'retries' | 'maxWaitMs'>;
  /** That are sent: taken out of what an endpoint says where it refuses a call. */
  readonly keys?: readonly (string | null)[];
}

export interface DetectorReply {
  /** Reasoning the endpoint returned in a field of its own; null where it stands in `content` or nowhere. */
  readonly reasoning: string | null;
  readonly content: string;
  /** The endpoint's finish reason (`stop`, `length`, …); null where it gave none. */
  readonly finish: string | null;
  readonly tokens: Tokens | null;
}

/** A model that makes a call that failed in passing again. */
export function retryDetectorModel(name: string, attempts: Attempts): DetectorModel {
  const { once, policy, keys = [] } = attempts;
  return {
    name,
    complete: (prompt, signal) =>
      explainError(
        withRetry(() => once(prompt, signal), { ...policy, signal }),
        { keys, signal, clock: systemClock },
      ),
    attempts,
  };
}

/**
 * The same model with every call over the network, a failed one that is made again included, entered in the account of one
 * judgment, and refused when that is used up.
 */
export function meterDetectorModel(model: DetectorModel, ledger: Ledger): DetectorModel {
  const { name, attempts } = model;
  const once: Complete = (prompt, signal) =>
    ledger.run({ to: name, kind: 'detect' }, async () => {
      const reply = await (attempts ? attempts.once(prompt, signal) : model.complete(prompt, signal));
      return { value: reply, tokens: reply.tokens, cached: false };
    });
  return attempts ? retryDetectorModel(name, { ...attempts, once }) : { name, complete: once };
}
