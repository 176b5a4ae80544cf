/** A runtime that is too old is told so at import, by name. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const OLDER = 'data:text/javascript,delete RegExp.escape; delete Map.groupBy';

it.each([
  '../src/index.ts',
  '../src/embed/ai-sdk.ts',
  '../src/proxy/embedded.ts',
  '../src/proxy/server.ts',
  '../src/proxy/edge.ts',
])('%s says which one it needs', async (door) => {
  const path = JSON.stringify(import.meta.resolve(door));
  const script = `import(${path}).catch(({ name, message }) => console.log(name, message))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', OLDER, '--eval', script]);
  expect(stdout.trim()).toBe(
    `RemandError remand needs Node 24 or newer, or another runtime that has RegExp.escape; this one is Node ${process.versions.node}`,
  );
});
