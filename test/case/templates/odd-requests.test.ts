/** One request of a pipeline that is unlike the others takes nothing from those: they are read as before, and read right. */
import { describe, expect, test } from 'vitest';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import type { Prompt } from '../../../src/case/types.ts';

const CASES = [
  ['Where is my parcel?', 'In Leeds since noon.', 'Parcels take a while, as you know.'],
  ['Can I return opened boxes?', 'Yes, within 30 days.', 'No.'],
  ['Do you ship to Malta?', 'We do, for nine euros.', 'Malta is an island.\n\nSo ships go there.'],
  ['My lamp flickers.', 'Turn the bulb tight, please.', 'Lamps do that now and then.'],
  ['I want another colour.', 'Green and sand are in stock.', 'Which one?'],
  ['Is there a discount for schools?', 'Ten per cent from ten pieces on.', 'Ask your teacher.'],
  ['The invoice has no tax number.', 'Here is a new one, with it.', 'It should have one.'],
  ['Who repairs the pump?', 'The shop in Kiel, at our cost.', 'Someone will.'],
  ['How do I close my account?', 'Under Settings, then Privacy.', 'Why would you do that?'],
] as const;

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const RULES = '\nOur house rules: replies must name a knowledge base article and stay polite.';
const NOTES = '\nNotes: the customer is on the Business plan.';

interface Written {
  /** Stands behind the last option. */
  readonly behind?: string;
  readonly title?: string;
}

const promptAt = (n: number, { behind = '\n=====', title = 'Ticket' }: Written = {}): Prompt => {
  const [ticket = '', first = '', second = ''] = CASES[n % CASES.length] ?? [];
  const text = `${title}: ${ticket}\n\nDraft 1 -----\n${first}\n\nDraft 2 -----\n${second}\n${behind}\n\nWhich draft should we send? Write SEND: 1 or SEND: 2.`;
  return { parts: [{ role: 'user', text }] };
};

const mapped = ({ parts }: Prompt, map: (text: string) => string): Prompt => ({
  parts: parts.map(({ role, text }) => ({ role, text: map(text) })),
});

/** Reads and learns one request after the other. */
function streamOf() {
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${++made}` });
  return (prompt: Prompt) => {
    const reading = book.read(ORIGIN, prompt, null);
    book.learn(ORIGIN, prompt, null);
    return reading.kind === 'case' ? reading.subject.options.map(({ text }) => text) : reading.kind;
  };
}

const optionsAt = (n: number) => CASES[n % CASES.length]?.slice(1);
const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7, 8];

describe.each([
  ['a ruler', '\n====='],
  ['rules', RULES],
  ['notes', NOTES],
])('%s behind the last option', (_, behind) => {
  test('that one request of a pipeline in use lacks is not taken for a part of it', () => {
    const send = streamOf();
    for (const n of WHOLE.slice(0, 5)) send(promptAt(n, { behind }));
    expect(send(promptAt(5, { behind }))).toEqual(optionsAt(5));
    expect(send(promptAt(6, { behind: '' }))).toBe('none');
    for (const n of WHOLE) expect(send(promptAt(n, { behind }))).toEqual(optionsAt(n));
  });

  test.each([0, 1, 2])('that request %i lacks is not taken for a part of it, and the others act', (odd) => {
    const send = streamOf();
    const read = WHOLE.map((n) => send(promptAt(n, { behind: n === odd ? '' : behind })));
    for (const [n, options] of read.entries()) if (options !== 'none') expect(options).toEqual(optionsAt(n));
    expect(read.slice(6)).toEqual([6, 7, 8].map(optionsAt));
  });
});

test.each<[string, (prompt: Prompt) => Prompt]>([
  ['a line break at its end', (prompt) => mapped(prompt, (text) => `${text}\n`)],
  ['line ends of Windows', (prompt) => mapped(prompt, (text) => text.replaceAll('\n', '\r\n'))],
  ['spaces at the end of a line', (prompt) => mapped(prompt, (text) => text.replace('-----\n', '-----  \n'))],
  ['another heading', (prompt) => mapped(prompt, (text) => text.replace('Ticket:', 'Complaint of a guest:'))],
  ['a sentence more in front', (prompt) => mapped(prompt, (text) => `Be strict today.\n\n${text}`)],
])('%s in one request does not switch the pipeline off', (_, odd) => {
  const send = streamOf();
  for (const n of WHOLE.slice(0, 6)) send(promptAt(n));
  send(odd(promptAt(6)));
  for (const n of [7, 8, 0, 1]) expect(send(promptAt(n))).toEqual(optionsAt(n));
});
