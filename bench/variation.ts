/**
 * `npm run bench:variation`: what a stream tells in which the same questions come again. Of each open template of the corpus five
 * requests are learned from, and then four of them once more with one sort of their texts from another request: other answers, as
 * where a second model is judged, or other criteria, sources, questions and references. Then one more request is read. Another answer is to
 * help, and nothing else is to have the wrong text judged.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recogniseCase } from '../src/case/recognise.ts';
import { createTemplateBook } from '../src/case/templates/book.ts';
import { witnessIn } from '../src/case/templates/recognition.ts';
import { withReply } from '../src/case/templates/replies/replied.ts';
import { createTemplateShelf } from '../src/case/templates/shelf.ts';
import type { Prompt } from '../src/case/types.ts';
import { JudgeTemplate, type Slot, type TemplateRequest } from '../test/templates/schema.ts';
import { isReadRight, promptOf, replySchemaOf } from '../test/templates/truth.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'templates', 'seen');
const LEARNED = 5;
const AGAIN = 4;
const SORTS = ['options', 'rubric', 'context', 'instruction', 'reference'] as const;
type Sort = (typeof SORTS)[number];

const slotsOf = ({ slots }: TemplateRequest, sort: Sort): readonly Slot[] =>
  sort === 'options' ? slots.options.flatMap((option) => option.slots) : slots[sort];

/** A request with texts of another; null where they have not the same places for them. */
function withTextsOf(request: TemplateRequest, other: TemplateRequest, sort: Sort): Prompt | null {
  const [own, theirs] = [slotsOf(request, sort), slotsOf(other, sort)];
  const fit = own.length === theirs.length && own.every(({ part }, n) => part === theirs[n]?.part);
  if (own.length === 0 || !fit) return null;
  const texts = promptOf(other).parts.map(({ text }) => text);
  const parts = promptOf(request).parts.map((one, part) => {
    const places = own
      .map((slot, n) => ({ slot, text: texts[part]?.slice(theirs[n]?.start, theirs[n]?.end) ?? '' }))
      .filter(({ slot }) => slot.part === part)
      .toSorted((a, b) => b.slot.start - a.slot.start);
    const text = places.reduce(
      (before, place) => before.slice(0, place.slot.start) + place.text + before.slice(place.slot.end),
      one.text,
    );
    return { ...one, text };
  });
  return { parts };
}

type Read = 'right' | 'wrong' | 'left alone';

/** How a request is read before and after the texts came again; null where the template cannot tell. */
function readings(template: JudgeTemplate, sort: Sort): { before: Read; after: Read } | null {
  const requests = template.requests.filter(({ expected }) => expected === 'slots');
  const [last, taught] = [requests[LEARNED], requests.slice(0, LEARNED)];
  if (!last) return null;
  const again = taught
    .slice(0, AGAIN)
    .map((request, n) => withTextsOf(request, taught[n + 1] ?? request, sort));
  const shelf = createTemplateShelf();
  let made = 0;
  let replied = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `pipeline-${made++}`, shelf });
  const origin = { tenant: '', path: last.path, schema: replySchemaOf(last) };

  function teach(prompt: Prompt, { replies }: TemplateRequest): void {
    const { guess } = recogniseCase(prompt, { schema: origin.schema });
    const id = book.learn(origin, prompt, guess);
    const { text } = replies[replied++ % Math.max(1, replies.length)] ?? { text: 'So be it.' };
    const known = id === null ? undefined : shelf.get(id);
    if (known) shelf.put(withReply(known, { text, read: null }));
  }
  function read(request: TemplateRequest): Read {
    const guess = recogniseCase(promptOf(request), { schema: origin.schema });
    const reading = book.read(origin, promptOf(request), guess.guess, undefined, witnessIn(guess));
    const subject = reading.acts ? (reading.kind === 'case' ? reading.subject : null) : guess.subject;
    if (!subject) return 'left alone';
    return isReadRight(subject, request) ? 'right' : 'wrong';
  }

  for (const request of taught) teach(promptOf(request), request);
  const before = read(last);
  for (const [n, prompt] of again.entries()) {
    const request = taught[n];
    if (!prompt || !request) return null;
    teach(prompt, request);
  }
  return { before, after: read(last) };
}

const templates = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))
  .filter(({ kind }) => kind !== 'none');
const rows: Record<string, Record<string, number>> = {};
for (const sort of SORTS) {
  const all = templates.flatMap((template) => readings(template, sort) ?? []);
  const count = (when: 'before' | 'after', what: Read) => all.filter((one) => one[when] === what).length;
  rows[sort] = {
    templates: all.length,
    'right before': count('before', 'right'),
    'right after': count('after', 'right'),
    'wrong before': count('before', 'wrong'),
    'wrong after': count('after', 'wrong'),
  };
}
console.table(rows);
