/**
 * Remand as `remand serve` starts it, in a process of its own, so that its memory is its own. Over IPC it says its
 * URL, answers `report` with what it holds after a full collection, and after `close` ends by itself: where a timer
 * or a connection is left it does not. Run with --expose-gc.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { readConfig } from '../../src/proxy/config.ts';
import type { LogEntry } from '../../src/proxy/log.ts';
import { startServer } from '../../src/proxy/server.ts';

/** What the process holds. */
export interface Held {
  /** Bytes. */
  readonly rss: number;
  readonly heap: number;
  /** What V8 sets aside for young objects. */
  readonly young: number;
  /** Kinds of resources that keep the process alive, one for each. */
  readonly active: readonly string[];
  /** Log lines that tell of a fault, so far. */
  readonly faults: readonly string[];
}

const faults: string[] = [];
/**
 * What is logged of requests, hostile ones too, of a judge that fails or whose faulty reply tells another look, of learning
 * that a busy machine puts off, and of asking the judge about a template.
 */
const EXPECTED: readonly string[] = [
  'request',
  'security',
  'judge-failed',
  'judge-refused',
  'fingerprint-changed',
  'not-learned',
  'template-read',
];
const log = (entry: LogEntry) => {
  // The crowd's word in some of the prompts is told as a security event.
  if (!EXPECTED.includes(entry.event)) faults.push(JSON.stringify(entry));
};

const server = await startServer(readConfig({ ...process.env, PORT: '0' }), log);
process.on('message', async (what) => {
  if (what === 'report') {
    globalThis.gc?.();
    const { rss, heapUsed: heap } = process.memoryUsage();
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
    const held: Held = { rss, heap, young, active: process.getActiveResourcesInfo(), faults };
    process.send?.(held);
  }
  if (what === 'close') {
    await server.close(1_000);
    process.disconnect();
  }
});
process.send?.(server.url);
