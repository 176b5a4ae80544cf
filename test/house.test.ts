/**
 * The house: imports point one way, floor by floor, and run in no circle; what a room lists is named nowhere else.
 * docs/architecture.md draws it; this holds it up. And what its tests may not measure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ADAPTERS } from '../adapters/index.ts';
import {
  formatEnvExample,
  formatReasonsPage,
  formatSettingsPage,
  formatVersionFile,
} from '../dev/settings-text.ts';
import { CATALOGUE } from '../src/bias/index.ts';
import { DETECTOR_NAMES } from '../src/detect/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** From the top down. A file may import from its own floor and from those below. */
const FLOORS: readonly (readonly string[])[] = [
  ['src/cli', 'src/index.ts'],
  ['src/proxy', 'src/embed', 'src/evaluate'],
  ['src/dataset'],
  ['src/audit', 'src/judgment', 'src/trace'],
  ['src/loop', 'src/sandbox'],
  ['src/detect'],
  ['src/bias', 'src/models'],
  ['adapters'],
  ['src/http', 'src/records', 'src/logs'],
  ['src/case', 'src/stats', 'prompts', 'src/report'],
  [
    'src/ports.ts',
    'src/errors.ts',
    'src/runtime-check.ts',
    'src/nearest-name.ts',
    'src/strict-fields.ts',
    'src/bytes.ts',
    'src/parse-json.ts',
    'src/align-cells.ts',
    'src/shorten.ts',
    'src/version.ts',
  ],
];

const files = ['src', 'adapters', 'prompts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name)),
);
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    );
    return [file, found] as const;
  }),
);
function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.some((room) => file === room || file.startsWith(`${room}/`)));
}

it('every file stands on a floor', () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
});

it('the architecture says what lives in every room', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(
    FLOORS.flat().filter((room) => !page.includes(`| \`${room}${room.endsWith('.ts') ? '' : '/'}\` |`)),
  ).toEqual([]);
});

it('no import points up', () => {
  const up = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => floorOf(target) < floorOf(file))
      .map((target) => `${file} → ${relative('.', target)}`),
  );
  expect(up).toEqual([]);
});

/** Each circle as the names along it. */
function findCircles<T>(targetsOf: (from: T) => Iterable<T>, all: Iterable<T>): string[] {
  const done = new Set<T>();
  const circles: string[] = [];
  const visit = (one: T, path: readonly T[]): void => {
    if (path.includes(one)) circles.push([...path.slice(path.indexOf(one)), one].join(' → '));
    if (path.includes(one) || done.has(one)) return;
    for (const target of targetsOf(one)) if (target !== one) visit(target, [...path, one]);
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return circles;
}

/** Rooms have one door: other rooms import their `index.ts` or, of what needs Node, `node.ts`, and nothing else of them. */
const DOORS = FLOORS.flat().filter((room) => !room.endsWith('.ts'));

/** Files that other rooms import all the same, and why. */
const SIDE_DOORS: readonly { readonly why: string; readonly files: readonly string[] }[] = [
  {
    why: 'the door would load every protocol, or every evaluation, with it',
    files: [
      'adapters/token-usage.ts',
      'src/evaluate/confidence/past-judgment.ts',
      'src/evaluate/estimate/estimate-rate.ts',
    ],
  },
  { why: 'for Node alone', files: ['src/http/pool.ts', 'src/models/store/sqlite-calls.ts'] },
  { why: 'loads libraries that datasets alone need', files: ['src/records/parquet.ts'] },
  {
    why: 'what the proxy rules by: the door would load the whole report with it',
    files: ['src/report/calibration.ts'],
  },
  {
    why: 'no statistic: the door is what the package exports',
    files: ['src/stats/figure.ts', 'src/stats/mean.ts', 'src/stats/seeded-draw.ts'],
  },
  {
    why: 'commands that need a part of the proxy (keys, settings, how a request is read) start no server',
    files: [
      'src/proxy/access/door.ts',
      'src/proxy/access/key-store.ts',
      'src/proxy/access/key.ts',
      'src/proxy/config.ts',
      'src/proxy/embedded.ts',
      'src/proxy/labels/label.ts',
      'src/proxy/labels/trace-records.ts',
      'src/proxy/learning.ts',
      'src/proxy/limits/account-book.ts',
      'src/proxy/limits/local-limits.ts',
      'src/proxy/log.ts',
      'src/proxy/node-storage.ts',
      'src/proxy/server.ts',
      'src/proxy/setting-values.ts',
      'src/proxy/upstream.ts',
    ],
  },
];

it('a room with a door is entered by it', () => {
  const beside = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) =>
      DOORS.some(
        (room) =>
          target.startsWith(`${room}/`) &&
          !file.startsWith(`${room}/`) &&
          ![`${room}/index.ts`, `${room}/node.ts`].includes(target),
      ),
    ),
  );
  expect([...new Set(beside)].toSorted()).toEqual(SIDE_DOORS.flatMap(({ files }) => files).toSorted());
});

it('no imports run in a circle', () => {
  expect(findCircles((file) => imports.get(file) ?? [], files)).toEqual([]);
});

it('the app at the edge loads neither files nor telemetry', () => {
  const loaded = new Map<string, string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    const text = readFileSync(join(ROOT, file), 'utf8');
    loaded.set(file, text);
    for (const [, path = ''] of text.matchAll(/^(?:import|export)(?! type)[^;']* from '(\.[^']+)'/gm))
      load(join(dirname(file), path));
  };
  load('src/proxy/edge.ts');
  expect(loaded.size).toBeGreaterThan(200);
  const heavy = /^import(?! type)[^;']* from '(?:node:(?:fs|sqlite|worker)|@opentelemetry|undici|csv-)/m;
  expect([...loaded].flatMap(([file, text]) => (heavy.test(text) ? [file] : []))).toEqual([]);
});

it('no rooms import each other in a circle', () => {
  const all = FLOORS.flat();
  const roomOf = (file: string) => all.find((room) => file === room || file.startsWith(`${room}/`)) ?? file;
  const targets = new Map(all.map((room) => [room, new Set<string>()]));
  for (const [file, paths] of imports) for (const path of paths) targets.get(roomOf(file))?.add(roomOf(path));
  expect(findCircles((room) => targets.get(room) ?? [], all)).toEqual([]);
});

it('folders side by side import each other in no circle, however deep', () => {
  const targets = new Map<string, Set<string>>();
  for (const [file, paths] of imports) {
    for (const path of paths) {
      const [from, to] = [file.split('/'), path.split('/')];
      const depth = from.findIndex((name, n) => name !== to[n]);
      // `src` and `adapters` lie side by side in the tree, and their rooms on floors.
      if (depth < 1 || from.length <= depth + 1 || to.length <= depth + 1) continue;
      const [here, there] = [from, to].map((names) => names.slice(0, depth + 1).join('/'));
      if (here && there) targets.set(here, (targets.get(here) ?? new Set()).add(there));
    }
  }
  expect(targets.size).toBeGreaterThan(20);
  expect(findCircles((folder) => targets.get(folder) ?? [], targets.keys())).toEqual([]);
});

/** What is listed in one room only, and the words of it. */
const REGISTRIES = [
  // `instruction` is the task of a case everywhere, and only in the catalogue an order to the judge; `identity` is an encoding of HTTP;
  // `reference` is the role of a slot.
  {
    room: 'src/bias',
    words: CATALOGUE.map(({ name }) => name).filter(
      (name) => !['instruction', 'identity', 'reference'].includes(name),
    ),
  },
  { room: 'adapters', words: ADAPTERS.map(({ name }) => name) },
  { room: 'src/detect', words: DETECTOR_NAMES },
];

/** Where such a word means something else, or a list cannot be asked. */
const EXCEPTIONS = [
  {
    why: 'the kind of a call: to judge a case again with something undone',
    words: ['probe'],
    files: [
      'src/ports.ts',
      'src/trace/trace-schema.ts',
      'src/judgment/question.ts',
      'src/loop/scope.ts',
      'src/loop/types.ts',
      'src/evaluate/recorded-run.ts',
    ],
  },
  {
    why: 'Hugging Face Inference as an endpoint of detector models, whatever protocol is spoken there',
    words: ['huggingface'],
    files: ['src/proxy/detectors.ts'],
  },
  {
    why: 'who wrote a review: a column of the data',
    words: ['author'],
    files: ['src/audit/authorship/read-reviews.ts', 'src/audit/authorship/review.ts'],
  },
  {
    why: 'a word by which a reason names a cue',
    words: ['provenance', 'recency'],
    files: ['src/audit/cues/cue-pairs.ts'],
  },
  {
    why: 'a verdict at the end of a text: a form of reply',
    words: ['conclusion'],
    files: ['src/sandbox/sandbox.ts'],
  },
  {
    why: "the simulated judge's own weakness: which weight a judge lowers that was told of a bias",
    words: [
      ...['verbosity', 'position', 'bandwagon', 'sentiment', 'provenance', 'recency', 'author', 'formatting'],
      ...['reflection', 'authority', 'rubric-order'],
      ...['conclusion', 'hostility', 'unsupported', 'contradiction'],
    ],
    files: ['src/sandbox/preference.ts'],
  },
  {
    why: 'an arm that asks the judge to reflect',
    words: ['reflection'],
    files: ['src/evaluate/arms/index.ts'],
  },
  {
    why: "two of the simulated judge's weights, for which it has reasons in words",
    words: ['provenance', 'recency'],
    files: ['src/sandbox/sandbox.ts'],
  },
  {
    why: 'results name a twin alone, and a report stands below the catalogue',
    words: ['verbosity', 'bandwagon'],
    files: ['src/report/sections/detectors-section.ts'],
  },
];

it('no bias, protocol or detector is named outside its room', () => {
  const found = REGISTRIES.flatMap(({ room, words }) =>
    files
      .filter((file) => !file.startsWith(`${room}/`))
      .flatMap((file) => {
        const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, '');
        const said = [...code.matchAll(/(['"`])([a-z-]+(?:, ?[a-z-]+)*)\1/g)].flatMap(([, , list = '']) =>
          list.split(/, ?/),
        );
        return words.filter((word) => said.includes(word)).map((word) => `${file}: ${word}`);
      }),
  );
  const known = EXCEPTIONS.flatMap(({ words, files: named }) =>
    named.flatMap((file) => words.map((word) => `${file}: ${word}`)),
  );
  expect(found.toSorted()).toEqual(known.toSorted());
});

/** Other things that have such a kind, by the file that asks for it. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  'src/dataset/build-dataset.ts': 'an item of base data: a pair to choose from, or an answer to score',
  'src/loop/confidence.ts': 'of draws taken together, of which equal scores are a tie',
  'src/proxy/judging-handler.ts': 'a request that was read: it may pass as it came',
};

it('only the case asks for the kind of a verdict', () => {
  const registry = readFileSync(join(ROOT, 'src/case/verdicts/index.ts'), 'utf8');
  const [, listed = ''] = /const KINDS: Kinds = \{([^}]+)\}/.exec(registry) ?? [];
  const kinds = [...listed.matchAll(/\w+/g)].map(([name]) => name).filter((name) => name !== 'none');
  expect(kinds.length).toBeGreaterThan(6);
  const asks = new RegExp(`kind [!=]== '(?:${kinds.join('|')})'|case '(?:${kinds.join('|')})':`);
  const found = files.filter(
    (file) => !file.startsWith('src/case/') && asks.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(found.toSorted()).toEqual(Object.keys(OTHER_KINDS));
});

/** Files that are called alike: the parts of each protocol, of each audit, and the doors and types of each folder. */
const PARTS = /^adapters\/[^/]+\/|^src\/audit\/(?:[^/]+\/)?plan\.ts$|\/(?:index|node|types)\.ts$/;

it('no file is called as another one', () => {
  const names = Map.groupBy(
    files.filter((file) => !PARTS.test(file)),
    (file) => file.slice(file.lastIndexOf('/') + 1),
  );
  const shared = [...names].filter(([, all]) => all.length > 1);
  expect(shared).toEqual([]);
});

it('no name is exported by two files', () => {
  const exported =
    /^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|let|enum) (\w+)/gm;
  const names = Map.groupBy(
    files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(exported)].map(([, name = '']) => ({ name, file })),
    ),
    ({ name }) => name,
  );
  expect(
    [...names].flatMap(([name, all]) => {
      const where = [...new Set(all.map(({ file }) => file))];
      return where.length > 1 ? [`${name}: ${where.join(', ')}`] : [];
    }),
  ).toEqual([]);
});

/** Tests and their tools that read the machine's clock, and why a busy machine breaks none of them. */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'test/security/cpu-time.ts':
    'only to see how time grows with the length of a text; what looks slow is measured in CPU',
  'test/proxy/servers.ts': 'notes when a connection was closed',
  'test/proxy/edge-disconnect.test.ts': 'a moment before which nothing may end; later is fine',
};

it('no literal is spread into the one that it stands in', () => {
  expect(files.filter((file) => /\.\.\.\{\s*\w/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it('no test measures time: it moves a clock, counts, or sees how CPU time grows', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[mc]?[jt]s$/.test(name) && !/node_modules|\.venv/.test(name))
    .map((name) => join('test', name))
    .filter((name) => name !== 'test/house.test.ts' && !(name in CLOCK_READERS));
  // `Date.now()` alone may be a time that is written down; a difference of two is a duration.
  const stopwatch = /performance\.now\(|hrtime|[cC]puUsage\(|Date\.now\(\)\s*[-<>]|[-<>]\s*Date\.now\(\)/;
  expect(tests.filter((name) => stopwatch.test(readFileSync(join(ROOT, name), 'utf8')))).toEqual([]);
});

it('.env.example and docs/settings.md tell the settings as they are: npm run settings', () => {
  expect(readFileSync(join(ROOT, 'src/version.ts'), 'utf8')).toBe(formatVersionFile());
  expect(readFileSync(join(ROOT, '.env.example'), 'utf8')).toBe(formatEnvExample());
  expect(readFileSync(join(ROOT, 'docs/settings.md'), 'utf8')).toBe(formatSettingsPage());
});

it('docs/reasons.md tells every reason why a verdict goes out unexamined: npm run settings', () => {
  expect(readFileSync(join(ROOT, 'docs/reasons.md'), 'utf8')).toBe(formatReasonsPage());
});
