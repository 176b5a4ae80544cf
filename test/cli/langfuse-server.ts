/**
 * Langfuse's public API on a local server: takes spans and scores as Langfuse takes them, gives them back as Langfuse
 * does, newest first, a few to a page. People's scores are put in by the test, as its pages would.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const KEYS = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-planted-secret' };

export interface Observation {
  readonly id: string;
  readonly traceId: string;
  readonly name: string;
  readonly startTime: string;
  readonly environment: string;
  readonly input: string | null;
  readonly output: string | null;
  /** Default `SPAN`. */
  readonly type?: string;
  /** Langfuse 4 has it as `providedModelName`, Langfuse 3 as `model`. */
  readonly model?: string;
}

interface Score {
  readonly id: string;
  readonly traceId: string;
  readonly observationId: string | null;
  readonly name: string;
  readonly source: 'API' | 'ANNOTATION' | 'EVAL';
  readonly dataType: string;
  readonly value: number;
  readonly stringValue?: string;
  readonly authorUserId?: string;
  readonly timestamp: string;
}

export interface Setting {
  /** `cloud` is Langfuse 4: cursors, and observations' texts as they came; `own` is Langfuse 3: pages, and texts parsed. */
  readonly kind: 'cloud' | 'own';
  /** Observations to a page. */
  readonly page: number;
}

export interface LangfuseServer extends AsyncDisposable {
  readonly url: string;
  readonly observations: Observation[];
  /** Paths and queries that were read. */
  readonly read: string[];
  /** A person's word on a trace, or on one observation in it. */
  annotate(on: { trace: string; observation?: string }, said: Partial<Score> & { value: number }): void;
  /** The one annotation queue's items, by trace; `COMPLETED` once people are done with them. */
  readonly queue: Map<string, string>;
  /** Answers so many pages of observations more, and then 400 until it is called again. */
  allow(pages: number): void;
}

export async function startLangfuse({ kind, page }: Setting): Promise<LangfuseServer> {
  const observations: Observation[] = [];
  const scores: Score[] = [];
  const read: string[] = [];
  const queue = new Map<string, string>();
  let allowed = Number.POSITIVE_INFINITY;
  const busy = { reading: 1, queueing: 1 };
  const basic = Buffer.from(`${KEYS.LANGFUSE_PUBLIC_KEY}:${KEYS.LANGFUSE_SECRET_KEY}`).toString('base64');

  const observed = (query: URLSearchParams) =>
    observations
      .filter(({ name }) => (query.get('name') ?? name) === name)
      .filter(({ type = 'SPAN' }) => (query.get('type') ?? type) === type)
      .filter(({ environment }) => (query.get('environment') ?? environment) === environment)
      .filter(({ startTime }) => startTime >= (query.get('fromStartTime') ?? ''))
      .filter(({ startTime }) => startTime < (query.get('toStartTime') ?? '9'))
      .toSorted((a, b) => (a.startTime < b.startTime ? 1 : -1));
  const scored = (query: URLSearchParams) =>
    scores
      .filter(({ name }) => name === query.get('name'))
      .filter(({ source }) => source === (query.get('source') ?? source));
  const answer = (url: URL): [number, object] => {
    const query = url.searchParams;
    const number = Number(query.get('page') ?? 1);
    const meta = (count: number) => ({
      ...{ page: number, limit: page, totalItems: count, totalPages: Math.ceil(count / page) },
    });
    const shown = <T>(all: readonly T[], from: number) => all.slice(from, from + page);
    if (url.pathname.endsWith('observations') && allowed-- <= 0) return [400, { message: 'enough for now' }];
    if (url.pathname === '/api/public/annotation-queues/q1/items') {
      const items = [...queue].map(([objectId, status], n) => ({
        ...{ id: `item-${n}`, queueId: 'q1', objectId, objectType: 'TRACE', status },
        ...{ createdAt: '2026-11-21T00:00:00.000Z', updatedAt: '2026-11-21T00:00:00.000Z' },
      }));
      return [200, { data: shown(items, (number - 1) * page), meta: meta(items.length) }];
    }
    switch (`${kind} ${url.pathname}`) {
      case 'cloud /api/public/v2/observations': {
        const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0);
        const all = observed(query);
        const next = from + page < all.length ? Buffer.from(String(from + page)).toString('base64') : null;
        // Groups of fields that were not asked for are left out; the model has another name here.
        const asked = query.get('fields')?.split(',') ?? [];
        const data = shown(all, from).map(({ model, ...one }) => ({
          ...one,
          ...(asked.includes('model') && { providedModelName: model ?? null }),
        }));
        return [200, { data, meta: next ? { cursor: next } : {} }];
      }
      case 'own /api/public/observations': {
        const all = observed(query);
        const parsed = shown(all, (number - 1) * page).map((one) => ({
          ...one,
          ...{ input: JSON.parse(one.input ?? 'null'), output: JSON.parse(one.output ?? 'null') },
        }));
        return [200, { data: parsed, meta: meta(all.length) }];
      }
      case 'cloud /api/public/v3/scores': {
        const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0);
        const found = scored(query);
        const next =
          from + page < found.length ? Buffer.from(String(from + page)).toString('base64url') : null;
        const withSubject = query.get('fields')?.split(',').includes('subject') ?? false;
        const data = shown(found, from).map(({ traceId, observationId, stringValue, value, ...score }) => ({
          ...score,
          value: score.dataType === 'BOOLEAN' ? value === 1 : (stringValue ?? value),
          ...(withSubject && {
            subject: observationId
              ? { kind: 'observation', id: observationId, traceId }
              : { kind: 'trace', id: traceId },
          }),
        }));
        return [200, { data, meta: { limit: page, ...(next && { cursor: next }) } }];
      }
      case 'own /api/public/v2/scores': {
        // BooleanScore of @langfuse/core: 1 or 0, and its word beside it.
        const found = scored(query).map((one) =>
          one.dataType === 'BOOLEAN' ? { ...one, stringValue: one.value === 1 ? 'True' : 'False' } : one,
        );
        return [200, { data: shown(found, (number - 1) * page), meta: meta(found.length) }];
      }
      default:
        return [404, { message: 'Not found' }];
    }
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Basic ${basic}`)
      return reply(401, { message: `Invalid credentials: ${KEYS.LANGFUSE_SECRET_KEY}` });
    const url = new URL(request.url ?? '', 'http://langfuse');
    const isQueue = url.pathname.endsWith('annotation-queues/q1/items');
    // As on a project that is asked often: the client waits as long as it is told to.
    const what = request.method === 'GET' ? 'reading' : isQueue ? 'queueing' : null;
    if (what !== null && busy[what]-- > 0)
      return void response.writeHead(429, { 'retry-after': '1' }).end('{}');
    if (request.method === 'GET') {
      read.push(url.pathname + url.search);
      return reply(...answer(url));
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (isQueue) queue.set(body.objectId, 'PENDING');
    else if (url.pathname.endsWith('otel/v1/traces')) observations.push(...observationsIn(body));
    else scores.push({ observationId: null, source: 'API', ...body });
    return reply(200, {});
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    observations,
    read,
    queue,
    annotate: ({ trace, observation = null }, said) =>
      void scores.push({
        ...{ id: `people-${scores.length}`, traceId: trace, observationId: observation },
        ...{ name: 'biased', source: 'ANNOTATION', dataType: 'BOOLEAN' },
        ...{ timestamp: '2026-11-21T00:00:00.000Z', ...said },
      }),
    allow: (pages) => {
      allowed = pages;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** What Langfuse makes of a span (https://langfuse.com/integrations/native/opentelemetry). */
function observationsIn(body: {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        name: string;
        startTimeUnixNano: string;
        attributes: Attribute[];
      }[];
    }[];
  }[];
}): Observation[] {
  const named = (attributes: Attribute[], key: string) =>
    attributes.find((one) => one.key === key)?.value.stringValue ?? null;
  return body.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ spanId, traceId, name, startTimeUnixNano, attributes }) => ({
        ...{ id: spanId, traceId, name },
        startTime: new Date(Number(BigInt(startTimeUnixNano) / 1_000_000n)).toISOString(),
        environment: named(resource.attributes, 'langfuse.environment') ?? 'default',
        input: named(attributes, 'langfuse.observation.input'),
        output: named(attributes, 'langfuse.observation.output'),
      })),
    ),
  );
}
