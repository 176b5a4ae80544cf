/** What a runtime is too old for is said before a module fails that needs it. Each door of the package imports this first. */
import { RemandError } from './errors.ts';

// By what is missing: Bun, Deno and workerd have it.
if (!('escape' in RegExp)) {
  const here = typeof process === 'undefined' ? 'older' : `Node ${process.versions.node}`;
  throw new RemandError(
    `remand needs Node 24 or newer, or another runtime that has RegExp.escape; this one is ${here}`,
  );
}
