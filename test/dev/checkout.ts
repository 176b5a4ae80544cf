/** A copy of the checkout, for what writes into it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What stands beside the generated tests: the tests of the registries, and what they need. */
const TESTS = [
  'adapters/exchange.ts',
  'bias/catalogue.test.ts',
  'case/verdict-kinds.test.ts',
  'cost.ts',
  'house.test.ts',
  'loop.ts',
  'security/cpu-time.ts',
  'two-options.ts',
];
const COPIED = [
  ...[
    'adapters',
    '.gitignore',
    'biome.json',
    'dev',
    'docs',
    '.env.example',
    'package.json',
    'prompts',
    'src',
  ],
  ...['vitest.config.ts', 'wrangler.toml'],
];

export interface Checkout {
  readonly folder: string;
  /** What a command in the folder ends with and says. */
  run(command: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }>;
  remove(): void;
}

export function copyCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'remand-copy-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  for (const path of TESTS) cpSync(join(ROOT, 'test', path), join(folder, 'test', path));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src', 'adapters', 'prompts', 'test'] }),
  );
  return {
    folder,
    run: (command, ...args) =>
      new Promise((resolve) => {
        // The runner's own settings would make another runner one of its workers.
        const env = Object.fromEntries(
          Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')),
        );
        execFile(command, args, { cwd: folder, env: { ...env, NO_COLOR: '1' } }, (error, stdout, stderr) =>
          resolve({
            code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
            said: stdout + stderr,
          }),
        );
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
