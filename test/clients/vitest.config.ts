/** Real judge clients before the proxy. Apart from the other tests: the clients are a large install of their own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { type Page, PageReporter } from './harness/page.ts';

const HERE = import.meta.dirname;

/** Milliseconds: some clients take seconds to load, and a busy machine more. */
const LOADING = 300_000;

const page: Page = {
  file: join(HERE, '../../docs/conformance.md'),
  title: 'Clients',
  tests: HERE,
  command: 'npm run test:clients',
  versionOf(client) {
    const { version } = JSON.parse(readFileSync(join(HERE, 'node_modules', client, 'package.json'), 'utf8'));
    return version;
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
