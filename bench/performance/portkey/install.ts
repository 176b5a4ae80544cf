/** Portkey's gateway as published, installed beside this file where it is missing or not the one in the lockfile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const FOLDER = join(HERE, 'node_modules', '@portkey-ai', 'gateway');

/** @returns path of its start script */
export async function gatewayScript(): Promise<string> {
  // npm writes this file last.
  const installed = join(HERE, 'node_modules', '.package-lock.json');
  const current =
    existsSync(installed) && statSync(join(HERE, 'package-lock.json')).mtimeMs <= statSync(installed).mtimeMs;
  if (!current) {
    const child = spawn('npm', ['ci', '--prefix', HERE], {
      cwd: HERE,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`npm ci in ${HERE} ended with ${code}`);
  }
  return join(FOLDER, 'build', 'start-server.js');
}

/** As installed. */
export async function gatewayVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8')) as { version: string }).version;
}
