import { expect, test } from 'vitest';
import { withEvenLists } from '../../../../src/case/templates/align/lists.ts';
import { createTemplateBook } from '../../../../src/case/templates/book.ts';
import { learnTemplate } from '../../../../src/case/templates/learned-template.ts';
import { matchTemplate } from '../../../../src/case/templates/match.ts';
import { parseTemplate, printTemplate, type Template } from '../../../../src/case/templates/template.ts';
import type { Prompt } from '../../../../src/case/types.ts';

const TIPS = ['Toggle bolts', 'Find the studs.', 'Ask the shop, they know', 'Nails!', 'Glue'];
const tipsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => TIPS[(first + n) % TIPS.length] ?? '');
const tips = (question: string, count: number, first = count): Prompt => ({
  parts: [
    {
      role: 'user',
      text: `Q: ${question}\n\n${tipsFrom(first, count)
        .map((tip, n) => `Tip ${n + 1}\n${tip}`)
        .join('\n\n')}\n\nEnd of tips. Pick one.`,
    },
  ],
});

test('a list is learned from its first entry and its last, however long it is', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  expect(template.parts[0]?.literals).toEqual([
    'Q: ',
    '\n\nTip 1\n',
    '\n\nTip 2\n',
    '\n\nEnd of tips. Pick one.',
  ]);
});

test('sections with names of unlike things are no list, though some requests lack the last one', () => {
  const texts = ['', '<remarks>Fine</remarks>', ''].map(
    (remarks, n) => `<question>How ${n}?</question>\n<answer>Nails ${n}</answer>\n${remarks}`,
  );
  expect(withEvenLists(texts)).toEqual(texts);
});

test('texts in tags are no list because one of them begins with a sign', () => {
  const texts = ['Two', '"Three"', 'Four'].map(
    (right, n) => `<kuzu>How ${n}?</kuzu>\n<sol>One ${n}</sol>\n<sag>${right}</sag>\nWhich?`,
  );
  expect(withEvenLists(texts)).toEqual(texts);
});

const optionsIn = (template: Template, prompt: Prompt) => {
  const match = matchTemplate(template, prompt);
  const texts = match?.slots
    .filter(({ role }) => role === 'option')
    .map(({ at }) => prompt.parts[0]?.text.slice(at?.start, at?.end));
  return { kind: match?.kind, texts };
};

test('lists of different lengths are read with as many options as each has', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  expect(template.more).toBe(true);
  expect(optionsIn(template, tips('Why?', 5, 0))).toEqual({ kind: 'slots', texts: TIPS });
  expect(optionsIn(template, tips('Why?', 2, 0))).toEqual({ kind: 'slots', texts: TIPS.slice(0, 2) });
});

test('a prompt that goes on and on is ambiguous', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  expect(optionsIn(template, tips('Why?', 34)).kind).toBe('slots');
  expect(optionsIn(template, tips('Why?', 35)).kind).toBe('ambiguous');
});

test('one longer list may be an answer that names the next option, and stays ambiguous', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 3), tips('When', 2, 4)]);
  expect(template.more).toBeUndefined();
  expect(optionsIn(template, tips('Why?', 5, 0))).toEqual({ kind: 'ambiguous', texts: TIPS });
});

const hints = (names: readonly string[], ...texts: readonly string[]): Prompt => ({
  parts: [
    {
      role: 'user',
      text: `Choose a hint.\n<hints>\n${texts.map((text, n) => `<hint id="${names[n]}">${text}</hint>`).join('\n')}\n</hints>`,
    },
  ],
});

test('names that begin alike are counted by what is left of them', () => {
  const names = ['h1', 'h2', 'h3', 'h4'];
  const template = learnTemplate('hints', [
    hints(names, 'The code is 4', 'Pull a barrel', 'Who lies where?', 'Read the graves.'),
    hints(names, 'Plants need water :)', 'Burn it', 'It sleeps when it is dry'),
    hints(names, 'From behind. Which way?', 'Set the clock'),
  ]);
  const texts = ['Wait', 'Click faster!', 'A key', 'Patience'];
  expect(optionsIn(template, hints(names, ...texts))).toEqual({ kind: 'slots', texts });
});

const cards = (asked: string, names: readonly string[], ...texts: readonly string[]) =>
  `Pick a card.\n\nQuestion: ${asked}\n\n${texts.map((text, n) => `[${names[n]}]\n${text}\n\n`).join('')}Sources`;
const COLOURS = ['RED', 'BLUE', 'GREEN', 'GREY'];

test('names of no row make a list where those of all requests begin alike', () => {
  const even = withEvenLists([
    cards('When is it open?', COLOURS, 'From 9 on!', 'By appointment', 'Please call', 'Weekdays only.'),
    cards('Who may apply', COLOURS, 'Anybody', 'Residents, with their passport', 'No idea'),
    cards('Where do I park?', COLOURS, 'Behind the hall.', 'Nowhere'),
  ]);
  expect(even).toEqual([
    cards('When is it open?', COLOURS, 'From 9 on!', 'Weekdays only.'),
    cards('Who may apply', COLOURS, 'Anybody', 'No idea'),
    cards('Where do I park?', COLOURS, 'Behind the hall.', 'Nowhere'),
  ]);
  const others = [
    cards('Why?', ['RED', 'BLUE'], 'a', 'b'),
    cards('Who?', ['RED', 'OCHRE', 'GREY'], 'a', 'b', 'c'),
  ];
  expect(withEvenLists(others)).toEqual(others);
});

test('options of no row are read however many there are, and whatever they are called', () => {
  const template = parseTemplate({
    name: 'cards',
    more: true,
    parts: [{ role: 'user', text: cards('{{instruction}}', COLOURS, '{{option RED}}', '{{option BLUE}}') }],
  });
  const read = (names: readonly string[], ...texts: readonly string[]) =>
    optionsIn(template, { parts: [{ role: 'user', text: cards('Why?', names, ...texts) }] });
  expect(read(COLOURS, 'a', 'b', 'c', 'd')).toEqual({ kind: 'slots', texts: ['a', 'b', 'c', 'd'] });
  expect(read(['RED', 'BLUE', 'OCHRE'], 'a', 'b', 'c')).toEqual({ kind: 'slots', texts: ['a', 'b', 'c'] });
  // Two options of one name would be one.
  expect(read(COLOURS, 'a', 'b\n[RED]\nz').kind).toBe('ambiguous');
  // A line of the kind in an option before the last may be its own.
  expect(read(COLOURS, 'a\n[PINK]\nz', 'b').kind).toBe('ambiguous');
});

test('a verdict calls further options of no row by their names', () => {
  const text = cards('{{instruction}}', COLOURS, '{{option RED}}', '{{option BLUE}}');
  const verdict = { kind: 'choice', labels: ['RED', 'BLUE'], template: 'Card: {}', tie: 'Card: GREEN' };
  const template = parseTemplate({ name: 'cards', more: true, parts: [{ role: 'user', text }], verdict });
  const book = createTemplateBook({ templates: [template], learn: 'off', id: () => 'p' });
  const prompt = { parts: [{ role: 'user', text: cards('Why?', COLOURS, 'a', 'b', 'c') }] };
  const read = book.read({ tenant: '', path: '/v1/chat/completions', schema: null }, prompt, null);
  expect(read).toMatchObject({
    subject: { form: { write: { template: 'Card: {}', labels: ['RED', 'BLUE', 'GREEN'] }, tie: null } },
  });
});

test('headings of markdown in an answer are no options', () => {
  const leaflet = (...texts: readonly string[]): Prompt => ({
    parts: [
      {
        role: 'user',
        text: `Pick one.\n\n${texts.map((text, n) => `## ${['Otter', 'Heron', 'Lynx'][n]}\n${text}\n`).join('\n')}\nWhich?`,
      },
    ],
  });
  const template = learnTemplate('leaflet', [
    leaflet('Shake it', 'Press it!', 'Breathe'),
    leaflet('Take two.', 'Lift nothing', 'Call us'),
    leaflet('It is over', 'Fits are harmless.'),
  ]);
  expect(optionsIn(template, leaflet('One', 'Two\n## Summary\nThree')).kind).toBe('ambiguous');
});

test('where no row tells what the next option is called, a line written as those of the options names one', () => {
  const names = ['tulip', 'rook', 'fern'];
  const template = learnTemplate('hints', [
    hints(names, 'The code is 4', 'Pull a barrel'),
    hints(names, 'Plants need water :)', 'Burn it'),
    hints(names, 'From behind. Which way?', 'Set the clock'),
  ]);
  expect(optionsIn(template, hints(names, 'Wait', 'Click')).kind).toBe('slots');
  expect(optionsIn(template, hints(names, 'Wait', 'Click', 'A key')).kind).toBe('ambiguous');
});

test('what stands between a name and its text is read for each option', () => {
  const essays = (question: string, ...texts: readonly (readonly [string, string])[]): Prompt => ({
    parts: [
      {
        role: 'user',
        text: `Task: ${question}\n${texts.map(([by, text], n) => `\n## Essay ${n + 1} (${by})\n${text}\n`).join('')}\nWhich essay is best?`,
      },
    ],
  });
  const template = learnTemplate('essays', [
    essays('Describe rain.', ['Ida', 'It falls.'], ['Bo', 'Grey and long'], ['Ana', 'Wet!']),
    essays('Why read?', ['Mo', 'To see'], ['Ida', 'Because it is quiet.']),
    essays('Cats or dogs', ['Kim', 'Cats, they judge less'], ['Ana', 'Dogs'], ['Bo', 'Neither, fish.']),
  ]);
  const prompt = essays('Snow', ['Ana', 'a'], ['Kim', 'b'], ['Mo', 'c'], ['Ida', 'd']);
  expect(optionsIn(template, prompt)).toEqual({ kind: 'slots', texts: ['a', 'b', 'c', 'd'] });
});

test('that there may be more options is kept in a file', () => {
  const template = learnTemplate('tips', [tips('How?', 2), tips('Who asks?', 4), tips('When', 3)]);
  expect(parseTemplate(printTemplate(template))).toEqual(template);
});

test('numbers in an answer are no list of the template', () => {
  const texts = ['Plan\n1. mix\n2. bake', 'Recipe\n1. boil\n2. stir\n3. eat'].map(
    (text) => `Grade it.\n\n${text}`,
  );
  expect(withEvenLists(texts)).toEqual(texts);
});

test.each([
  ['a dash with spaces behind its numbers', (n: number) => `  ${n} – `],
  ['a sign in front of its numbers', (n: number) => `#${n} `],
])('a list with %s', (_, name) => {
  const list = (...entries: readonly string[]) =>
    `Titles\n${entries.map((entry, n) => `${name(n + 1)}${entry}`).join('\n')}\n\nWhich?`;
  const texts = [list('red', 'blue'), list('one', 'two', 'three'), list('a', 'b', 'c', 'd')];
  expect(withEvenLists(texts)).toEqual([list('red', 'blue'), list('one', 'three'), list('a', 'd')]);
});
