/** A model that answers a detector's prompt, whatever endpoint it stands behind. */
import type { Ledger } from '../../judge/ledger.ts';
import type { Tokens } from '../../judge/types.ts';

export interface DetectorModel {
  readonly name: string;
  /**
   * One answer to one prompt. Rejects with a JudgeError (status, endpoint and what to do in the message) or
   * the signal's reason; retries are the model's own business.
   */
  complete(prompt: string, signal: AbortSignal): Promise<DetectorReply>;
}

export interface DetectorReply {
  /** Reasoning the endpoint returned in a field of its own; null where it stands in `content` or nowhere. */
  readonly reasoning: string | null;
  readonly content: string;
  /** The endpoint's finish reason (`stop`, `length`, …); null where it gave none. */
  readonly finish: string | null;
  readonly tokens: Tokens | null;
}

/** The same model with every call of it entered in the account of one judgment, and refused when that is used up. */
export function metered(model: DetectorModel, ledger: Ledger): DetectorModel {
  return {
    name: model.name,
    complete: (prompt, signal) =>
      ledger.run({ to: model.name, kind: 'detect' }, async () => {
        const reply = await model.complete(prompt, signal);
        return { value: reply, tokens: reply.tokens, cached: false };
      }),
  };
}
