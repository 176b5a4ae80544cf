/** The dependency check of CI: a finding fails, a registry that does not answer is told, and a clean answer passes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const CHECK = fileURLToPath(new URL('../../dev/dependency-check.ts', import.meta.url));

/** Runs the check before a registry of our own. */
async function check(registry: RequestListener): Promise<{ status: number | null; said: string }> {
  const server = createServer(registry);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  // npm keeps what it knows of a weakness.
  const cache = mkdtempSync(join(tmpdir(), 'remand-npm-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const child = spawn(process.execPath, [CHECK, `--registry=http://127.0.0.1:${port}/`, `--cache=${cache}`]);
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, said };
}

const PURE_RAND = { name: 'pure-rand', versions: { '8.4.2': { name: 'pure-rand', version: '8.4.2' } } };

/** Of a package that needs no other; `severity` of what is known of it. */
function knowing(severity: string): RequestListener {
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'A hole',
    severity,
    vulnerable_versions: '*',
  };
  return ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url.endsWith('/advisories/bulk')) response.end(JSON.stringify({ 'pure-rand': [advisory] }));
    else if (url === '/pure-rand') response.end(JSON.stringify(PURE_RAND));
    else response.writeHead(404).end('{}');
  };
}

test('a weakness of high severity fails, and is named', async () => {
  const { status, said } = await check(knowing('high'));
  expect(said).toContain('high: pure-rand *');
  expect(status).toBe(1);
});

test('a small one is named', async () => {
  const { status, said } = await check(knowing('low'));
  expect(said).toContain('low: pure-rand *');
  expect(status).toBe(0);
});

test.each<[string, RequestListener]>([
  ['refuses the question', (_request, response) => void response.writeHead(405).end()],
  ['answers with a page', (_request, response) => void response.end('<html>')],
  ['hangs up', (request) => void request.socket.destroy()],
])('a registry that %s: not checked, and told so', async (_name, registry) => {
  const { status, said } = await check(registry);
  expect(said).toContain('NOT checked');
  expect(status).toBe(0);
});

test('nothing known of any package', async () => {
  const { status, said } = await check((_request, response) => void response.end('{}'));
  expect(said).toContain('No weakness of high severity is known');
  expect(status).toBe(0);
});
