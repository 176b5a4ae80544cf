/** Limits at the edge: each key's account is kept by a Durable Object of its own. Two subrequests a judgment. */
import { BudgetError, readJsonBody } from '../../http/index.ts';
import { RefusedError } from '../refusal.ts';
import { hasMoneyBudget, type KeyLimits, type Lease, type Limits, UNLIMITED } from './account-book.ts';
import { accountMessage, LARGEST_MESSAGE, openReply } from './key-account.ts';
import { NOBODY } from './local-limits.ts';

/** What is used of a binding to Durable Objects (https://developers.cloudflare.com/durable-objects/api/namespace/). */
export interface Objects {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** A host is needed in a URL, and none is asked. */
const OBJECT = 'http://account.invalid';

/** Until an account that could not be reached may be asked for again, in milliseconds. */
const AGAIN_MS = 30_000;

export function createEdgeLimits(options: {
  readonly objects: Objects;
  /** For keys that have none of their own, and for callers without a key. */
  readonly standard: KeyLimits;
  readonly waitMs: number;
  readonly id: () => string;
  /** Told what went wrong where an account cannot be opened, or closed: then it stays as it was opened. */
  readonly failed: (what: 'opened' | 'closed', error: unknown) => void;
}): Limits {
  const { objects, standard, waitMs, failed } = options;

  const objectOf = (who: string | null) => objects.get(objects.idFromName(who ?? NOBODY));

  async function open(
    who: string | null,
    limits: KeyLimits,
    most: number,
    signal: AbortSignal,
  ): Promise<Lease> {
    const object = objectOf(who);
    const tell = (path: string, said: unknown, init: RequestInit = {}) =>
      object.fetch(OBJECT + path, { method: 'POST', body: JSON.stringify(said), ...init });
    const id = options.id();
    const open = async () => {
      const answer = await tell('/open', { id, who, limits, most, waitMs }, { signal });
      return openReply.parse(await readJsonBody(answer, LARGEST_MESSAGE));
    };
    const said = await open().catch((error: unknown) => {
      signal.throwIfAborted();
      failed('opened', error);
      // A budget that cannot be counted is none, so nobody is let in on it.
      const message = 'what this key has spent cannot be looked up at present';
      throw new RefusedError(503, 'account-down', message, { who, againMs: AGAIN_MS });
    });
    if ('refused' in said) {
      const { reason, message, againMs } = said.refused;
      throw new RefusedError(429, reason, message, { who, againMs });
    }
    const { calls, day } = said;
    let used = 0;
    let spent = 0;
    let closed = false;
    return {
      money: hasMoneyBudget(limits),
      left: () => calls - used,
      begin() {
        if (used >= calls) throw new BudgetError(`all ${calls} calls that the budget had left are used up`);
        used++;
      },
      pay(money) {
        spent += money;
      },
      async close() {
        if (closed) return;
        closed = true;
        try {
          await tell('/close', { id, day, unused: calls - used, money: spent });
        } catch (error) {
          failed('closed', error);
        }
      },
    };
  }

  return {
    async spent(who) {
      const answer = await objectOf(who).fetch(`${OBJECT}/spent`, { method: 'POST', body: '{}' });
      return accountMessage.parse(await readJsonBody(answer, LARGEST_MESSAGE));
    },
    open(caller, most, signal) {
      const limits = caller.limits ?? standard;
      return Object.keys(limits).length === 0 ? UNLIMITED : open(caller.id, limits, most, signal);
    },
  };
}
