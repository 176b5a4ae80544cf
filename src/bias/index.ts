/** The catalogue: one file per bias. Adding a bias is adding a file and a line here. */
import { author } from './author.ts';
import { authority, findAuthorities } from './authority.ts';
import { bandwagon } from './bandwagon.ts';
import { conclusion } from './conclusion.ts';
import { contradiction } from './contradiction.ts';
import { formatting } from './formatting.ts';
import { hostility } from './hostility.ts';
import { identity, namesItself } from './identity.ts';
import { findInstructions, instruction } from './instruction.ts';
import { position } from './position.ts';
import { provenance } from './provenance.ts';
import { recency } from './recency.ts';
import { findReferred, reference } from './reference.ts';
import { findReflections, reflection } from './reflection.ts';
import { beginsWithBest, rubricOrder } from './rubric-order.ts';
import { sentiment } from './sentiment.ts';
import type { Bias } from './types.ts';
import { findFalseClaims, unsupported } from './unsupported.ts';
import { verbosity } from './verbosity.ts';

export const CATALOGUE: readonly Bias[] = [
  position,
  bandwagon,
  verbosity,
  sentiment,
  formatting,
  instruction,
  reflection,
  authority,
  identity,
  rubricOrder,
  reference,
  provenance,
  recency,
  author,
  hostility,
  conclusion,
  unsupported,
  contradiction,
];

/** The biases of the published data (arXiv 2505.17100), whose twins an evaluation makes. */
export { bandwagon, verbosity };

/** The names that are looked for where nobody names any. */
export const DEFAULT_BIASES: readonly string[] = CATALOGUE.flatMap(({ name, mustBeNamed }) =>
  mustBeNamed ? [] : [name],
);

/** What is looked for, and of what it is only told that it is there. */
export interface ChosenBiases {
  readonly biases: readonly Bias[];
  /** Those that must be named and are not, where all others are looked for. */
  readonly onlyTold: readonly Bias[];
}

export function chooseBiases(names: readonly string[]): ChosenBiases {
  const isAll = DEFAULT_BIASES.every((name) => names.includes(name));
  return {
    biases: CATALOGUE.filter(({ name }) => names.includes(name)),
    onlyTold: isAll ? CATALOGUE.filter(({ name }) => !names.includes(name)) : [],
  };
}

/** Those that judging in both orders examines. */
export const ORDER_BIASES: readonly Bias[] = CATALOGUE.filter(({ bothOrders }) => bothOrders);

/** Those that can be examined: by order only where both orders were judged. */
export function keepExaminable(biases: readonly Bias[], bothOrders: boolean): readonly Bias[] {
  return bothOrders ? biases : biases.filter((bias) => !bias.bothOrders);
}

/** Whether one of them is put into a row by turning its options round. */
export function hasOrderBias(names: readonly string[]): boolean {
  return ORDER_BIASES.some(({ name }) => names.includes(name));
}

/** @example findBias('position')?.definition */
export function findBias(name: string): Bias | undefined {
  return CATALOGUE.find((bias) => bias.name === name);
}
export { asksFor } from './asked.ts';
export { type AuthorBlock, findAuthorBlock, removeAuthorBlock } from './author.ts';
export { createCueReader } from './cue-words.ts';
export type { Draft, DroppedDraft, InjectTools, ToneTask } from './draft.ts';
export { countMarks } from './formatting.ts';
export { isHostile } from './hostility.ts';
export { PROVENANCE_REMARK } from './provenance.ts';
export { RECENCY_REMARK } from './recency.ts';
export { groupRemarks, splitRemark } from './remark.ts';
export { findLiveReviews } from './review/beside.ts';
export { findProtected } from './review/edit.ts';
export {
  applyChanges,
  type Editor,
  findPaperSections,
  findReviewSections,
  type PaperReview,
  PERTURBATIONS,
  type Perturbation,
  type PerturbTools,
  type Rebuttal,
  type Submission,
} from './review/index.ts';
export { findRating, isOverall } from './review/submission-parts.ts';
export { measurePolarity } from './sentiment.ts';
export type { Bias, Expectation, UndoTools } from './types.ts';
export {
  beginsWithBest,
  findAuthorities,
  findFalseClaims,
  findInstructions,
  findReferred,
  findReflections,
  namesItself,
};
