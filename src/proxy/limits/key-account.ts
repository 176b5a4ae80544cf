/**
 * The account of one key at the edge, where no process sees every request: a Durable Object, which is one in the world
 * for each name. A request takes the calls that it may make when it begins and gives back what it did not use; where
 * its Worker ends without a word, they count as made.
 */
import pRetry from 'p-retry';
import * as z from 'zod';
import { BudgetError, readJsonBody } from '../../http/index.ts';
import { type Clock, systemClock } from '../../ports.ts';
import { REFUSAL_REASONS, RefusedError } from '../refusal.ts';
import {
  type Book,
  createBook,
  createSqlSpending,
  hasBudget,
  hasMoneyBudget,
  type KeyLimits,
  keyLimits,
  type Lease,
  type Limits,
  type Sql,
  UNLIMITED,
} from './account-book.ts';
import { createGate, type Gate, type Slots } from './gate.ts';
import { NOBODY } from './local-limits.ts';

/** Of a message either way, in bytes. */
export const LARGEST_MESSAGE = 64 << 10;

const openMessage = z.object({
  /** Of this request, hard to guess. */
  id: z.string(),
  who: z.string().nullable(),
  limits: keyLimits,
  /** Model calls that it may make. */
  most: z.number(),
  waitMs: z.number(),
});

export const openReply = z.union([
  z.object({
    calls: z.number(),
    /** What the budget has left, in millionths; null where money is not limited. */
    money: z.number().nullable(),
  }),
  z.object({
    refused: z.object({
      reason: z.enum(REFUSAL_REASONS),
      message: z.string(),
      againMs: z.number().nullable(),
    }),
  }),
]);

const amount = z.object({ calls: z.number(), money: z.number() });

/** Of the present day and month; money in millionths. */
export const accountMessage = z.object({ day: amount, month: amount });

const closeMessage = z.object({
  id: z.string(),
  /** Calls of those that were taken. */
  made: z.number(),
  /** In millionths. */
  money: z.number(),
});

/** What is used of a Durable Object's state (https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/). */
export interface ObjectState {
  readonly storage: {
    readonly sql: { exec(statement: string, ...values: (string | number)[]): { toArray(): unknown[] } };
    transactionSync<T>(work: () => T): T;
  };
}

/** A request whose Worker was lost is out after this, in milliseconds: longer than any judgment takes. */
const LOST_MS = 15 * 60_000;
/** A batch of an audit takes longer: it may be closed until this. */
const KEPT_MS = 8 * LOST_MS;

/**
 * `spent` as in the migration, one table an object. `requests` holds the requests in progress and what they took, because
 * the runtime may move an object. Of `calls`, none are entered under an empty `day`.
 */
const CREATE = `CREATE TABLE IF NOT EXISTS spent (
  who TEXT NOT NULL, day TEXT NOT NULL, calls INTEGER NOT NULL, money INTEGER NOT NULL, PRIMARY KEY (who, day)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
  id TEXT PRIMARY KEY, since INTEGER NOT NULL, day TEXT NOT NULL, calls INTEGER NOT NULL
) WITHOUT ROWID;
DROP TABLE IF EXISTS inside;`;

/** By the distance: a clock that is set back leaves nobody in for longer. */
const UNDER_WAY = `abs(since - ?) < ${LOST_MS}`;
const INSIDE = `SELECT count(*) AS count FROM requests WHERE ${UNDER_WAY}`;
const HELD = `SELECT coalesce(sum(calls), 0) AS count FROM requests WHERE day BETWEEN ? AND ? AND ${UNDER_WAY}`;

const counted = z.object({ count: z.number() });
const opened = z.object({ day: z.string(), calls: z.number() }).optional();

export class KeyAccount {
  readonly #sql: Sql;
  readonly #book: Book;
  readonly #slots: Slots;
  /** Let in, and not written down yet: that takes one row with the calls. */
  readonly #entering = new Set<string>();
  readonly #clock: Clock = systemClock;
  #gate: Gate | null = null;

  constructor({ storage }: ObjectState) {
    storage.sql.exec(CREATE);
    const sql: Sql = {
      run: (statement, ...values) => void storage.sql.exec(statement, ...values),
      get: (statement, ...values) => storage.sql.exec(statement, ...values).toArray()[0],
      transaction: (work) => storage.transactionSync(work),
    };
    this.#sql = sql;
    const held = (from: string, to: string, now: number) => counted.parse(sql.get(HELD, from, to, now)).count;
    this.#book = createBook(createSqlSpending(sql), held);
    this.#slots = {
      taken: () => this.#entering.size + counted.parse(sql.get(INSIDE, this.#clock.now())).count,
      take: (id) => void this.#entering.add(id),
      free: (id) => {
        this.#entering.delete(id);
        sql.run('DELETE FROM requests WHERE id = ?', id);
      },
    };
  }

  async fetch(request: Request): Promise<Response> {
    const said: unknown = await readJsonBody(request, LARGEST_MESSAGE);
    switch (new URL(request.url).pathname) {
      case '/open':
        return Response.json(await this.#open(said, request.signal));
      case '/spent':
        return Response.json(this.#spent());
      default:
        this.#close(said);
        return Response.json({});
    }
  }

  #spent(): z.output<typeof accountMessage> {
    return this.#book.spent(ALL, this.#clock.now());
  }

  async #open(said: unknown, signal: AbortSignal): Promise<z.output<typeof openReply>> {
    const { id, who, limits, most, waitMs } = openMessage.parse(said);
    const { concurrency, queue = 0 } = limits;
    try {
      if (concurrency !== undefined) {
        this.#gate ??= createGate({ slots: this.#slots, clock: this.#clock, who });
        await this.#gate.enter(id, { concurrency, queue, waitMs }, { signal });
      }
      const now = this.#clock.now();
      this.#sql.run('DELETE FROM requests WHERE abs(since - ?) > ?', now, KEPT_MS);
      // Where nothing is counted nothing runs out.
      const { calls, money, day } = hasBudget(limits)
        ? this.#book.take(ALL, limits, most, now)
        : { calls: Number.MAX_SAFE_INTEGER, money: null, day: '' };
      this.#sql.run(
        'INSERT INTO requests (id, since, day, calls) VALUES (?, ?, ?, ?)',
        ...[id, now, day, calls],
      );
      this.#entering.delete(id);
      return { calls, money };
    } catch (error) {
      this.#gate?.leave(id);
      if (!(error instanceof RefusedError)) throw error;
      const { reason, message, againMs } = error;
      return { refused: { reason, message, againMs } };
    }
  }

  #close(said: unknown): void {
    const { id, made, money } = closeMessage.parse(said);
    const request = opened.parse(this.#sql.get('SELECT day, calls FROM requests WHERE id = ?', id));
    // Told again, because the answer to the first time was lost.
    if (!request) return;
    const { day, calls } = request;
    if (this.#gate) this.#gate.leave(id);
    else this.#slots.free(id);
    if (day !== '' && (made < calls || money > 0)) this.#book.enter(ALL, day, { calls: made - calls, money });
  }
}

/** Each object has one key's account. */
const ALL = 'all';

// Limits at the edge: each key's account is kept by a Durable Object of its own. Two subrequests a judgment.

/** What is used of a binding to Durable Objects (https://developers.cloudflare.com/durable-objects/api/namespace/). */
export interface Objects {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** A host is needed in a URL, and none is asked. */
const OBJECT = 'http://account.invalid';

/** An object fails in passing: it is moved, or its code is updated. In milliseconds. */
const CLOSE = { retries: 3, minTimeout: 200 };

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
    // A stub that has thrown stays broken, so each message goes through another one.
    const tell = async (path: string, said: unknown, init: RequestInit = {}) =>
      objectOf(who).fetch(OBJECT + path, { method: 'POST', body: JSON.stringify(said), ...init });
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
    const { calls, money: affordable } = said;
    let used = 0;
    let spent = 0;
    let closed = false;
    const isSpent = () => affordable !== null && spent >= affordable;
    return {
      money: hasMoneyBudget(limits),
      left: () => (isSpent() ? 0 : calls - used),
      begin() {
        if (isSpent()) throw new BudgetError('all the money that the budget had left is spent');
        if (used >= calls) throw new BudgetError(`all ${calls} calls that the budget had left are used up`);
        used++;
      },
      giveBack() {
        used--;
      },
      pay(money) {
        spent += money;
      },
      async close() {
        if (closed) return;
        closed = true;
        try {
          await pRetry(() => tell('/close', { id, made: used, money: spent }), CLOSE);
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
