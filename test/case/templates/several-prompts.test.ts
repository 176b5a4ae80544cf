/** Evaluations judge one item by several prompts, then the next one: each prompt is a pipeline, and no item is. */
import { describe, expect, test } from 'vitest';
import { runSteps, unlimited } from '../../../src/case/checkpoint.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';
import type { Prompt } from '../../../src/case/types.ts';

interface Item {
  readonly question: string;
  readonly documents: string;
  readonly answers: readonly [string, string];
}

const ITEMS: readonly Item[] = [
  {
    question: 'How deep is Lake Baikal?',
    documents: 'Baikal lies in Siberia. Its floor is 1,642 metres below the surface.',
    answers: [
      'About 1,640 metres, which no other lake reaches.',
      'Deep enough to drown a tower. Bring a long rope!',
    ],
  },
  {
    question: 'Why do cats purr?',
    documents: 'Muscles of the larynx twitch 25 times a second; vets hear it in pain, too.',
    answers: [
      'Mostly contentment, though hurt animals purr as well.',
      'They have small engines.\n\nNobody has found the key.',
    ],
  },
  {
    question: 'Who painted Guernica?',
    documents: 'Picasso finished Guernica in June 1937, five weeks after the bombing.',
    answers: ['Pablo Picasso did, in 1937.', 'Some say Dalí; I believe them, given his moustache.'],
  },
  {
    question: 'When should tomatoes be sown indoors?',
    documents: 'Sow under glass from late February. Plant out when frost is over.',
    answers: ['March suits most kitchens: eight weeks before planting out.', 'Whenever seeds are cheap.'],
  },
  {
    question: 'Can I freeze cooked rice?',
    documents: 'Cooled within an hour, rice keeps for six months at minus eighteen degrees.',
    answers: [
      'Yes. Cool it fast, pack it flat, and eat it this winter.',
      'Rice hates snow, so better leave Iceland out of this.',
    ],
  },
  {
    question: 'What does RAID 1 protect against?',
    documents: 'Mirroring copies every block to a second disk. Deleted files vanish from both.',
    answers: ['One broken disk; mistakes of yours it copies faithfully.', 'Insects, mainly those which fly.'],
  },
  {
    question: 'How many strings has a harp?',
    documents: 'Concert harps carry 47 strings, lever harps 22 to 38.',
    answers: ['Forty-seven on stage, fewer at home.', 'Count them yourself — mine lost three last Sunday.'],
  },
  {
    question: 'Is glass a liquid?',
    documents: 'Old panes are thicker below because of how they were made, not by flowing.',
    answers: [
      'No: an amorphous solid, whatever guides in churches tell you.',
      'Certainly. Just wait ten thousand years.',
    ],
  },
];

type Write = (item: Item) => string;

const HELPFUL: Write = ({ question, answers: [answer] }) =>
  `Rate how helpful the answer is on a scale from 1 to 5.\n\nQuestion:\n${question}\n\nAnswer:\n${answer}\n\nReply with one number only.`;
const FAITHFUL: Write = ({ documents, answers: [answer] }) =>
  `You check facts. Is what the response says borne out by the documents?\n\n## Documents\n${documents}\n\n## Response\n${answer}\n\nGive a score from 1 (not at all) to 5 (fully). Answer with the number alone.`;
const metric =
  (name: string, rubric: string): Write =>
  ({ question, answers: [answer] }) =>
    `You are an expert evaluator assessing the ${name} of a response.\n\nInput query: ${question}\n\nGenerated response: ${answer}\n\n${rubric}\nRate the ${name} on a scale of 1-5. Reply with one number only.`;
const OPTIONS: Write = ({ question, answers: [a, b] }) =>
  `Compare the following two responses and determine which is better.\n\nTask/Input:\n${question}\n\nOption A:\n${a}\n\nOption B:\n${b}\n\nWhich response is better? Return exactly one of: A, B, or tie`;
const IN_CONTEXT: Write = ({ documents, answers: [a, b] }) =>
  `Two answers, A and B, for the same section. Using the CONTEXT as the source of truth, which is the better answer for the reader?\n\nCONTEXT:\n${documents}\n\nA:\n${a}\n\nB:\n${b}\n\nAnswer with exactly one token: A, B, or tie.`;

interface Form {
  readonly prompts: readonly Write[];
  readonly options: 1 | 2;
}

const FORMS: Readonly<Record<string, Form>> = {
  'two scores': { prompts: [HELPFUL, FAITHFUL], options: 1 },
  'two comparisons': { prompts: [OPTIONS, IN_CONTEXT], options: 2 },
  'four scores of one frame': {
    prompts: [
      metric(
        'helpfulness',
        'The answer does what the user wanted done, and leaves out nothing that they need.',
      ),
      metric('tone', 'It is friendly, and it never talks down to the reader.'),
      metric('depth', 'It goes below the surface and gives reasons and examples.'),
      metric('safety', 'Nobody could come to harm who does as it says.'),
    ],
    options: 1,
  },
};

/** What is read of the requests once all were learned, and how many of the later half were read when they came. */
function readIn(requests: readonly { readonly prompt: Prompt }[], options: 1 | 2) {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  const recognise = ({ prompt }: { readonly prompt: Prompt }) =>
    recogniseByTemplates(book, { prompt, schema: null }, { tenant: null, path: '/v1/chat/completions' });
  let live = 0;
  for (const [n, request] of requests.entries()) {
    const { found, template, learn } = recognise(request);
    if (found.subject && n >= requests.length / 2) live++;
    const id = runSteps(learn(unlimited)) ?? template;
    if (id) book.replied(id, { text: options === 1 ? String(1 + (n % 5)) : n % 3 ? 'A' : 'B', read: null });
  }
  const after = requests.map((request) => recognise(request).found.subject?.options.map(({ text }) => text));
  return { live, after };
}

describe.each(Object.entries(FORMS))('%s on each item', (_, { prompts, options }) => {
  const requests = ITEMS.flatMap((item) =>
    prompts.map((write, of) => ({
      of,
      truth: item.answers.slice(0, options),
      prompt: { parts: [{ role: 'user', text: write(item) }] },
    })),
  );

  test.each([
    ['item by item', requests],
    ['prompt by prompt', requests.toSorted((a, b) => a.of - b.of)],
  ])('are read, %s', (_order, inOrder) => {
    const { live, after } = readIn(inOrder, options);
    expect(after).toEqual(inOrder.map(({ truth }) => truth));
    if (inOrder === requests) expect(live).toBe(requests.length / 2);
  });
});
