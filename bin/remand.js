#!/usr/bin/env node
/*
 * The command `remand`. A checkout runs from its sources, so that what is edited is what runs; an installed
 * package ships no sources (Node strips no types under node_modules) but what was compiled from them when it was
 * packed. So there is never a choice: where the sources are, nothing compiled is looked at.
 */
import { existsSync } from 'node:fs';

const NEEDED = 24;
const source = new URL('../src/cli/remand.ts', import.meta.url);
const compiled = new URL('../dist/src/cli/remand.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `remand: needs Node ${NEEDED} or newer, this is ${process.versions.node}; try npx -p node@${NEEDED} -p remand remand …\n`,
  );
  process.exitCode = 1;
} else {
  await import((existsSync(source) ? source : compiled).href);
}
