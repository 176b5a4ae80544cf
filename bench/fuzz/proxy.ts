/**
 * The real proxy, on a thread of its own: what it takes to ask it and to play its judge must not keep it waiting, nor
 * the other way round. A judge that goes on while the proxy is busy is what the proxy meets outside, too.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ProxyThread {
  readonly settings: Record<string, string>;
  /** How late the proxy's thread has been, in milliseconds, all told; shared. */
  readonly late: Float64Array;
  /** Longest time, in milliseconds of CPU, that it may be deaf for. */
  readonly turnMs: number;
}

/** What the thread tells. */
export interface FromProxy {
  /** Where it listens, once it does. */
  readonly url?: string;
  /** Of its log. */
  readonly line?: string;
  /** A finding, and whether it is about a case that is under way. */
  readonly wrong?: string;
  readonly underWay?: boolean;
  readonly measured?: Measured;
}

/** What the proxy's thread holds, after a collection. */
export interface Measured {
  /** Of the heap and of what it holds outside. */
  readonly bytes: number;
  /** Timers, sockets and requests that keep the thread alive. */
  readonly handles: number;
  /** Longest time, in milliseconds of CPU, that the thread has been deaf for so far. */
  readonly turnMs: number;
}

export interface FuzzedProxy {
  readonly url: string;
  measure(): Promise<Measured>;
  close(): Promise<void>;
}

/** @param hear told all that the proxy says but its address: its log, what is wrong, and what it writes to stderr */
export async function startProxy(start: ProxyThread, hear: (said: FromProxy) => void): Promise<FuzzedProxy> {
  const thread = new Worker(new URL('./proxy-thread.ts', import.meta.url), {
    workerData: start,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  const measuring: ((measured: Measured) => void)[] = [];
  thread.on('message', (said: FromProxy) => {
    if (said.url !== undefined) resolve(said.url);
    else if (said.measured) measuring.shift()?.(said.measured);
    else hear(said);
  });
  thread.on('error', (error) => hear({ wrong: `the proxy's thread ended: ${error.stack}` }));
  // The server's library writes each broken reply's stack there.
  thread.stderr.on('data', (chunk) => hear({ line: String(chunk) }));
  return {
    url: await promise,
    measure() {
      const { promise: measured, resolve: end } = Promise.withResolvers<Measured>();
      measuring.push(end);
      thread.postMessage('measure');
      return measured;
    },
    async close() {
      const ended = once(thread, 'exit');
      thread.postMessage('close');
      await ended;
    },
  };
}
