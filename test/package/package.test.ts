/**
 * The package as npm would publish it, in a project that has nothing else: installed, type-checked, run in Node,
 * bundled for a Worker. Dependencies come from the registry.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { unstable_startWorker } from 'wrangler';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { startUpstream } from '../proxy/servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const npm = (args: string[], cwd: string) => run('npm', args, { cwd, maxBuffer: 1 << 26 });

/** Of a user without rights, where the test may start processes as another one. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** In place of the image's `/`. */
const root = mkdtempSync(join(tmpdir(), 'remand-image-'));
/** The package alone, as the image has it. */
const alone = join(root, 'app');
/** Uses of the package, beside other packages. */
const project = join(root, 'project');
let packed: { files: { path: string }[]; size: number };

const place = (text: string) => text.replaceAll(/(?<![\w.])\/(?=(?:app|packed|data|root)\b)/g, `${root}/`);
const [, final = ''] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .*alpine$/m);
const stepsOf = (name: string) =>
  [...final.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => place(text));

beforeAll(async () => {
  chmodSync(root, 0o755);
  for (const folder of ['app', 'packed', 'root']) mkdirSync(join(root, folder));
  const { stdout } = await npm(['pack', '--json', '--pack-destination', join(root, 'packed')], ROOT);
  [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  const [install = ''] = stepsOf('RUN');
  await run('sh', ['-ec', install.replace('chown node', `chown ${NOBODY.uid ?? process.getuid?.()}`)], {
    cwd: alone,
    env: { ...process.env, npm_config_prefer_offline: 'true' },
  });
  cpSync(alone, project, { recursive: true, verbatimSymlinks: true });
  cpSync(join(ROOT, 'test/package/consumer'), project, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ type: 'module', private: true, dependencies }),
  );
  // The older of the two specifications of the AI SDK; the newer one has tests of its own.
  const others = ['ai@^6', '@ai-sdk/openai-compatible@^2', '@types/node@^24'];
  await npm(['install', '--no-audit', '--no-fund', ...others], project);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a file of the consumer with the local judge; what it printed. */
async function consume(file: string): Promise<unknown> {
  const { url } = await startUpstream(whole(firstPlaceLover));
  const { stdout } = await run(process.execPath, [file], {
    cwd: project,
    env: { ...process.env, JUDGE_URL: url },
  });
  return JSON.parse(stdout);
}

it('ships what runs and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['bin/remand.js', 'LICENSE', 'README.md', 'package.json']));
  const rest = paths.filter(
    (path) =>
      !/^(?:bin|migrations|training-data\/sample|dist\/(?:src|adapters|prompts))\/|^(?:dist\/sbom\.json|LICENSE|README\.md|package\.json)$/.test(
        path,
      ),
  );
  expect(rest).toEqual([]);
  // It is 3.9 MB of code, words and source maps; what it guards against is a folder of data.
  expect(packed.size).toBeLessThan(4_100_000);
});

it('runs with fewer than 150 packages, each of them in the bill of materials that it ships', async () => {
  const { stdout } = await npm(['ls', '--omit=dev', '--all', '--parseable', '--package-lock-only'], ROOT);
  const paths = stdout
    .trim()
    .split('\n')
    .filter((path) => path.includes('node_modules'));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.length).toBeLessThan(150);
  const bill = JSON.parse(readFileSync(join(project, 'node_modules/remand/dist/sbom.json'), 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'remand', purl: expect.stringMatching(/^pkg:npm\/remand@/) } },
  });
  const listed: { name: string; version: string }[] = bill.components;
  const installed = paths.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
  const names = (packages: { name: string; version: string }[]) =>
    [...new Set(packages.map(({ name, version }) => `${name}@${version}`))].sort();
  expect(names(listed)).toEqual(names(installed));
  for (const { name, hashes } of bill.components)
    expect({ name, hashes }).toMatchObject({ name, hashes: [{}] });
});

it('runs from an empty folder, and leaves nothing in it', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'remand-empty-'));
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
  // By its name, as npx runs it, from where it is installed already.
  const { stdout } = await npm(
    ['exec', '--offline', '--prefix', alone, '--', 'remand', 'try', '--json'],
    empty,
  );
  expect(JSON.parse(stdout)).toMatchObject({
    alone: 'Output (a)',
    behind: 'Output (b)',
    status: 'revised',
    biases: ['bandwagon'],
  });
  expect(readdirSync(empty)).toEqual([]);
});

/** What Alpine, npm and yarn take of the base image besides Node itself, in bytes, rounded up: no builder is at hand to measure it. */
const REST_OF_BASE = 35e6;

describe('installed alone, by the steps of the Dockerfile run as a script', () => {
  it('it takes less than 100 MB and 150 packages', async () => {
    const { packages } = JSON.parse(readFileSync(join(alone, 'package-lock.json'), 'utf8'));
    const count = Object.keys(packages).filter((path) => path !== '').length;
    const bytes = sizeOf(join(alone, 'node_modules'));
    console.info(`installed: ${(bytes / 1e6).toFixed(1)} MB, ${count} packages`);
    expect(bytes).toBeLessThan(100e6);
    expect(count).toBeLessThan(150);
  });

  it.each([
    ['gpt-tokenizer', ['export', '--in', 'x', '--out', 'y', '--format', 'chat']],
    ['openai', ['finetune', '--train', 'train.jsonl', '--model', 'm']],
  ])('a command that needs %s says how to install it', async (name, args) => {
    const example = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    };
    writeFileSync(join(alone, 'train.jsonl'), `${JSON.stringify(example)}\n`);
    const refused = run(join(alone, 'node_modules/.bin/remand'), args, {
      cwd: alone,
      env: { ...process.env, RBD_API_KEY: 'sk-x' },
    });
    await expect(refused).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${name}: is a package that this command needs: npm install ${name}`),
    });
  });

  it('makes an image that starts, is healthy, and ends with its judgments answered', async () => {
    const bytes = sizeOf(alone) + statSync(process.execPath).size + REST_OF_BASE;
    console.info(`image: ${(bytes / 1e6).toFixed(0)} MB at most`);
    expect(bytes).toBeLessThan(250e6);

    // A judge that is still thinking when the signal comes.
    const asked = Promise.withResolvers<void>();
    const judge = await startUpstream(async (received, response) => {
      asked.resolve();
      await gone;
      return whole(firstPlaceLover)(received, response);
    });
    const [entry = '[]'] = stepsOf('ENTRYPOINT');
    const [words = '[]'] = stepsOf('CMD');
    const [check = ''] = stepsOf('HEALTHCHECK');
    const [, ...args] = [...JSON.parse(entry), ...JSON.parse(words)];
    const settings = stepsOf('ENV').map((pair) => pair.split('='));
    const PORT = await findFreePort();
    const env = { ...Object.fromEntries(settings), PORT, JUDGE_BASE_URL: judge.url, REMAND_ACCESS: 'open' };
    const options = { cwd: join(root, 'data'), env, ...NOBODY };
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])));
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    for await (const line of createInterface({ input: child.stderr })) if (line.startsWith('Stories')) break;
    const [, healthWords] = JSON.parse(check.slice(check.indexOf('['))).slice(1);
    await run(process.execPath, ['-e', healthWords], options);
    const answer = fetch(`http://127.0.0.1:${PORT}/v1/chat/completions`, {
      method: 'POST',
      body: pairwise(WRONG, RIGHT),
    });
    await asked.promise;
    child.kill('SIGTERM');
    leave();
    const { status, headers } = await answer;
    expect([status, headers.get('x-remand-status')]).toEqual([200, 'revised']);
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(join(root, 'data'), { recursive: true })).toContain('.remand/traces.sqlite');
  });
});

const inDockerfile = (instruction: RegExp) =>
  [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(instruction)].map(([, text = '']) => text);

/** Docker or Podman, where one runs that has the base images or can fetch them. */
async function findBuilder(): Promise<string | undefined> {
  const has = (builder: string, base: string) =>
    run(builder, ['image', 'inspect', base])
      .catch(() => run(builder, ['pull', '--quiet', base]))
      .then(
        () => true,
        () => false,
      );
  for (const builder of ['docker', 'podman']) {
    const found = await Promise.all(inDockerfile(/^FROM (\S+)/gm).map((base) => has(builder, base)));
    if (found.every(Boolean)) return builder;
  }
  return undefined;
}

it('the image is built where Docker or Podman has its base images', { timeout: 1_200_000 }, async ({
  skip,
}) => {
  const builder = await findBuilder();
  if (builder === undefined) return skip('neither Docker nor Podman has the base images here');
  const tag = 'remand-package-test';
  onTestFinished(() => void run(builder, ['rmi', '--force', tag]));
  await run(builder, ['build', '--tag', tag, ROOT], { maxBuffer: 1 << 26 });
  const { stdout } = await run(builder, ['image', 'inspect', tag]);
  const [{ Size: bytes, Config: config }] = JSON.parse(stdout);
  console.info(`image built by ${builder}: ${(bytes / 1e6).toFixed(0)} MB`);
  expect(bytes).toBeLessThan(250e6);
  expect(config).toMatchObject({ User: 'node', Cmd: ['serve'] });
});

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' && address ? address.port : '');
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

it('is typed: a strict consumer compiles, declarations and all', async () => {
  const strict =
    '--strict --noEmit --allowImportingTsExtensions --module nodenext --target es2024 --types node';
  const compile = (...more: string[]) =>
    run(join(ROOT, 'node_modules/typescript/bin/tsc'), [...strict.split(' '), ...more], {
      cwd: project,
    }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout.slice(0, 2000),
    );
  // The AI SDK's own declarations do not hold under the strictest options.
  expect(await compile('--skipLibCheck', 'ai-sdk.ts')).toBe('');
  const others = readdirSync(project).filter((name) => name.endsWith('.ts') && name !== 'ai-sdk.ts');
  expect(await compile('--exactOptionalPropertyTypes', ...others)).toBe('');
});

it('debiases in three lines', async () => {
  expect(await consume('without-a-proxy.ts')).toEqual({
    text: 'Output (b)',
    choice: 'Output (b)',
    status: 'revised',
    biases: ['position'],
  });
});

it('the three lines are those of the README', () => {
  const [, shown] =
    /## Without a proxy[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ??
    [];
  const lines = shown?.trim().split('\n') ?? [];
  const code = readFileSync(join(project, 'without-a-proxy.ts'), 'utf8');
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(code).toContain(line);
});

it('fits the AI SDK in its older specification as well', async () => {
  expect(await consume('ai-sdk.ts')).toMatchObject({ text: 'Output (b)', status: 'revised' });
});

it('every way in works, and the loop can be put together by hand', async () => {
  expect(await consume('parts.ts')).toEqual({
    plain: 'Output (a)',
    byHand: ['revised', 'Output (b)'],
    read: 'choice',
    proxied: 'revised',
    p: '0.0018',
    others: ['function', 'function', 'function'],
  });
});

it('the command starts the proxy, which judges and keeps a trace', async () => {
  const bin = join(project, 'node_modules/.bin/remand');
  const child = spawn(bin, ['serve', '--json', '--port', '0'], {
    cwd: project,
    env: { ...process.env, REMAND_TRACES: join(project, 'traces.sqlite') },
  });
  onTestFinished(() => void child.kill());
  const errors: string[] = [];
  child.stderr.on('data', (data) => errors.push(String(data)));
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    const health = await fetch(`${url}/remand/health`);
    expect(health.status).toBe(200);
    const judged = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: pairwise(WRONG, RIGHT),
    });
    const trace = await fetch(`${url}/remand/traces/${judged.headers.get('x-remand-trace')}`);
    expect(await trace.json()).toMatchObject({ status: judged.headers.get('x-remand-status') });
    return;
  }
  expect.fail(errors.join(''));
});

it('an older Node is told which one is needed', async ({ skip }) => {
  const older = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
  const version = older && (await run(older, ['--version'])).stdout;
  if (!older || !version || Number.parseInt(version.slice(1), 10) >= 24) return skip('no older Node here');
  const failed = run(older, [join(project, 'node_modules/remand/bin/remand.js'), 'serve'], { cwd: project });
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('needs Node 24') });
});

async function startWorker(file: string) {
  const worker = await unstable_startWorker({
    entrypoint: join(project, file),
    compatibilityDate: '2026-10-20',
    dev: { logLevel: 'error', server: { hostname: '127.0.0.1', port: 0 }, inspector: false },
  });
  onTestFinished(() => worker.dispose());
  return (path: string, body: string) => worker.fetch(`http://worker.local${path}`, { method: 'POST', body });
}

it('debiases in a Worker', async () => {
  const post = await startWorker('worker.ts');
  const prompt: string = JSON.parse(pairwise('381', RIGHT)).messages[0].content;
  const response = await post('/', prompt);
  expect(await response.json()).toEqual({ text: 'Output (b)', status: 'revised', biases: ['position'] });
});

it('serves the proxy as a Worker of one line', async () => {
  const post = await startWorker('proxy-worker.ts');
  const { status, headers } = await post('/v1/chat/completions', pairwise('381', RIGHT));
  expect([status, headers.get('x-remand-trace')]).toEqual([200, expect.any(String)]);
});
