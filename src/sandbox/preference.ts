/**
 * What the sandbox judge prefers: a declared sum of weights, one for each thing that can sway it. The truth
 * about its biases is known, which is what makes it good for tests and for nothing else.
 */
import {
  type AuthorBlock,
  beginsWithBest,
  countMarks,
  findAuthorBlock,
  findAuthorities,
  findInstructions,
  findReferred,
  findReflections,
  groupRemarks,
  measurePolarity,
  namesItself,
  PROVENANCE_REMARK,
  RECENCY_REMARK,
  splitRemark,
} from '../bias/index.ts';
import { type Case, finalNumber, listAnswers } from '../case/index.ts';
import { draw } from '../stats/seeded-draw.ts';
import { measurePeerGrounds } from './peer-reviewer.ts';

export interface Weights {
  /** For being right rather than wrong. */
  readonly quality: number;
  /** For being e times as long as the others (natural logarithm of the ratio). */
  readonly length: number;
  /** For standing first. */
  readonly position: number;
  /** For being preferred by all, as a statement in the prompt has it; by 90%, for nine tenths of that. */
  readonly majority: number;
  /** For a tone as bright as can be, VADER compound 1. */
  readonly tone: number;
  /** For being set out in headings, bullets, bold type, a table or emoji. */
  readonly formatting: number;
  /** For a text in it that speaks to the judge. */
  readonly instruction: number;
  /** For second thoughts, self-praise and claims of certainty. */
  readonly reflection: number;
  /** For calling experts, studies or institutions to witness. */
  readonly authority: number;
  /** For saying which model it is. */
  readonly identity: number;
  /** For a rubric that begins with its best score: half as much up or down for a single answer, all of it for the first of several. */
  readonly rubric: number;
  /** For having a reference on its side. */
  readonly reference: number;
  /** For what somebody thinks of it who is no judge: an option named as better, or a score that is suggested, see `readNumber`. */
  readonly suggestion: number;
  /** For a score that is mentioned beside it and is another text's. */
  readonly mention: number;
  /** For being said to be by an expert rather than of unknown source; humans and language models lie between, see `STANDING`. */
  readonly provenance: number;
  /** For being said to be of 2025 rather than of 1950; years between count by their distance. */
  readonly recency: number;
  /** For an author as renowned as can be, see `measureRenown`; for one of little renown as much against it. */
  readonly author: number;
  /** For a paper whose reviews rate it 10 rather than 1. */
  readonly ratings: number;
  /** For a paper whose reviews are all hostile in tone: a judge that pities its authors has more than 0. */
  readonly hostility: number;
  /** For a paper whose reviews all miss what it has. */
  readonly claims: number;
  /** For a paper that gives many numbers, its authors' rebuttals included, rather than none. */
  readonly evidence: number;
  /**
   * For nothing at all: a number in [-1/2, 1/2], drawn from every word of the request for each option. A judge that
   * wavers, and yet gives the same request the same reply.
   */
  readonly chance: number;
}

/** Right answers win, unless a crowd is against them, or a rival is much longer. */
export const DEFAULT_WEIGHTS: Weights = {
  quality: 1,
  length: 0.5,
  position: 0.15,
  majority: 1.2,
  tone: 0.3,
  formatting: 0,
  instruction: 0,
  reflection: 0,
  authority: 0,
  identity: 0,
  rubric: 0,
  reference: 0,
  suggestion: 0,
  mention: 0,
  provenance: 0.6,
  recency: 0.9,
  author: 0.01,
  ratings: 0.8,
  hostility: 0.12,
  claims: 0,
  evidence: 0.5,
  chance: 0,
};

/** Of a judge whom nothing sways, not even which answer is right. */
export const NO_WEIGHTS: Weights = {
  ...DEFAULT_WEIGHTS,
  ...Object.fromEntries(Object.keys(DEFAULT_WEIGHTS).map((name) => [name, 0])),
};

/** Merit of an option in [-0.5, 0.5]; 0 where it is not known. */
export type Quality = (subject: Case, option: number) => number;

/** Which weight a bias of the catalogue is about. */
const BIAS_OF = {
  length: 'verbosity',
  position: 'position',
  majority: 'bandwagon',
  tone: 'sentiment',
  formatting: 'formatting',
  instruction: 'instruction',
  reflection: 'reflection',
  authority: 'authority',
  identity: 'identity',
  rubric: 'rubric-order',
  reference: 'reference',
  provenance: 'provenance',
  recency: 'recency',
  author: 'author',
  ratings: 'conclusion',
  hostility: 'hostility',
  claims: 'unsupported',
} as const satisfies Partial<Record<keyof Weights, string>>;

/** Told that it decides against its own reasons, a judge leaves whatever else it went by. */
const AGAINST_REASONS = 'contradiction';

/**
 * The weights once a judge has been told of biases.
 *
 * @param heeds how far it lowers the weights of the biases named, in [0, 1]: 1 gives them up
 */
export function heedBiases(weights: Weights, biases: readonly string[], heeds: number): Weights {
  const all = biases.includes(AGAINST_REASONS);
  const lowered = Object.entries(BIAS_OF).filter(([, bias]) => all || biases.includes(bias));
  return {
    ...weights,
    ...Object.fromEntries(
      lowered.map(([name]) => [name, weights[name as keyof typeof BIAS_OF] * (1 - heeds)]),
    ),
  };
}

/** Characters of a text that a tone is read from; the lexicon look-up is slow on long texts. */
const TONE_READ = 500;
/** Length of a usual answer in characters, for a single one that has no other to be compared with. */
const USUAL_LENGTH = 400;

/** What each weight adds to how much the judge likes an option. */
export type Grounds = Readonly<Record<keyof Weights, number>>;

/** All of a weight where a text has such phrases. */
const weigh = (weight: number, find: () => readonly unknown[]): number =>
  weight !== 0 && find().length > 0 ? weight : 0;

/** @returns one for each option */
export function computeGrounds(subject: Case, weights: Weights, quality: Quality): Grounds[] {
  const blocks = subject.options.map(({ text }) => findAuthorBlock(text));
  const bodies = subject.options.map(({ text }, index) => removeSourceRemarks(text, blocks[index] ?? null));
  const lengths = bodies.map((text) => Math.log(Math.max(1, text.length)));
  const usual =
    lengths.length === 1
      ? Math.log(USUAL_LENGTH)
      : lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  const sources = findSources(subject);
  const newness = measureNewness(subject);
  const peer = measurePeerGrounds(subject);
  const referred = weights.reference === 0 ? [] : findReferred(subject);
  const rubric = weights.rubric === 0 ? 0 : readRubric(subject);
  const whole = weights.chance === 0 ? '' : subject.prompt.parts.map(({ text }) => text).join('\n');
  return subject.options.map((_, index) => {
    const source = sources[index];
    return {
      quality: weights.quality * quality(subject, index),
      // Whole papers are far longer than any usual answer.
      length: peer ? 0 : weights.length * ((lengths[index] ?? usual) - usual),
      position: weights.position * (index === 0 && lengths.length > 1 ? 1 : 0),
      majority: weights.majority * share(subject, index),
      tone: weights.tone === 0 ? 0 : weights.tone * compound(bodies[index] ?? ''),
      formatting: weights.formatting * (countMarks(bodies[index] ?? '') > 0 ? 1 : 0),
      instruction: weigh(weights.instruction, () => findInstructions(bodies[index] ?? '')),
      reflection: weigh(weights.reflection, () => findReflections(bodies[index] ?? '')),
      identity: weights.identity !== 0 && namesItself(bodies[index] ?? '') ? weights.identity : 0,
      rubric: weights.rubric * (index === 0 ? rubric : 0),
      reference: referred[index] ? weights.reference : 0,
      authority: weigh(weights.authority, () => findAuthorities(bodies[index] ?? '')),
      suggestion: weights.suggestion === 0 ? 0 : weights.suggestion * readOpinion(subject, index),
      mention: weights.mention === 0 ? 0 : weights.mention * readNumber(subject, MENTIONED),
      provenance: weights.provenance * (source ? STANDING[source] : 0),
      recency: weights.recency * (newness[index] ?? 0),
      author: weights.author * measureRenown(blocks[index] ?? null),
      ratings: weights.ratings * (peer?.ratings ?? 0),
      hostility: weights.hostility * (peer?.hostility ?? 0),
      claims: weights.claims * (peer?.claims ?? 0),
      evidence: weights.evidence * (peer?.evidence ?? 0),
      chance: weights.chance === 0 ? 0 : weights.chance * (draw(index, whole) - 0.5),
    };
  });
}

/** How much the judge likes each option; only differences mean anything where there are several. */
export function computeLiking(grounds: readonly Grounds[]): number[] {
  return grounds.map((one) => Object.values(one).reduce((sum, part) => sum + part, 0));
}

/** The share of a crowd that backs an option, in [0, 1]: "90% believe that Output (a) is better". */
function share(subject: Case, option: number): number {
  const shares = subject.context
    .filter((statement) => statement.mentions.some((mention) => mention.option === option))
    .flatMap((statement) => /(\d{1,3}(?:\.\d+)?)\s*%/.exec(statement.text)?.[1] ?? [])
    .map((percent) => Math.min(100, Number(percent)) / 100);
  return Math.max(0, ...shares);
}

/** Of a single answer half up where the rubric begins with its best score, half down where it ends with it. */
function readRubric(subject: Case): number {
  const isBestFirst = beginsWithBest(subject);
  if (isBestFirst === null) return 0;
  return subject.options.length === 1 ? (isBestFirst ? 0.5 : -0.5) : isBestFirst ? 1 : 0;
}

/** 1 for the option that somebody thinks better; of a single text, how far the score lies above the middle that somebody would give. */
function readOpinion(subject: Case, index: number): number {
  if (subject.options.length < 2) return readNumber(subject, SUGGESTED);
  const named = subject.context.filter(({ mentions }) => mentions.some(({ option }) => option === index));
  return named.some(({ text }) => /\bI (?:think|believe)\b/.test(text)) ? 1 : 0;
}

const SUGGESTED = /\bI would give it (\d{1,3})\b/;
const MENTIONED = /\bThe last answer got (\d{1,3})\b/;

/** From -0.5 for the lowest score on the scale to 0.5 for the highest; 0 where none is named. */
function readNumber({ prompt, form, options }: Case, pattern: RegExp): number {
  const found = prompt.parts.flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0];
  const { min, max } = listAnswers(form, options);
  if (found === undefined || min === null || max === null || options.length !== 1) return 0;
  return Math.min(1, Math.max(0, (Number(found) - min) / (max - min))) - 0.5;
}

function compound(text: string): number {
  const polarity = measurePolarity(text.slice(0, TONE_READ));
  return Number.isFinite(polarity) ? polarity : 0;
}

/** Knows sums, and nothing else: right is 0.5, wrong is -0.5. */
export const judgeArithmetic: Quality = (subject, option) => {
  const expected = subject.instruction ? computeArithmetic(subject.instruction.text) : null;
  if (expected === null) return 0;
  return isRight(expected, subject.options[option]?.text ?? '') ? 0.5 : -0.5;
};

// True quality for the sandbox: sums that can be checked. "What is 17*23?" has one right answer.

/** Longer ones are no question that a newcomer types; the bound also bounds the recursion. */
const LONGEST = 200;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\btimes\b|\bmultiplied by\b|[×·]|(?<=[\d)]\s{0,9})x(?=\s{0,9}[\d(])/gi, '*'],
  [/\bdivided by\b|[÷]/gi, '/'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/[−–]/g, '-'],
  // Thousands separators.
  [/(?<=\d),(?=\d{3}(?!\d))/g, ''],
];

const EXPRESSION = /-?[\d(][\d\s.+\-*/^()]{0,200}[\d)]/g;
/** Whatever else is said, the numbers are part of a story, and the sum is not the question. */
const ASKING =
  /^(?:what|what['’]?s|is|are|the|a|an|value|result|of|calculate|compute|evaluate|solve|find|how|much|please|work|out|equals?|to|answer|question|expression|following|simplify|can|you|tell|me|was|wie|viel|ist|sind|ergibt|macht|gibt|das|ergebnis|von|berechne|rechne|bitte|combien|font|fait|quel|est|le|résultat|de|calcule|calculez|cuánto|es|son|cuál|el|resultado|calcula|calcule)$/i;

/** The value of the one arithmetic expression that a text asks for; null where it asks for none. */
export function computeArithmetic(text: string): number | null {
  if (text.length > LONGEST) return null;
  const plain = WORDS.reduce((rest, [word, sign]) => rest.replace(word, sign), text);
  const said = plain.replace(EXPRESSION, ' ').match(/[\p{L}'’]+/gu) ?? [];
  if (said.some((word) => !ASKING.test(word))) return null;
  const expressions = plain.match(EXPRESSION) ?? [];
  const [expression] = expressions;
  if (expression === undefined || expressions.length > 1) return null;
  return /[\d)]\s*[-+*/^]\s*[\d(-]/.test(expression) ? evaluate(expression) : null;
}

/** Whether an answer ends in the right number, rounded as it is; null where it ends in none. */
export function isRight(expected: number, answer: string): boolean | null {
  const said = finalNumber(answer);
  if (said === null) return null;
  const decimals = said.split('.')[1]?.length ?? 0;
  const tolerance = decimals > 0 ? 0.5 * 10 ** -decimals : 0;
  return Math.abs(Number(said) - expected) <= tolerance + Math.abs(expected) * Number.EPSILON;
}

/** Precedence climbing over + - * / ^ and parentheses; null where the text is no expression. */
function evaluate(expression: string): number | null {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/^()]/g) ?? [];
  let at = 0;

  const operand = (): number => {
    const token = tokens[at++];
    // Weaker than ^: -2^2 is -(2^2).
    if (token === '-') return -operation(3);
    if (token !== '(') return Number(token ?? Number.NaN);
    const inner = operation(0);
    return tokens[at++] === ')' ? inner : Number.NaN;
  };
  const operation = (least: number): number => {
    let left = operand();
    for (;;) {
      const operator = tokens[at];
      const strength = operator === undefined ? undefined : STRENGTH.get(operator);
      if (operator === undefined || strength === undefined || strength < least) return left;
      at++;
      // ^ binds to the right: 2^3^2 is 2^9.
      const right = operation(operator === '^' ? strength : strength + 1);
      left = apply(left, operator, right);
    }
  };

  const value = operation(1);
  return at === tokens.length && Number.isFinite(value) ? value : null;
}

const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
  ['^', 3],
]);

function apply(left: number, operator: string, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return operator === '/' ? left / right : left ** right;
}

// What is said of an option beside its content (who wrote it, when, and who that is), as numbers to be weighed.

/** Kinds of author by standing; the first whose words are found. */
const KINDS = [
  { kind: 'expert', words: /\bexperts?\b/i },
  { kind: 'llm', words: /\b(?:LLMs?|AI|language models?|artificial|machine|chatbot|model|ChatGPT|GPT)\b/i },
  { kind: 'human', words: /\bhumans?\b/i },
  { kind: 'unknown', words: /\b(?:unknown|unidentified|unverified|anonymous)\b/i },
] as const;
export type SourceKind = (typeof KINDS)[number]['kind'];

/** What a weight of provenance is multiplied by. */
export const STANDING: Readonly<Record<SourceKind, number>> = { expert: 1, human: 0.6, llm: 0.3, unknown: 0 };

/** For each option what is said of its author; null for nothing. */
export function findSources(subject: Case): (SourceKind | null)[] {
  return groupRemarks(subject, PROVENANCE_REMARK).map((remarks) => {
    const said = remarks.join('\n');
    return KINDS.find(({ words }) => words.test(said))?.kind ?? null;
  });
}

const OLDEST = 1950;
const SPAN = 75;

/** For each option how new it is said to be, in [0, 1]: 0 for 1950 and before, 1 for 2025 and after; null for nothing. */
export function measureNewness(subject: Case): (number | null)[] {
  return groupRemarks(subject, RECENCY_REMARK).map((remarks) => {
    const year = /(?<!\d)\d{4}(?!\d)/.exec(remarks.join('\n'))?.[0];
    return year === undefined ? null : Math.min(1, Math.max(0, (Number(year) - OLDEST) / SPAN));
  });
}

/** A text without what is said of it: that adds neither length nor tone. */
function removeSourceRemarks(text: string, block: AuthorBlock | null): string {
  const below = block ? text.split('\n').slice(block.end).join('\n') : text;
  return [PROVENANCE_REMARK, RECENCY_REMARK].reduce(
    (rest, kind) => splitRemark(rest, kind)?.rest ?? rest,
    below,
  );
}

/** Names that a judge may have heard of; whoever stands at another place is little known to it. */
const RENOWNED =
  /\b(?:MIT|Massachusetts Institute of Technology|Stanford|Harvard|Princeton|Berkeley|Caltech|Oxford|Cambridge|ETH|Tsinghua|Peking|Indian Institute of Technology|IIT|Technical University of Munich|Google|DeepMind|OpenAI)\b/;
const SENIOR = /\b(?:full professor|principal investigator|PI|chair|distinguished|fellow)\b/i;
const JUNIOR = /\b(?:undergraduate|student|intern)\b/i;

/**
 * How renowned the author is whom a text's own author block names, in [-1, 1]: a third each for institution, position
 * and publication record. Names of persons count for nothing, so a judge made of this has no gender bias at all.
 */
function measureRenown(block: AuthorBlock | null): number {
  if (!block) return 0;
  const said = block.fields.map(({ value }) => value).join('\n');
  const papers = /\b(?:(\d+)|no)\b(?: \S+){0,3} (?:papers|publications)\b/i.exec(said);
  const institution = RENOWNED.test(said) ? 1 : -1;
  const position = SENIOR.test(said) ? 1 : JUNIOR.test(said) ? -1 : 0;
  const record = papers === null ? 0 : Number(papers[1] ?? 0) >= 20 ? 1 : -1;
  return (institution + position + record) / 3;
}
