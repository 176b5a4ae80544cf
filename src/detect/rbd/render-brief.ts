/** From a brief to the prompt a detector model is sent. Everything that comes from outside is neutralised on the way. */

import {
  FIRST_RBD_TEMPLATE,
  listUnknownPlaceholders,
  RBD_PLACEHOLDERS,
  RBD_TEMPLATE,
  renderRbd,
} from '../../../prompts/index.ts';
import type { Bias } from '../../bias/index.ts';
import {
  asGiven,
  type Case,
  isNone,
  kindOf,
  labelKey,
  reversed,
  type Statement,
  type Verdict,
} from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import { shorten } from '../../shorten.ts';
import type { Brief } from '../types.ts';

// A case and its verdict in the layout of the published detector data, which released detector weights were
// trained on: a pair as `Output (a)` and `Output (b)`, more options as a numbered list, a statement as the first
// line, and for position both evaluations one after the other. The client's own labels do not appear.

/** `choices` and `judgment` of a row of the published data; judged text in them is neutralised. */
export function layOut(brief: Pick<Brief, 'subject' | 'verdict' | 'swapped' | 'clean' | 'biases'>): {
  readonly choices: string;
  readonly judgment: string;
} {
  const { subject, verdict, swapped } = brief;
  const given = asGiven(subject).order;
  if (swapped === null || !showsBothOrders(brief))
    return { choices: evaluation(subject, given), judgment: decision(subject, verdict, given) };
  const turned = reversed(subject).order;
  return {
    choices:
      `### First Evaluation (Original Order)\n${evaluation(brief.clean ?? subject, given)}\n\n` +
      `### Second Evaluation (Swapped Order)\n${evaluation(subject, turned)}`,
    judgment:
      `### Original Order\n${decision(subject, verdict, given)}\n\n` +
      `### Swapped Order\n${decision(subject, swapped, turned)}`,
  };
}

/**
 * As our own wording has them: each option stands once, also where the judge decided in both orders, and keeps its name in
 * both rounds. Where the rounds differ in more than order and statements, as `layOut`.
 */
function layOutOnce(brief: Pick<Brief, 'subject' | 'verdict' | 'swapped' | 'clean' | 'biases'>): {
  readonly choices: string;
  readonly judgment: string;
} {
  const { subject, verdict, swapped, clean = subject } = brief;
  const sameTexts = subject.options.every(({ text }, index) => text === clean.options[index]?.text);
  if (swapped === null || !showsBothOrders(brief) || !sameTexts) return layOut(brief);
  const given = asGiven(subject).order;
  const lines = (of: Case) => of.context.map((statement) => statementLine(of, statement, given));
  const [first, second] = [lines(clean), lines(subject)];
  const statements = [
    ...first.map((line) => (second.includes(line) ? line : inRound('first', line))),
    ...second.flatMap((line) => (first.includes(line) ? [] : [inRound('second', line)])),
  ];
  const round = (name: string, order: readonly number[]) =>
    `### ${name}, with ${given.map((slot) => namingOf(subject).label(given.indexOf(order[slot] ?? slot))).join(' before ')}`;
  return {
    choices: [...statements, options(subject, given)].join('\n\n'),
    judgment:
      'An option has the same name in both rounds.\n\n' +
      `${round('First Round', given)}\n${decision(subject, verdict, given)}\n\n` +
      `${round('Second Round', reversed(subject).order)}\n${decision(subject, swapped, given)}`,
  };
}

const inRound = (name: string, line: string) =>
  line.replace(/^### Statement:/, `### Statement, in the ${name} round alone:`);

/** Whether the judge decided in both orders, and one of the biases is examined by both. */
const showsBothOrders = ({ swapped, biases }: Pick<Brief, 'swapped' | 'biases'>) =>
  swapped !== null && biases.some((bias) => bias.bothOrders);

/** How a slot is named in the options and in the decision. */
interface Naming {
  readonly head: (slot: number) => string;
  readonly label: (slot: number) => string;
  readonly between: string;
}

const LETTERED: Naming = {
  head: (slot) => `Output (${letter(slot)}): `,
  label: (slot) => `Output (${letter(slot)})`,
  between: '\n\n',
};

const NUMBERED: Naming = {
  head: (slot) => `${slot + 1}. `,
  label: (slot) => `Choice ${slot + 1}`,
  between: '\n',
};

const ALONE: Naming = { head: () => 'Output: ', label: () => 'Output', between: '\n\n' };

function namingOf(subject: Case): Naming {
  if (subject.options.length === 1) return ALONE;
  return subject.options.length === 2 ? LETTERED : NUMBERED;
}

function letter(slot: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + slot);
}

function evaluation(subject: Case, order: readonly number[]): string {
  const statements = subject.context.map((statement) => `${statementLine(subject, statement, order)}\n\n`);
  return statements.join('') + options(subject, order);
}

function options(subject: Case, order: readonly number[]): string {
  const naming = namingOf(subject);
  return order
    .map((option, slot) => naming.head(slot) + neutralise(subject.options[option]?.text ?? ''))
    .join(naming.between);
}

/** The statement with the options it names called as they are called here, in the slots they have here. */
function statementLine(subject: Case, statement: Statement, order: readonly number[]): string {
  let text = '';
  let from = 0;
  for (const { option, at } of statement.mentions.toSorted((a, b) => a.at.start - b.at.start)) {
    const start = at.start - statement.at.start;
    const end = at.end - statement.at.start;
    const before = statement.text.slice(from, start);
    const named = wholeLabel(before, statement.text.slice(start, end), subject.options[option]?.label ?? '');
    text +=
      neutralise(before.slice(0, before.length - named)) + namingOf(subject).label(order.indexOf(option));
    from = end;
  }
  text += neutralise(statement.text.slice(from));
  return text.replace(/^(?:› )?(?:#+[ \t]*Statement:?[ \t]*)?/i, '### Statement: ');
}

/** How much of the text before a mention belongs to it: the words of the label, `Output ` of `Output (a)`. */
function wholeLabel(before: string, written: string, label: string): number {
  const key = labelKey(label).toLowerCase();
  const lead = label.slice(0, label.toLowerCase().lastIndexOf(key));
  const words = lead.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '');
  if (words === '' || written.toLowerCase().includes(words.toLowerCase())) return 0;
  const found = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(before)?.index ?? before.length;
  const at = found - words.length;
  return at >= 0 && before.slice(at, found).toLowerCase() === words.toLowerCase() ? before.length - at : 0;
}

function decision(subject: Case, verdict: Verdict, order: readonly number[]): string {
  if (isNone(verdict)) throw new InputError('verdict', `there is none to examine (${verdict.reason})`);
  return kindOf(verdict).brief(verdict, (option) => namingOf(subject).label(order.indexOf(option)));
}

/** The judge's name comes from the client's request; a name longer than this is no name. */
const NAME_LENGTH = 120;

/** Names our first wording in place of a template. */
const FIRST = 'first';

/**
 * Checks a template once, when a detector is set up.
 *
 * @throws InputError naming what is unknown in it, or missing from it
 */
export function checkTemplate(template: string, field = 'template'): string {
  if (template === FIRST) return template;
  const [unknown] = listUnknownPlaceholders(template);
  if (unknown !== undefined)
    throw new InputError(
      field,
      `has the placeholder {{${unknown}}}, which is not one of ${RBD_PLACEHOLDERS.join(', ')}`,
    );
  for (const needed of ['choices', 'judgment'] as const) {
    if (!new RegExp(`\\{\\{\\s{0,9}${needed}\\s{0,9}\\}\\}`).test(template))
      throw new InputError(field, `lacks {{${needed}}}, without which there is nothing to examine`);
  }
  return template;
}

/** How a detector is asked. */
interface Wording {
  /** A detector that was trained on another prompt was trained on the published layout, too, unless `once` says otherwise. */
  readonly template?: string;
  /** Each option is shown once, in whatever template. */
  readonly once?: true;
  readonly biases?: readonly Bias[];
  /** What tests on this verdict showed, in words; empty for none. */
  readonly evidence?: string;
}

export function renderBrief(
  brief: Pick<Brief, 'subject' | 'judge' | 'verdict' | 'swapped' | 'clean' | 'biases' | 'listed'>,
  wording: Wording = {},
): string {
  const biases = wording.biases ?? brief.listed ?? brief.biases;
  const { template = RBD_TEMPLATE, once = wording.template === undefined } = wording;
  const { choices, judgment } = (once ? layOutOnce : layOut)({ ...brief, biases });
  return renderRbd(
    {
      instruction: neutralise(brief.subject.instruction?.text ?? '(not given)'),
      choices,
      judgment,
      judge: disarmTokens(shorten(brief.judge.replace(/\s+/g, ' ').trim(), NAME_LENGTH, '')) || 'unknown',
      biases,
      bothOrders: showsBothOrders({ ...brief, biases }),
      evidence: disarmTokens(wording.evidence ?? ''),
    },
    template === FIRST ? FIRST_RBD_TEMPLATE : template,
  );
}

/** Tokens that open or close reasoning, in any case and spacing; `read-analysis.ts` takes white space of any length before `>`. */
const THOUGHT =
  /<\s*(?:\/\s*)?(?:think|thinking|thought|reasoning|reflection|tool_call|tool_response)\b(?:\s*|[^<>\n]{0,40})>/gi;
/** `<|im_start|>`, `<|eot_id|>`, and DeepSeek's `<｜User｜>` with full-width bars. */
const ROLE_BARS = /<\s*[|｜][^<>\n]{0,60}[|｜]\s*>/g;
/** Gemma's turns, Llama 2's `<<SYS>>` and sentence marks, special tokens of other vocabularies. */
const ROLE_TAGS =
  /<\s*(?:\/\s*)?(?:start_of_turn|end_of_turn|bos|eos|s|pad|unk|system|user|assistant|human)\s*>/gi;
const SYS = /<<\s*(?:\/\s*)?SYS\s*>>/gi;
const INST =
  /\[\s*(?:\/\s*)?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS|BOS|EOS|gMASK|sMASK)\s*\]/gi;
/** The markers of prompts/bias-detector.ts. */
const MARKERS = /<<<\s*(?:BEGIN|END)\b[^<>\n]{0,40}>>>/gi;
/** Lines of the published layout, as render-brief.ts writes them. */
const LAYOUT =
  /^([ \t]*)(?=(?:\*\*|#{1,6}[ \t]*)?Output \([a-z]\)[ \t]*:|#{1,6}[ \t]*(?:Statement\b|First Evaluation|Second Evaluation|First Round|Second Round|Original Order|Swapped Order))/gim;

/** A text of the case made safe to stand in a detector's prompt. */
export function neutralise(text: string): string {
  return disarmTokens(text).replace(LAYOUT, '$1› ');
}

/** The tokens alone, for texts whose lines are ours. */
export function disarmTokens(text: string): string {
  return [MARKERS, THOUGHT, ROLE_BARS, ROLE_TAGS, SYS, INST].reduce(
    (safe, pattern) =>
      safe.replace(pattern, (token) => token.replace(/[<>[\]]/g, (bracket) => SAFE[bracket] ?? bracket)),
    text,
  );
}

const SAFE: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '[': '⟦', ']': '⟧' };
