/**
 * What the slots of a template hold. Everything that could be judged is weighed by what is known of it (`role-features.ts`);
 * the weights were learned from the open half of the corpus of templates: `npm run train:roles`.
 */

import type { Slot, SlotRole } from '../template.ts';
import { alternativesOf, type Candidate } from './role-features.ts';
import LEARNED from './role-weights.json' with { type: 'json' };
import type { LearnedPart } from './slot-names.ts';

/** What a slot was read as without the template. */
export interface SeenRole {
  readonly part: number;
  readonly slot: number;
  readonly role: 'option' | 'instruction';
  readonly label: string;
}

/** Gives the weight of a feature. */
export type Weigh = (feature: string) => number;

/** Weights that are held; a power of two. */
export const HELD_WEIGHTS = 1 << 15;
/** Each weight is one character: no decoding takes time when Remand starts. */
export const ZERO = 63;

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The place of a feature's weight: features are hashed (Weinberger et al., ICML 2009). */
export const bucketOf = (feature: string): number => hashOf(feature) & (HELD_WEIGHTS - 1);

/** Bits that say which features were taught; a power of two. */
export const TAUGHT_BITS = 1 << 17;
/** Bits in a character of theirs. */
export const BITS = 6;

/** The bits of a feature, in a filter by Bloom (CACM 1970). */
export function bitsOf(feature: string): readonly [number, number] {
  const hash = hashOf(feature);
  return [(hash >>> 15) & (TAUGHT_BITS - 1), (Math.imul(hash, 0x9e3779b1) >>> 15) & (TAUGHT_BITS - 1)];
}

const isTaught = (feature: string) =>
  bitsOf(feature).every(
    (bit) => ((LEARNED.taught.charCodeAt(Math.floor(bit / BITS)) - ZERO) >> (bit % BITS)) & 1,
  );

/** A feature that was not taught has the bucket of another, and would weigh as much as that, so it weighs nothing. */
const weigh: Weigh = (feature) =>
  isTaught(feature) ? (LEARNED.weights.charCodeAt(bucketOf(feature)) - ZERO) * LEARNED.step : 0;

/** What a slot may hold that is not judged. */
export const OTHER_ROLES = ['instruction', 'reference', 'rubric', 'context', '*'] as const;

/** How likely each is, where their weights add up to these sums. */
export function softmax(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const powers = sums.map((one) => Math.exp(one - most));
  const all = powers.reduce((sum, one) => sum + one, 0);
  return powers.map((one) => one / all);
}

export const sumOf = (features: ReadonlySet<string>, weights: Weigh): number =>
  [...features].reduce((sum, feature) => sum + weights(feature), 0);

/** The slots by the template's own words, and how certain it is that those that are called options are what is judged: from 0 to 1. */
export function weighRoles(parts: readonly LearnedPart[]): {
  readonly slots: Slot[][];
  readonly certainty: number;
} {
  const readings = alternativesOf(parts);
  const slots = assignRoles(parts, [], 'open', weigh, readings);
  return { slots, certainty: certaintyOf(parts, slots, 'open', weigh, readings) ?? 0 };
}

/** From where on it is certain enough what is judged that verdicts on it may be sent back. */
export const CERTAIN = 0.99;
/** The same for several options, whose names have borne it out. */
export const LIKELY = 0.7;

/** How likely it is that a slot means nothing, before what stands in it is passed over. */
const MEANS_NOTHING = 0.6;

/**
 * @param seen roles that the general readers agree on, or that the judge's replies tell; they hold
 * @returns the slots of each part
 */
export function assignRoles(
  parts: readonly LearnedPart[],
  seen: readonly SeenRole[] = [],
  replied = 'open',
  weights: Weigh = weigh,
  readings = alternativesOf(parts, replied),
): Slot[][] {
  const { slots, candidates, others } = readings;
  const placeOf = (part: number, slot: number) =>
    slots.findIndex((one) => one.part === part && one.slot === slot);
  const told = Map.groupBy(
    seen.filter(({ role }) => role === 'option'),
    ({ label }) => label,
  );
  const best = sharesOf(candidates, weights)
    .filter(({ candidate }) => candidate.members.length > 0 && !candidate.isTold)
    .toSorted((a, b) => b.all - a.all || b.share - a.share)[0]?.candidate;
  const facts = (told.size === 0 && best?.told?.flat()) || [];
  const judged: Pick<Candidate, 'members' | 'labels'> | undefined =
    told.size > 0
      ? {
          members: [...told.values()].map((some) => some.map(({ part, slot }) => placeOf(part, slot))),
          labels: [...told.keys()],
        }
      : best;
  const roles = new Map<number, Pick<Slot, 'role' | 'label'>>();
  for (const [n, members] of (judged?.members ?? []).entries())
    for (const index of members) roles.set(index, { role: 'option', label: judged?.labels[n] ?? '' });
  for (const [index, features] of others(judged?.members ?? [])) {
    const role = otherRole(features, weights);
    roles.set(index, { role: facts.includes(index) && role === 'instruction' ? 'context' : role, label: '' });
  }
  for (const { part, slot, role } of seen)
    if (role === 'instruction') roles.set(placeOf(part, slot), { role, label: '' });
  return parts.map(({ values }, part) =>
    values.map((_, slot): Slot => {
      const at = placeOf(part, slot);
      return { role: '*', label: '', ...roles.get(at), encoding: slots[at]?.encoding ?? 'plain' };
    }),
  );
}

/**
 * Of 44 prompts whose orders have one text judged by another, so many are right: see `objectIn`. Too few of the templates
 * that are taught say so for its weight to be learned. No template that is taught has a conversation in JSON alone.
 */
const SAID_TO_BE_JUDGED = Math.log(42 / 2);

/**
 * A text that alone varies is judged, rather than what it is judged by: see `variesAlone`. No corpus tells how often. With these odds a
 * quarter of the templates that are left alone act once a second model answers the same questions, and of 2,453 in which anything else
 * varied alone six acted wrongly: `npm run bench:variation`.
 */
const VARIES_ALONE = Math.log(20);

const evidenceOf = ({ features, isObject, isOnlyToVary }: Candidate, weights: Weigh) =>
  sumOf(features, weights) + (isObject ? SAID_TO_BE_JUDGED : 0) + (isOnlyToVary ? VARIES_ALONE : 0);

function otherRole(features: ReadonlySet<string>, weights: Weigh): SlotRole {
  const shares = softmax(
    OTHER_ROLES.map((role) => [...features].reduce((sum, feature) => sum + weights(`${role} ${feature}`), 0)),
  );
  const ranked = OTHER_ROLES.map((role, n) => ({ role, share: shares[n] ?? 0 })).toSorted(
    (a, b) => b.share - a.share,
  );
  const [first, second] = ranked;
  const passedOver = first?.role === '*' && first.share < MEANS_NOTHING;
  return (passedOver ? second?.role : first?.role) ?? 'context';
}

/**
 * How likely it is that the slots that are called options are what is judged, and that they are cut right: from 0 to 1.
 * Null where they are none of the alternatives that are weighed.
 *
 * @param parts the template, with what stood in its slots
 */
export function certaintyOf(
  parts: readonly LearnedPart[],
  roles: readonly (readonly Slot[])[],
  replied = 'open',
  weights: Weigh = weigh,
  readings = alternativesOf(parts, replied),
): number | null {
  const { slots, candidates } = readings;
  const options = slots.flatMap(({ part, slot }, index) => {
    const { role, label } = roles[part]?.[slot] ?? {};
    return role === 'option' ? [{ label, index }] : [];
  });
  const members = [...Map.groupBy(options, ({ label }) => label).values()].map((some) =>
    some.map(({ index }) => index),
  );
  const own = JSON.stringify(members);
  const found = sharesOf(candidates, weights).find(
    ({ candidate }) => JSON.stringify(candidate.members) === own,
  );
  return found?.all ?? null;
}

/** How likely each candidate is, alone and with all others (`all`) by which the same texts change places. */
function sharesOf(candidates: readonly Candidate[], weights: Weigh) {
  const shares = softmax(candidates.map((candidate) => evidenceOf(candidate, weights)));
  const kinds = candidates.map((candidate, n) => exchangedBy(candidate) ?? `${n}`);
  return candidates.map((candidate, n) => ({
    candidate,
    share: shares[n] ?? 0,
    all: shares.reduce((sum, share, other) => (kinds[other] === kinds[n] ? sum + share : sum), 0),
  }));
}

/** What changes places where the options do; null where nothing does. */
const exchangedBy = ({ members, told = [] }: Candidate) =>
  members.length < 2
    ? null
    : JSON.stringify(members.map((some, n) => [...some, ...(told[n] ?? [])].toSorted((a, b) => a - b)));
