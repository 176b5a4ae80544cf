/**
 * Whether a judge is still the judge it was: the model that its endpoint says has answered, the parameters of the request and
 * the form of the verdict, beside what was seen of the same judge and template before.
 */

import { isObject } from '../parse-json.ts';
import type { JudgeFingerprint } from '../trace/index.ts';

/** A judge that was seen to be another one. */
export interface JudgeChange {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly judge: string;
  /** What is new. */
  readonly what: readonly ChangedPart[];
  /** As people read it. */
  readonly before: string;
  readonly after: string;
}

const PARTS = ['served', 'parameters', 'form'] as const;
/** Of a fingerprint; `verdicts` are those on the anchor cases. */
export type ChangedPart = (typeof PARTS)[number] | 'verdicts';

/** Judgments that are seen before what is new counts as a change: of several machines behind one name each is new at first. */
const SETTLED = 20;
/** Judges with their templates, and values of one part, that are remembered. */
const MOST_KNOWN = 1_000;
const MOST_VALUES = 50;

interface JudgeHistory {
  seen: number;
  latest: JudgeFingerprint;
  /** The values of each part, those that were seen longest ago first. */
  readonly values: Readonly<Record<(typeof PARTS)[number], Set<string>>>;
}

export interface FingerprintWatch {
  /** @returns what changed with this judgment, told once; null where nothing did */
  observe(who: string | null, judge: string, fingerprint: JudgeFingerprint, time: number): JudgeChange | null;
}

/** @example createFingerprintWatch().observe(null, 'gpt-4o', fingerprint, clock.now()) */
export function createFingerprintWatch(): FingerprintWatch {
  // A Map iterates in the order of insertion, so its first key was seen the longest ago.
  const known = new Map<string, JudgeHistory>();
  return {
    observe(who, judge, fingerprint, time) {
      const key = JSON.stringify([who, judge, fingerprint.template]);
      const one = known.get(key) ?? {
        seen: 0,
        latest: fingerprint,
        values: { served: new Set<string>(), parameters: new Set<string>(), form: new Set<string>() },
      };
      known.delete(key);
      known.set(key, one);
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
      const { latest, seen } = one;
      const what = PARTS.filter((part) => remember(one.values[part], JSON.stringify(fingerprint[part])));
      one.seen++;
      one.latest = fingerprint;
      if (what.length === 0 || seen < SETTLED) return null;
      const tell = (of: JudgeFingerprint) => what.map((part) => tellPart(of[part])).join('; ');
      return { time, judge, what, before: tell(latest), after: tell(fingerprint) };
    },
  };
}

/** @returns whether the value is one to tell of: new, and its part not one that differs from request to request */
function remember(values: Set<string>, value: string): boolean {
  const isFull = values.size >= MOST_VALUES;
  const isNew = !values.delete(value);
  if (isNew && isFull) values.delete(values.keys().next().value ?? '');
  values.add(value);
  return isNew && !isFull;
}

function tellPart(part: JudgeFingerprint[(typeof PARTS)[number]]): string {
  if (part === null) return 'not told';
  if (typeof part === 'string') return part;
  const settings = Object.entries(part).map(([name, value]) => `${name} ${value}`);
  return settings.length === 0 ? 'none' : settings.join(', ');
}

/** Fields that name a request, or differ from one to the next by design, and our own. */
const NO_PARAMETERS: readonly string[] = [
  'metadata',
  'seed',
  'user',
  'stream',
  'stream_options',
  'store',
  'remand',
];

/** What a parameter is called; any other key may be a text. */
const NAME = /^\w{1,40}$/;
const MOST_PARAMETERS = 40;

/**
 * The numbers and switches of a request: what it says of how to judge, and no text of what is judged.
 *
 * @example readParameters({ model: 'm', temperature: 0, messages: [] }) // { temperature: 0 }
 */
export function readParameters(sent: unknown): Record<string, number | boolean> {
  const settings = settingsIn(sent, '', 2).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(settings.slice(0, MOST_PARAMETERS));
}

function settingsIn(value: unknown, path: string, depth: number): [string, number | boolean][] {
  if (typeof value === 'number' || typeof value === 'boolean') return [[path, value]];
  if (depth === 0 || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    NO_PARAMETERS.includes(name) || !NAME.test(name)
      ? []
      : settingsIn(inner, path === '' ? name : `${path}.${name}`, depth - 1),
  );
}
