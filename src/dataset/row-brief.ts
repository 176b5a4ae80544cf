/**
 * A row of the published detector dataset as the brief a detector is given.
 *
 * The case is built from the row's columns, not searched for in a prompt as in a live request: the columns say
 * what is instruction and what are options, and the reader of requests rightly leaves alone a prompt whose
 * answers contain the labels, while a dataset has to be read whole. Laying the case out again gives back the
 * row's own `choices` and `llm_judgment` (tested on every row).
 */
import {
  type Bias,
  CATALOGUE,
  chooseBiases,
  DEFAULT_BIASES,
  findBias,
  keepExaminable,
} from '../bias/index.ts';
import { type Case, mapBack, type Option, readBrief, type Statement, type Verdict } from '../case/index.ts';
import { type Brief, renderBrief } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { type DetectorRow, describeRow, type Shown } from './detector-row.ts';

/**
 * @throws InputError for a bias that is not in the catalogue, or options that are not laid out as published.
 *   The brief's `probe` rejects with it, too: behind a row there is no judge to ask
 */
export function createRowBrief(row: DetectorRow, signal: AbortSignal): Brief {
  const biases = biasesOf(row);
  const { shown, clean } = row.shown ? convertShown(row.shown) : readChoices(row);
  const subject = caseOf(row.instruction, shown);
  const [given = '', turned = null] = readOrders(row.llm_judgment);
  const swapped =
    turned === null ? null : mirrorVerdict(readDecision(turned, subject.options.length), subject);
  return {
    subject,
    judge: row.llm_judge_model,
    verdict: readDecision(given, subject.options.length),
    swapped,
    ...(clean ? { clean: caseOf(row.instruction, clean) } : {}),
    biases,
    listed: listServed(biases, swapped !== null),
    probe: () => Promise.reject(new InputError('detector', 'a recorded verdict has no judge to probe')),
    rewrite: null,
    signal,
  };
}

/**
 * The prompt that a detector is sent for a row.
 *
 * @throws InputError as `createRowBrief`
 */
export function renderDetectorPrompt(row: DetectorRow, wording?: Parameters<typeof renderBrief>[1]): string {
  // Nothing is asked of anybody, so nothing can be stopped.
  return renderBrief(createRowBrief(row, new AbortController().signal), wording);
}

/** What the proxy's detector is told to look for where nobody names any, and the row's own, which may be none of them. */
function listServed(own: readonly Bias[], bothOrders: boolean): readonly Bias[] {
  const { biases } = chooseBiases([...DEFAULT_BIASES, ...own.map(({ name }) => name)]);
  return keepExaminable(biases, bothOrders);
}

/** Of a row with several biases: `verbosity+bandwagon`. */
function biasesOf(row: DetectorRow): readonly Bias[] {
  return row.bias_category.split('+').map((name) => {
    const bias = findBias(name.trim());
    if (bias) return bias;
    const known = CATALOGUE.map((one) => one.name).join(', ');
    throw new InputError(
      'bias_category',
      `"${name}" of ${describeRow(row)} is none of the known biases (${known})`,
    );
  });
}

interface Evaluation {
  readonly statements: readonly string[];
  /** Whether the statements name the options by the places they have in the swapped order. */
  readonly turned: boolean;
  readonly options: readonly string[];
  readonly naming: Naming;
}

/** How the options are told apart: a lone one is not; a pair has letters; a list has numbers. */
type Naming = 'alone' | 'lettered' | 'numbered';

const FIRST = /^### First Evaluation \(Original Order\)\s*\n/;
const SECOND = /\n\s{0,9}### Second Evaluation \(Swapped Order\)\s{0,9}\n/;

/** Where the second evaluation has more than another order, it is what is `shown`, and the first is `clean`. */
interface Evaluations {
  readonly shown: Evaluation;
  readonly clean: Evaluation | null;
}

function createEvaluations(given: Evaluation, turned: Evaluation | null): Evaluations {
  const same =
    turned === null ||
    (given.statements.length === turned.statements.length &&
      given.options.join('\n') === turned.options.join('\n'));
  return same ? { shown: given, clean: null } : { shown: turned, clean: given };
}

function convertShown(shown: readonly Shown[]): Evaluations {
  const [given, turned = null] = shown.map(
    ({ options, labels, statements }, index): Evaluation => ({
      statements,
      turned: index === 1,
      options: index === 1 ? options.toReversed() : options,
      naming: labels[0]?.startsWith('Choice') ? 'numbered' : 'lettered',
    }),
  );
  if (!given) throw new RangeError('a row shows one order at least');
  return createEvaluations(given, turned);
}

function readChoices(row: DetectorRow): Evaluations {
  const [above, rest] = withoutStatements(row.choices);
  const [first = '', second = null] = FIRST.test(rest) ? rest.replace(FIRST, '').split(SECOND) : [rest];
  const [before, original] = withoutStatements(first);
  const [below, turned] = second === null ? [[], null] : withoutStatements(second);
  const { options, back, naming } = readOptions(row, original, turned);
  const given = { statements: above.length > 0 ? above : before, turned: false, options, naming };
  const statements = above.length > 0 ? above : below;
  return createEvaluations(
    given,
    turned === null ? null : { statements, turned: above.length === 0, options: back, naming },
  );
}

/** The options in the first order, as they are there and as they are in the second (`back`). */
function readOptions(row: DetectorRow, original: string, turned: string | null) {
  if (/^1\. /.test(original)) {
    const options = readNumbered(original);
    const back = turned === null ? options : readNumbered(turned).toReversed();
    return { options, back, naming: 'numbered' as const };
  }
  const alone = ALONE.exec(original)?.[0];
  if (alone !== undefined && turned === null) {
    const options = [original.slice(alone.length)];
    return { options, back: options, naming: 'alone' as const };
  }
  const backs = turned === null ? [] : readPairs(turned).map(([a, b]): Pair => [b, a]);
  const both = readPairs(original).flatMap((options) =>
    (turned === null ? [options] : backs).map((back) => ({ options, back, naming: 'lettered' as const })),
  );
  // Where an answer contains the label itself, the other order tells which of the labels is the real one; a
  // further bias may have changed one of the texts.
  const alike = ({ options, back }: { options: Pair; back: Pair }) =>
    Number(options[0] === back[0]) + Number(options[1] === back[1]);
  const [best] = both.toSorted((a, b) => alike(b) - alike(a));
  if (!best)
    throw new InputError(
      'choices',
      `${describeRow(row)} has neither Output (a) and (b) nor a numbered list, nor Output alone`,
    );
  return best;
}

type Pair = [string, string];

const ALONE = /^Output:[ ]?/;
/** A statement ends where the next one begins, or the options do; the published ones are of one line each. */
const STATEMENT =
  /^### Statement:(?:[\s\S]*?(?=\n\n(?:### (?:Statement|First)|Output(?: \(a\))?: |1\. ))|[^\n]*)/;

function withoutStatements(text: string): [statements: string[], rest: string] {
  const statements: string[] = [];
  let rest = text;
  for (let found = STATEMENT.exec(rest)?.[0]; found !== undefined; found = STATEMENT.exec(rest)?.[0]) {
    statements.push(found);
    rest = rest.slice(found.length).replace(/^\s*\n/, '');
  }
  return [statements, rest];
}

/** All ways to read `Output (a): …\n\nOutput (b): …`, earliest label first. */
function readPairs(text: string): Pair[] {
  const head = /^Output \(a\):[ ]?/.exec(text);
  if (!head) return [];
  return [...text.matchAll(/\n\nOutput \(b\):[ ]?/g)].map((mark) => [
    text.slice(head[0].length, mark.index),
    text.slice(mark.index + mark[0].length),
  ]);
}

/** `1. …\n2. …`, counting up; a list inside an option that counts the same way cannot be told apart. */
function readNumbered(text: string): string[] {
  const starts = [0];
  for (let number = 2; ; number++) {
    const at = text.indexOf(`\n${number}. `, starts.at(-1));
    if (at < 0) break;
    starts.push(at + 1);
  }
  return starts.map((start, i) => {
    const next = starts[i + 1];
    return text.slice(start + `${i + 1}. `.length, next === undefined ? undefined : next - 1);
  });
}

function caseOf(instruction: string, shown: Evaluation): Case {
  let text = '';
  const write = (piece: string) => {
    const start = text.length;
    text += piece;
    return { part: 0, start, end: text.length };
  };
  const asked = { text: instruction, at: write(instruction) };
  write('\n\n');
  const context: Statement[] = [];
  for (const statement of shown.statements) {
    const at = write(statement);
    write('\n\n');
    const mentions = mentionsIn(statement, shown, at.start);
    context.push({ text: statement, at, mentions, whole: { part: 0, start: at.start, end: text.length } });
  }
  const options = shown.options.map((option, index): Option => {
    const label = labelOf(shown.naming, index);
    write(shown.naming === 'numbered' ? `${index + 1}. ` : `${label}: `);
    const at = write(option);
    write(shown.naming === 'numbered' ? '\n' : '\n\n');
    return { label, text: option, at };
  });
  const numbered = shown.naming === 'numbered';
  const labels = shown.options.map((_, index) => (numbered ? `${index + 1}` : ('ab'[index] ?? '')));
  return {
    layout: 'rbd-row',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: asked,
    options,
    context,
    form: {
      kind: 'choice',
      write: { template: numbered ? 'Choice {}' : 'Output ({})', labels },
      tie: null,
      field: null,
    },
    noteAt: { part: 0, offset: text.length },
  };
}

function labelOf(naming: Naming, index: number): string {
  if (naming === 'alone') return 'Output';
  return naming === 'numbered' ? `Choice ${index + 1}` : `Output (${'ab'[index]})`;
}

/** The options a statement names; it may speak of the order in which they were shown the second time. */
function mentionsIn(
  statement: string,
  { options, turned, naming }: Evaluation,
  from: number,
): Statement['mentions'] {
  const last = options.length - 1;
  const named = naming === 'alone' ? /\bOutput\b/g : /Output \(([ab])\)|Choice (\d+)/g;
  return [...statement.matchAll(named)].flatMap((match) => {
    const [, letter, number] = match;
    const place = letter ? 'ab'.indexOf(letter) : number ? Number(number) - 1 : 0;
    if (place < 0 || place > last) return [];
    const start = from + match.index;
    const at = { part: 0, start, end: start + match[0].length };
    return [{ option: turned ? last - place : place, at }];
  });
}

/** One decision, or one for each order. */
function readOrders(judgment: string): string[] {
  const whole = judgment.trim();
  const above = /^### Original Order\s{0,9}\n/.exec(whole)?.[0];
  const between = /\n\s{0,9}### Swapped Order\s{0,9}\n/.exec(whole);
  if (above === undefined || !between) return [judgment];
  return [whole.slice(above.length, between.index), whole.slice(between.index + between[0].length)];
}

function readDecision(written: string, options: number): Verdict {
  const text = written.trim();
  const letter = /^Output \(([a-z])\)\.?$/i.exec(text)?.[1]?.toLowerCase();
  const number = /^Choice (\d+)\.?$/i.exec(text)?.[1];
  const option = letter ? letter.charCodeAt(0) - 'a'.charCodeAt(0) : number ? Number(number) - 1 : -1;
  if (option >= 0 && option < options) return { text, kind: 'choice', option };
  const other = readBrief(text);
  return other ? { ...other, text } : { text, kind: 'none', reason: text === '' ? 'empty' : 'no-label' };
}

/** A verdict given on the opposite order, said of the original options. */
const mirrorVerdict = (verdict: Verdict, { options }: Case): Verdict =>
  mapBack(verdict, { order: options.map((_, slot) => options.length - 1 - slot) });
