/** The proxy on Cloudflare Workers: the app with the runtime's own fetch, and D1 for traces where it is bound. Thin. */
import type { Hono } from 'hono';
import { InputError } from '../case/errors.ts';
import { createSandboxJudge } from '../judge/sandbox.ts';
import { type Fetch, systemClock } from '../judge/types.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { detectorsFor } from './detectors.ts';
import { jsonLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { type D1, d1Traces } from './traces/d1.ts';
import { memoryTraces } from './traces/memory.ts';
import { targetOf } from './upstream.ts';

/** Traces that an isolate keeps where it has no database; it has 128 MB for everything. */
const IN_MEMORY = 200;

interface Env {
  readonly TRACES?: D1;
  readonly [name: string]: unknown;
}

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

/** A client's redirect is the client's to follow. */
const edgeFetch: Fetch = (url, { method, headers, body, signal }) =>
  fetch(url, {
    method,
    headers,
    body: body as BodyInit | null,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });

function createEdgeApp(env: Env): Hono {
  const config = readConfig(env);
  if (config.JUDGE_BASE_URL?.startsWith('recorded:'))
    throw new InputError('JUDGE_BASE_URL', 'a recording is read from files, which the edge has none of');
  const judge = config.JUDGE_BASE_URL
    ? { fetch: edgeFetch, judgeUrl: config.JUDGE_BASE_URL }
    : { fetch: createSandboxJudge(), judgeUrl: 'http://sandbox.invalid' };
  const { REMAND_TRACES, REMAND_TRACES_KEEP } = config;
  const stored = env.TRACES ? d1Traces(env.TRACES, REMAND_TRACES_KEEP) : memoryTraces(IN_MEMORY);
  return createApp(
    {
      ...judge,
      target: (c) => targetOf(c.req.raw.url),
      clock: systemClock,
      id: () => crypto.randomUUID(),
      traces: REMAND_TRACES === 'off' ? null : stored,
      metrics: createMetrics(),
      log: jsonLog((line) => console.log(line.trimEnd())),
      waitUntil: (work, c) => c.executionCtx.waitUntil(work()),
      detector: detectorsFor(config, edgeFetch),
    },
    config,
  );
}

/** One app an isolate, made at its first request: the bindings are known only then. */
export function createWorker() {
  let app: Hono | null = null;
  return {
    fetch(request: Request, env: Env, execution: Execution): Response | Promise<Response> {
      try {
        app ??= createEdgeApp(env);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return Response.json({ error: { message: `not set up: ${error.message}` } }, { status: 500 });
      }
      return app.fetch(request, env, execution);
    },
  };
}

export default createWorker();
