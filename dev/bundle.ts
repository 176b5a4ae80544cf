/**
 * Puts the command line and the server in a few files, in the place of `dist/src/cli/remand.js`, and the thread that writes
 * to SQLite beside them (`npm run build`). V8 keeps the text of every module that it has loaded: 900 modules with their
 * comments, and parts of undici and zod that nothing asks for, are a tenth of a server's memory at its start
 * (docs/operations.md). The other commands stay what the compiler made.
 *
 * Names stay and lines are not joined: a stack trace tells what failed without a source map.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { describeCommand } from '../src/cli/usage.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const MAIN = join(root, 'src/cli/remand.ts');
/** Names the commands and loads them. */
const COMMANDS = join(root, 'src/cli/commands.ts');
/** Draws a report where a result is told in words. */
const RESULTS = join(root, 'src/cli/result-origin.ts');
const ERRORS = join(root, 'src/errors.ts');

/** The parts of undici that src/http uses. Its own entry loads all others, fetch and WebSocket among them. */
const { resolve } = createRequire(import.meta.url);
const UNDICI = `
  export { default as Agent } from ${JSON.stringify(resolve('undici/lib/dispatcher/agent.js'))};
  export { default as EnvHttpProxyAgent } from ${JSON.stringify(resolve('undici/lib/dispatcher/env-http-proxy-agent.js'))};
  export { default as errors } from ${JSON.stringify(resolve('undici/lib/core/errors.js'))};
`;

const parts: Plugin = {
  name: 'parts',
  setup({ onLoad, onResolve }) {
    // Commands tell errors apart by their class, so there is one file of them.
    onResolve({ filter: /\/errors\.ts$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path) === ERRORS ? { path: '../errors.js', external: true } : null,
    );
    // What is loaded when it is asked for: other commands, and libraries (models by Hugging Face or OpenAI).
    onResolve({ filter: /./ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' &&
      ([MAIN, COMMANDS, RESULTS].includes(importer) ? path !== './serve.ts' : !path.startsWith('.'))
        ? { path: path.replace(/\.ts$/, '.js'), external: true }
        : null,
    );
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    onLoad({ filter: /./, namespace: 'parts' }, () => ({ contents: UNDICI, resolveDir: root }));
    // A literal that is parsed is kept once, and what it was written as a second time.
    onLoad({ filter: /\.json$/ }, async ({ path }) => ({
      contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))))})`,
    }));
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => ({
      contents: inAscii(path, await readFile(path, 'utf8')),
      loader: extname(path).endsWith('ts') ? 'ts' : 'js',
    }));
  },
};

/**
 * One letter beyond ASCII, and V8 keeps the whole file with two bytes a letter. esbuild escapes them in strings, not in
 * regular expressions.
 */
function inAscii(path: string, code: string): string {
  const found = /\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.exec(code);
  if (found) throw new Error(`${path}: cannot be escaped: ${found[0]}`);
  return code.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

await build({
  absWorkingDir: root,
  entryPoints: { remand: MAIN, 'thread-script': 'src/proxy/storage/thread-script.ts' },
  outdir: 'dist/src/cli',
  chunkNames: 'serve-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // The variants of packages that are ES modules: esbuild leaves out what is not used of those.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  // Dependencies that are CommonJS require Node's own modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  plugins: [parts],
  logLevel: 'warning',
});
await writeFile(join(root, 'dist/src/cli/usage.json'), JSON.stringify(await describeCommand()));
