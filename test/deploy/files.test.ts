/** The files to run Remand elsewhere say what is there: commands, paths, settings, ports and metrics. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readConfig } from '../../src/proxy/config.ts';
import { createRegistry } from '../../src/proxy/exposition.ts';
import { createMetrics } from '../../src/proxy/metrics.ts';
import { remand } from '../cli/command.ts';
import { exchange, startProxy } from '../proxy/servers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = z
  .object({ bin: z.object({ remand: z.string() }), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(textOf('package.json')));

/** The instructions of one kind in the Dockerfile, without their names. */
const instructions = (name: string) =>
  textOf('Dockerfile')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
const listIn = (text: string) => z.array(z.string()).parse(JSON.parse(text.slice(text.indexOf('['))));

describe('the image', () => {
  test('has the Node that the package needs, and ends as another user than root', () => {
    const least = /\d+/.exec(manifest.engines.node)?.[0];
    expect(instructions('FROM').every((from) => from.startsWith(`node:${least}-`))).toBe(true);
    expect(instructions('USER')).toEqual(['node']);
  });

  test('copies what there is, and starts the file that the package has', () => {
    const [lock = ''] = instructions('COPY');
    for (const path of lock.split(' ').slice(0, -1)) expect(existsSync(join(ROOT, path)), path).toBe(true);
    const [entry = ''] = instructions('ENTRYPOINT');
    expect(listIn(entry)).toEqual(['node', `/app/node_modules/remand/${manifest.bin.remand}`]);
    expect(listIn(instructions('CMD')[0] ?? '')).toEqual(['serve']);
    expect(textOf('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.env', '.git', 'node_modules']),
    );
  });

  test('settings are known, and the port that is told is the default', () => {
    const env = Object.fromEntries(instructions('ENV').map((pair) => pair.split('=')));
    expect(readConfig(env).HOST).toBe('0.0.0.0');
    expect(instructions('EXPOSE')).toEqual([String(readConfig({}).PORT)]);
  });

  test('is healthy while the server answers, and not when it is gone', async () => {
    const line =
      textOf('Dockerfile')
        .split('\n')
        .find((one) => one.startsWith('HEALTHCHECK')) ?? '';
    const [, script = ''] = /"-e", "(.*)"\]$/.exec(line) ?? [];
    const check = (port: string) =>
      promisify(execFile)(process.execPath, ['-e', JSON.parse(`"${script}"`)], { env: { PORT: port } });
    const { url } = await startProxy({});
    await expect(check(new URL(url).port)).resolves.toBeDefined();
    await expect(check('9')).rejects.toMatchObject({ code: 1 });
  });
});

describe('compose', () => {
  const Service = z.looseObject({
    build: z.string().optional(),
    image: z.string().optional(),
    environment: z.record(z.string(), z.string()).default({}),
    ports: z.array(z.string()).default([]),
    volumes: z.array(z.string()).default([]),
    profiles: z.array(z.string()).default([]),
  });
  const { services } = z
    .object({ services: z.record(z.string(), Service) })
    .parse(parse(textOf('compose.yaml')));

  test('starts the proxy alone, with settings that there are, on ports of this machine only', () => {
    const always = Object.entries(services).filter(([, { profiles }]) => profiles.length === 0);
    expect(always.map(([name]) => name)).toEqual(['remand']);
    const env = Object.entries(services.remand?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]);
    // Another access would let a web page that has a name of its own lead to this machine read traces.
    expect(readConfig(Object.fromEntries(env)).REMAND_ACCESS).toBe('local');
    for (const [, { ports }] of Object.entries(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  test('mounts files that there are', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) =>
      volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.split(':')[0] ?? ''] : [])),
    );
    expect(mounted.length).toBeGreaterThan(2);
    for (const path of mounted) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  test('Prometheus asks a path that answers, and Grafana draws metrics and labels that there are', async () => {
    const { scrape_configs: scraped } = z
      .object({ scrape_configs: z.array(z.looseObject({ metrics_path: z.string() })) })
      .parse(parse(textOf('deploy/prometheus.yml')));
    const counted = createMetrics(createRegistry());
    counted.judged({ status: 'revised', reason: 'budget', biases: ['position'] }, 1);
    counted.security('instruction');
    counted.fingerprintChanged({ time: 0, judge: 'm', what: ['served'], before: 'a', after: 'b' });
    counted.called({ kind: 'judge', ms: 1, tokens: null, error: null });
    counted.refused('no-key');
    const { url } = await startProxy({});
    const metrics = await exchange(url + (scraped[0]?.metrics_path ?? ''));
    expect(metrics.status).toBe(200);
    const lines = `${metrics.body}\n${counted.text()}`.split('\n');
    const queries = [...textOf('deploy/grafana/remand.json').matchAll(/"expr": "(.*)"/g)];
    expect(queries.length).toBeGreaterThan(8);
    for (const [, query = ''] of queries) {
      const [, label = ''] = /by \((\w+)\)/.exec(query) ?? [];
      for (const [name] of query.matchAll(/\b(?:remand|process)_[a-z_]+/g))
        expect(
          lines.some((line) => line.startsWith(name) && line.includes(label && `${label}="`)),
          query,
        ).toBe(true);
    }
  });
});

test('nobody kills the server while requests under way may still go on', () => {
  const found = [
    /stop_grace_period: (\d+)s$/m.exec(textOf('compose.yaml')),
    /--stop-timeout (\d+) /.exec(textOf('docs/install.md')),
    /^TimeoutStopSec=(\d+)$/m.exec(textOf('deploy/remand.service')),
  ];
  const patience = found.map((match) => Number(match?.[1]) * 1000);
  // What is done behind answers may take some seconds more.
  for (const ms of patience) expect(ms).toBeGreaterThanOrEqual(readConfig({}).REMAND_GRACE_MS + 10_000);
});

test('the unit of systemd starts a command that there is, and not again with a setting that is wrong', async () => {
  const unit = textOf('deploy/remand.service');
  const [, words = ''] = /^ExecStart=\/opt\/remand\/node_modules\/\.bin\/remand (.*)$/m.exec(unit) ?? [];
  const { code, out } = await remand([...words.split(' '), '--help']);
  expect(code).toBe(0);
  expect(out).toContain('remand serve');
  const wrong = await remand(words.split(' '), { REMAND_ACCES: 'open' });
  expect(wrong.err).toContain('REMAND_ACCES');
  expect(unit).toContain(`RestartPreventExitStatus=${wrong.code}\n`);
});
