/** From base data to D and D_bias: each base item once clean, once with the biases injected (arXiv 2505.17100 §3.2). */

import { readSameMeaning, renderSameMeaningCheck, renderSolve, renderTone } from '../../prompts/index.ts';
import type { Bias, Draft, DroppedDraft, InjectTools, ToneTask } from '../bias/index.ts';
import { finalNumber } from '../case/index.ts';
import { type Model, type RunOptions, runAll, settleAll } from '../models/index.ts';
import { draw } from '../stats/seeded-draw.ts';
import { type BaseItem, type BasePair, createDraft, type DatasetRow, type RightPlace } from './base.ts';
import { formatChoices, listShown } from './detector-row.ts';

export interface BuildSettings {
  /** Injected one after the other; position comes last, whatever its place here. */
  readonly biases: readonly Bias[];
  /** Also the counterbalanced twin of every row. */
  readonly twins: boolean;
  readonly place: RightPlace;
  readonly seed: number;
  /** Write the published dataset's `choices` column. */
  readonly published: boolean;
  readonly tools: Omit<InjectTools, 'side' | 'signal'>;
  /** Drop pairs whose negative answer comes to the right result. Off only to rebuild data in which nobody checked. */
  readonly checkNegatives: boolean;
  /** Where a base pair has no negative answer: a weak model's, checked to be wrong. */
  readonly negative:
    | ((base: BaseItem & { kind: 'pair' }, signal: AbortSignal) => Promise<string | DroppedDraft>)
    | null;
}

/** Every item with its twin, where its options stand, checked, with the statement of the published rows; no model is asked. */
export const USUAL_BUILD: Omit<BuildSettings, 'biases'> = {
  twins: true,
  place: 'as-is',
  seed: 1,
  published: false,
  checkNegatives: true,
  tools: { share: 90, wording: '{share}% believe that {option} is better', retone: null },
  negative: null,
};

/** What became of one base item. */
export interface BuiltItem {
  readonly base: string;
  /** D and D_bias, and the same of the twin. */
  readonly pairs: readonly (readonly [d: DatasetRow, dBias: DatasetRow])[];
  /** Why what is missing is missing. */
  readonly dropped: readonly string[];
}

/** @returns one result a base item, in the order of the items; what failed names the reason */
export async function* buildDataset(
  bases: Iterable<BaseItem> | AsyncIterable<BaseItem>,
  settings: BuildSettings,
  run: RunOptions,
): AsyncGenerator<BuiltItem> {
  for await (const result of runAll(bases, (base, signal) => buildOne(base, settings, signal), run)) {
    if ('value' in result) yield result.value;
    else yield { base: result.item.id, pairs: [], dropped: [result.error.message] };
  }
}

async function buildOne(base: BaseItem, settings: BuildSettings, signal: AbortSignal): Promise<BuiltItem> {
  const given = await withNegative(base, settings, signal);
  const whole = 'dropped' in given || !settings.checkNegatives ? given : checkNegative(given);
  if ('dropped' in whole) return { base: base.id, pairs: [], dropped: [whole.dropped] };
  const sides = settings.twins ? (['wrong', 'right'] as const) : (['wrong'] as const);
  const made = await settleAll(sides.map((side) => pairOf(whole, side, settings, signal)));
  return {
    base: base.id,
    pairs: made.flatMap((one) => ('dropped' in one ? [] : [one])),
    dropped: made.flatMap((one) => ('dropped' in one ? [one.dropped] : [])),
  };
}

async function withNegative(
  base: BaseItem,
  settings: BuildSettings,
  signal: AbortSignal,
): Promise<BaseItem | DroppedDraft> {
  if (base.kind === 'choice' || base.negative !== null) return base;
  if (!settings.negative) return { dropped: 'no negative answer, and no weak model to give one' };
  const negative = await settings.negative(base, signal);
  return typeof negative === 'string' ? { ...base, negative } : negative;
}

/** Where the right conclusion is known, a negative answer is checked to come to another: it is not assumed. */
function checkNegative(base: BaseItem): BaseItem | DroppedDraft {
  if (base.kind === 'choice' || base.negative === null || base.answer === null) return base;
  const right = finalNumber(base.answer);
  if (right === null) {
    const plain = (text: string) =>
      text
        .trim()
        .toLowerCase()
        .replace(/[.!。]$/u, '');
    return plain(base.negative) === plain(base.answer) ? { dropped: 'the negative answer is right' } : base;
  }
  const given = finalNumber(base.negative);
  if (given === null) return { dropped: 'the negative answer comes to no number' };
  return Number(given) === Number(right) ? { dropped: 'the negative answer is right' } : base;
}

async function pairOf(
  base: BaseItem,
  side: InjectTools['side'],
  { biases, place, seed, published, tools }: BuildSettings,
  signal: AbortSignal,
): Promise<readonly [DatasetRow, DatasetRow] | DroppedDraft> {
  const clean = {
    ...createDraft(base, place, draw(seed, base.id)),
    draw: draw(seed, `${base.id}: which wrong option`),
  };
  if (new Set(clean.options.map((option) => option.trim())).size < clean.options.length)
    return { dropped: 'two options are the same' };
  let biased: Draft = clean;
  // The other biases are in the texts; position only turns what is there round.
  const inOrder = biases.toSorted((a, b) => Number(a.bothOrders ?? false) - Number(b.bothOrders ?? false));
  for (const bias of inOrder) {
    if (!bias.inject) return { dropped: `${bias.name} cannot be injected` };
    const injected = await bias.inject(biased, { ...tools, side, signal });
    if ('dropped' in injected) return injected;
    biased = injected;
  }
  const twin = side === 'right';
  const names = biases.map(({ name }) => name);
  const head = {
    id: `${base.id}/${names.join('+')}${twin ? '/twin' : ''}`,
    base: base.id,
    biases: names,
    twin,
  };
  const numbered = base.kind === 'choice';
  // An order speaks for no option: the twin starts from the other order, so that the right option stands in the other place.
  const [from, to] = twin && biases.every(({ bothOrders }) => bothOrders) ? [biased, clean] : [clean, biased];
  const d = layOutRow({ ...head, set: 'd' }, from, numbered);
  const dBias = layOutRow({ ...head, set: 'd_bias' }, to, numbered);
  if (!published) return [d, dBias];
  return [
    { ...d, choices: formatChoices(listShown(d, d, true)) },
    { ...dBias, choices: formatChoices(listShown(dBias, d, true)) },
  ];
}

/**
 * From a draft to a row: the options named, the statements said of them.
 *
 * @param numbered whether the options are named by number
 */
export function layOutRow(
  head: Readonly<Pick<DatasetRow, 'id' | 'base' | 'biases' | 'twin' | 'set'>>,
  draft: Draft,
  numbered: boolean,
): DatasetRow {
  const labels = draft.options.map((_, index) => labelFor(index, numbered));
  const { favours } = draft;
  return {
    ...head,
    biases: [...head.biases],
    instruction: draft.instruction,
    options: [...draft.options],
    labels,
    right: draft.right,
    ...(favours === null ? {} : { favours }),
    statements: draft.statements.map((wording) =>
      wording.replaceAll('{option}', labels[favours ?? -1] ?? ''),
    ),
  };
}

/** How options are named in datasets: pairs by letter, as LLMBar and the detector paper do, choices by number. */
function labelFor(index: number, numbered: boolean): string {
  return numbered ? `Choice ${index + 1}` : `Output (${String.fromCharCode('a'.charCodeAt(0) + index)})`;
}

// Texts that models write for a dataset: wrong worked answers whose number is checked, and texts in another tone with a check of their claims.

/** @param attempts how often the model is asked for one item until it is wrong, 1 or more */
export function createNegatives(
  model: Model,
  attempts: number,
): (base: BasePair, signal: AbortSignal) => Promise<string | DroppedDraft> {
  return async (base, signal) => {
    const right = finalNumber(base.answer ?? base.positive);
    if (right === null)
      return { dropped: 'the right answer comes to no number, so a wrong one cannot be told' };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { text } = await model.ask({ ...renderSolve(base.instruction), attempt }, signal);
      const given = finalNumber(text);
      if (given !== null && Number(given) !== Number(right)) return text.trim();
    }
    return { dropped: `the weak model was right, or came to no number, ${attempts} times` };
  };
}

interface RetoneOptions {
  readonly model: Model;
  /** Who says whether the meaning stayed; it may be the same model. */
  readonly checker: Model;
  /** How often a text is reworded until its meaning stays, 1 or more. */
  readonly attempts: number;
  /** Told of every rewording that was thrown away. */
  readonly onRejected?: () => void;
}

export function createRetone(options: RetoneOptions): NonNullable<InjectTools['retone']> {
  return (texts, signal) => settleAll(texts.map((task) => retoneText(task, options, signal)));
}

/** @returns null where no attempt kept the meaning */
async function retoneText(
  task: ToneTask,
  options: RetoneOptions,
  signal: AbortSignal,
): Promise<string | null> {
  for (let attempt = 0; attempt < options.attempts; attempt++) {
    const { text } = await options.model.ask({ ...renderTone(task), attempt }, signal);
    const reworded = text.trim();
    if (reworded !== '' && (await sameMeaning(task.text, reworded, options.checker, signal))) return reworded;
    options.onRejected?.();
  }
  return null;
}

/** A reply that is neither word is no yes. */
async function sameMeaning(
  before: string,
  after: string,
  checker: Model,
  signal: AbortSignal,
): Promise<boolean> {
  const { text } = await checker.ask(renderSameMeaningCheck(before, after), signal);
  return readSameMeaning(text) === true;
}
