/**
 * Two projects: `node` runs every test but test/runtime and those that have commands of their own (test/clients,
 * test/python, test/package, test/training). Inside the runtime of Cloudflare Workers, `workerd` runs test/runtime, and
 * the core's tests once more.
 */
import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** What must behave the same at the edge: everything below the proxy that is no Node entry. */
const CORE = ['test/embed/judge.test.ts', 'test/{case,bias,detect,loop,stats}/**/*.test.ts'];
/** Published data, samples and outside figures are read from files, which an edge runtime has none of. */
const READS_FILES = [
  'test/**/*.data.test.ts',
  'test/bias/{review,spotting}.test.ts',
  'test/detect/rbd/**',
  'test/stats/{clustered,distributions}/**',
  'test/stats/{outside-pairs,ranking}.test.ts',
];
/** Thousands of inputs; what one runtime makes of them another does, and the examples of each kind run in both. */
const TRIES_MANY = [
  'test/bias/sentence-polarity.test.ts',
  'test/case/scrambled.test.ts',
  'test/case/templates/known-slots.test.ts',
  'test/stats/{change-alarm,paired-strengths}.test.ts',
];

/** Milliseconds, against tests that hang: no test is to fail because the machine is busy with other things. */
const BUSY = 300_000;

export default defineConfig({
  test: {
    // One more than there are cores: some tests mostly wait, for a time limit, a restart or a process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          // No module of ours holds state, so files can share a worker: half the time goes into loading otherwise.
          isolate: false,
          // After the other: vitest runs projects with different numbers of workers one after the other.
          sequence: { groupOrder: 1 },
          // Node strips the types itself, as it does where Remand runs; no test mocks a module.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          testTimeout: BUSY,
          hookTimeout: BUSY,
          include: ['test/**/*.test.ts'],
          exclude: ['test/runtime/**', 'test/{clients,python,package,training}/**'],
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          name: 'workerd',
          // Files share one worker: a start and the modules take ten times as long as the tests of a file.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
          // What is stored they do not share.
          setupFiles: ['test/runtime/reset.ts'],
          include: [...CORE, 'test/runtime/**/*.test.ts'],
          exclude: [...READS_FILES, ...TRIES_MANY],
          env: { MUTATION_RUNS: '10' },
          testTimeout: BUSY,
        },
      },
    ],
  },
});
