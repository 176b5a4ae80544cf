/** Real judge clients before the proxy. Apart from the other tests: the clients are a large install of their own. */
import { defineConfig } from 'vitest/config';
import { PageReporter } from './harness/page.ts';

/** Milliseconds: some clients take seconds to load. */
const LOADING = 60_000;

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    testTimeout: LOADING,
    reporters: ['default', new PageReporter()],
  },
});
