/**
 * Real servers and a raw client for the proxy's tests: the judge is a local HTTP server that records what
 * reaches it, the proxy is the one that `remand serve` starts, and the client sees the bytes of the wire.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/ports.ts';
import { createKey, type KeyScope } from '../../src/proxy/access/key.ts';
import { readConfig } from '../../src/proxy/config.ts';
import type { KeyLimits } from '../../src/proxy/limits/account-book.ts';
import type { LogEntry } from '../../src/proxy/log.ts';
import { startServer } from '../../src/proxy/server.ts';
import type { ScriptedClock } from '../scripted-clock.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** When the connection was closed before the reply was finished; null where it was not. */
  abortedAt: number | null;
}

export interface Upstream {
  readonly url: string;
  readonly received: Received[];
}

export type Reply = (received: Received, response: ServerResponse) => void | Promise<void>;

export async function startUpstream(reply: Reply): Promise<Upstream> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const one: Received = { method, url, headers, body: await bytesOf(incoming), abortedAt: null };
    received.push(one);
    response.on('close', () => {
      if (!response.writableFinished) one.abortedAt = performance.now();
    });
    await reply(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The same reply, once the client has been sent a heartbeat. */
export function afterHeartbeat(clock: ScriptedClock, heartbeatMs: number, reply: Reply): Reply {
  return async (received, response) => {
    await clock.passOnceAsked(heartbeatMs);
    return reply(received, response);
  };
}

export interface RunningProxy {
  readonly url: string;
  /** Where the pages are. */
  readonly pagesUrl: string;
  readonly log: LogEntry[];
  close(): Promise<void>;
}

/** @param clock the machine's where none is given */
export async function startProxy(
  settings: Record<string, string | undefined>,
  clock?: Clock,
): Promise<RunningProxy> {
  const log: LogEntry[] = [];
  const config = readConfig({ PORT: '0', REMAND_TRACES: ':memory:', ...settings });
  const server = await startServer(config, (entry) => log.push(entry), clock);
  const close = () => server.close(100);
  onTestFinished(close);
  return { url: server.url, pagesUrl: server.pagesUrl, log, close };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Buffer | string;
}

/** One exchange without anything that a comfortable client does to the bytes. */
export async function exchange(url: string, ask: Ask = {}): Promise<Answer> {
  const incoming = await begin(url, ask);
  const { statusCode: status = 0, headers, rawHeaders } = incoming;
  return { status, headers, rawHeaders, body: await bytesOf(incoming) };
}

/** The reply with its body still to come. The path is sent as it is written: no URL parser touches it. */
export function begin(
  url: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<IncomingMessage> {
  const [, hostname = '', port = '', path = ''] = /^http:\/\/([^:/]+):(\d+)(.*)$/s.exec(url) ?? [];
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const LOOK_MS = 5;

/**
 * Polls until something is so; the tests' way to wait for what happens after an answer. Gives up after a number of looks,
 * not after a time: a machine that is too busy to look gets longer.
 *
 * @param withinMs so many milliseconds at least
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 60_000,
): Promise<NonNullable<T>> {
  for (let looks = 0; looks <= withinMs / LOOK_MS; looks++) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`never happened: ${what}`);
}

/** A key as `remand keys add --record` prints it, for REMAND_KEYS. */
export async function keyOf(name: string, scopes: KeyScope[] = ['judge'], limits: KeyLimits = {}) {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  return createKey({ name, scopes, limits }, random, Date.now());
}
