/**
 * Which sentences speak of what sways a judge: a linear classifier over words, pairs of words and beginnings of words, one
 * output a kind, all of them read in one pass. `npm run train:spotting` makes its weights of the texts in
 * training-data/spotting. Words are hashed (Weinberger et al., ICML 2009), so it has no list of words, for any language.
 */
import { endsSentence, type TextRange } from '../case/index.ts';
import { BIAS, STEP, THRESHOLDS, WEIGHTS } from './classifier-weights.ts';

/** In the order of the weights. After a change, train anew. */
export const KINDS = [
  'bandwagon',
  'authority',
  'provenance',
  'recency',
  'author',
  'identity',
  'cheerful',
  'gloomy',
  'instruction',
  'reflection',
] as const;
export type Kind = (typeof KINDS)[number];

/** Stands in a statement where it names an option: a character that no text has. */
export const OPTION_NAME = '\uE000';
/** Stands for the name of a model where `identity` is looked for: what is said of one is said of all. */
export const MODEL_NAME = '\uE001';
/** Hashes of features. */
export const BUCKETS = 1 << 17;
/** What a weight may be, in steps; 0 beside these. */
export const LEVELS: readonly number[] = [-5, -3, -2, -1, 1, 2, 3, 5];
/** Features of a token at most. */
export const SLOTS = 4;
/** Of a longer sentence, stretches of so many tokens are tried as well: what else it says hides no cue. */
const STRETCH = 24;
/** So many tokens in a row say a cue most. */
const CORE = 8;
/**
 * An answer of many sentences has more of them that could pass by chance: its threshold is higher by so much for each
 * natural logarithm of their number. Of ordinary answers, half have ten sentences and more. Orders to the judge are an
 * attack, which must not be hidden by length.
 */
const PER_LENGTH = 0.6;
const WHATEVER_LENGTH: readonly Kind[] = ['instruction'];
/** Tokens of a sentence that are read together. */
const MOST_TOKENS = 240;
/** Characters of a text that are read: a search must not hold up others. */
const MOST = 1 << 18;

/** A sentence as the classifier reads it. The arrays belong to the reader and change with the next sentence. */
export interface TokenizedSentence extends TextRange {
  readonly tokens: number;
  /** Where each token begins and ends in the text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** A bucket for each of the slots of a token, -1 where it has fewer features. */
  readonly features: Int32Array;
}

// One character is one token, part of a word, part of a number, or nothing.
const SPACE = 0;
const SIGN = 1;
const DIGIT = 2;
const LETTER = 3;
/** Of a script without spaces between words: each is a token. */
const IDEOGRAM = 4;

const CLASSES = Uint8Array.from({ length: 0x300 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/\s/.test(sign)) return SPACE;
  if (/\d/.test(sign)) return DIGIT;
  return /\p{L}/u.test(sign) ? LETTER : SIGN;
});
function classOf(code: number): number {
  if (code < 0x300) return CLASSES[code] ?? SIGN;
  if (code >= 0x3040 && code <= 0x9fff) return IDEOGRAM;
  if (code >= 0x2000 && code <= 0x2bff) return code <= 0x200a || code === 0x2028 ? SPACE : SIGN;
  if (code === 0x3000) return SPACE;
  if (code > 0x2e00 && code < 0x3040) return SIGN;
  // Surrogates, private characters, and the signs of the scripts that are read.
  if (code >= 0xd800 && code < 0xf900) return SIGN;
  return code === 0x964 || code === 0x965 || code === 0x60c || code === 0x61b || code === 0x61f
    ? SIGN
    : LETTER;
}

const FIRST = 0x811c9dc5;
const add = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);
const NUMBER = add(FIRST, 1);
const YEAR = add(FIRST, 2);
/** In front of the first token. */
const BEGINNING = add(FIRST, 3);
function bucketOf(first: number, second: number, salt: number): number {
  let hash = Math.imul(first ^ (salt * 0x9e3779b1), 0x85ebca6b) + Math.imul(second, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (BUCKETS - 1);
}

/** The same characters where one stands for several forms, each in its place; small letters. */
function plainOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  if (plain.length === text.length) return plain;
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}

/** Tokens of the longest sentence that a text may have. */
const roomFor = (text: string): number => Math.min(MOST_TOKENS, text.length);

/** Tells every sentence of a text, in order. The classifier is trained on what this tells, too. */
export function readSentences(text: string, visit: (sentence: TokenizedSentence) => void): void {
  const plain = plainOf(text.slice(0, MOST));
  const room = roomFor(text);
  const starts = new Int32Array(room);
  const ends = new Int32Array(room);
  const features = new Int32Array(room * SLOTS);
  let tokens = 0;
  let last = BEGINNING;
  let lastButOne = 0;
  const finish = (): void => {
    if (tokens > 0) {
      const [start = 0, end = 0] = [starts[0], ends[tokens - 1]];
      visit({ start, end, tokens, starts, ends, features });
    }
    tokens = 0;
    last = BEGINNING;
    lastButOne = 0;
  };
  for (let at = 0; at < plain.length; ) {
    const start = at;
    const code = plain.charCodeAt(at++);
    const kind = classOf(code);
    if (kind === SPACE) {
      if (code === 10) finish();
      continue;
    }
    let hash = add(FIRST, code);
    // Beginnings of a word: shorter ones in scripts that write less of it.
    const short = code < 0x590 ? 4 : 2;
    const long = short + 2;
    let stem = 0;
    let longStem = 0;
    if (kind === DIGIT) {
      while (at < plain.length && classOf(plain.charCodeAt(at)) === DIGIT) at++;
      const isYear = at - start === 4 && /^(?:19|20)/.test(plain.slice(start, start + 2));
      hash = isYear ? YEAR : NUMBER;
    } else if (kind === LETTER) {
      for (; at < plain.length; at++) {
        const next = plain.charCodeAt(at);
        if (classOf(next) !== LETTER) break;
        if (at - start === short) stem = hash;
        if (at - start === long) longStem = hash;
        hash = add(hash, next);
      }
    }
    const slot = tokens * SLOTS;
    starts[tokens] = start;
    ends[tokens] = at;
    features[slot] = bucketOf(hash, 0, 1);
    features[slot + 1] = bucketOf(last, hash, 2);
    if (kind === IDEOGRAM) {
      features[slot + 2] = lastButOne === 0 ? -1 : bucketOf(add(lastButOne, last), hash, 3);
      features[slot + 3] = -1;
    } else {
      features[slot + 2] = stem === 0 ? -1 : bucketOf(stem, 0, 5);
      features[slot + 3] = longStem === 0 ? -1 : bucketOf(longStem, 0, 5);
    }
    lastButOne = last;
    last = hash;
    tokens++;
    if (tokens === MOST_TOKENS || (kind === SIGN && endsSentence(text, at - 1))) finish();
  }
  finish();
}

/** A sentence that says something of one kind. */
export interface KindOfSentence {
  readonly kind: Kind;
  readonly sentence: TextRange;
  /** The words that say it. */
  readonly place: TextRange;
  /** How far it passes the threshold, which is 0. */
  readonly score: number;
}

/** By kind, how far under its threshold a sentence is still told. */
export type Depths = Readonly<Partial<Record<Kind, number>>>;

/** How a text is read with these weights: see `classify`. */
export interface SentenceWeights {
  /** By bucket, and in it by kind, in steps. */
  readonly weights: Int8Array;
  /** What one step of a weight is worth. */
  readonly step: number;
  /** By kind. */
  readonly bias: readonly number[];
  /** By kind: for a statement that names an option, and for any other sentence. */
  readonly thresholds: readonly { readonly statement: number; readonly answer: number }[];
}

/**
 * The kinds of the sentences of a text, whatever is above the threshold, or less than `below` under it: for all kinds, or
 * for each (0 where it names none).
 *
 * @example createClassifier(() => weights)('Most readers preferred the second one.') // [{ kind: 'bandwagon', … }]
 */
export function createClassifier(
  load: () => SentenceWeights,
): (text: string, wanted?: readonly Kind[], below?: number | Depths) => KindOfSentence[] {
  let loaded: SentenceWeights | undefined;
  // By bucket, the last stretch that has it: a feature counts once in a stretch, as in training.
  let seenIn: Int32Array | undefined;
  let stretch = 0;
  return function classify(text, wanted = KINDS, below = 0) {
    loaded ??= load();
    seenIn ??= new Int32Array(BUCKETS);
    const seen = seenIn;
    const { weights, step, bias, thresholds } = loaded;
    const isStatement = text.includes(OPTION_NAME);
    const columns = Int32Array.from(wanted, (name) => KINDS.indexOf(name));
    const depths = wanted.map((kind) => (typeof below === 'number' ? below : (below[kind] ?? 0)));
    const limits = Float64Array.from(columns, (kind, n) => {
      const depth = depths[n] ?? 0;
      const least = isStatement ? thresholds[kind]?.statement : thresholds[kind]?.answer;
      return ((least ?? Number.POSITIVE_INFINITY) - depth - (bias[kind] ?? 0)) / step;
    });
    const steps = new Int32Array(wanted.length);
    const sums = new Float64Array(wanted.length);
    const best = new Float64Array(wanted.length);
    /** Of tokens in a row, in steps, for each kind that is wanted. */
    const addUp = (features: Int32Array, first: number, end: number): void => {
      stretch = (stretch + 1) | 0;
      steps.fill(0);
      let count = 0;
      for (let slot = first * SLOTS; slot < end * SLOTS; slot++) {
        const bucket = features[slot] ?? -1;
        if (bucket < 0 || seen[bucket] === stretch) continue;
        seen[bucket] = stretch;
        count++;
        for (let n = 0; n < columns.length; n++)
          steps[n] = (steps[n] ?? 0) + (weights[bucket * KINDS.length + (columns[n] ?? 0)] ?? 0);
      }
      const root = Math.sqrt(count || 1);
      for (let n = 0; n < sums.length; n++) sums[n] = (steps[n] ?? 0) / root;
    };
    const found: KindOfSentence[] = [];
    let sentences = 0;
    readSentences(text, ({ start, end: close, tokens, starts, ends, features }) => {
      sentences++;
      addUp(features, 0, tokens);
      best.set(sums);
      for (let end = STRETCH; end < tokens + STRETCH / 2 && tokens > STRETCH; end += STRETCH / 2) {
        addUp(features, Math.min(end, tokens) - STRETCH, Math.min(end, tokens));
        for (let n = 0; n < best.length; n++) best[n] = Math.max(best[n] ?? 0, sums[n] ?? 0);
      }
      for (let n = 0; n < limits.length; n++) {
        const kind = wanted[n];
        const limit = limits[n] ?? 0;
        const score = best[n] ?? 0;
        if (kind === undefined || score <= limit) continue;
        let core = 0;
        let most = Number.NEGATIVE_INFINITY;
        for (let first = 0; first === 0 || first + CORE <= tokens; first++) {
          addUp(features, first, Math.min(first + CORE, tokens));
          if ((sums[n] ?? 0) > most) [core, most] = [first, sums[n] ?? 0];
        }
        found.push({
          kind,
          sentence: { start, end: close },
          place: { start: starts[core] ?? 0, end: ends[Math.min(core + CORE, tokens) - 1] ?? 0 },
          score: (score - limit) * step - (depths[n] ?? 0),
        });
      }
    });
    if (isStatement || sentences < 2) return found;
    const more = PER_LENGTH * Math.log(sentences);
    return found.flatMap((one) => {
      const score = WHATEVER_LENGTH.includes(one.kind) ? one.score : one.score - more;
      const depth = depths[wanted.indexOf(one.kind)] ?? 0;
      return score > -depth ? { ...one, score } : [];
    });
  };
}

/** The first of the signs that weights are written in: printable ones, without what a string escapes. */
const FIRST_SIGN = 40;
const BACKSLASH = 92;
/** Weights of 0 that a sign may stand for beside its own weight. */
const GAPS = 10;

/** Each weight that is not 0 as one sign, which also says how many of 0 stand before it. */
export function encodeWeights(weights: Int8Array): string {
  const signOf = (code: number) =>
    String.fromCharCode(FIRST_SIGN + code + (FIRST_SIGN + code >= BACKSLASH ? 1 : 0));
  let signs = '';
  let zeros = 0;
  for (const weight of weights) {
    if (weight === 0) {
      zeros++;
      continue;
    }
    for (; zeros >= GAPS; zeros -= GAPS) signs += signOf(GAPS * LEVELS.length);
    signs += signOf(zeros * LEVELS.length + LEVELS.indexOf(weight));
    zeros = 0;
  }
  return signs;
}

export function decodeWeights(signs: string): Int8Array {
  const weights = new Int8Array(BUCKETS * KINDS.length);
  let at = 0;
  for (let index = 0; index < signs.length; index++) {
    const sign = signs.charCodeAt(index);
    const code = sign - FIRST_SIGN - (sign > BACKSLASH ? 1 : 0);
    at += Math.floor(code / LEVELS.length);
    if (code < GAPS * LEVELS.length) weights[at++] = LEVELS[code % LEVELS.length] ?? 0;
  }
  return weights;
}

/** With the weights of this version, decoded when a text is first read: the edge has little time to start in. */
export const classify = createClassifier(() => ({
  weights: decodeWeights(WEIGHTS),
  step: STEP,
  bias: BIAS,
  thresholds: THRESHOLDS,
}));
