/** The real proxy on a thread of its own (proxy.ts starts it). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../../src/proxy/config.ts';
import { startServer } from '../../src/proxy/server.ts';
import { watchLateness } from './lateness.ts';
import type { FromProxy, ProxyThread } from './proxy.ts';

const { settings, late, turnMs }: ProxyThread = workerData;
const tell = (said: FromProxy) => parentPort?.postMessage(said);

const crashed = (what: string) => (error: unknown) =>
  tell({ wrong: `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` });
process.on('uncaughtException', crashed('uncaught exception'));
process.on('unhandledRejection', crashed('unhandled rejection'));

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
let longest = 0;
/** A collection that was asked for is no turn of the proxy's. */
let collected = false;

watchLateness(late, (cpuMs) => {
  if (collected) {
    collected = false;
    return;
  }
  longest = Math.max(longest, cpuMs);
  if (cpuMs > turnMs) tell({ wrong: `deaf for ${cpuMs.toFixed(0)} ms of CPU time`, underWay: true });
});
const server = await startServer(readConfig(settings), (entry) => {
  const line = JSON.stringify(entry);
  tell({ line });
  if (entry.event === 'fault' || entry.event === 'trace-not-stored') tell({ wrong: `logged: ${line}` });
});
parentPort?.on('message', (asked: 'measure' | 'close') => {
  if (asked === 'close') return void server.close(1_000).then(() => process.exit());
  collected = true;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  tell({ measured: { bytes: heapUsed + external, handles, turnMs: longest } });
});
tell({ url: server.url });
