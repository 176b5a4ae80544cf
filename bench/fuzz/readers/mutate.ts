/** Changes a sample at random: what is there again, elsewhere, not at all, in another's words, or thousands of times. */
import type { Random } from '../random.ts';
import { SEPARATOR } from './sample.ts';

/** Longest sample of the usual run, and of the few that look for what takes longer than its length deserves. */
const MAX_LENGTH = 6_000;
const MAX_STRETCHED = 60_000;
const STRETCHED = 1 / 400;

const WORDS = [
  ...[
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    '\t',
    '    ',
    '\u2028',
    '\u00a0',
    '\0',
    '\ud800',
    '\ufeff',
    '"',
    '\\',
    '\\n',
    '\\u00',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '[[',
    ']]',
    '<',
    '>',
    '(',
    ')',
    '**',
    '#',
    '##',
    '- ',
    '* ',
    '`',
    '```',
    '```json\n',
    ':',
    ',',
  ],
  ...[
    '0',
    '1',
    '2',
    '10',
    '-1',
    '1e308',
    '90%',
    'A',
    'B',
    '(a)',
    '(b)',
    '1.',
    '2.',
    'a)',
    '/',
    ' or ',
    ' and ',
    ' vs ',
  ],
  ...[
    'Output (a)',
    'Output (b):',
    '[[A]]',
    '[[C]]',
    'Score: ',
    'Rating: [[5]]',
    'Tie',
    'Yes',
    'No',
    'true',
    'null',
  ],
  ...[
    '<think>',
    '</think>',
    '<|im_end|>',
    'people believe that ',
    'Response 1',
    'Assistant A',
    'The Start of ',
    'data: ',
  ],
  ...[
    '\n\ndata: {',
    'event: ',
    ': ping\n\n',
    '{"remand":{"case":{}},',
    'First',
    'the second',
    'between 1 and 10',
    'ı',
    'İ',
  ],
  ...[
    '你好',
    'é',
    'ß',
    '🎉',
    'on a scale of ',
    'one of ',
    'either ',
    'better',
    'Answer:',
    'Verdict:',
    'Pros:',
    'http://x',
  ],
];

/**
 * @param one the sample to change
 * @param other one of another corpus entry, whose parts may be taken over
 */
export function mutated(one: string, other: string, random: Random): string {
  let text = one;
  for (let i = 1 << random.below(4); i > 0; i--) text = changed(text, other, random);
  if (random.chance(STRETCHED)) return stretched(text, random).slice(0, MAX_STRETCHED);
  return text.slice(0, MAX_LENGTH);
}

function changed(text: string, other: string, random: Random): string {
  const at = random.below(text.length + 1);
  // Short pieces more often than long ones.
  const length = 1 + random.below(1 << random.below(10));
  const end = Math.min(text.length, at + length);
  const put = (piece: string, till = at) => text.slice(0, at) + piece + text.slice(till);
  const piece = text.slice(at, end);
  const elsewhere = () => {
    const from = random.below(other.length + 1);
    return other.slice(from, from + length);
  };
  switch (random.below(12)) {
    case 0:
      return put('', end);
    case 1:
      return put(piece);
    case 2:
      return put(piece.repeat(1 + random.below(20)));
    case 3:
      return put(elsewhere());
    case 4:
      return put(elsewhere(), end);
    case 5:
      return put(lineOf(other, random), random.chance(0.5) ? at : end);
    case 6:
      return put(String.fromCharCode(random.below(random.pick([128, 128, 0x3000, 0x10000]))), at + 1);
    case 7: {
      const to = random.below(text.length + 1);
      const without = put('', end);
      return without.slice(0, to) + piece + without.slice(to);
    }
    case 8:
      return put(random.chance(0.5) ? piece.toUpperCase() : piece.toLowerCase(), end);
    case 9:
      return put(SEPARATOR + random.pick(['s', 'u', 'a', 'r']));
    default:
      return put(random.pick(WORDS), random.chance(0.7) ? at : end);
  }
}

function lineOf(text: string, random: Random): string {
  return `${random.pick(text.split('\n'))}\n`;
}

/** Two or three words, or a piece of the text itself, over and over, where the text holds them or anywhere. */
function stretched(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const own = text.slice(at, at + 1 + random.below(12));
  const words = [
    random.pick(WORDS),
    random.pick([...WORDS, own]),
    random.pick(['', own, random.pick(WORDS)]),
  ];
  const unit = words.slice(0, 1 + random.below(3)).join('') || ' ';
  return text.slice(0, at) + unit.repeat(1 + random.below(MAX_STRETCHED / unit.length)) + text.slice(at);
}
