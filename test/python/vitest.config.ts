/** Real Python judge clients before the proxy. Not among the tests of every change: it needs Python and PyPI. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Page, PageReporter } from '../clients/harness/page.ts';
import { ENVIRONMENTS } from './environments.ts';

const HERE = import.meta.dirname;

/** Milliseconds: each call starts an interpreter, and some clients take seconds to load. */
const LOADING = 120_000;

const page: Page = {
  file: join(HERE, '../../docs/conformance-python.md'),
  title: 'Python clients',
  tests: HERE,
  command: 'npm run test:python',
  versionOf(client) {
    const pinned = ENVIRONMENTS.flatMap(({ requirements }) => readFileSync(requirements, 'utf8').split('\n'));
    const line = pinned.find((one) => one.startsWith(`${client}==`));
    if (line === undefined) throw new Error(`${client} is not pinned in requirements/`);
    return line.slice(client.length + 2);
  },
};

export default defineConfig({
  test: {
    root: HERE,
    include: ['**/*.test.ts'],
    testTimeout: LOADING,
    reporters: ['default', new PageReporter(page)],
  },
});
