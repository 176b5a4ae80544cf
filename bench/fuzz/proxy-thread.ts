/** The real proxy on a thread of its own (proxy.ts starts it). */
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

watchLateness(late, (cpuMs) => {
  if (cpuMs > turnMs) tell({ wrong: `deaf for ${cpuMs.toFixed(0)} ms of CPU time`, underWay: true });
});
const server = await startServer(readConfig(settings), (entry) => {
  const line = JSON.stringify(entry);
  tell({ line });
  if (entry.event === 'fault' || entry.event === 'trace-not-stored') tell({ wrong: `logged: ${line}` });
});
parentPort?.once('message', () => void server.close(1_000).then(() => process.exit()));
tell({ url: server.url });
