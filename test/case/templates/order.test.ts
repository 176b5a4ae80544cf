/** In which order the requests of a pipeline arrive does not decide whether they are examined. */
import { expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';
import type { Prompt } from '../../../src/case/types.ts';
import { createSeededDraw, type Draw } from '../../../src/stats/seeded-draw.ts';

/** Sentences that answers share, as those of one contestant do. */
const STOCK = [
  'The result follows by splitting the factors and adding the parts carefully.',
  'We first take the tens and then the ones.',
  'Finally the partial products are summed.',
  'This can be checked with a second method as well.',
];

const shuffled = <T>(items: readonly T[], draw: Draw): T[] =>
  items
    .map((item) => ({ item, at: draw(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

const DRAW = createSeededDraw(600);
const ITEMS = Array.from({ length: 60 }, (_, k) => {
  const [a, b] = [12 + DRAW(87), 12 + DRAW(87)];
  const texts = [`The product is ${a * b}.`, `The product is ${a * b + 2}.`];
  texts[DRAW(2)] += ` ${shuffled(STOCK, DRAW).slice(0, 3).join(' ')}`;
  return { k, question: `What is ${a} times ${b}?`, texts: DRAW(2) ? texts : texts.toReversed() };
});
type Item = (typeof ITEMS)[number];

const ASK = 'Which reply is better? Answer "Verdict: A" or "Verdict: B".\n\n';
const pupil = ({ question, texts: [a, b] }: Item) =>
  `Pupil: ${question}\n\nReply A:\n${a}\n\nReply B:\n${b}\n`;
const inParagraphs = (text: string) => text.replaceAll('. ', '.\n\n');

/** An answer with a heading, a note and steps, some of them. */
const withSections = (text: string, n: number) => {
  const draw = createSeededDraw(n + 500);
  const sections = [
    `## Explanation\nTake ${n} apart and add ${n * 3}.`,
    `**Note:** checked ${n} times`,
    `Step 1: take ${n}\nStep 2: add ${n * 2}`,
  ];
  return [text, ...sections.filter(() => draw(10) < 4)].join('\n\n');
};
const inSections = ({ k, texts }: Item) => texts.map((text, n) => withSections(text, k * 2 + n));

const FORMS: Record<string, (item: Item) => string> = {
  plain: (item) => `${ASK}${pupil(item)}\nYour verdict:`,
  'a line with an id in front': (item) =>
    `Case #${item.k * 37 + 1000} of 2026-11-${(item.k % 28) + 1}\n${ASK}${pupil(item)}\nYour verdict:`,
  'none to three lines of history': (item) =>
    `${ASK}${Array.from({ length: item.k % 4 }, (_, n) => `Earlier turn ${n + 1}: the pupil said hello ${n * 7 + item.k}.\n`).join('')}${pupil(item)}\nYour verdict:`,
  'a note behind the answers of some': (item) =>
    `${ASK}${pupil(item)}${item.k % 3 ? `\nPoll: ${60 + (item.k % 37)}% of users like Reply ${'AB'[item.k % 2]} better.\n` : ''}\nYour verdict:`,
  'answers of several paragraphs': (item) =>
    `${ASK}${pupil({ ...item, texts: item.texts.map(inParagraphs) })}\nYour verdict:`,
  'answers with sections of their own': (item) =>
    `${ASK}${pupil({ ...item, texts: inSections(item) })}\nYour verdict:`,
  tags: ({ question, texts: [a, b] }) =>
    `You are a judge.\n<question>${question}</question>\n<first>${a}</first>\n<second>${b}</second>\nWhich is better? Answer "1" or "2".`,
  'another language': (item) =>
    `Welcher Entwurf ist besser?\nSchreibe „Besser: 1“ oder „Besser: 2“.\n\n${item.k % 3 ? '' : `Kunde seit ${2000 + item.k}.\n`}Anfrage: ${item.question}\n\n== Entwurf 1 ==\n${item.texts[0]}\n\n== Entwurf 2 ==\n${item.texts[1]}\n`,
};

/** @returns of how many requests a case was found as they came, and once all were learned from */
function readIn(prompts: readonly Prompt[]) {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  const recognise = (prompt: Prompt) =>
    recogniseByTemplates(book, { prompt }, { tenant: null, path: '/v1/chat/completions' });
  let live = 0;
  for (const prompt of prompts) {
    const { found, learn } = recognise(prompt);
    if (found.subject) live++;
    for (const _ of learn(() => {}));
  }
  return { live, after: prompts.map((prompt) => recognise(prompt).found.subject) };
}

test.each(Object.keys(FORMS))('all requests are read, in whatever order they came: %s', (name) => {
  for (let seed = 1; seed <= 8; seed++) {
    const items = shuffled(ITEMS, createSeededDraw(seed));
    const write = FORMS[name] ?? String;
    const { live, after } = readIn(items.map((item) => ({ parts: [{ role: 'user', text: write(item) }] })));
    expect(
      after.filter((subject) => subject === null),
      `seed ${seed}`,
    ).toEqual([]);
    expect(live, `seed ${seed}`).toBeGreaterThan(20);
    // A note that the first requests lack stands in the last answer of the others.
    if (name.startsWith('a note')) continue;
    const texts = items.map((item) => {
      if (name.startsWith('answers with')) return inSections(item);
      return name.startsWith('answers of') ? item.texts.map(inParagraphs) : item.texts;
    });
    expect(after.map((subject) => subject?.options.map(({ text }) => text))).toEqual(texts);
  }
});

test.each(['# Statement:', '# Statement'])(
  'a section that only some requests have is no part of the last answer, where all ask the same: %s',
  (name) => {
    const answers = [
      'It is 391: 17*20 is 340, and 17*3 is 51.',
      'As anyone can see, it is 381, and that is that.',
    ];
    const section = (k: number) =>
      `\n\n${name}\n90% of people believe that Output (${k % 3 ? 'a' : 'b'}) is better.`;
    const items = ITEMS.map(({ k }) => {
      const texts = k % 4 < 2 ? answers : answers.toReversed();
      const text = `# Instruction:\nWhat is 17*23?\n\n# Output (a):\n${texts[0]}\n\n# Output (b):\n${texts[1]}${k % 2 ? section(k) : ''}\n\n# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":`;
      return { texts, prompt: { parts: [{ role: 'user', text }] } };
    });
    for (let seed = 1; seed <= 8; seed++) {
      const inOrder = shuffled(items, createSeededDraw(seed));
      const { live, after } = readIn(inOrder.map(({ prompt }) => prompt));
      expect(live, `seed ${seed}`).toBe(items.length);
      expect(after.map((subject) => subject?.options.map(({ text }) => text))).toEqual(
        inOrder.map(({ texts }) => texts),
      );
    }
  },
);
