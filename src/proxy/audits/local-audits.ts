/**
 * Audits on Node: each is driven by a loop in the process. Of several processes on one file one holds an audit. The others
 * look, now and then, whether it still does, and go on where it was when it does not.
 */
import { describeError } from '../../errors.ts';
import { wait } from '../../http/index.ts';
import type { Log } from '../log.ts';
import { type AuditTools, advanceAudit } from './audit-job.ts';

/** How long an audit is held without a word of its holder, which may have been killed; in milliseconds. */
const HELD_MS = 15_000;
/** Between two such words, and between two looks at audits that another process holds. */
const LOOK_MS = 5_000;

/** @param holder this process, by a name that no other has */
export function createLocalAudits(tools: AuditTools, log: Log, holder: string) {
  const { store, clock } = tools;
  const closed = new AbortController();
  const { signal } = closed;
  const driven = new Map<string, Promise<void>>();
  let watching: Promise<void> | null = null;

  const hold = (id: string, ms: number) => store.hold(id, holder, clock.now(), clock.now() + ms);

  function report(error: unknown): void {
    const message = `an audit stands still: ${describeError(error)}`;
    if (!signal.aborted) log({ level: 'error', event: 'fault', message });
  }

  async function drive(id: string): Promise<void> {
    while (!signal.aborted && (await hold(id, HELD_MS))) {
      const step = await advanceAudit(id, tools, signal);
      if (!step) return;
      await wait(step.waitMs, clock, signal);
    }
  }

  /** Goes on holding what is driven here, and drives what nobody holds. @returns whether any audit is running */
  async function look(): Promise<boolean> {
    const running = await store.listRunning();
    for (const { id } of running) {
      if (!(await hold(id, HELD_MS)) || driven.has(id) || signal.aborted) continue;
      const driving = drive(id)
        .catch(report)
        .finally(() => driven.delete(id));
      driven.set(id, driving);
    }
    return running.length > 0;
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) await wait(LOOK_MS, clock, signal).then(look).catch(report);
  }

  async function start(): Promise<void> {
    if (await look()) watching ??= watch();
  }

  return {
    tools,
    start,
    resume: start,
    /** Goes on with all that are not over. Never rejects. */
    resumeAll: () => start().catch(report),
    /** Stops them; what was answered by then is kept. */
    async close() {
      closed.abort(new DOMException('the server stops', 'AbortError'));
      const ids = [...driven.keys()];
      await Promise.all([watching, ...driven.values()]);
      for (const id of ids) await hold(id, 0).catch(report);
    },
  };
}
