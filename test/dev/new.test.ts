/** `npm run new`: in a copy of the checkout it begins one of each kind, and everything holds as before. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { copyCheckout } from './checkout.ts';

const copy = copyCheckout();
afterAll(() => copy.remove());
const run = copy.run;

const tool = (name: string, ...args: readonly string[]) =>
  run(join(copy.folder, 'node_modules/.bin', name), ...args);
const begin = (...args: readonly string[]) => run(process.execPath, join(copy.folder, 'dev/new.ts'), ...args);

function listFiles(): string[] {
  return ['adapters', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(copy.folder, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  );
}

describe('one more of each kind', () => {
  const CASES: readonly (readonly [
    kind: string,
    name: string,
    files: readonly string[],
    /** Lines more, by file: an import, and an entry where the list has a line for each. */
    lists: Readonly<Record<string, number>>,
  ])[] = [
    ['bias', 'madeup', ['src/bias/madeup.ts', 'test/bias/madeup.test.ts'], { 'src/bias/index.ts': 2 }],
    [
      'detector',
      'made-up',
      ['src/detect/made-up.ts', 'test/detect', 'test/detect/made-up.test.ts'],
      { 'src/detect/index.ts': 1 },
    ],
    [
      'protocol',
      'made-up-chat',
      [
        'adapters/made-up-chat',
        'adapters/made-up-chat/index.ts',
        'adapters/made-up-chat/reply.ts',
        'adapters/made-up-chat/request.ts',
        'adapters/made-up-chat/write.ts',
        'test/adapters/made-up-chat.test.ts',
      ],
      { 'adapters/index.ts': 2 },
    ],
    [
      'verdict',
      'invented',
      ['src/case/verdicts/invented.ts', 'test/case/invented-verdict.test.ts'],
      { 'src/case/verdicts/index.ts': 4, 'src/case/types.ts': 2, 'test/case/verdict-kinds.test.ts': 1 },
    ],
  ];

  test.each(CASES)('%s %s', async (kind, name, files, lists) => {
    const before = listFiles();
    const count = (path: string) => readFileSync(join(copy.folder, path), 'utf8').split('\n').length;
    const counts = Object.keys(lists).map((path) => [path, count(path)] as const);
    const begun = await begin(kind, name);
    expect(begun, begun.said).toMatchObject({ code: 0 });
    const written = listFiles().filter((path) => !before.includes(path));
    expect(written.toSorted()).toEqual(files);
    expect(Object.fromEntries(counts.map(([path, lines]) => [path, count(path) - lines]))).toEqual(lists);

    const again = await begin(kind, name);
    expect(again).toMatchObject({ code: 2 });
    expect(again.said).toContain(`of that name: ${files.find((path) => path.endsWith('.ts'))}`);
  });

  // Their types are held by contributing.test.ts, which compiles a copy of its own.
  test('style and tests hold', async () => {
    const changed = CASES.flatMap(([, , files, lists]) => [...files, ...Object.keys(lists)]).filter((path) =>
      path.endsWith('.ts'),
    );
    const [style, tests] = [
      await tool('biome', 'check', '--error-on-warnings', ...new Set(changed)),
      await tool('vitest', 'run', '--project', 'node', '--maxWorkers', '1'),
    ];
    expect(style, style.said).toMatchObject({ code: 0 });
    expect(tests, tests.said).toMatchObject({ code: 0 });
    expect(tests.said).toMatch(/Test Files\s+7 passed/);
  });
});

test.each([
  [['biass', 'x'], /no kind "biass".*bias, detector, protocol, verdict/],
  [[], /no kind ""/],
  [['bias'], /the name of a bias is lower-case words with hyphens, not ""/],
  [['bias', 'two_words'], /not "two_words"/],
  [['detector', '../x'], /not "..\/x"/],
  [['detector', 'class'], /word of the language/],
  [['bias', 'position'], /of that name: src\/bias\/position.ts/],
  [['bias', 'types'], /of that name/],
  [['protocol', 'gemini'], /of that name: adapters\/gemini\/index.ts/],
  [['bias', 'x', 'y'], /what is y/],
])('%j is refused, and nothing is written', async (args, why) => {
  const before = listFiles();
  const { code, said } = await begin(...args);
  expect(code).toBe(2);
  expect(said).toMatch(why);
  expect(said).not.toContain('    at ');
  expect(listFiles()).toEqual(before);
});
