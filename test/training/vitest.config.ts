/** Training for real, on the CPU. Not among the tests of every change: it needs Python and 2 GB of packages. */
import { defineConfig } from 'vitest/config';

/** Milliseconds: torch loads three times, on machines that are busy. */
const TRAINING = 540_000;

export default defineConfig({
  test: { root: import.meta.dirname, include: ['**/*.test.ts'], testTimeout: TRAINING },
});
