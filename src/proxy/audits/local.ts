/** Audits on Node: each is driven by a loop in the process, and goes on where it was when the process starts again. */
import type { Clock } from '../../judge/types.ts';
import { wait } from '../../judge/wait.ts';
import type { Log } from '../log.ts';
import { advance, type Tools } from './advance.ts';
import type { Audits } from './audits.ts';

export interface LocalAudits extends Audits {
  /** Goes on with all that are not over. Never rejects. */
  resumeAll(): Promise<void>;
  /** Stops them; what was answered by then is kept. */
  close(): Promise<void>;
}

/** After the store failed, in milliseconds. */
const AGAIN_MS = 10_000;

export function localAudits(tools: Tools, log: Log): LocalAudits {
  const { store, clock } = tools;
  const running = new Map<string, Promise<void>>();
  const closed = new AbortController();

  function told(what: string, error: unknown): void {
    const message = `${what}: ${error instanceof Error ? error.message : error}`;
    log({ level: 'error', event: 'fault', message });
  }

  async function drive(id: string): Promise<void> {
    while (!closed.signal.aborted) {
      try {
        const step = await advance(id, tools, closed.signal);
        if (step.state === 'over') return;
        if (step.state === 'again') await wait(step.ms, clock, closed.signal);
      } catch (error) {
        if (closed.signal.aborted) return;
        told('an audit stands still', error);
        await waitOut(AGAIN_MS, clock, closed.signal);
      }
    }
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
    // Who works on it is in this process, or nobody.
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

/** Until then, or until the signal aborts. */
async function waitOut(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, clock, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
