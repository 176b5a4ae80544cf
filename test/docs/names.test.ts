/** Every setting, option and header that the documentation names is one that there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FACT_HEADERS } from '../../src/proxy/proxy-facts.ts';
import { SETTINGS } from '../../src/proxy/settings.ts';
import { PAGES, ROOT } from './blocks.ts';

const pages = [...PAGES, 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'].map(
  (page) => [page, readFileSync(join(ROOT, page), 'utf8')] as const,
);
const sources = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );

/** `page: name` of each name that is found and not known. */
const unknown = (pattern: RegExp, isKnown: (name: string) => boolean) =>
  pages.flatMap(([page, text]) =>
    [...new Set([...text.matchAll(pattern)].map(([name]) => name))]
      .filter((name) => !isKnown(name))
      .map((name) => `${page}: ${name}`),
  );

test('settings', () => {
  /** Names that an example makes up, or that an environment other than the server's has. */
  const others: Readonly<Record<string, string>> = {
    REMAND_GREETING_LENGTH: 'the setting that CONTRIBUTING adds as an example',
  };
  expect(unknown(/\bREMAND_[A-Z_]*[A-Z]\b/g, (name) => name in SETTINGS || name in others)).toEqual([]);
});

test('every setting that is read is in the reference and in .env.example', () => {
  const [page = '', example = ''] = ['docs/settings.md', '.env.example'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const missing = Object.keys(SETTINGS).filter(
    (name) => !page.includes(`\n| \`${name}\``) || !example.includes(`\n#${name}=`),
  );
  expect(missing).toEqual([]);
});

test('headers', () => {
  const code = sources('src').join('\n');
  // The fact that CONTRIBUTING adds as an example.
  const known = [...FACT_HEADERS, 'x-remand-lost'];
  const isKnown = (name: string) => known.includes(name) || code.includes(`'${name}'`);
  expect(unknown(/\bx-remand-[a-z-]*[a-z]\b/g, isKnown)).toEqual([]);
});

test('doubts about how a prompt is read', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const guesses = read('src/case/layouts/evident.ts') + read('src/case/read.ts');
  const confirmation = read('src/case/templates/confirmation.ts');
  const why = /const WHY\b[^{]+\{(.*?)\n\};/s.exec(confirmation)?.[1] ?? '';
  const doubts = [
    ...[...guesses.matchAll(/(?:return|\?) '([a-z]+ [^'\n]+)'/g)].map(([, doubt = '']) => doubt),
    ...[...why.matchAll(/['`]([a-z].*)['`],$/gm)].map(([, doubt = '']) => doubt),
    ...[...confirmation.matchAll(/: '(none of its slots [^']+)'/g)].map(([, doubt = '']) => doubt),
  ].map((doubt) => doubt.replace(/\$\{CASES_TO_CONFIRM\}/, '3').split(/[;.] |: no name/)[0] ?? '');
  const page = read('docs/templates.md');
  const section = page.slice(page.indexOf('### Why one does not act'), page.indexOf('## Without a proxy'));
  const told = [...section.matchAll(/`([a-z]+ [^`]+ [^`]+)`/g)].map(([, doubt = '']) => doubt);
  const known = told
    .map((doubt) => doubt.replace(/: no name says so$/, ''))
    .filter((doubt) => doubt !== 'remand read');
  expect(known.toSorted()).toEqual([...new Set(doubts)].toSorted());
});

test('options', () => {
  const code = sources('src', 'bench', 'dev', 'test/templates', 'test/security').join('\n');
  /** Of other programs that a page runs. */
  const others = [
    ...['--served-model-name', '--port'], // vLLM
    ...['--remote', '--file', '--command', '--var', '--compatibility-date', '--compatibility-flags'], // wrangler
    ...['--profile', '--stop-timeout'], // docker compose, docker
    ...['--project'], // vitest
    ...['--no-git-tag-version', '--save-dev'], // npm
    ...['--data-binary'], // curl
    ...['--isolation', '--boot', '--offline'], // buildah, systemd-nspawn, systemd-analyze
    ...['--log-format'], // Inspect
    ...['--max-logprobs'], // vLLM
    ...['--to'], // the command that CONTRIBUTING adds as an example
  ];
  const isKnown = (name: string) => {
    const word = name.slice(2).replace(/^no-/, '');
    return (
      new RegExp(`['"]${word}['"]|\\b${word}: |--(?:no-)?${word}\\b`).test(code) || others.includes(name)
    );
  };
  expect(unknown(/(?<![\w-])--[a-z][a-z-]*[a-z]\b/g, isKnown)).toEqual([]);
});
