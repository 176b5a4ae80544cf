/**
 * Audits on Node: each is driven by a loop in the process, and goes on where it was when the process starts again. Of
 * several processes on one file one works on it; the others look, now and then, whether it still does.
 */

import { wait } from '../../http/wait.ts';
import type { Clock } from '../../ports.ts';
import type { Log } from '../log.ts';
import { type AuditTools, advanceAudit } from './advance.ts';
import type { Audits } from './types.ts';

export interface LocalAudits extends Audits {
  /** Goes on with all that are not over. Never rejects. */
  resumeAll(): Promise<void>;
  /** Stops them; what was answered by then is kept. */
  close(): Promise<void>;
}

/** After the store failed, in milliseconds. */
const AGAIN_MS = 10_000;
/** How long an audit is held without a word of its holder, which may have been killed; in milliseconds. */
const HELD_MS = 15_000;
/** Between two such words, and between two looks at an audit that another process holds. */
const LOOK_MS = 5_000;

/** @param holder this process, by a name that no other has */
export function createLocalAudits(tools: AuditTools, log: Log, holder: string): LocalAudits {
  const { store, clock } = tools;
  const running = new Map<string, Promise<void>>();
  const closed = new AbortController();

  function told(what: string, error: unknown): void {
    const message = `${what}: ${error instanceof Error ? error.message : error}`;
    log({ level: 'error', event: 'fault', message });
  }

  const hold = (id: string) => store.hold(id, holder, clock.now(), clock.now() + HELD_MS);

  /** Work on what is held, for however long it takes. */
  async function holding<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    async function renew(): Promise<void> {
      while (await waitOut(LOOK_MS, clock, done.signal)) await hold(id);
    }
    const renewing = renew().catch((error: unknown) => told('an audit could not be held', error));
    try {
      return await work();
    } finally {
      done.abort();
      await renewing;
    }
  }

  /** @returns whether there is more to do */
  async function step(id: string): Promise<boolean> {
    if (await hold(id))
      return holding(id, async () => {
        const made = await advanceAudit(id, tools, closed.signal);
        if (made.state === 'again') await wait(made.ms, clock, closed.signal);
        return made.state !== 'over';
      });
    const found = await store.get(id);
    if (found?.state !== 'running') return false;
    await wait(LOOK_MS, clock, closed.signal);
    return true;
  }

  async function drive(id: string): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        if (!(await step(id))) return;
      } catch (error) {
        if (closed.signal.aborted) break;
        told('an audit stands still', error);
        await waitOut(AGAIN_MS, clock, closed.signal);
      }
    }
    await store.letGo(id, holder).catch((error: unknown) => told('an audit could not be let go', error));
  }

  async function start(id: string): Promise<void> {
    if (running.has(id)) return;
    const driven = drive(id).finally(() => running.delete(id));
    running.set(id, driven);
  }

  return {
    store,
    upstreams: tools,
    start,
    resume: start,
    async resumeAll() {
      try {
        for (const id of await store.running()) await start(id);
      } catch (error) {
        told('audits could not be gone on with', error);
      }
    },
    async close() {
      closed.abort(new DOMException('the server stops', 'AbortError'));
      await Promise.all(running.values());
    },
  };
}

/** Until then, or until the signal aborts. @returns whether it came to the end */
async function waitOut(ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, clock, signal);
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}
