/**
 * The account of one key at the edge, where no process sees every request: a Durable Object, which is one in the world
 * for each name. A request takes the calls that it may make when it begins and gives back what it did not use; where
 * its Worker ends without a word, they count as made.
 */
import * as z from 'zod';
import { readJsonBody } from '../../http/index.ts';
import { type Clock, systemClock } from '../../ports.ts';
import { REFUSAL_REASONS, RefusedError } from '../refusal.ts';
import { type Book, createBook, createSqlSpending, hasBudget, keyLimits, type Sql } from './account-book.ts';
import { createGate, type Gate, type Slots } from './gate.ts';

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
  z.object({ calls: z.number(), day: z.string() }),
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
  day: z.string(),
  /** Taken and not made. */
  unused: z.number(),
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

/** `spent` as in the migration, one table an object; `inside` holds the requests in progress, because the runtime may move an object. */
const CREATE = `CREATE TABLE IF NOT EXISTS spent (
  who TEXT NOT NULL, day TEXT NOT NULL, calls INTEGER NOT NULL, money INTEGER NOT NULL, PRIMARY KEY (who, day)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inside (id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;`;

const counted = z.object({ count: z.number() });

export class KeyAccount {
  readonly #book: Book;
  readonly #slots: Slots;
  readonly #clock: Clock = systemClock;
  #gate: Gate | null = null;

  constructor({ storage }: ObjectState) {
    storage.sql.exec(CREATE);
    const sql: Sql = {
      run: (statement, ...values) => void storage.sql.exec(statement, ...values),
      get: (statement, ...values) => storage.sql.exec(statement, ...values).toArray()[0],
      transaction: (work) => storage.transactionSync(work),
    };
    this.#book = createBook(createSqlSpending(sql));
    this.#slots = {
      taken: () => {
        // No request is let in for longer: such an end was written before the clock was set back.
        const now = this.#clock.now();
        sql.run('DELETE FROM inside WHERE until < ? OR until > ?', now, now + LOST_MS);
        return counted.parse(sql.get('SELECT count(*) AS count FROM inside')).count;
      },
      take: (id) => sql.run('INSERT INTO inside (id, until) VALUES (?, ?)', id, this.#clock.now() + LOST_MS),
      free: (id) => sql.run('DELETE FROM inside WHERE id = ?', id),
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
      return hasBudget(limits) ? this.#book.take(ALL, limits, most, now) : { calls: most, day: '' };
    } catch (error) {
      this.#gate?.leave(id);
      if (!(error instanceof RefusedError)) throw error;
      const { reason, message, againMs } = error;
      return { refused: { reason, message, againMs } };
    }
  }

  #close(said: unknown): void {
    const { id, day, unused, money } = closeMessage.parse(said);
    if (this.#gate) this.#gate.leave(id);
    else this.#slots.free(id);
    if (day !== '' && (unused > 0 || money > 0))
      this.#book.enter(ALL, day, { calls: unused === 0 ? 0 : -unused, money });
  }
}

/** Each object has one key's account. */
const ALL = 'all';
