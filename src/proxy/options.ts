/**
 * What a client may ask for per request, in `x-remand-*` headers. A value that cannot be meant is an error
 * that names the header: silently judging in another way than asked would be worse than not judging.
 */
import * as z from 'zod';
import { type Bias, CATALOGUE, chooseBiases } from '../bias/index.ts';
import { DETECTOR_NAMES, type DetectorName } from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import { isPlain, NOT_PLAIN } from '../records/index.ts';
import { explainIssue } from '../strict-fields.ts';

export const MODES = ['debias', 'shadow', 'off'] as const;

/** A name that people give to something: it can be shown as it is. */
export const plainName = z.string().refine(isPlain, { error: NOT_PLAIN });

/** A whole number, or its digits where it comes from an environment or a header. */
export function createWholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error })
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

export const ROUNDS = createWholeNumber(0, 10);

/** Samples of one request. */
export const SAMPLES = createWholeNumber(1, 20);

export type Mode = (typeof MODES)[number];

const names = CATALOGUE.map((bias) => bias.name);

const explainUnknown = (name: string) =>
  `there is no bias "${name}"${suggestName(name, names, (one) => `"${one}"`)}`;

export const biasName = z.string().refine((name) => names.includes(name), {
  error: ({ input }) => explainUnknown(String(input)),
});

/** A `+` in a URL comes as a space. */
const splitFound = (found: string) => found.replaceAll(' ', '+').split('+');
const findUnknown = (found: string) => splitFound(found).find((name) => !names.includes(name));

/** As one is found: `bandwagon+verbosity` were only undone together. */
export const foundBias = z
  .string()
  .refine((found) => findUnknown(found) === undefined, {
    error: ({ input }) => explainUnknown(findUnknown(String(input)) ?? ''),
  })
  .transform((found) => splitFound(found).toSorted().join('+'));

/** `position, verbosity`, or the list itself where it comes from a JSON file. */
export const biasList = z
  .union([z.string().transform((text) => text.split(',').map((name) => name.trim())), z.array(z.string())])
  .pipe(z.array(biasName));

const MODE = z.enum(MODES);
const DETECTOR = z.enum(DETECTOR_NAMES);

export const OPTION_HEADERS = [
  'x-remand-mode',
  'x-remand-rounds',
  'x-remand-biases',
  'x-remand-samples',
  'x-remand-detector',
];

/** How one judgment is to be done. */
export interface JudgmentOptions {
  readonly mode: Mode;
  readonly rounds: number;
  readonly biases: readonly Bias[];
  readonly onlyTold: readonly Bias[];
  readonly samples: number;
  readonly detector: DetectorName;
}

/** The operator's settings, which headers override. */
export interface OptionDefaults {
  readonly REMAND_MODE: Mode;
  readonly REMAND_ROUNDS: number;
  readonly REMAND_BIASES: readonly string[];
  readonly REMAND_SAMPLES: number;
  readonly REMAND_DETECTOR: DetectorName;
}

/** What a client may say beside options: its key, and on whose behalf it asks. */
const OTHER_HEADERS = ['x-remand-key', 'x-remand-user', 'x-remand-session'];
const KNOWN_HEADERS = [...OPTION_HEADERS, ...OTHER_HEADERS];

/**
 * @returns what reads a request's options; it throws InputError whose field is the header at fault: one of ours that there
 *   is not, or its value
 */
export function createOptionReader(defaults: OptionDefaults): (headers: Headers) => JudgmentOptions {
  const standard: JudgmentOptions = {
    mode: defaults.REMAND_MODE,
    rounds: defaults.REMAND_ROUNDS,
    ...chooseBiases(defaults.REMAND_BIASES),
    samples: defaults.REMAND_SAMPLES,
    detector: defaults.REMAND_DETECTOR,
  };
  return (headers) => {
    const given: string[] = [];
    for (const name of headers.keys()) {
      if (!name.startsWith('x-remand-')) continue;
      if (!KNOWN_HEADERS.includes(name))
        throw new InputError(name, `no such header${suggestName(name, KNOWN_HEADERS)}`);
      if (OPTION_HEADERS.includes(name)) given.push(name);
    }
    // Most requests ask for nothing.
    if (given.length === 0) return standard;
    const read = <T>(name: string, type: z.ZodType<T>) =>
      given.includes(name) ? parseOption(name, headers.get(name) ?? '', type) : undefined;
    const biases = read('x-remand-biases', biasList);
    return {
      ...standard,
      ...(biases && chooseBiases(biases)),
      mode: read('x-remand-mode', MODE) ?? standard.mode,
      rounds: read('x-remand-rounds', ROUNDS) ?? standard.rounds,
      samples: read('x-remand-samples', SAMPLES) ?? standard.samples,
      detector: read('x-remand-detector', DETECTOR) ?? standard.detector,
    };
  };
}

/** @throws InputError */
function parseOption<T>(name: string, value: string, type: z.ZodType<T>): T {
  const { data, error } = type.safeParse(value.trim(), { error: explainIssue });
  if (error) throw new InputError(name, error.issues[0]?.message ?? 'cannot be read');
  return data;
}
