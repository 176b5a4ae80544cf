/** A pipeline: requests of one sort, and what is known of the template that they share. */

import type { Case, Prompt } from '../types.ts';
import { CJK } from '../words/vocabulary.ts';
import type { ReaderRecord } from './reader/reader-record.ts';
import type { LearnedPart } from './roles/slot-names.ts';
import type { Slot, Template } from './template.ts';

/** What requests must share to be of one pipeline: the path, the messages' roles, the reply's form. */
export interface Origin {
  /** Whose requests they are; requests of different tenants are never mixed. */
  readonly tenant: string;
  readonly path: string;
  /** The JSON schema of the reply that the requests demand; null for none. */
  readonly schema: unknown;
}

export const LEARNED_STATES = ['learning', 'confirmed', 'approved', 'rejected'] as const;

export type LearnedState = (typeof LEARNED_STATES)[number];

/** A request that a template is learned from. */
export interface Sample {
  readonly prompt: Prompt;
  /** What was read in it without a template. */
  readonly guess: Case | null;
  /** How its lines begin: requests of one pipeline know each other by it, even where labels lead their lines. */
  readonly beginnings: ReadonlySet<string>;
}

/** @param guess what was read in the prompt without a template */
export function sampleOf(prompt: Prompt, guess: Case | null): Sample {
  const lines = prompt.parts.flatMap(({ text }) => text.split('\n', 500));
  return { prompt, guess, beginnings: new Set(lines.map((line) => line.trimStart().slice(0, 8))) };
}

export interface HeardReply {
  readonly judge: string;
  readonly read: boolean;
}

/** A pipeline: its template, as far as it is known, and what was seen of it. */
export interface Pipeline {
  readonly id: string;
  readonly origin: Origin;
  /** Null before the second request. */
  readonly template: Template | null;
  readonly state: LearnedState;
  /** Different requests from which it was learned, the latest last. */
  readonly samples: readonly Sample[];
  readonly requests: number;
  /** Requests in which what is judged was certain. */
  readonly read: number;
  readonly replies: number;
  readonly repliesRead: number;
  /** What the judge replied, the latest last. Held in memory like the requests, and written down nowhere. */
  readonly answers?: readonly string[];
  /** The judges of the latest of them, of the latest last. */
  readonly answeredBy?: readonly string[];
  /** Which judge gave each of the latest replies, and whether it was read; the latest last. Held like `answers`. */
  readonly heard?: readonly HeardReply[];
  /** What came of asking a model about its template; absent where none was asked. */
  readonly reader?: ReaderRecord;
  /** When a person approved, rejected or edited it last, in milliseconds since the epoch; absent where nobody did. */
  readonly decided?: number;
  /** The texts between the slots of each part as they were learned, where a person edited the template. */
  readonly learnedAs?: readonly (readonly string[])[];
  /** Whether more was known of its template here before: its replies could not be read by it, say. Written down nowhere. */
  readonly doubted?: true;
}

/** How far a pipeline has come by itself: its template acts, or is told how the verdict is given, or neither. */
export function progressOf({ state, template }: Pick<Pipeline, 'state' | 'template'>): number {
  if (state !== 'learning') return 2;
  return template?.verdict ? 1 : 0;
}

/** A pipeline is known by its template after so many different cases. */
export const CASES_TO_CONFIRM = 3;

/** Where requests of one sort belong together. */
export function originKey({ tenant, path, schema }: Origin, prompt: Prompt): string {
  return JSON.stringify([tenant, path, prompt.parts.map(({ role }) => role), schema ?? null]);
}

/** Tells one state of a template from the next: of a literal that varied there are two, or a shorter one. */
export const shapeOf = ({ parts }: Template): string =>
  parts.map(({ literals }) => literals.map(({ length }) => length).join(' ')).join('|');

/** The texts between the slots of each part. */
export const literalsOf = ({ parts }: Template): readonly (readonly string[])[] =>
  parts.map(({ literals }) => literals);

/** Whether two templates cut a request in the same places. */
export const sameLiterals = (a: Template, b: Template) => areEqual(literalsOf(a), literalsOf(b));

export const areEqual = (a: readonly (readonly string[])[], b: readonly (readonly string[])[]) =>
  JSON.stringify(a) === JSON.stringify(b);

export const sameTexts = (a: Prompt, b: Prompt) => a.parts.every(({ text }, n) => text === b.parts[n]?.text);

/** Whether two prompts say the same words, in whatever order: a case asked once more, or with its options exchanged. */
export function isSameCase(a: Prompt, b: Prompt): boolean {
  if (lengthOf(a) !== lengthOf(b)) return false;
  const sortedWords = ({ parts }: Prompt) =>
    parts
      .flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? [])
      .sort()
      .join(' ');
  return sameTexts(a, b) || sortedWords(a) === sortedWords(b);
}

export const lengthOf = ({ parts }: Prompt) => parts.reduce((sum, { text }) => sum + text.length, 0);

/** The template's own words. */
export const wordsOf = ({ parts }: { readonly parts: readonly Pick<LearnedPart, 'literals'>[] }): string =>
  parts.map(({ literals }) => literals.join('\n')).join('\n');

/** Letters and digits; a sign that is a syllable or a word counts as two. */
export const lettersIn = (text: string): number =>
  (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + (text.match(new RegExp(CJK, 'gu'))?.length ?? 0);

/** Letters and digits in a template's literals. */
export const weightOf = (template: Template): number => lettersIn(wordsOf(template));

/** How many options there are. */
export const optionCount = (parts: readonly { readonly slots: readonly Slot[] }[]) =>
  new Set(
    parts.flatMap(({ slots }) => slots.flatMap(({ role, label }) => (role === 'option' ? [label] : []))),
  ).size;
