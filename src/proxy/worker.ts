/** The proxy on Cloudflare Workers: the app as it is anywhere, with D1 for traces where it is bound. Thin. */
import type { Hono } from 'hono';
import { InputError } from '../case/errors.ts';
import { readConfig } from './config.ts';
import { createProxy } from './embedded.ts';
import { type D1, d1Traces } from './traces/d1.ts';

interface Env {
  readonly TRACES?: D1;
  readonly [name: string]: unknown;
}

interface Execution {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
  readonly props: unknown;
}

function createEdgeApp(env: Env): Hono {
  const { REMAND_TRACES_KEEP } = readConfig(env);
  return createProxy(env, env.TRACES ? { traces: d1Traces(env.TRACES, REMAND_TRACES_KEEP) } : {});
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
