/**
 * The list of the packages that Remand runs with (CycloneDX), made of npm's list of all packages on its standard input:
 *
 *     npm sbom --sbom-format cyclonedx --package-lock-only | node dev/sbom.ts > dist/sbom.json
 *
 * `npm sbom --omit dev` cannot be used: it leaves out every package that some other package has as a peer or development
 * dependency, zod among them (32 of 120, npm 11.19.1).
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

const lockfile = z.object({
  name: z.string(),
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional() })),
});

const list = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const root = new URL('../', import.meta.url);
const { name, packages } = lockfile.parse(
  JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')),
);
const all = list.parse(JSON.parse(await text(process.stdin)));

// Of a package without `dev` some place in the tree is needed at run time.
const runtime = new Set(
  Object.entries(packages)
    .filter(([, { dev }]) => dev !== true)
    .map(
      ([path, { version }]) =>
        `${path.slice(path.lastIndexOf('node_modules/')).replace('node_modules/', '') || name}@${version}`,
    ),
);
const components = all.components.filter((one) => runtime.has(one['bom-ref']));
const { metadata } = all;
const kept = {
  ...all,
  // npm takes the folder's name.
  metadata: { ...metadata, component: { ...metadata.component, name } },
  components,
  dependencies: all.dependencies
    .filter(({ ref }) => runtime.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => runtime.has(ref)) })),
};
process.stdout.write(`${JSON.stringify(kept, null, 2)}\n`);
