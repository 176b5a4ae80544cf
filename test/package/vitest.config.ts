/** `npm run test:package`: what npm would publish, installed and used as its users would. */
import { defineConfig } from 'vitest/config';

/** Milliseconds: a build, an installation, a first start of workerd. */
const SLOW = 300_000;

export default defineConfig({
  test: { include: ['test/package/**/*.test.ts'], testTimeout: SLOW, hookTimeout: SLOW },
});
