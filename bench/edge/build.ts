/** The Worker as it would be deployed: built, its size, and what the platform's own tool says of its start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WRANGLER = join(ROOT, 'node_modules/.bin/wrangler');

/** The runtime's binary, which comes with wrangler. */
export const WORKERD = join(ROOT, 'node_modules/workerd/bin/workerd');

/** Nothing is asked of the network, and nothing is told to it. */
const QUIET = { CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' };

/** Of wrangler.toml. */
export const COMPATIBILITY_DATE = '2026-10-20';

/** Writes `worker.js`, bundled as for a deployment. */
export async function build(folder: string): Promise<void> {
  await wrangler(['deploy', '--dry-run', '--outdir', folder]);
}

/** @returns bytes of the script, packed with gzip: what the platform's limit is about */
export async function scriptSize(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'remand-edge-'));
  try {
    await build(folder);
    return gzipSync(await readFile(join(folder, 'worker.js'))).length;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns milliseconds in which the script was running while it was loaded, garbage collection included */
export async function startUp(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'remand-edge-'));
  try {
    const said = await wrangler(['check', 'startup', '--outfile', join(folder, 'start.cpuprofile')]);
    const active = /Active: ([\d.]+) ms/.exec(said)?.[1];
    if (active === undefined) throw new Error(`wrangler check startup said no time:\n${said}`);
    return Number(active);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function wrangler(args: string[]): Promise<string> {
  const child = spawn(WRANGLER, args, { cwd: ROOT, env: { ...process.env, ...QUIET } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said += piece;
    });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} ended with ${code}:\n${said}`);
  return said;
}
