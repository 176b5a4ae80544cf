/** Verdict forms that clients ask for in any protocol, and judges that answer in them. */
import { PROTOCOLS, type Protocol } from '../../bench/fuzz/protocols.ts';
import type { Reply } from './servers.ts';

const TEXTS = { wrong: 'It is 381, as anyone can see.', right: 'It is 391.' };

/** How a verdict is asked for, and what says that the first or the second text is better. */
export interface Form {
  readonly orders: string;
  readonly labels: readonly string[];
  readonly say: readonly [string, string];
}

export const FORMS = {
  words: {
    orders: 'Answer with either "Output (a)" or "Output (b)".',
    labels: ['Output (a)', 'Output (b)'],
    say: ['Output (a)', 'Output (b)'],
  },
  brackets: {
    orders:
      'Explain briefly, then end with "[[A]]" if assistant A is better or "[[B]]" if assistant B is better.',
    labels: ['Assistant A', 'Assistant B'],
    say: ['It is right.\n\n[[A]]', 'It is right.\n\n[[B]]'],
  },
  field: {
    orders: 'Compare them. Reply with JSON: {"reason": "…", "winner": "A" or "B"}',
    labels: ['Response A', 'Response B'],
    say: ['{"reason": "It is right.", "winner": "A"}', '{"reason": "It is right.", "winner": "B"}'],
  },
  scores: {
    orders:
      'Rate the two answers from 1 to 10. Output a single line with two numbers, the scores for Assistant 1 and 2, separated by a space.',
    labels: ['Assistant 1', 'Assistant 2'],
    say: ['8 3', '3 8'],
  },
} as const satisfies Record<string, Form>;

export const prompt = ({ labels, orders }: Form, texts = [TEXTS.wrong, TEXTS.right]) =>
  [
    '[Question]',
    'What is 17*23?',
    ...labels.flatMap((label, n) => [
      '',
      `[The Start of ${label}'s Answer]`,
      texts[n] ?? '',
      `[The End of ${label}'s Answer]`,
    ]),
    '',
    orders,
  ].join('\n');

export function answerWith(protocol: Protocol, stream: boolean, say: (text: string) => string): Reply {
  return ({ body }, response) => {
    const text = say(body.toString());
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    response.end(stream ? protocol.events(text).join('') : JSON.stringify(protocol.whole(text)));
  };
}

export const protocolOf = (name: string): Protocol => {
  const found = PROTOCOLS.find(({ adapter }) => adapter.name === name);
  if (!found) throw new Error(`no protocol ${name}`);
  return found;
};
