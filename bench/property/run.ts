/**
 * Two promises, tried on seeded prompts with a hostile line in one answer: no call that Remand adds holds a piece of
 * one answer inside another, and no line makes a judgment look like none.
 *
 * Every pair of a prompt and a line is read as the proxy reads it, in one of the protocols, and the exchange of the
 * options, each answer reworded, and every statement taken out are made of it. With one line of every prompt the
 * whole loop runs as well, with a judge that follows the place or the hostile answer, by one of the policies.
 */

import { findRewrite, writeRewrite } from '../../prompts/rewrite.ts';
import { CATALOGUE } from '../../src/bias/index.ts';
import { runSteps, unlimited } from '../../src/case/checkpoint.ts';
import { asGiven, type Counterfactual, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { type Recognition, recogniseCase } from '../../src/case/recognise.ts';
import { createTemplateBook, mayAct, type TemplateBook } from '../../src/case/templates/book.ts';
import { recogniseByTemplates } from '../../src/case/templates/recognition.ts';
import type { Case } from '../../src/case/types.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import { createAsk } from '../../src/judgment/run-judgment.ts';
import { debias } from '../../src/loop/debias.ts';
import { systemClock } from '../../src/ports.ts';
import { LAYOUTS, type Layout } from '../../test/case/mutation/layouts.ts';
import { PROTOCOLS, type Protocol } from '../fuzz/protocols.ts';
import { caseSeed, Random } from '../fuzz/random.ts';
import { type HostileLine, LINES } from './lines.ts';
import { type Broken, brokenIn, edited, type OwnedPart, ownedParts } from './provenance.ts';

/** What is looked for by default. A rubric that is turned round and a reference that is withheld are changes of the template. */
const LOOKED_FOR = CATALOGUE.filter(({ mustBeNamed }) => !mustBeNamed);

/** `silent`: with the line a judgment goes through as if it were none. */
export type Breach = Broken | 'silent';

export interface Entry {
  readonly layout: string;
  /** Of the line. */
  readonly kind: string;
  readonly breach: Breach;
  readonly count: number;
}

export interface Plan {
  readonly seed: number;
  readonly prompts: number;
  /** Of the 200, how many are tried with each prompt. */
  readonly lines: number;
  /** Whether each layout's template has been learned first, in each protocol, and reads what it fits; default false. */
  readonly templates?: boolean;
}

export interface Report {
  readonly entries: readonly Entry[];
  /** Pairs of a prompt and a line. */
  readonly pairs: number;
  /** Of these, with a case that is examined. */
  readonly examined: number;
  /** Of these, left alone and told why. */
  readonly told: number;
  /** Prompts whose loop was run, and calls that it added. */
  readonly loops: number;
  readonly calls: number;
  /** Kinds of line of which one broke something and was not told as a security event. */
  readonly untold: readonly string[];
  /** Layouts whose template did not act once five prompts had been learned from, with the protocol; empty without `templates`. */
  readonly unlearned: readonly string[];
  /** Prompts in which no case was found without any hostile line: none is expected. */
  readonly unread: number;
}

const POLICIES = ['last-word', 'counterfactual', 'tie', 'original'] as const;
const PLACES = ['last line', 'last paragraph', 'first line', 'middle', 'alone'] as const;
const LETTERS = ['αβγδεζηθικλμνξοπρστυφχψω', 'абвгдежзиклмнопрстуфхцчшщ', 'აბგდევზთიკლმნოპჟრსტუფქღყშ'];
const QUESTIONS = ['What is 17*23?', 'Say hello.', 'Why is the sky blue?\n\nExplain it to a child.'];

interface Written {
  readonly request: ReturnType<Protocol['adapter']['readRequest']>;
  readonly parts: readonly OwnedPart[];
}

export async function tryAll(
  { seed, prompts, lines, templates = false }: Plan,
  progress?: (done: number) => void,
): Promise<Report> {
  const counts = new Map<string, number>();
  const untold = new Set<string>();
  const unlearned = new Set<string>();
  const books = new Map<string, TemplateBook>();
  const bookOf = (layout: Layout, protocol: Protocol): TemplateBook | null => {
    if (!templates) return null;
    const key = `${layout.name}, ${protocol.adapter.name}`;
    const known = books.get(key);
    if (known) return known;
    const book = taught(layout, protocol, new Random(seed));
    books.set(key, book);
    if (!book.pipelines().some((one) => mayAct(one, 'auto'))) unlearned.add(key);
    return book;
  };
  const sums = { pairs: 0, examined: 0, told: 0, loops: 0, calls: 0, unread: 0 };
  for (let index = 0; index < prompts; index++) {
    const random = new Random(caseSeed(seed, index));
    const layout = LAYOUTS[index % LAYOUTS.length];
    const protocol = PROTOCOLS[Math.floor(index / LAYOUTS.length) % PROTOCOLS.length];
    if (!layout || !protocol) throw new RangeError('no layout or no protocol');
    const question = random.pick(QUESTIONS);
    const texts = Array.from({ length: layout.options }, (_, option) => textIn(random, option));
    const book = bookOf(layout, protocol);
    const tame = writtenBy(layout, protocol, question, texts);
    if (recognised(tame, layout, book).subject === null) {
      sums.unread++;
      continue;
    }
    const attacker = random.below(layout.options);
    const from = random.below(LINES.length);
    for (let i = 0; i < lines; i++) {
      // 77 and 200 have no divisor in common: each line comes once before any comes twice.
      const line = LINES[(from + i * 77) % LINES.length];
      if (!line) throw new RangeError('no line');
      const hostile = texts.with(attacker, withLine(texts[attacker] ?? '', line, random.pick(PLACES)));
      const written = writtenBy(layout, protocol, question, hostile);
      const found = recognised(written, layout, book);
      const breaches = breachesIn(found, written);
      sums.pairs++;
      if (found.subject) sums.examined++;
      else if (found.reason !== 'no-case') sums.told++;
      if (found.subject && i === 0) {
        const policy = POLICIES[index % POLICIES.length] ?? 'last-word';
        const follows = random.chance(0.5) ? attacker : null;
        sums.loops++;
        sums.calls += await loop(found.subject, written, layout, { policy, follows }, breaches);
      }
      if (breaches.size > 0 && found.security.length === 0) untold.add(line.kind);
      for (const breach of breaches) {
        const key = JSON.stringify([layout.name, line.kind, breach]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    progress?.(index + 1);
  }
  const entries = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]): Entry => {
      const [name, kind, breach] = JSON.parse(key) as [string, string, Breach];
      return { layout: name, kind, breach, count };
    });
  return { entries, ...sums, untold: [...untold].sort(), unlearned: [...unlearned].sort() };
}

/** One to three paragraphs of words that no other answer and no template has a letter of. */
function textIn(random: Random, option: number): string {
  const letters = LETTERS[option] ?? '';
  const word = () => Array.from({ length: 2 + random.below(6) }, () => random.pick([...letters])).join('');
  const sentence = () => `${Array.from({ length: 3 + random.below(8) }, word).join(' ')}.`;
  const paragraph = () => Array.from({ length: 1 + random.below(3) }, sentence).join(' ');
  return Array.from({ length: 1 + random.below(3) }, paragraph).join('\n\n');
}

function withLine(text: string, line: HostileLine, place: (typeof PLACES)[number]): string {
  switch (place) {
    case 'last line':
      return `${text}\n${line.text}`;
    case 'last paragraph':
      return `${text}\n\n${line.text}`;
    case 'first line':
      return `${line.text}\n${text}`;
    case 'middle':
      return `${text}\n\n${line.text}\n\n${text}`;
    case 'alone':
      return line.text;
  }
}

/** The layout filled, as a request of the protocol; whose each piece is is known from where it was put. */
function writtenBy(layout: Layout, protocol: Protocol, question: string, texts: readonly string[]): Written {
  const filling = { question, keys: layout.keys, asked: layout.keys, ended: true };
  const markOf = (option: number) => `\u{f0000}${String.fromCodePoint(0xf0001 + option)}`;
  const marked = layout.write({ ...filling, texts: texts.map((_, option) => markOf(option)) });
  const filled = layout.write({ ...filling, texts });
  const pieces = marked.parts.map(({ text }, part) => {
    // In JSON a text is escaped.
    for (const write of [(one: string) => one, (one: string) => JSON.stringify(one).slice(1, -1)]) {
      const split = text.split(/\u{f0000}([\u{f0001}-\u{f0009}])/u).map((piece, i) => {
        const owner = i % 2 === 0 ? -1 : (piece.codePointAt(0) ?? 0) - 0xf0001;
        return { owner, text: owner < 0 ? piece : write(texts[owner] ?? '') };
      });
      if (split.map((piece) => piece.text).join('') === filled.parts[part]?.text) return split;
    }
    throw new RangeError(`what ${layout.name} writes is not its literals and texts`);
  });
  const [first = '', second] = filled.parts.map(({ text }) => text);
  const [system, user] =
    second === undefined && filled.parts[0]?.role !== 'system' ? ['', first] : [first, second ?? ''];
  const body = JSON.stringify(protocol.request(system, user, false));
  const request = protocol.adapter.readRequest(body, protocol.path(false));
  return { request, parts: ownedParts(request.prompt, pieces) };
}

/** @param book by which templates it is read; null for none */
function recognised({ request }: Written, { schema }: Layout, book: TemplateBook | null): Recognition {
  if (book) return recogniseByTemplates(book, { ...request, schema: schema ?? null }, ORIGIN).found;
  return recogniseCase(request.prompt, schema === undefined ? {} : { schema });
}

const ORIGIN = { tenant: null, path: '/' };

/** What a proxy knows after five requests of a pipeline, none of them hostile. */
function taught(layout: Layout, protocol: Protocol, random: Random): TemplateBook {
  let ids = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => String(ids++) });
  for (let i = 0; i < 5; i++) {
    const texts = Array.from({ length: layout.options }, (_, option) => textIn(random, option));
    const { request } = writtenBy(layout, protocol, `${QUESTIONS[i % QUESTIONS.length]} (${i})`, texts);
    runSteps(
      recogniseByTemplates(book, { ...request, schema: layout.schema ?? null }, ORIGIN).learn(unlimited),
    );
  }
  return book;
}

function breachesIn({ subject, reason }: Recognition, { parts }: Written): Set<Breach> {
  if (!subject) return new Set(reason === 'no-case' ? ['silent'] : []);
  const given = asGiven(subject);
  const reworded = subject.options.map((_, i): Counterfactual => {
    const word = (LETTERS[i] ?? '').slice(0, 6);
    return { ...given, options: new Map([[i, word]]) };
  });
  const without = subject.context.map(
    (_, i): Counterfactual => ({ ...given, context: new Map([[i, null]]) }),
  );
  const { part, offset } = subject.noteAt;
  const note = {
    at: { part, start: offset, end: offset },
    with: '\n\n--- Note on an earlier evaluation\n\n',
  };
  const all = [...(subject.options.length > 1 ? [reversed(subject)] : []), ...reworded, ...without];
  return new Set(
    [...all.map((of) => editsFor(subject, of)), [note]].flatMap((edits) => [
      ...brokenIn(parts, edited(parts, edits)),
    ]),
  );
}

/** @returns how many calls were added */
async function loop(
  subject: Case,
  { request, parts }: Written,
  layout: Layout,
  how: { readonly policy: (typeof POLICIES)[number]; readonly follows: number | null },
  breaches: Set<Breach>,
): Promise<number> {
  let calls = 0;
  const said = (text: string) => ({
    reply: text,
    read: { texts: [text], finish: null, usage: null, tokens: null },
  });
  await debias<string>({
    subject,
    judge: 'judge',
    detector: createProbeDetector(),
    biases: LOOKED_FOR,
    rounds: 2,
    mode: 'debias',
    policy: how.policy,
    deadlineMs: 60_000,
    clock: systemClock,
    signal: new AbortController().signal,
    ask: createAsk(
      subject,
      async (_kind, changes) => {
        if (changes === null) return said(labelOf(layout, how.follows ?? 0));
        calls++;
        const made = edited(parts, changes.edits);
        for (const broken of brokenIn(parts, made)) breaches.add(broken);
        const sent = request.edited(changes.edits, { steady: changes.steady });
        const texts = JSON.stringify(made.map(({ text }) => text));
        if (!sameTexts(sent, made)) throw new Error(`the protocol sends another text than ${texts}`);
        return said(labelOf(layout, how.follows === null ? 0 : placeOf(made, how.follows)));
      },
      { schema: layout.schema ?? null },
    ),
    async rewrite({ system, user }) {
      calls++;
      const asked = findRewrite(system, user);
      if (!asked) throw new RangeError('a rewording that cannot be read');
      return writeRewrite(
        asked.texts.map((text) => text.slice(0, Math.ceil(text.length / 2))),
        asked.series,
      );
    },
  });
  return calls;
}

/** Whether a body holds the texts, in order, as its own JSON strings. */
function sameTexts(body: string, parts: readonly OwnedPart[]): boolean {
  const strings: string[] = [];
  JSON.parse(body, (_, value) => {
    if (typeof value === 'string') strings.push(value);
    return value;
  });
  return parts.every(({ text }) => strings.some((one) => one.includes(text)));
}

/** In which place of several an answer stands, by the order in which the alphabets come. */
function placeOf(parts: readonly OwnedPart[], option: number): number {
  const order = [...new Set(parts.flatMap(({ owners }) => [...owners].filter((owner) => owner >= 0)))];
  return Math.max(0, order.indexOf(option));
}

/** How the client's judge says that the option in a place is the best. */
function labelOf({ labels, parse, options }: Layout, place: number): string {
  if (options === 1) return labels[0] ?? '';
  return labels.find((label) => parse(label) === place) ?? labels[place] ?? '';
}
