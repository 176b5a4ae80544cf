/**
 * `npm run train:roles`: trains the model of what slots hold (src/case/templates/roles/roles.ts) on the open half of the corpus of
 * templates, and writes src/case/templates/roles/role-weights.json. The same corpus, cut by the same weights, gives the same bytes.
 *
 * Each template is a choice between everything that could be judged in it; each other slot is a choice between roles. The
 * likelihood of what is right is raised by AdaGrad (Duchi et al., JMLR 2011). More than half of the features are left out each
 * time that a choice is seen, so that no word alone decides (Srivastava et al., JMLR 2014). Prompts that judge one text are
 * taught in another order of their texts, too. Where a text that is judged was not cut right, or nothing is judged, the right
 * choice says so. `--folds 10` measures each template by a model that was not trained on it, nor on those whose names begin with
 * the same two words; `--hold FILE` does so with the templates named there. `--share 0.5` teaches those models half of the families:
 * what more templates would be worth.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../bench/fuzz/random.ts';
import { varyTemplates } from '../bench/template-variants.ts';
import { recogniseCase } from '../src/case/recognise.ts';
import { learnedParts, learnTemplate, seenRoles } from '../src/case/templates/learned-template.ts';
import { matchTemplate } from '../src/case/templates/match.ts';
import { sampleOf, wordsOf } from '../src/case/templates/pipeline.ts';
import { kindReplied } from '../src/case/templates/replies/options-in-replies.ts';
import { alternativesOf } from '../src/case/templates/roles/role-features.ts';
import {
  assignRoles,
  BITS,
  bitsOf,
  bucketOf,
  CERTAIN,
  certaintyOf,
  HELD_WEIGHTS,
  OTHER_ROLES,
  TAUGHT_BITS,
  type Weigh,
  ZERO,
} from '../src/case/templates/roles/roles.ts';
import type { LearnedPart } from '../src/case/templates/roles/slot-names.ts';
import type { Template } from '../src/case/templates/template.ts';
import { JudgeTemplate, type TemplateRequest } from '../test/templates/schema.ts';
import { promptOf, replySchemaOf } from '../test/templates/truth.ts';

const { values } = parseArgs({
  options: {
    folds: { type: 'string' },
    hold: { type: 'string' },
    share: { type: 'string' },
    dry: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

/** Requests from which templates are learned. */
const LEARNED = [2, 3, 5];
/** After so many requests it is measured what was learned. */
const MEASURED = 3;
const EPOCHS = 10;
const LEFT_OUT = 0.6;
const RATE = 0.08;
const DECAY = 1e-4;
/** Families whose templates must have a feature before it is taught. */
const LEAST_FAMILIES = 8;
/** Orders in which the choices are learned. */
const ORDERS = 5;
/** The mean of several is less sure than each. With this no template more is read wrongly by those that did not learn from it. */
const SHARPER = 1.8;
/** Characters of weights lie around that of 0 by so much. */
const MOST_STEPS = 28;

/** What may be chosen, as numbers of features, and which of it is right. */
interface Choice {
  readonly features: readonly Int32Array[];
  readonly right: readonly boolean[];
}

/** What the judge says to the nth request. */
const replyTo = ({ replies }: TemplateRequest, n: number) =>
  replies[n % Math.max(1, replies.length)]?.text ?? [];

interface Example {
  readonly name: string;
  readonly learned: number;
  readonly parts: readonly LearnedPart[];
  readonly seen: Parameters<typeof assignRoles>[1];
  /** What stands in each slot, in order: a role, or the number of an option; null where it was not cut right. */
  readonly truth: readonly (string | null)[];
  /** Whether there is something that is judged, all of it cut right. */
  readonly isJudged: boolean;
  /** What the replies seem to be. */
  readonly replied: string;
  readonly choices: readonly Choice[];
}

/** What stands in each slot of a request; null where the template does not read it for certain. */
function truthIn(
  template: Template,
  request: TemplateRequest,
): { roles: (string | null)[]; whole: boolean } | null {
  const match = request.expected === 'slots' ? matchTemplate(template, promptOf(request)) : null;
  const slots = match?.slots.flatMap(({ part, at }) => (at ? [{ part, ...at }] : [])) ?? [];
  if (!match || slots.length !== template.parts.flatMap((part) => part.slots).length) return null;
  const { instruction, options, reference, rubric, context, ignored } = request.slots;
  const put = [
    ...Object.entries({ instruction, reference, rubric, context, '*': ignored }).flatMap(([role, some]) =>
      some.map((slot) => ({ ...slot, role })),
    ),
    ...options.flatMap((option, n) => option.slots.map((slot) => ({ ...slot, role: `${n}` }))),
  ];
  const roles = slots.map(({ part, start, end }) => {
    const here = put.filter((one) => one.part === part && one.start < end && start < one.end);
    const exact = put.find((one) => one.part === part && one.start === start && one.end === end);
    if (exact) return exact.role;
    // A literal that varied means nothing. A text that is cut wrong is still what it is, unless it is judged.
    const [role = '*', ...more] = new Set(here.map((one) => one.role));
    return more.length > 0 || /^\d/.test(role) ? null : role;
  });
  const whole = options.every((option) =>
    option.slots.every((one) =>
      slots.some(({ part, start, end }) => part === one.part && start === one.start && end === one.end),
    ),
  );
  return { roles, whole };
}

function exampleOf(template: JudgeTemplate, learned: number): Example[] {
  const taught = template.requests.slice(0, learned);
  const prompts = taught.map(promptOf);
  const guesses = taught.map(
    (request, n) =>
      recogniseCase(prompts[n] ?? promptOf(request), { schema: replySchemaOf(request), skipOutline: true })
        .guess,
  );
  const known = learnTemplate('training', prompts, guesses);
  const samples = prompts.map((prompt, n) => sampleOf(prompt, guesses[n] ?? null));
  const parts = learnedParts(known, samples);
  const read = template.requests.flatMap((request) => truthIn(known, request) ?? []);
  const [first] = read;
  if (!first) return [];
  // An empty text lies nowhere: what most requests tell is right.
  const truth = first.roles.map((_, n) => commonest(read.map(({ roles }) => roles[n] ?? null)));
  const options = Map.groupBy(
    truth.flatMap((role, index) =>
      role !== null && /^\d/.test(role) ? [{ role: Number(role), index }] : [],
    ),
    ({ role }) => role,
  );
  const members = [...options]
    .toSorted(([a], [b]) => a - b)
    .map(([, some]) => some.map(({ index }) => index));
  const isJudged = template.kind !== 'none' && read.every(({ whole }) => whole);
  const replied = kindReplied(taught.flatMap(replyTo), wordsOf(known));
  const labels = template.requests[0]?.slots.options.map(({ label }) => label) ?? [];
  const told = { truth, members, isJudged, replied, isJudgment: template.kind !== 'none' };
  const choices = choicesOf(parts, told, labels);
  if (learned === RENAMED && isJudged && members.length > 1) {
    const random = createRandom(bucketOf(template.name));
    const names = labels.map(() => wordOf(random));
    choices.push(...choicesOf(renamedParts(parts, labels, names), told, names));
  }
  if (learned === RENAMED && isJudged && members.length === 1) {
    const other = inOtherOrder(parts, told, createRandom(bucketOf(template.name) + 7));
    if (other) choices.push(...choicesOf(other.parts, other.told, labels));
  }
  const seen = seenRoles(parts, samples);
  return [{ name: template.name, learned, parts, seen, truth, isJudged, replied, choices }];
}

/** The features by their numbers, and their numbers. */
const features: string[] = [];
const numbers = new Map<string, number>();

function numberOf(feature: string): number {
  const known = numbers.get(feature);
  if (known !== undefined) return known;
  numbers.set(feature, features.length);
  return features.push(feature) - 1;
}

/** The first two words of a template's name: templates of one family are alike. */
const familyOf = ({ name }: Example) => name.split('-').slice(0, 2).join('-');

/** The features that templates of several families have, by their numbers: what fewer have says nothing of others. */
function taughtIn(examples: readonly Example[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const family of Map.groupBy(examples, familyOf).values()) {
    const own = new Set<number>();
    for (const { choices } of family)
      for (const { features: all } of choices) for (const some of all) for (const one of some) own.add(one);
    for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([one, count]) => (count >= LEAST_FAMILIES ? [one] : [])));
}

/** Features as bits. */
function bitsIn(taught: ReadonlySet<number>): Uint8Array {
  const bits = new Uint8Array(TAUGHT_BITS);
  for (const one of taught) for (const bit of bitsOf(features[one] ?? '')) bits[bit] = 1;
  return bits;
}

const bitsAsText = (bits: Uint8Array) =>
  String.fromCharCode(
    ...Array.from({ length: Math.ceil(bits.length / BITS) }, (_, n) =>
      bits.slice(n * BITS, (n + 1) * BITS).reduce((sum, bit, at) => sum + (bit << at), ZERO),
    ),
  );

/** What is right of a template as it was cut. */
interface Told extends Pick<Example, 'truth' | 'isJudged' | 'replied'> {
  readonly isJudgment: boolean;
  /** For each option its slots. */
  readonly members: readonly (readonly number[])[];
}

function choicesOf(
  parts: readonly LearnedPart[],
  { truth, members, isJudged, isJudgment, replied }: Told,
  labels: readonly string[],
): Choice[] {
  const { candidates, others } = alternativesOf(parts, replied);
  const own = JSON.stringify(members);
  const right = candidates.map(
    (one) =>
      isJudged &&
      JSON.stringify(one.members) === own &&
      (members.length < 2 ||
        one.labels.every((label, n) => /^\d$/.test(label) || sameName(label, labels[n] ?? ''))),
  );
  const isReached = right.some(Boolean);
  // The first choice is that nothing is judged, the second that a text was not cut right.
  const judged: Choice = {
    features: candidates.map(({ features }) => Int32Array.from(features, numberOf)),
    right: right.map((one, n) => (isReached ? one : n === (isJudgment ? 1 : 0))),
  };
  const rest = [...(isJudged ? others(members) : [])].flatMap(([index, features]): Choice[] => {
    const role = truth[index] ?? null;
    if (role === null || /^\d/.test(role)) return [];
    return [
      {
        features: OTHER_ROLES.map((one) =>
          Int32Array.from(features, (feature) => numberOf(`${one} ${feature}`)),
        ),
        right: OTHER_ROLES.map((one) => one === role),
      },
    ];
  });
  return [judged, ...rest];
}

/** Templates learned from so many requests are taught with other names for their options, or in another order, as well. */
const RENAMED = 3;

/** What ends a line that names a slot. */
const NAMES = /\p{L}[^\n]{0,98}[:：=>\]】|*"“`-]\s*$|\p{L}[^\n]{0,98}\n\s*$/u;

/**
 * A prompt with its slots in another order, each with the line that names it: where a text stands says less of it than its
 * name does. Null where a slot has no line of its own, or there is one slot.
 */
function inOtherOrder(
  parts: readonly LearnedPart[],
  told: Told,
  random: () => number,
): { readonly parts: LearnedPart[]; readonly told: Told } | null {
  const cutOf = (literal: string) => literal.trimEnd().lastIndexOf('\n') + 1;
  const leads = parts.flatMap(({ literals }) => literals.slice(0, -1));
  if (
    leads.length < 2 ||
    told.truth.includes(null) ||
    !leads.every((one) => NAMES.test(one.slice(cutOf(one))))
  )
    return null;
  let first = 0;
  const sources: number[] = [];
  const moved = parts.map((part) => {
    const order = part.values.map((_, slot) => slot);
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    const literals = part.literals.map((literal, slot) => {
      const source = order[slot];
      const named = source === undefined ? undefined : part.literals[source];
      return named === undefined ? literal : literal.slice(0, cutOf(literal)) + named.slice(cutOf(named));
    });
    sources.push(...order.map((source) => first + source));
    first += order.length;
    return { ...part, literals, values: order.map((source) => part.values[source] ?? []) };
  });
  return {
    parts: moved,
    told: {
      ...told,
      truth: sources.map((source) => told.truth[source] ?? null),
      members: told.members.map((some) => some.map((index) => sources.indexOf(index))),
    },
  };
}

/** A word that is in no language: options may be called anything. */
function wordOf(random: () => number): string {
  const syllables = Array.from({ length: 2 }, () =>
    [
      ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'],
      ['a', 'e', 'i', 'o', 'u'],
    ]
      .map((sounds) => sounds[Math.floor(random() * sounds.length)])
      .join(''),
  );
  return syllables.join('');
}

function renamedParts(
  parts: readonly LearnedPart[],
  labels: readonly string[],
  names: readonly string[],
): LearnedPart[] {
  const keys = labels.map((label) => label.match(/\p{N}+|\p{L}+/gu)?.at(-1) ?? '');
  const renamed = (literal: string) =>
    literal.replaceAll(/\p{N}+|\p{L}+/gu, (word) => {
      const at = keys.findIndex((key) => key.toLowerCase() === word.toLowerCase());
      return at < 0 || (word.length === 1 && word === word.toLowerCase() && word !== keys[at])
        ? word
        : (names[at] ?? word);
    });
  return parts.map((part) => ({ ...part, literals: part.literals.map(renamed) }));
}

function commonest<T>(all: readonly T[]): T | null {
  const [best] = [...Map.groupBy(all, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length);
  return best ? best[0] : null;
}

/** `A` and `Answer A`, `links` and `Linkes`: one names what the other names. */
function sameName(a: string, b: string): boolean {
  const words = (text: string): string[] =>
    text
      .toLowerCase()
      .replaceAll('_', ' ')
      .match(/\p{N}+|\p{L}+/gu) ?? [];
  const [mine, wanted] = [words(a).at(-1) ?? '', words(b)];
  return (
    words(a).includes(wanted.at(-1) ?? a) ||
    wanted.some(
      (word) =>
        mine.endsWith(word) ||
        word.endsWith(mine) ||
        (word.length > 3 && mine.slice(0, 4) === word.slice(0, 4)),
    )
  );
}

/** The mean of what is learned in several orders, which depends less on the order than each of them. */
function train(examples: readonly Example[], taught: ReadonlySet<number>): Float64Array {
  const choices = examples.flatMap((one) =>
    one.choices.map(({ right, features: all }) => ({
      right,
      features: all.map((some) => some.filter((feature) => taught.has(feature)).map(bucketIn)),
    })),
  );
  const learned = Array.from({ length: ORDERS }, (_, order) => trainIn(choices, createRandom(order)));
  return new Float64Array(HELD_WEIGHTS).map(
    (_, bucket) => (SHARPER * learned.reduce((sum, one) => sum + (one[bucket] ?? 0), 0)) / ORDERS,
  );
}

const bucketIn = (feature: number) => bucketOf(features[feature] ?? '');

function trainIn(all: readonly Choice[], random: () => number): Float64Array {
  const weights = new Float64Array(HELD_WEIGHTS);
  const squares = new Float64Array(HELD_WEIGHTS).fill(0.01);
  const choices = [...all];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = choices.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      const [a, b] = [choices[at], choices[other]];
      if (a && b) [choices[at], choices[other]] = [b, a];
    }
    for (const choice of choices) {
      const salt = Math.floor(random() * 2 ** 31);
      const kept = choice.features.map((some) =>
        some.filter((bucket) => Math.imul(bucket ^ salt, 0x9e3779b1) >>> 8 >= LEFT_OUT * 2 ** 24),
      );
      const sums = kept.map(
        (some) => some.reduce((sum, bucket) => sum + (weights[bucket] ?? 0), 0) / (1 - LEFT_OUT),
      );
      const most = Math.max(...sums);
      const powers = sums.map((sum) => Math.exp(sum - most));
      const whole = powers.reduce((sum, one) => sum + one, 0);
      const good = powers.reduce((sum, one, n) => sum + (choice.right[n] ? one : 0), 0);
      for (const [n, some] of kept.entries()) {
        const power = powers[n] ?? 0;
        const gap = power / whole - (choice.right[n] ? power / good : 0);
        if (Math.abs(gap) < 1e-3) continue;
        for (const bucket of some) {
          const gradient = gap + DECAY * (weights[bucket] ?? 0);
          squares[bucket] = (squares[bucket] ?? 0) + gradient * gradient;
          weights[bucket] = (weights[bucket] ?? 0) - (RATE * gradient) / Math.sqrt(squares[bucket] ?? 1);
        }
      }
    }
  }
  return weights;
}

/** What one step of a weight is worth. */
const STEP = 0.15;
const stepsOf = (weight: number) => Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(weight / STEP)));
/** @param bits of the features that were taught */
const weighBy =
  (weights: Float64Array, bits: Uint8Array): Weigh =>
  (feature) =>
    bitsOf(feature).every((bit) => bits[bit] === 1) ? stepsOf(weights[bucketOf(feature)] ?? 0) * STEP : 0;

const report = {
  judged: 0,
  right: 0,
  certain: 0,
  'certain and wrong': 0,
  'other slots': 0,
  'right of these': 0,
};

function measure(example: Example, weights: Weigh): void {
  const { name, parts, seen, truth, isJudged, learned, replied } = example;
  if (learned !== MEASURED) return;
  const roles = assignRoles(parts, seen, replied, weights);
  const flat = roles.flat();
  const labels = [...new Set(flat.flatMap(({ role, label }) => (role === 'option' ? [label] : [])))];
  const read = flat.map(({ role, label }) => (role === 'option' ? `${labels.indexOf(label)}` : role));
  const isOption = (role: string | null | undefined) =>
    role !== null && role !== undefined && /^\d/.test(role);
  const isRight = truth.every(
    (role, n) => isOption(role) === isOption(read[n]) && (!isOption(role) || role === read[n]),
  );
  const certainty = certaintyOf(parts, roles, replied, weights) ?? 0;
  if (isJudged) report.judged++;
  if (isJudged && isRight) report.right++;
  if (certainty >= CERTAIN) report.certain++;
  if (certainty >= CERTAIN && !(isJudged && isRight)) report['certain and wrong']++;
  if (values.verbose && (isJudged ? !isRight : certainty >= CERTAIN))
    console.log(
      `${name}: ${read.join(' ')} at ${certainty.toFixed(2)}, in truth ${isJudged ? '' : 'not judged, '}${truth.join(' ')}`,
    );
  if (!isJudged || !isRight) return;
  for (const [n, role] of truth.entries()) {
    if (role === null || isOption(role)) continue;
    report['other slots']++;
    if (role === read[n]) report['right of these']++;
  }
}

const folder = join(import.meta.dirname, '..', 'test', 'templates', 'seen');
const templates = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
/** The same contents in short prompts of other words; these are taught and not measured. */
const variants = varyTemplates(templates, 1).filter(({ name }) => name.endsWith('.rewritten'));
const examples = [
  ...templates.flatMap((template) => LEARNED.flatMap((count) => exampleOf(template, count))),
  ...variants.flatMap((template) =>
    exampleOf({ ...template, name: template.name.replace('.rewritten', '') }, 3).map((one) => ({
      ...one,
      learned: 0,
    })),
  ),
];
console.log(`${examples.length} templates as learned`);
const hold = values.hold === undefined ? null : new Set(readFileSync(values.hold, 'utf8').split(/\s+/));
const folds = Number(values.folds ?? 0);
const foldOf = (example: Example) => bucketOf(familyOf(example)) % folds;
const held: ((example: Example) => boolean)[] = hold
  ? [({ name }) => hold.has(name)]
  : Array.from({ length: folds }, (_, fold) => (example) => foldOf(example) === fold);
const share = Number(values.share ?? 1);
/** A number in [0, 1) for each family, which has nothing to do with its fold. */
const rankOf = (example: Example) => createRandom(bucketOf(`share ${familyOf(example)}`))();
for (const isHeld of held) {
  const taught = examples.filter((example) => !isHeld(example) && rankOf(example) < share);
  const known = taughtIn(taught);
  const weights = weighBy(train(taught, known), bitsIn(known));
  for (const example of examples.filter(isHeld)) measure(example, weights);
}
if (held.length > 0) console.log(JSON.stringify(report));
if (!values.dry) {
  const all = examples.filter(({ name }) => !hold?.has(name));
  const taught = taughtIn(all);
  const path = new URL('../src/case/templates/roles/role-weights.json', import.meta.url);
  const text = String.fromCharCode(...Array.from(train(all, taught), (weight) => ZERO + stepsOf(weight)));
  const written = { step: STEP, weights: text, taught: bitsAsText(bitsIn(taught)) };
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
  console.log(`written: ${text.length} weights of ${taught.size} features`);
}
