/** Evaluations judge one item by several prompts, then the next one: each prompt is a pipeline, and no item is. */
import { describe, expect, test } from 'vitest';
import { runSteps, unlimited } from '../../../src/case/checkpoint.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../../src/case/templates/recognition.ts';
import type { Prompt } from '../../../src/case/types.ts';
import { createSeededDraw } from '../../../src/stats/seeded-draw.ts';

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

const WORDS =
  'river town market council winter harvest teacher engine bridge window doctor garden school report morning train coffee music'.split(
    ' ',
  );
const draw = createSeededDraw(5);
const sentence = (length: number) => Array.from({ length }, () => WORDS[draw(WORDS.length)]).join(' ');
/** As many items as there are requests; they share words, and no sentence. */
const OTHERS = Array.from(
  { length: 32 },
  (): Item => ({
    question: `Why ${sentence(6)}?`,
    documents: `The ${sentence(9)}. A ${sentence(7)}.`,
    answers: [`Some ${sentence(9)}.`, `No ${sentence(5)}. Our ${sentence(8)}.`],
  }),
);

type Write = (item: Item) => string;

const HELPFUL: Write = ({ question, answers: [answer] }) =>
  `Rate how helpful the answer is on a scale from 1 to 5.\n\nQuestion:\n${question}\n\nAnswer:\n${answer}\n\nReply with one number only.`;
const FAITHFUL: Write = ({ documents, answers: [answer] }) =>
  `You check facts. Is what the response says borne out by the documents?\n\n## Documents\n${documents}\n\n## Response\n${answer}\n\nGive a score from 1 (not at all) to 5 (fully). Answer with the number alone.`;
const metric =
  (name: string, rubric: string): Write =>
  ({ question, answers: [answer] }) =>
    `You are an expert evaluator assessing the ${name} of a response.\n\nInput query: ${question}\n\nGenerated response: ${answer}\n\n${rubric}\nRate the ${name} on a scale of 1-5. Reply with one number only.`;
/** The criteria of one frame, with what is said of each. */
const CRITERIA = [
  [
    'coherence',
    'All sentences hang together. A reader follows them from the first to the last without going back.',
  ],
  ['relevance', 'It speaks of what was asked, and says nothing of what was not asked.'],
  ['fluency', 'Grammar, spelling and word choice are those of somebody who writes well.'],
  ['accuracy', 'What it claims is true, and it never makes up sources or numbers.'],
] as const;
const BEHIND = CRITERIA.map(
  ([name, rubric]): Write =>
    ({ question, answers: [answer] }) =>
      `Question: ${question}\n\nAnswer: ${answer}\n\nRate the ${name} of the answer: ${rubric}\nReply with a number from 1 to 5.`,
);
const AMONG = CRITERIA.map(
  ([name, rubric]): Write =>
    ({ documents, answers: [answer] }) =>
      `You will be given one summary of an article. Your task is to rate it on one metric.\n\nEvaluation Criteria:\n\n${name} (1-5) - ${rubric}\n\nSource Text:\n\n${documents} ${documents.toUpperCase()}\n\nSummary:\n\n${answer}\n\nEvaluation Form (scores ONLY):\n\n- ${name}:`,
);
const OPTIONS: Write = ({ question, answers: [a, b] }) =>
  `Compare the following two responses and determine which is better.\n\nTask/Input:\n${question}\n\nOption A:\n${a}\n\nOption B:\n${b}\n\nWhich response is better? Return exactly one of: A, B, or tie`;
const IN_CONTEXT: Write = ({ documents, answers: [a, b] }) =>
  `Two answers, A and B, for the same section. Using the CONTEXT as the source of truth, which is the better answer for the reader?\n\nCONTEXT:\n${documents}\n\nA:\n${a}\n\nB:\n${b}\n\nAnswer with exactly one token: A, B, or tie.`;

interface Form {
  readonly prompts: readonly Write[];
  readonly options: 1 | 2;
  /** False where one frame takes in all prompts, and not the words that each has of its own. */
  readonly isToldApart?: false;
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
    isToldApart: false,
  },
  'four scores with their orders behind the answer': { prompts: BEHIND, options: 1 },
  'four scores with a criterion in front of long texts': { prompts: AMONG, options: 1 },
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

describe.each(Object.entries(FORMS))('%s on each item', (_, { prompts, options, isToldApart = true }) => {
  const requestOf = (item: Item, of: number) => ({
    of,
    truth: item.answers.slice(0, options),
    prompt: { parts: [{ role: 'user', text: prompts[of]?.(item) ?? '' }] },
  });
  const apart = OTHERS.map((item, n) => requestOf(item, n % prompts.length));
  const requests = ITEMS.flatMap((item) => prompts.map((_write, of) => requestOf(item, of)));

  const orders = [
    { order: 'item by item', inOrder: requests },
    { order: 'prompt by prompt', inOrder: requests.toSorted((a, b) => a.of - b.of) },
    { order: 'in turn, each on items of its own', inOrder: apart },
  ];
  test.each(isToldApart ? orders : orders.slice(0, 2))('are read, $order', ({ inOrder }) => {
    const { live, after } = readIn(inOrder, options);
    expect(after).toEqual(inOrder.map(({ truth }) => truth));
    if (inOrder === requests) expect(live).toBeGreaterThanOrEqual((3 / 8) * requests.length);
  });
});
