/**
 * Writes `src/case/templates/known/packages.json`: `npm run known`; with `--check` it says whether that has to be
 * done. For each open template of the corpus that a published package sent it keeps the delimiters around the slots and puts
 * `{{*}}` for the words between them. So the first request of that package is read, also by a version that words its prompt
 * differently.
 *
 * Of a literal as few lines are kept beside a slot as are needed: every request of the package is read as it was made, an
 * ambiguous one is left alone, and no request of another template is read otherwise than it was made. What the other
 * shipped templates read already is left out. So is what cannot be read this way, which is printed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recogniseCase } from '../src/case/recognise.ts';
import { KNOWN, type KnownEntry, parseKnown } from '../src/case/templates/known.ts';
import { weightOf } from '../src/case/templates/pipeline.ts';
import { formFromReplies } from '../src/case/templates/replies/index.ts';
import { printTemplate, type Slot, type TemplatePart } from '../src/case/templates/template.ts';
import type { Case } from '../src/case/types.ts';
import type { VerdictFile } from '../src/case/verdicts/index.ts';
import { JudgeTemplate, type Slot as Place, type TemplateRequest } from '../test/templates/schema.ts';
import { isReadRight, promptOf, readingOf, replySchemaOf } from '../test/templates/truth.ts';

const ROOT = join(import.meta.dirname, '..');
const CORPUS = join(ROOT, 'test', 'templates', 'seen');
const FILE = join(ROOT, 'src', 'case', 'templates', 'known', 'packages.json');

/** Lines that are kept beside a slot, tried in this order; at last the whole literal. */
const MOST = Number.POSITIVE_INFINITY;
const LINES_KEPT = [1, 2, 3, 4, 6, MOST];
/** A literal of so many characters is kept whole. */
const SHORT = 100;
/**
 * Letters and digits that are kept of a template's words at least: a shorter text may stand in another prompt, too. More
 * where the file says how the verdict is given, for then the request need not ask for one.
 */
const LEAST_KEPT = { asked: 25, told: 60 };

/** Characters of a line that can be told from others. */
const LEAST_HEADING = 8;

/** One way in which the texts of a template stand in its requests. */
interface Setting {
  readonly parts: readonly TemplatePart[];
  readonly requests: readonly TemplateRequest[];
}

const corpus = readdirSync(CORPUS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(join(CORPUS, file), 'utf8'))));
const prompts = new Map(corpus.flatMap(({ requests }) => requests.map((one) => [one, promptOf(one)])));
const others = KNOWN.filter(({ name }) => !name.startsWith('package:'));
const made: { file: object; known: readonly KnownEntry[] }[] = [];
const failed: string[] = [];

for (const template of corpus) {
  if (template.source === 'made here' || template.kind === 'none') continue;
  if (template.requests.every(({ verdict }) => verdict.kind === 'none')) continue;
  const known = () => [...others, ...made.flatMap((one) => one.known)];
  const before = known();
  const open = template.requests.filter((request) => !isRead(request, recognise(request, before).subject));
  if (open.length * 2 < template.requests.length) continue;
  const left: TemplateRequest[] = [];
  for (const setting of settingsOf(template.requests, true)) {
    const found = shortest(template, setting, known(), isConversation(template) ? 'conversation' : 'answer');
    if (found) made.push(found);
    else left.push(...setting.requests);
  }
  for (const setting of settingsOf(left, false)) {
    const found = shortest(template, setting, known());
    if (found) made.push(found);
    else failed.push(template.name);
  }
}
const text = `${JSON.stringify(
  made.map(({ file }) => file),
  null,
  2,
)}\n`;
const isCheck = process.argv.includes('--check');
if (!isCheck) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is older than the corpus: npm run known`);
  process.exitCode = 1;
}
console.log(
  `${made.length} templates of packages. Not read on the first request: ${[...new Set(failed)].join(', ') || 'none'}.`,
);

function promptFor(request: TemplateRequest) {
  const prompt = prompts.get(request);
  if (!prompt) throw new Error('the request is not of the corpus');
  return prompt;
}

function recognise(request: TemplateRequest, known: readonly KnownEntry[]) {
  // A client's own template knows more than the words around its texts: which of two values is the good one.
  return recogniseCase(promptFor(request), { schema: replySchemaOf(request), known, skipOutline: true });
}

/** Whether a request is examined as it was made; an ambiguous one, and one without an answer, may be left alone. */
function isRead(request: TemplateRequest, subject: Case | null): boolean {
  const [first, ...more] = request.slots.options.flatMap(({ slots }) => slots);
  const isEmpty = more.length === 0 && first?.text.trim() === '';
  return subject === null ? isEmpty || request.expected === 'ambiguous' : isReadRight(subject, request);
}

/** The shortest literals with which the requests are read, and no others are read wrongly. */
function shortest(
  template: JudgeTemplate,
  { parts, requests }: Setting,
  known: readonly KnownEntry[],
  noun = 'answer',
) {
  for (const lines of LINES_KEPT)
    for (const orders of [0, lines]) {
      const shortened = parts.map((part) => shortenedPart(part, part.slots.length > 0 ? lines : orders));
      const { parts: texts } = printTemplate({ name: template.name, parts: shortened });
      const weight = weightOf({ name: template.name, parts: shortened });
      for (const verdict of verdictsOf(requests)) {
        if (weight < (verdict ? LEAST_KEPT.told : LEAST_KEPT.asked) && orders < MOST) continue;
        const file = {
          name: `package:${template.name}`,
          noun,
          parts: texts,
          ...(verdict && { verdict }),
        };
        const own = parsed(file);
        const all = own && [...known, ...own];
        if (
          all &&
          requests.every((request) => {
            const { subject } = recognise(request, all);
            return isRead(request, subject) && areRepliesRead(request, subject);
          }) &&
          corpus.every((one) => one.requests.every((request) => isHarmless(one, request, own)))
        )
          return { file, known: own };
      }
    }
  return null;
}

function parsed(file: object): readonly KnownEntry[] | null {
  try {
    return parseKnown([[file]]);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Whether the template reads a request of any pipeline as it was made, or not at all. */
function isHarmless({ kind }: JudgeTemplate, request: TemplateRequest, own: readonly KnownEntry[]): boolean {
  const texts = promptFor(request).parts;
  const stands = (literal: string) => texts.some(({ text }) => text.includes(literal));
  const written = own.flatMap((one) => one.written());
  if (!written.some(({ template: { parts } }) => parts.every(({ literals }) => literals.every(stands))))
    return true;
  const { subject, known } = recognise(request, own);
  return known === undefined || subject === null || (kind !== 'none' && isReadRight(subject, request));
}

/** Whether the verdict of each reply is read as the corpus has it. A tie may be left unread. */
function areRepliesRead({ replies }: TemplateRequest, subject: Case | null): boolean {
  if (!subject) return true;
  return replies.every((reply) => {
    const isTie = 'choice' in reply.verdict && typeof reply.verdict.choice !== 'number';
    const reading = readingOf(subject, reply);
    return reading === 'right' || (isTie && reading === 'unread');
  });
}

/** No word of the verdict where the request says it; else as the replies tell; else the field that the corpus names. */
function verdictsOf(requests: readonly TemplateRequest[]): (VerdictFile | undefined)[] {
  const [request] = requests;
  if (!request) return [];
  const labels = request.slots.options.map(({ label }) => label);
  const replies = requests.flatMap((one) => one.replies.map(({ text }) => text));
  const { kind, field, labels: words = {}, scale, polarity } = request.verdict;
  const orders = promptOf(request)
    .parts.map(({ text }) => text)
    .join('\n');
  const learned = withTie(
    formFromReplies(replies, kind === 'list' ? [''] : labels, labels.length > 1 ? orders : ''),
    Object.keys(words).find((word) => words[word] === 'tie'),
  );
  const path = field?.split('.') ?? [];
  const named: VerdictFile[] = [];
  const good = Object.keys(words).filter((word) => words[word] === 'pass' || words[word] === 'good');
  const bad = Object.keys(words).filter((word) => words[word] === 'fail' || words[word] === 'bad');
  if (kind === 'score' && field !== undefined && scale)
    named.push({ kind: 'score', min: scale.min, max: scale.max, field });
  if (kind === 'list' && path[0]?.endsWith('[]'))
    named.push({
      kind: 'list',
      field: path[0].slice(0, -2),
      ...(path[1] !== undefined && { item: path[1] }),
    });
  if (kind === 'pass' && field !== undefined && 'true' in words)
    named.push({ kind: 'pass', field, ...(polarity === 'lower' && { good: false }) });
  else if (kind === 'pass' && good[0] !== undefined && bad[0] !== undefined)
    named.push({
      kind: 'pass',
      labels: [good[0], bad[0]],
      template: '{}',
      ...(field !== undefined && { field }),
    });
  if (kind === 'category')
    named.push({
      kind: 'category',
      labels: Object.keys(words),
      template: '{}',
      ...(field !== undefined && { field }),
    });
  return [undefined, ...(learned ? [learned] : []), ...named];
}

/** With the word for a tie that no reply of the corpus says. */
function withTie(learned: VerdictFile | null, word: string | undefined): VerdictFile | null {
  if (learned?.kind !== 'choice' || learned.tie !== undefined || word === undefined) return learned;
  const { template = '{}' } = learned;
  return { ...learned, tie: template.replace('{}', () => word) };
}

/** The ways in which the requests of a template set out its texts; several where a section is left out in some. */
function settingsOf(requests: readonly TemplateRequest[], asOne: boolean): Setting[] {
  const groups = Map.groupBy(requests, (request) =>
    JSON.stringify(partsOf(request, asOne)?.map(({ literals }) => literals) ?? null),
  );
  return [...groups.values()].flatMap((group) => {
    const parts = group[0] && partsOf(group[0], asOne);
    return parts ? [{ parts, requests: group }] : [];
  });
}

/** A slot of the corpus, or several in a row that are one for a reader. */
interface Filled {
  readonly slot: Slot;
  readonly start: number;
  readonly end: number;
}

/** @returns null where two slots have nothing between them */
function partsOf(request: TemplateRequest, asOne: boolean): TemplatePart[] | null {
  const prompt = promptOf(request);
  const { instruction, options } = request.slots;
  const first = Math.min(
    ...[...instruction, ...options.flatMap(({ slots }) => slots)].map(({ part }) => part),
  );
  // Turns in front of the case are examples; what the judge said after it belongs to the case.
  const last = prompt.parts.findLastIndex(
    ({ role }, part) => part < first && (role === 'assistant' || role === 'model'),
  );
  const parts: TemplatePart[] = [];
  for (const [part, { role, text }] of prompt.parts.entries()) {
    if (role === 'assistant' || role === 'model' || part < last) continue;
    const filled = joined(slotsIn(request, part, text, asOne), text, request.verdict.kind === 'list');
    const edges = [0, ...filled.flatMap(({ start, end }) => [start, end]), text.length];
    const literals = Array.from({ length: filled.length + 1 }, (_, n) =>
      text.slice(edges[2 * n], edges[2 * n + 1]),
    );
    if (literals.slice(1, -1).includes('')) return null;
    parts.push({ role, literals, slots: filled.map(({ slot }) => slot) });
  }
  return parts;
}

/** @param asOne whether a conversation is one slot, of any number of turns */
function slotsIn({ slots, verdict }: TemplateRequest, part: number, text: string, asOne: boolean): Filled[] {
  const of = (role: Slot['role'], places: readonly Place[], label = ''): Filled[] =>
    places
      .filter((place) => place.part === part)
      .map(({ start, end, encoding, again }) => ({
        start,
        end,
        slot: {
          role: again && role !== 'option' ? '*' : role,
          label,
          encoding:
            encoding === 'json' || encoding === 'json-ascii'
              ? 'json'
              : encoding === 'indented'
                ? encoding
                : 'plain',
        },
      }));
  const single = slots.options.length === 1 || verdict.kind === 'list';
  const asides = [
    ...of('instruction', slots.instruction),
    ...of('reference', slots.reference),
    ...of('rubric', slots.rubric),
    ...of('context', slots.context),
    ...of('*', slots.ignored),
  ];
  const options = slots.options.flatMap(({ label, slots: places }) => {
    const turns = of('option', places, single ? '' : label);
    return asOne && verdict.kind !== 'list' && areTurns(places) ? conversationOf(turns, asides, text) : turns;
  });
  const beside = asides.filter(({ start }) => !options.some((one) => one.start <= start && start < one.end));
  return [...beside, ...options].sort((a, b) => a.start - b.start);
}

/** Whether an option has several texts, and not one again and again. */
function areTurns(places: readonly Place[]): boolean {
  return new Set(places.map(({ text }) => text)).size > 1;
}

function isConversation({ requests }: JudgeTemplate): boolean {
  return requests.some(
    ({ slots, verdict }) => verdict.kind !== 'list' && slots.options.some((option) => areTurns(option.slots)),
  );
}

/** A conversation, of as many turns as it has: what stands between an answer and the next turn stands around the whole. */
function conversationOf(answers: readonly Filled[], asides: readonly Filled[], text: string): Filled[] {
  const [first, second] = answers;
  const last = answers.at(-1);
  if (!first || !second || !last) return [...answers];
  const turns = [...asides, ...answers].sort((a, b) => a.start - b.start);
  const gap = (from: Filled | undefined, to: Filled | undefined) =>
    withoutNumbers(text.slice(from?.end ?? 0, to?.start));
  const before = (one: Filled) => turns[turns.indexOf(one) - 1];
  const next = turns[turns.indexOf(first) + 1];
  const opener = gap(before(first), first) === gap(before(second), second) ? (before(first) ?? first) : first;
  const between = gap(first, next);
  const head = withoutNumbers(text.slice(0, opener.start));
  const tail = withoutNumbers(text.slice(last.end));
  let heading = 0;
  while (heading < between.length && head.at(-1 - heading) === between.at(-1 - heading)) heading++;
  let ending = 0;
  while (ending < between.length && tail.at(ending) === between.at(ending)) ending++;
  let [start, end] = [opener.start - heading, last.end + ending];
  if (text[start - 1] === '[' && text[end] === ']') [start, end] = [start - 1, end + 1];
  const whole = text.slice(start, end);
  start += whole.length - whole.trimStart().length;
  end -= whole.length - whole.trimEnd().length;
  return [{ ...first, start, end, slot: { ...first.slot, encoding: 'plain' } }];
}

function withoutNumbers(text: string): string {
  return text.replace(/\d/g, '0');
}

/** Items of a list are one slot: so many are in one request, and more in the next. */
function joined(filled: readonly Filled[], text: string, isList: boolean): Filled[] {
  const rows: Filled[] = [];
  for (const one of filled) {
    const before = rows.at(-1);
    const between = before ? text.slice(before.end, one.start) : '';
    const goesOn =
      before?.slot.role === one.slot.role &&
      (one.slot.role === 'option' ? isList : true) &&
      !/\p{L}/u.test(between) &&
      between.length <= 30;
    if (before && goesOn)
      rows[rows.length - 1] = { ...before, end: one.end, slot: { ...before.slot, encoding: 'plain' } };
    else rows.push(one);
  }
  return rows;
}

/** The part with so many lines kept beside each slot, and of a part without slots at its start. */
function shortenedPart(part: TemplatePart, lines: number): TemplatePart {
  const literals: string[] = [];
  const slots: Slot[] = [];
  const star: Slot = { role: '*', label: '', encoding: 'plain' };
  const frames = part.slots.flatMap(({ role }, n) =>
    role === 'option' ? headingOf(part.literals[n] ?? '') : [],
  );
  for (const [n, literal] of part.literals.entries()) {
    const isFirst = n === 0;
    const isEnd = n === part.literals.length - 1;
    const alone = isFirst && isEnd;
    const start = isFirst && !alone ? '' : firstLines(literal, lines);
    const end = isEnd ? '' : lastLines(literal.slice(start.length), lines);
    // Behind the options the same headings again are of further cases, which are not judged in these requests alone.
    const goesOn = isEnd && !isFirst && frames.some((frame) => withoutNumbers(literal).includes(frame));
    const isShort = literal.length <= SHORT && lines > 0;
    const whole = goesOn || isShort || start.length + end.length > 0.7 * literal.length;
    if (whole) literals.push(literal);
    else {
      literals.push(start, end);
      slots.push(star);
    }
    const slot = part.slots[n];
    if (slot) slots.push(slot);
  }
  return { role: part.role, literals, slots };
}

/** The line in front of a slot that counts the case, with any number in place of its own. */
function headingOf(before: string): string[] {
  const line = before.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line.length >= LEAST_HEADING && /\d/.test(line) ? [withoutNumbers(line)] : [];
}

/** So many lines with a word in them from the start, with the break behind the last. */
function firstLines(text: string, count: number): string {
  let end = 0;
  for (let left = count; left > 0 && end < text.length; ) {
    const next = text.indexOf('\n', end) + 1 || text.length;
    if (/[\p{L}\p{N}]/u.test(text.slice(end, next))) left--;
    end = next;
  }
  return text.slice(0, end);
}

/** So many lines with a word in them before the end. */
function lastLines(text: string, count: number): string {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; ) {
    const before = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (/[\p{L}\p{N}]/u.test(text.slice(before, start))) left--;
    start = before;
  }
  return text.slice(start);
}
