/**
 * `npm run train:spotting`: trains the classifier of sentences (src/bias/classifier.ts) on training-data/spotting and on the
 * open half of test/bias/corpus, and writes src/bias/classifier-weights.ts. The same texts give the same bytes.
 *
 * Logistic regression, one kind against the rest, by FTRL-Proximal (McMahan et al., KDD 2013), which leaves most weights at 0.
 * Half of the features of an example are left out each time it is seen, so that no word alone decides.
 * Thresholds: those that so many open negatives pass which the model was not trained on, in folds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  BUCKETS,
  createClassifier,
  KINDS,
  type Kind,
  OPTION_NAME,
  readSentences,
  type SentenceWeights,
  SLOTS,
} from '../src/bias/classifier.ts';
import { CATALOGUE } from '../src/bias/index.ts';
import { tellsContent } from '../src/bias/remark.ts';
import { caseWith, type Half, negativesOf, POSITIVES, type Wording } from '../test/bias/corpus/wordings.ts';

const { values } = parseArgs({
  options: {
    /** Only what the written texts teach: the open half of the corpus is measured and not trained on. */
    written: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    epochs: { type: 'string', default: '12' },
    alarms: { type: 'string', default: '2' },
  },
});

const FOLDS = 3;
const EPOCHS = Number(values.epochs);
/** Of one line with alternatives. */
const WORDINGS = 14;
/** How often an open text of the corpus is seen in an epoch: there are fewer of them. */
const REPEATED = 5;
const LEFT_OUT = 0.5;
const RATE = 3;
const L1 = 0.2;
const L2 = 0.5;
/** Weights of four bits: from -8 to 7 of these. */
const STEP = 6 / 7;

/** What may be said of the same thing: neither teaches what the other is not. */
const ALIKE: Readonly<Record<Kind, readonly Kind[]>> = {
  bandwagon: ['authority'],
  authority: ['bandwagon', 'provenance', 'author'],
  provenance: ['author', 'identity', 'authority'],
  author: ['provenance', 'identity', 'authority'],
  identity: ['provenance', 'author'],
  recency: [],
  cheerful: [],
  gloomy: [],
};

interface Example {
  readonly features: Int32Array;
  readonly kind: Kind | null;
}

/** Numbers in [0, 1), the same each time (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The lines of a file, with the language that they stand under. */
function readLines(name: string): { readonly language: string; readonly line: string }[] {
  const path = new URL(`../training-data/spotting/${name}.txt`, import.meta.url);
  let language = '';
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) language = line.slice(3).trim();
      return line === '' || line.startsWith('## ') ? [] : [{ language, line }];
    });
}

const pick = <T>(all: readonly T[], random: () => number): T | undefined =>
  all[Math.floor(random() * all.length)];

/** Wordings of a line: `[Most|All] readers` is any of two. */
function unfold(line: string, random: () => number): string[] {
  const found = new Set<string>();
  for (let n = 0; n < 2 * WORDINGS && found.size < WORDINGS; n++)
    found.add(
      line.replace(/\[([^[\]]*\|[^[\]]*)\]/g, (_, all: string) => pick(all.split('|'), random) ?? ''),
    );
  return [...found];
}

function featuresOf(text: string): Int32Array {
  const found = new Set<number>();
  readSentences(text, ({ tokens, features }) => {
    for (const bucket of features.subarray(0, tokens * SLOTS)) if (bucket >= 0) found.add(bucket);
  });
  return Int32Array.from(found);
}

function writtenExamples(): Example[] {
  const random = createRandom(7);
  const claims = Map.groupBy(readLines('claims'), ({ language }) => language);
  const named = (text: string, language: string) => {
    const claim = pick(claims.get(language) ?? [], random)?.line ?? '';
    return text
      .replaceAll('{c}', claim)
      .replaceAll('{C}', claim.charAt(0).toUpperCase() + claim.slice(1))
      .replaceAll(/\{[AB]\}/g, OPTION_NAME);
  };
  return [...KINDS, 'ordinary', 'claims'].flatMap((name) =>
    readLines(name).flatMap(({ language, line }) =>
      unfold(line, random).map((text) => ({
        features: featuresOf(named(text, language)),
        kind: KINDS.find((kind) => kind === name) ?? null,
      })),
    ),
  );
}

/** A text of the corpus as its entry reads it. */
interface Tested {
  readonly text: string;
  readonly kind: Kind | null;
  /** Says what stands in an answer, so that no entry takes it for a remark. */
  readonly isContent: boolean;
  readonly fold: number;
  readonly half: Half;
}

function tested(wording: Wording, kind: Kind | null, at: number): Tested {
  const { half, text } = wording;
  const of = { kind, fold: at % FOLDS, half };
  if (!/\{[AB]\}/.test(text)) return { ...of, text, isContent: false };
  const statement = caseWith(wording).context.find(({ mentions }) => mentions.length > 0);
  if (!statement) throw new Error(`no statement is read of: ${half === 'seen' ? text : 'a closed text'}`);
  return { ...of, text: text.replaceAll(/\{[AB]\}/g, OPTION_NAME), isContent: tellsContent(statement) };
}

function openTexts(): Tested[] {
  const positives = POSITIVES.filter(({ half }) => half === 'seen').flatMap((one) => {
    const kind = KINDS.find((name) => name === one.bias.name);
    return kind ? [{ one, kind }] : [];
  });
  const negatives = Map.groupBy(
    CATALOGUE.flatMap((bias) => negativesOf(bias)).filter(({ half }) => half === 'seen'),
    ({ text }) => text,
  );
  return [
    ...positives.map(({ one, kind }, at) => tested(one, kind, at)),
    ...[...negatives.values()].flatMap(([one], at) => (one ? [tested(one, null, at)] : [])),
  ];
}

/** The sentence of a positive that speaks most clearly; of a negative every one. */
function examplesOf({ text, kind }: Tested, model: SentenceWeights): Example[] {
  const sentences: string[] = [];
  readSentences(text, ({ start, end }) => sentences.push(text.slice(start, end)));
  if (kind === null) return sentences.map((one) => ({ features: featuresOf(one), kind }));
  const best = sentences.toSorted((a, b) => scoreIn(model, b, kind) - scoreIn(model, a, kind))[0] ?? text;
  return [{ features: featuresOf(best), kind }];
}

const UNLIMITED = KINDS.map(() => ({ statement: -1e9, answer: -1e9 }));
/** The highest score of a sentence, without a threshold. */
function scoreIn(model: SentenceWeights, text: string, kind: Kind): number {
  const classify = createClassifier(() => ({ ...model, thresholds: UNLIMITED }));
  const scores = classify(text).flatMap((one) => (one.kind === kind ? [one.score - 1e9] : []));
  return Math.max(...scores);
}

interface Weights {
  readonly of: Float64Array;
  readonly bias: number;
}

function trainKind(kind: Kind, all: readonly Example[]): Weights {
  const examples = all.filter((one) => one.kind === null || !ALIKE[kind].includes(one.kind));
  const random = createRandom(3);
  const z = new Float64Array(BUCKETS + 1);
  const n = new Float64Array(BUCKETS + 1);
  const weightOf = (at: number): number => {
    const [own = 0, seen = 0] = [z[at], n[at]];
    if (at === BUCKETS) return -own / ((1 + Math.sqrt(seen)) / RATE + 0.01);
    return Math.abs(own) <= L1 ? 0 : -(own - Math.sign(own) * L1) / ((1 + Math.sqrt(seen)) / RATE + L2);
  };
  const step = (at: number, weight: number, gradient: number): void => {
    const [own = 0, seen = 0] = [z[at], n[at]];
    const more = seen + gradient * gradient;
    z[at] = own + gradient - ((Math.sqrt(more) - Math.sqrt(seen)) / RATE) * weight;
    n[at] = more;
  };
  const order = examples.map((_, index) => index);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    for (const index of order) {
      const example = examples[index];
      const kept = example?.features.filter(() => random() > LEFT_OUT) ?? [];
      if (!example || kept.length === 0) continue;
      const value = 1 / Math.sqrt(kept.length);
      const weights = Float64Array.from(kept, weightOf);
      const bias = weightOf(BUCKETS);
      const sum = weights.reduce((total, weight) => total + weight * value, bias);
      const gradient = 1 / (1 + Math.exp(-sum)) - (example.kind === kind ? 1 : 0);
      for (const [at, bucket] of kept.entries()) step(bucket, weights[at] ?? 0, gradient * value);
      step(BUCKETS, bias, gradient);
    }
  }
  return { of: Float64Array.from({ length: BUCKETS }, (_, at) => weightOf(at)), bias: weightOf(BUCKETS) };
}

function train(examples: readonly Example[]): SentenceWeights {
  const all = KINDS.map((kind) => trainKind(kind, examples));
  const weights = new Int32Array(BUCKETS);
  for (const [kind, { of }] of all.entries())
    for (const [bucket, weight] of of.entries()) {
      const short = Math.max(-8, Math.min(7, Math.round(weight / STEP)));
      weights[bucket] = (weights[bucket] ?? 0) | ((short & 15) << (4 * kind));
    }
  return { weights, step: STEP, bias: all.map(({ bias }) => bias), thresholds: UNLIMITED };
}

const written = writtenExamples();
const open = openTexts();
console.log(`${written.length} sentences of written texts, ${open.length} open texts of the corpus`);
const fromWritten = train(written);
const withOpen = (texts: readonly Tested[]): SentenceWeights => {
  const more = texts.flatMap((one) => examplesOf(one, fromWritten));
  return train([...written, ...Array.from({ length: REPEATED }, () => more).flat()]);
};

// Each open text scored by a model that was not trained on it.
const scored = Array.from({ length: FOLDS }, (_, fold) => {
  const model = values.written ? fromWritten : withOpen(open.filter((one) => one.fold !== fold));
  return open
    .filter((one) => one.fold === fold)
    .map((one) => ({ one, scores: KINDS.map((kind) => scoreIn(model, one.text, kind)) }));
}).flat();
const thresholds = KINDS.map((kind, at) => {
  const own = new Set(open.flatMap((one) => (one.kind === kind ? [one.text] : [])));
  const limitOf = (isStatement: boolean): number => {
    const some = scored.filter(({ one }) => one.text.includes(OPTION_NAME) === isStatement && !one.isContent);
    const negatives = some.filter(({ one }) => one.kind === null && !own.has(one.text));
    const alarms = negatives.map(({ scores }) => scores[at] ?? 0).sort((a, b) => b - a);
    // A sentence that is likelier none is no cue, however few negatives come near it.
    const limit = Math.max(0, alarms[Number(values.alarms)] ?? 0);
    const positives = some.filter(({ one }) => one.kind === kind);
    const found = positives.filter(({ scores }) => (scores[at] ?? 0) > limit).length;
    const where = isStatement ? 'statements' : 'answers';
    console.log(`${kind}, ${where}: found ${found} of ${positives.length}, threshold ${limit.toFixed(2)}`);
    return Number(limit.toFixed(2));
  };
  return { statement: limitOf(true), answer: limitOf(false) };
});
const model = values.written ? fromWritten : withOpen(open);
if (!values.dry) {
  const bytes = Buffer.from(model.weights.buffer);
  const text = `/** Weights of the classifier of sentences. Made by \`npm run train:spotting\`, not by hand. */
export const STEP = ${STEP};
export const BIAS: readonly number[] = [${model.bias.map((one) => one.toFixed(4)).join(', ')}];
export const THRESHOLDS: readonly { readonly statement: number; readonly answer: number }[] = [
${thresholds.map(({ statement, answer }) => `  { statement: ${statement}, answer: ${answer} },`).join('\n')}
];
export const WEIGHTS: string =
  '${bytes.toString('base64')}';
`;
  writeFileSync(new URL('../src/bias/classifier-weights.ts', import.meta.url), text);
  console.log(`written: ${text.length} bytes`);
}
