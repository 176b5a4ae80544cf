/** A fine-tuning API on a local port: files, jobs that go through their states at each look, events, faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FineTuningServer extends AsyncDisposable {
  readonly url: string;
  /** Method and path of every request. */
  readonly asked: string[];
  readonly files: { id: string; filename: string; content: string }[];
  readonly jobs: { id: string; created: Record<string, unknown>; looks: number; fails: string | null }[];
  /** How the next requests to a path go wrong: one entry a request. */
  readonly faults: Map<string, Fault[]>;
  /** What jobs made from now on fail with. */
  failWith(message: string | null): void;
}

/** 429; a reply that never comes though the work is done; an error of the server's. */
export type Fault = 'busy' | 'done unheard' | 'broken';

const STATES = ['validating_files', 'queued', 'running', 'running', 'succeeded'];

export async function serveFineTuning(): Promise<FineTuningServer> {
  const asked: string[] = [];
  const files: FineTuningServer['files'] = [];
  const jobs: FineTuningServer['jobs'] = [];
  const faults: FineTuningServer['faults'] = new Map();
  let failing: string | null = null;

  const jobOf = ({ id, created, looks, fails }: FineTuningServer['jobs'][number]) => {
    const status = STATES[Math.min(looks, STATES.length - 1)];
    const failed = fails !== null && status === 'running';
    const succeeded = status === 'succeeded';
    return {
      ...{ object: 'fine_tuning.job', id, ...created },
      status: failed ? 'failed' : status,
      fine_tuned_model: succeeded ? `ft:${created.model}:${created.suffix ?? ''}:${id}` : null,
      trained_tokens: succeeded ? 1234 : null,
      error: failed ? { code: 'bad_data', message: fails, param: null } : {},
    };
  };

  const answer = (method: string, path: string, body: Buffer): object | null => {
    if (path === '/v1/files' && method === 'POST') {
      const text = body.toString('utf8');
      const [, filename = ''] = /filename="([^"]+)"/.exec(text) ?? [];
      if (!/name="purpose"\r\n\r\nfine-tune\r\n/.test(text)) return null;
      files.push({ id: `file-${files.length + 1}`, filename, content: text });
      return { object: 'file', ...files.at(-1), content: undefined, status: 'processed' };
    }
    if (path === '/v1/files')
      return {
        object: 'list',
        data: files.map(({ id, filename }) => ({ id, filename, status: 'processed' })),
        has_more: false,
      };
    if (path === '/v1/fine_tuning/jobs' && method === 'POST') {
      jobs.push({
        id: `job-${jobs.length + 1}`,
        created: JSON.parse(body.toString()),
        looks: 0,
        fails: failing,
      });
    }
    const listed = jobs.map(jobOf);
    if (path === '/v1/fine_tuning/jobs')
      return method === 'POST' ? (listed.at(-1) ?? null) : { object: 'list', data: listed, has_more: false };
    const [, id, events] = /^\/v1\/fine_tuning\/jobs\/([^/]+)(\/events)?$/.exec(path) ?? [];
    const job = jobs.find((one) => one.id === id);
    if (!job) return null;
    if (events) {
      const told = STATES.slice(0, job.looks).map((state, index) => ({
        id: `e${index}`,
        message: `now ${state}`,
      }));
      return { object: 'list', data: told.reverse(), has_more: false };
    }
    const now = jobOf(job);
    job.looks++;
    return now;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    const what = `${request.method} ${path}`;
    asked.push(what);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const fault = faults.get(what)?.shift();
    const say = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '10' })
        .end(JSON.stringify(body));
    if (request.headers.authorization !== 'Bearer sk-test')
      return say(401, { error: { message: 'bad key' } });
    if (fault === 'busy') return say(429, { error: { message: 'slow down' } });
    if (fault === 'broken') return say(500, { error: { message: 'it broke' } });
    const said = answer(request.method ?? '', path, Buffer.concat(pieces));
    if (fault === 'done unheard') return request.socket.destroy();
    return said ? say(200, said) : say(404, { error: { message: `no such thing: ${what}` } });
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ asked, files, jobs, faults },
    failWith(message) {
      failing = message;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
