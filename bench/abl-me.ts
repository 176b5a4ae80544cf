/**
 * How well judge prompts that nobody has seen before are read by learned templates: `npm run bench:templates`.
 *
 * For each template of the corpus, requests are learned one by one; every later request is then read. `seen` was looked at
 * while the reader was written, `unseen` never was. `--folder` reads templates from another folder, `--verbose` names each
 * request that was not read as it was made: of `unseen` only figures are printed. `--vary SEED` reads variants of the seen
 * templates instead, made with that seed. `--mix-up 3` has the reader model mix up two texts in three of ten templates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { recogniseCase } from '../src/case/recognise.ts';
import { createTemplateBook, type Origin } from '../src/case/templates/book.ts';
import { learnTemplate } from '../src/case/templates/learned-template.ts';
import { extendToRead } from '../src/case/templates/learner.ts';
import { matchTemplate } from '../src/case/templates/match.ts';
import { sampleOf, shapeOf } from '../src/case/templates/pipeline.ts';
import { withAnswer } from '../src/case/templates/reader/reader-answer.ts';
import { openPoints, questionOf } from '../src/case/templates/reader/reader-question.ts';
import { witnessIn } from '../src/case/templates/recognition.ts';
import { withReply } from '../src/case/templates/replies/replied.ts';
import { createTemplateShelf, type TemplateShelf } from '../src/case/templates/shelf.ts';
import type { Prompt } from '../src/case/types.ts';
import { parseWholeNumber } from '../src/cli/arguments.ts';
import { JudgeTemplate, type TemplateRequest } from '../test/templates/schema.ts';
import { scriptedReader } from '../test/templates/scripted-reader.ts';
import { isReadRight, promptOf, readingOf, replySchemaOf } from '../test/templates/truth.ts';
import { varyTemplates } from './template-variants.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'templates');
const LEARNED: readonly number[] = (process.env.ROWS ?? '3').split(',').map(Number);
/** The source of templates that no published package wrote. */
const MADE = 'made here';
/** After so many requests and their replies a reader model has been asked where something was open. */
const WITH_READER: readonly number[] = process.env.READER === '1' ? [3] : [];

/** Requests, and in how many of them it came out right. */
class Share {
  right = 0;
  all = 0;

  add(right: boolean): void {
    this.all++;
    if (right) this.right++;
  }

  addAll({ right, all }: Share): void {
    this.right += right;
    this.all += all;
  }

  toString(): string {
    return this.all === 0
      ? '–'
      : `${((100 * this.right) / this.all).toFixed(1)} % (${this.right}/${this.all})`;
  }
}

const NamedText = z.looseObject({ role: z.string(), label: z.string() });
const ReaderAnswer = z.looseObject({
  slots: z.array(NamedText),
  cuts: z.array(NamedText).nullable().optional(),
});

interface Tally {
  /** Every slot but those that mean nothing stands where it was put. */
  readonly slots: Share;
  /** Options of pairs and n-way cases, with their labels. */
  readonly options: Share;
  /** The one answer that is judged. */
  readonly judged: Share;
  /** Both, of those requests in which every slot is cut right: what names can do. */
  readonly named: Share;
  /** Requests in which the literals fit in several ways and which are left alone. */
  readonly ambiguous: Share;
  /** Judgments that would be examined. */
  readonly examined: Share;
  /** Judgments examined of which the options are others than were put in, as a template read them. None is right. */
  wrongByTemplate: number;
  /** The same as the first guess read them, because no template decided. */
  wrongByGuess: number;
  /** Replies to judgments that are read as they were made, of those to judgments that would be examined. */
  readonly verdicts: Share;
  /** Verdicts that are read, and nothing tells which of yes and no is the good one: both sides are probed. */
  verdictsOpen: number;
  /** Verdicts that are read as another one. None is right. */
  verdictsWrong: number;
  /** Requests that are no judgments and would be examined. */
  readonly intruders: Share;
}

const SHARES = [
  'slots',
  'options',
  'judged',
  'named',
  'ambiguous',
  'examined',
  'verdicts',
  'intruders',
] as const;
const COUNTS = ['wrongByTemplate', 'wrongByGuess', 'verdictsOpen', 'verdictsWrong'] as const;

const newTally = (): Tally => ({
  slots: new Share(),
  options: new Share(),
  judged: new Share(),
  named: new Share(),
  ambiguous: new Share(),
  examined: new Share(),
  wrongByTemplate: 0,
  wrongByGuess: 0,
  verdicts: new Share(),
  verdictsOpen: 0,
  verdictsWrong: 0,
  intruders: new Share(),
});

function addTally(to: Tally, tally: Tally): void {
  for (const name of SHARES) to[name].addAll(tally[name]);
  for (const name of COUNTS) to[name] += tally[name];
}

const printed = (tally: Tally): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tally).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]),
  );

/** What came of asking the reader model, by template. */
const told = new Map<string, Set<string>>();

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    name: { type: 'string' },
    half: { type: 'string' },
    folder: { type: 'string' },
    vary: { type: 'string' },
    'mix-up': { type: 'string', default: '0' },
  },
});

const MIXED_UP = parseWholeNumber('--mix-up', values['mix-up'], 0, 10);
const report: Record<string, Record<string, unknown>> = {};
const folders =
  values.folder === undefined
    ? values.vary === undefined
      ? ['seen', 'unseen'].filter((one) => values.half === undefined || values.half === one)
      : ['seen']
    : [values.folder];
for (const half of folders) {
  const read = readTemplates(values.folder ?? join(FOLDER, half));
  const templates =
    values.vary === undefined
      ? read
      : varyTemplates(read, parseWholeNumber('--vary', values.vary, 0, 2 ** 31));
  const verbose = half !== 'unseen' && values.verbose;
  const varied = values.vary === undefined ? '' : `, varied with seed ${values.vary}`;
  const rows: Record<string, unknown> = {};
  report[`${half}${varied}, ${templates.length} templates`] = rows;
  // Prompts that published packages write, and those that were made to be hard, are two questions.
  const groups = [
    ...Map.groupBy(templates, ({ source }) => (source === MADE ? 'made here' : 'of packages')),
  ].map(([name, some]) => ({ name, some, rows: {} as Record<string, unknown> }));
  if (groups.length > 1)
    for (const { name, some, rows } of groups) report[`${half}${varied}, ${some.length} ${name}`] = rows;
  for (const withReader of [false, true])
    for (const learned of withReader ? WITH_READER : LEARNED) {
      const row = `after ${learned} requests${withReader ? ', with a reader model' : ''}`;
      const whole = newTally();
      for (const group of groups) {
        const tally = newTally();
        for (const template of group.some) measure(template, learned, tally, verbose, withReader);
        addTally(whole, tally);
        group.rows[row] = printed(tally);
      }
      rows[row] = printed(whole);
    }
  if (verbose) for (const [reason, names] of told) console.log(`${reason}: ${[...names].join(', ')}`);
}
if (process.env.COST) report.cost = costs();
if (values.json) console.log(JSON.stringify(report));
else
  for (const [name, rows] of Object.entries(report)) {
    console.log(name);
    console.table(rows);
  }

function readTemplates(folder: string): JudgeTemplate[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && (values.name === undefined || file.includes(values.name)))
    .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}

/** What the proxy does with a reply: it is heard, and where something is open a reader model is asked, if there is one. */
function hear(
  template: JudgeTemplate,
  request: TemplateRequest,
  id: string | null,
  n: number,
  shelf: TemplateShelf,
  withReader: boolean,
) {
  const { text } = request.replies[n % Math.max(1, request.replies.length)] ?? { text: 'So be it.' };
  const known = id === null ? undefined : shelf.get(id);
  if (!known) return;
  shelf.put(withReply(known, { text, read: null }));
  const pipeline = shelf.get(known.id) ?? known;
  if (!withReader || openPoints(pipeline).length === 0 || !pipeline.template) return;
  const said = scriptedReader(template)(questionOf(pipeline, { texts: true }).user);
  const answer = sumOfCharacters(template.name) % 10 < MIXED_UP ? mixedUp(said) : said;
  const asked = { model: 'scripted', asked: 0, tokens: null };
  const read = withAnswer(pipeline, shapeOf(pipeline.template), answer, asked);
  shelf.put(read);
  const { outcome, reason } = read.reader ?? {};
  const key = `reader model: ${reason ?? outcome}`;
  told.set(key, (told.get(key) ?? new Set()).add(template.name));
}

function sumOfCharacters(text: string): number {
  return [...text].reduce((sum, one) => sum + (one.codePointAt(0) ?? 0), 0);
}

/** A reader model's answer with the names of an option and of another text exchanged. */
function mixedUp(answer: string): string {
  const { cuts = null, slots, ...rest } = ReaderAnswer.parse(JSON.parse(answer));
  const texts = cuts ?? slots;
  const [option, other] = [true, false].map((isOption) =>
    texts.find(({ role }) => (role === 'option') === isOption),
  );
  if (option && other) {
    const { role, label } = option;
    Object.assign(option, { role: other.role, label: other.label });
    Object.assign(other, { role, label });
  }
  return JSON.stringify({ ...rest, slots, ...(cuts && { cuts }) });
}

function measure(
  template: JudgeTemplate,
  learned: number,
  tally: Tally,
  verbose: boolean,
  withReader: boolean,
): void {
  const shelf = createTemplateShelf();
  let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `pipeline-${made++}`, shelf });
  const taught = template.requests.slice(0, learned);
  for (const [n, request] of taught.entries()) {
    const origin = originOf(request);
    const guess = recogniseCase(promptOf(request), { schema: origin.schema }).guess;
    const id = book.learn(origin, promptOf(request), guess);
    hear(template, request, id, n, shelf, withReader);
  }
  const row = withReader ? `${learned}, with a reader` : String(learned);
  for (const request of template.requests.slice(learned)) {
    const prompt = promptOf(request);
    const origin = originOf(request);
    const guess = recogniseCase(prompt, { schema: origin.schema });
    const reading = book.read(origin, prompt, guess.guess, undefined, witnessIn(guess));
    const judges = template.kind !== 'none';
    const subject = !reading.acts ? guess.subject : reading.kind === 'case' ? reading.subject : null;
    if (!judges) {
      tally.intruders.add(subject === null);
      if (verbose && subject)
        console.log(
          `${row}: intruder: ${template.name} by ${reading.acts ? 'template' : subject.layout}: ${JSON.stringify(subject.form)}`,
        );
    } else if (request.expected === 'ambiguous')
      tally.ambiguous.add(subject === null || isReadRight(subject, request));
    else {
      tally.examined.add(subject !== null);
      if (verbose && !subject)
        console.log(
          `${row}: not examined: ${template.name} (${template.kind}, ${request.verdict.kind} ${request.verdict.where} ${request.verdict.field ?? ''})`,
        );
      if (subject && !isReadRight(subject, request)) {
        if (reading.acts) tally.wrongByTemplate++;
        else tally.wrongByGuess++;
        if (verbose)
          console.log(
            `${row}: wrong: ${template.name} by ${reading.acts ? 'template' : subject.layout}: ${subject.options.map(({ label, text }) => `${label}=${text.slice(0, 40)}`).join(' | ')}`,
          );
      } else if (subject)
        for (const reply of request.replies) {
          const verdict = readingOf(subject, reply);
          tally.verdicts.add(verdict === 'right' || verdict === 'open');
          if (verdict === 'open') tally.verdictsOpen++;
          if (verdict === 'wrong') tally.verdictsWrong++;
          if (verbose && verdict !== 'right')
            console.log(
              `${row}: verdict ${verdict}: ${template.name}: ${JSON.stringify(reply)} by ${JSON.stringify(subject.form)}`,
            );
        }
    }
    if (learned < 2 || request.expected !== 'slots') continue;
    const pipelines = book.pipelines();
    const known = pipelines[0]?.template;
    const extended =
      known && matchTemplate(known, prompt) ? null : extendToRead(pipelines, sampleOf(prompt, guess.guess));
    cuts(template, request, extended?.template ?? known ?? null, row, tally, verbose);
  }
}

function originOf(request: TemplateRequest): Origin {
  return { tenant: '', path: request.path, schema: replySchemaOf(request) };
}

function cuts(
  { kind, name }: JudgeTemplate,
  request: TemplateRequest,
  template: Parameters<typeof matchTemplate>[0] | null,
  row: string,
  tally: Tally,
  verbose: boolean,
): void {
  const { instruction, options, reference, rubric, context } = request.slots;
  const found = (template && matchTemplate(template, promptOf(request))?.slots) ?? [];
  const slotAt = ({ part, start, end }: { part: number; start: number; end: number }) =>
    found.find((slot) => slot.part === part && slot.at?.start === start && slot.at.end === end);
  const all = [...instruction, ...options.flatMap(({ slots }) => slots), ...reference, ...rubric, ...context];
  const asides = [...reference, ...rubric, ...context];
  // A list of any length, of context say, is one slot: it holds all items of the list and nothing else that varies.
  const inList = (one: (typeof all)[number]) =>
    asides.includes(one) &&
    found.some(({ role, part, at }) => {
      if (role === 'option' || !at || part !== one.part) return false;
      const inside = all.filter(
        (other) => other.part === part && other.start < at.end && at.start < other.end,
      );
      return (
        inside.length > 1 &&
        inside.every((other) => asides.includes(other) && at.start <= other.start && other.end <= at.end)
      );
    });
  const cut = all.every((slot) => slotAt(slot) || inList(slot));
  tally.slots.add(cut);
  if (verbose && !cut)
    console.log(
      `${row}: not cut: ${name}: ${JSON.stringify(all.filter((slot) => !slotAt(slot) && !inList(slot)).map(({ text }) => text.slice(0, 40)))}`,
    );
  if (kind === 'none') return;
  // Texts that the prompt does not name are called as the verdict calls them.
  const { verdict } = template ?? {};
  const called = verdict?.kind === 'choice' || verdict?.kind === 'ranking' ? verdict.labels : [];
  const right = options.every(({ label, slots }, n) =>
    slots.every((slot) => {
      const one = slotAt(slot);
      const names = options.length === 1 || sameName(one?.label ?? '', label) || called?.[n] === label;
      return one?.role === 'option' && names;
    }),
  );
  (options.length > 1 ? tally.options : tally.judged).add(right);
  if (cut) tally.named.add(right);
  if (verbose && !right)
    console.log(
      `${row}: ${cut ? 'named' : 'options'}: ${name}: ${found.map(({ role, label }) => `${role} ${label}`).join(', ')}`,
    );
}

/** `A` and `Answer A`, `links` and `Linkes`, `甲` and `回答甲`: one names what the other names. */
function sameName(a: string, b: string): boolean {
  if (a === b) return true;
  const words = (text: string): string[] =>
    text
      .toLowerCase()
      .replaceAll('_', ' ')
      .match(/\p{N}+|\p{L}+/gu) ?? [];
  const [mine, wanted] = [words(a).at(-1) ?? '', words(b)];
  if (words(a).includes(wanted.at(-1) ?? a)) return true;
  return wanted.some(
    (word) =>
      mine.endsWith(word) ||
      word.endsWith(mine) ||
      (word.length > 3 && mine.slice(0, 4) === word.slice(0, 4)),
  );
}

/** Milliseconds of CPU, the median of several runs. */
function costs(): Record<string, string> {
  const prompt = (bytes: number, n = 0): Prompt => ({
    parts: [
      {
        role: 'user',
        text: `Which draft is better?\n\nQuestion:\nWhy is the sky blue? ${n}\n\n--- draft A ---\n${`alpha ${n} `.repeat(bytes / 16)}\n--- draft B ---\n${`beta ${n} `.repeat(bytes / 16)}\n--- end ---\nAnswer A or B.`,
      },
    ],
  });
  const time = (runs: number, work: () => void): number => {
    const taken = Array.from({ length: runs }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }).sort((a, b) => a - b);
    return taken[Math.floor(runs / 2)] ?? 0;
  };
  const samples = [1, 2, 3].map((n) => prompt(2_000, n));
  const template = learnTemplate('cost', samples);
  const row: Record<string, string> = {
    'learning from three requests of 2 KB': `${time(21, () => learnTemplate('cost', samples)).toFixed(1)} ms`,
  };
  for (const bytes of [2_000, 20_000, 200_000, 2_000_000, 10_000_000]) {
    const one = prompt(bytes, 9);
    const times = bytes > 100_000 ? 1 : 200;
    const ms = time(9, () => {
      for (let n = 0; n < times; n++) matchTemplate(template, one);
    });
    row[`matching ${bytes / 1000} KB`] = `${(ms / times).toFixed(3)} ms`;
  }
  return { ...row };
}
