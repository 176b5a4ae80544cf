/** Requests of a pipeline that nobody knows, for tests of what is learned from them. */
import type { Pipeline } from '../../src/case/templates/book.ts';

const CASES = [
  ['Where is my parcel?', 'It left our warehouse on Monday.', 'You should ask the courier.'],
  ['How do I change the password?', 'Open the settings, then choose Security.', 'Passwords matter a lot.'],
  ['The invoice shows the wrong name.', 'I have corrected it and sent a new one.', 'Names are difficult.'],
  ['Can I cancel until Friday?', 'Yes, free of charge until noon.', 'Fridays are busy here.'],
  ['The app closes at once.', 'Please update to version nine.', 'Apps do that sometimes.'],
] as const;

/** The n-th request: a pair of drafts, in an order that is always the same. */
export function helpDesk(n: number, { model = 'judge' } = {}): string {
  const [ticket, first, second] = CASES[n % CASES.length] ?? CASES[0];
  const content = [
    'TICKET',
    `${ticket} (${n})`,
    '--- draft A ---',
    `${first} (${n})`,
    '--- draft B ---',
    `${second} (${n})`,
    '--- end ---',
  ].join('\n');
  const system = 'You work in QA for our help desk. Which draft is better? Reply with A or B alone.';
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content },
  ];
  return JSON.stringify({ model, messages });
}

/** A pipeline as it is kept. */
export function pipeline(id: string, more: Partial<Pipeline> = {}): Pipeline {
  const slot = (label: string) => ({ role: 'option', label, encoding: 'plain' }) as const;
  return {
    id,
    origin: { tenant: '', path: '/v1/chat/completions', schema: null },
    template: {
      name: id,
      parts: [
        { role: 'user', literals: [`${id}: A:\n`, '\nB:\n', '\n{{end}}\\'], slots: [slot('A'), slot('B')] },
      ],
    },
    state: 'confirmed',
    samples: [],
    requests: 4,
    read: 3,
    replies: 4,
    repliesRead: 4,
    ...more,
  };
}
