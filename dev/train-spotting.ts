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
import { createRandom } from '../bench/fuzz/random.ts';
import {
  BUCKETS,
  createClassifier,
  decodeWeights,
  encodeWeights,
  KINDS,
  type Kind,
  LEVELS,
  OPTION_NAME,
  readSentences,
  type SentenceWeights,
  SLOTS,
} from '../src/bias/classifier.ts';
import { BIAS, THRESHOLDS, WEIGHTS } from '../src/bias/classifier-weights.ts';
import { markModels } from '../src/bias/identity.ts';
import { CATALOGUE } from '../src/bias/index.ts';
import { markOptions, tellsContent } from '../src/bias/remark.ts';
import {
  caseOfStranger,
  caseWith,
  type Half,
  negativesOf,
  POSITIVES,
  STRANGERS,
  type Wording,
} from '../test/bias/corpus/wordings.ts';

const { values } = parseArgs({
  options: {
    /** Only what the written texts teach: the open half of the corpus is measured and not trained on. */
    written: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    /** Only these kinds, with commas; the weights of the others stay. */
    kinds: { type: 'string', default: KINDS.join(',') },
    epochs: { type: 'string', default: '12' },
    /** Negatives that may pass a threshold; without it as many as `ALARMS` says. */
    alarms: { type: 'string' },
  },
});

const asked = values.kinds.split(',').map((name) => {
  const kind = KINDS.find((one) => one === name);
  if (!kind) throw new Error(`--kinds: there is no kind "${name}"; there are ${KINDS.join(', ')}.`);
  return kind;
});
const FOLDS = 3;
/** Open negatives, of some thousands, that may pass each threshold of a kind: more where wordings are many. */
const ALARMS: Readonly<Partial<Record<Kind, number>>> = {
  bandwagon: 9,
  authority: 12,
  identity: 8,
  reflection: 8,
};
const USUAL_ALARMS = 6;
const alarmsFor = (kind: Kind) => Number(values.alarms ?? ALARMS[kind] ?? USUAL_ALARMS);
const EPOCHS = Number(values.epochs);
/** Of one line with alternatives, at most. */
const WORDINGS = 14;
/** How often a line of few wordings is seen in an epoch, and an open text of the corpus. */
const REPEATED = 5;
const LEFT_OUT = 0.5;
/** Of a line, at most. */
const MOST_FEATURES = 4096;
const RATE = 3;
const L1 = 0.75;
const L2 = 0.5;
const STEP = 6 / 7;
/** What is known as surely as this teaches nothing more. */
const LEAST_GRADIENT = 0.002;

/**
 * Of what is read in every answer, the least threshold: of some 2,300 ordinary answers of the shared data, which nothing is
 * trained on, fewer than one in a hundred pass it; of authority more do, because many of them call one to witness.
 */
const LEAST_IN_ANSWERS: Readonly<Partial<Record<Kind, number>>> = {
  instruction: 2.1,
  reflection: 0.9,
  authority: 2.2,
  bandwagon: 2.6,
  // Read only where a model is named.
  identity: -0.8,
};

/**
 * Of statements, the least threshold: some lines were written after a look at open texts that they help to find, which would
 * set too low a one.
 */
const LEAST_BESIDE: Readonly<Partial<Record<Kind, number>>> = { bandwagon: 0.3 };

/** What may be said of the same thing: neither teaches what the other is not. */
const ALIKE: Readonly<Record<Kind, readonly Kind[]>> = {
  bandwagon: ['authority'],
  authority: ['bandwagon', 'provenance', 'author'],
  provenance: ['author', 'identity', 'authority'],
  author: ['provenance', 'identity', 'authority'],
  identity: ['provenance', 'author'],
  recency: [],
  cheerful: ['reflection'],
  gloomy: [],
  instruction: [],
  reflection: ['cheerful'],
};

/** Looked for within answers alone, where nothing names an answer as a prompt does. */
const ANSWER_KINDS: readonly Kind[] = ['instruction', 'reflection'];

interface Example {
  readonly features: Int32Array;
  /** Of the text with one sign for each model, as `identity` reads it. */
  readonly ofModels: Int32Array;
  /** What it is a wording of. */
  readonly line: string;
  readonly kind: Kind | null;
  /** Names an answer: it stands beside them. */
  readonly isBeside: boolean;
}

const exampleOf = (text: string, kind: Kind | null, line: string): Example => ({
  features: featuresOf(text),
  ofModels: featuresOf(markModels(text)),
  line,
  kind,
  isBeside: text.includes(OPTION_NAME),
});

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

/** What `{person}` and the like stand for, by language: what is said of one is said of all. */
const NAMES = Map.groupBy(readLines('names'), ({ language }) => language);
function nameOf(what: string, language: string, random: () => number): string {
  const line = NAMES.get(language)?.find((one) => one.line.startsWith(`${what}: `))?.line;
  if (line === undefined) throw new Error(`names.txt has no "${what}: " under "## ${language}".`);
  return pick(line.slice(what.length + 2).split('|'), random) ?? '';
}

const pick = <T>(all: readonly T[], random: () => number): T | undefined =>
  all[Math.floor(random() * all.length)];

/** One wording of a line: `[Most|All] readers` is either of two. */
const worded = (line: string, random: () => number): string =>
  line.replace(/\[([^[\]]*\|[^[\]]*)\]/g, (_, all: string) => pick(all.split('|'), random) ?? '');

function featuresOf(text: string): Int32Array {
  const found = new Set<number>();
  readSentences(text, ({ tokens, features }) => {
    for (const bucket of features.subarray(0, tokens * SLOTS)) if (bucket >= 0) found.add(bucket);
  });
  return Int32Array.from(found);
}

/** How often a claim is one of claims.txt, and else any ordinary sentence: what is claimed must say nothing of the kind. */
const PLAIN_CLAIMS = 0.3;

function writtenExamples(): Example[] {
  const random = createRandom(7);
  const ofLanguage = (name: string) =>
    Map.groupBy(
      readLines(name).filter(({ line }) => !line.includes('{')),
      ({ language }) => language,
    );
  const claims = [ofLanguage('claims'), ofLanguage('ordinary')] as const;
  const named = (line: string, language: string) => {
    const some = claims[random() < PLAIN_CLAIMS ? 0 : 1].get(language) ?? [];
    const claim = worded(pick(some, random)?.line ?? '', random).replace(/[.。!?]$/, '');
    return worded(line, random)
      .replace(/\{(institution|school|person|book|job|field)\}/g, (_, what: string) =>
        nameOf(what, language, random),
      )
      .replaceAll('{c}', claim)
      .replaceAll('{C}', claim.charAt(0).toUpperCase() + claim.slice(1))
      .replaceAll(/\{[AB]\}/g, OPTION_NAME);
  };
  return [...KINDS, 'ordinary', 'claims'].flatMap((name) =>
    readLines(name).flatMap(({ language, line }) => {
      const kind = KINDS.find((one) => one === name) ?? null;
      const texts = new Set<string>();
      for (let n = 0; n < WORDINGS; n++) texts.add(named(line, language));
      const examples = [...texts].map((text) => exampleOf(text, kind, line));
      const times = Math.ceil(REPEATED / examples.length);
      return Array.from({ length: times }, () => examples).flat();
    }),
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
    CATALOGUE.flatMap((bias) => negativesOf(bias)).filter(
      // Some that were written as negatives of one entry are positives of another.
      ({ half, text }) => half === 'seen' && !POSITIVES.some((one) => one.text === text),
    ),
    ({ text }) => text,
  );
  return [
    ...positives.map(({ one, kind }, at) => tested(one, kind, at)),
    ...[...negatives.values()].flatMap(([one], at) => (one ? [tested(one, null, at)] : [])),
    ...openTextsOfStrangers(),
  ];
}

/** Without statements that name no option: no entry reads them. */
function openTextsOfStrangers(): Tested[] {
  return Object.entries(STRANGERS.open).flatMap(([name, texts]) =>
    texts.flatMap((one, at): Tested[] => {
      const kind = KINDS.find((other) => other === name) ?? null;
      const of = { kind, fold: at % FOLDS, half: 'seen' as const };
      if (one.place === 'option') return [{ ...of, text: one.text, isContent: false }];
      const statement = caseOfStranger(one)?.context.find(({ mentions }) => mentions.length > 0);
      return statement ? [{ ...of, text: markOptions(statement), isContent: tellsContent(statement) }] : [];
    }),
  );
}

/** The sentence of a positive that speaks most clearly; of a negative every one. */
function examplesOf({ text, kind }: Tested, scoreOf: ScoreOf): Example[] {
  const sentences: string[] = [];
  readSentences(text, ({ start, end }) => sentences.push(text.slice(start, end)));
  if (kind === null) return sentences.map((one) => exampleOf(one, kind, text));
  const clearest = sentences.toSorted((a, b) => scoreOf(b, kind) - scoreOf(a, kind))[0] ?? text;
  return [exampleOf(clearest, kind, text)];
}

const UNLIMITED = KINDS.map(() => ({ statement: -1e9, answer: -1e9 }));
/** The highest score of a sentence of a text, without a threshold. */
type ScoreOf = (text: string, kind: Kind) => number;
function scoresBy(model: SentenceWeights): ScoreOf {
  const classify = createClassifier(() => model);
  return (text, kind) =>
    Math.max(
      ...classify(kind === 'identity' ? markModels(text) : text, [kind]).map(({ score }) => score - 1e9),
    );
}

interface Weights {
  readonly of: Float64Array;
  readonly bias: number;
}

function trainKind(kind: Kind, all: readonly Example[]): Weights {
  const examples = all.filter((one) =>
    one.kind === null ? !(ANSWER_KINDS.includes(kind) && one.isBeside) : !ALIKE[kind].includes(one.kind),
  );
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
  const kept = new Int32Array(MOST_FEATURES);
  const weights = new Float64Array(MOST_FEATURES);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    for (const index of order) {
      const example = examples[index];
      if (!example) continue;
      let count = 0;
      for (const bucket of kind === 'identity' ? example.ofModels : example.features)
        if (random() > LEFT_OUT) kept[count++] = bucket;
      if (count === 0) continue;
      const value = 1 / Math.sqrt(count);
      const bias = weightOf(BUCKETS);
      let sum = bias;
      for (let at = 0; at < count; at++) {
        const weight = weightOf(kept[at] ?? 0);
        weights[at] = weight;
        sum += weight * value;
      }
      const gradient = 1 / (1 + Math.exp(-sum)) - (example.kind === kind ? 1 : 0);
      if (Math.abs(gradient) < LEAST_GRADIENT) continue;
      for (let at = 0; at < count; at++) step(kept[at] ?? 0, weights[at] ?? 0, gradient * value);
      step(BUCKETS, bias, gradient);
    }
  }
  return { of: Float64Array.from({ length: BUCKETS }, (_, at) => weightOf(at)), bias: weightOf(BUCKETS) };
}

/** The level that is nearest, or 0. */
const nearest = (weight: number): number =>
  [0, ...LEVELS].reduce((a, b) => (Math.abs(b - weight) < Math.abs(a - weight) ? b : a));

/** Without the features of one line alone: they say more of that line than of a kind. */
function withoutRare(examples: readonly Example[]): Example[] {
  const first = new Array<string | undefined>(BUCKETS);
  const isCommon = new Uint8Array(BUCKETS);
  for (const { features, ofModels, line } of examples)
    for (const bucket of [...features, ...ofModels]) {
      first[bucket] ??= line;
      if (first[bucket] !== line) isCommon[bucket] = 1;
    }
  const common = (features: Int32Array) => features.filter((bucket) => isCommon[bucket] === 1);
  return examples.map((one) => ({
    ...one,
    features: common(one.features),
    ofModels: common(one.ofModels),
  }));
}

/** Of the kinds that are asked for; the rest as they stand. */
function train(written: readonly Example[]): SentenceWeights {
  const examples = withoutRare(written);
  const weights = decodeWeights(WEIGHTS);
  const bias = [...BIAS];
  for (const name of asked) {
    const kind = KINDS.indexOf(name);
    const trained = trainKind(name, examples);
    bias[kind] = trained.bias;
    for (const [bucket, weight] of trained.of.entries())
      weights[bucket * KINDS.length + kind] = nearest(weight / STEP);
  }
  return { weights, step: STEP, bias, thresholds: UNLIMITED };
}

const written = writtenExamples();
const open = openTexts();
console.log(`${written.length} sentences of written texts, ${open.length} open texts of the corpus`);
const fromWritten = train(written);
const byWritten = scoresBy(fromWritten);
const withOpen = (texts: readonly Tested[]): SentenceWeights => {
  const more = texts.flatMap((one) => examplesOf(one, byWritten));
  return train([...written, ...Array.from({ length: REPEATED }, () => more).flat()]);
};

// Each open text scored by a model that was not trained on it.
const scored = Array.from({ length: FOLDS }, (_, fold) => {
  const scoreOf = scoresBy(values.written ? fromWritten : withOpen(open.filter((one) => one.fold !== fold)));
  return open
    .filter((one) => one.fold === fold)
    .map((one) => ({ one, scores: KINDS.map((kind) => scoreOf(one.text, kind)) }));
}).flat();
const thresholds = KINDS.map((kind, at) => {
  const kept = THRESHOLDS[at];
  if (kept && !asked.includes(kind)) return kept;
  const limitOf = (isStatement: boolean): number => {
    const some = scored.filter(({ one }) => one.text.includes(OPTION_NAME) === isStatement && !one.isContent);
    const negatives = some.filter(({ one }) => one.kind === null);
    const alarms = negatives.map(({ scores }) => scores[at] ?? 0).sort((a, b) => b - a);
    // A sentence that is much likelier none is no cue, however few negatives come near it.
    const least = isStatement ? (LEAST_BESIDE[kind] ?? -0.5) : (LEAST_IN_ANSWERS[kind] ?? 0);
    const limit = Math.max(least, alarms[alarmsFor(kind)] ?? 0);
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
  const text = `/** Weights of the classifier of sentences. Made by \`npm run train:spotting\`, not by hand. */
export const STEP = ${STEP};
export const BIAS: readonly number[] = [
  ${model.bias.map((one) => Number(one.toFixed(3))).join(', ')},
];
export const THRESHOLDS: readonly { readonly statement: number; readonly answer: number }[] = [
${thresholds.map(({ statement, answer }) => `  { statement: ${statement}, answer: ${answer} },`).join('\n')}
];
export const WEIGHTS: string =
  '${encodeWeights(model.weights)}';
`;
  writeFileSync(new URL('../src/bias/classifier-weights.ts', import.meta.url), text);
  console.log(`written: ${text.length} bytes`);
}
