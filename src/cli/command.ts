/** A command as data: its options with what each may be, and what is done with their values. */
import { parseArgs } from 'node:util';
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import type { ResultOrigin } from '../report/index.ts';
import { parseJsonObject, parseWholeNumber } from './arguments.ts';
import { describeOrigin, formatResult } from './result-origin.ts';
import { print } from './terminal.ts';

/** Reads the text of an option. Throws InputError naming the option. */
type ReadText<T> = (text: string, option: string) => T;

/** `read`, `absent` and `bare` are left out of what `--help` is told. */
export interface CommandOption<T = unknown> {
  /** Words that belong to no option are files. */
  readonly type: 'string' | 'boolean' | 'positional';
  readonly description: string;
  /** As a person would write it. */
  readonly default?: string | boolean;
  readonly required?: boolean;
  readonly read: ReadText<T>;
  /** The value where neither a text nor a default is there. */
  readonly absent?: T;
  /** The text of an option that is given without one. */
  readonly bare?: string;
  /** The option without which it would do nothing, and after a blank the value that it must have: `judge`, `via batch`. */
  readonly goesWith?: string;
}
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The values of options by their names. */
export type OptionValues<O extends CommandOptions> = {
  readonly [Name in keyof O]: O[Name] extends CommandOption<infer T> ? T : never;
};

/** @example limit: optional(asWhole(1, 1e9), 'at most this many rows') */
export const optional = <T>(read: ReadText<T>, description: string): CommandOption<T | undefined> => ({
  type: 'string',
  description,
  read,
});

/** @example seed: usual(asWhole(0, 2 ** 31), '1', 'seed of the draws') */
export const usual = <T>(read: ReadText<T>, text: string, description: string): CommandOption<T> => ({
  type: 'string',
  description,
  default: text,
  read,
});

/** @example out: needed(asText, 'folder to write to') */
export const needed = <T>(read: ReadText<T>, description: string): CommandOption<T> => ({
  type: 'string',
  description,
  required: true,
  read,
});

/** @example csv: flag('a table for spreadsheets') */
export const flag = (description: string, value = false): CommandOption<boolean> => ({
  type: 'boolean',
  description,
  default: value,
  read: () => value,
});

/**
 * Options that do nothing without another one: given without it, they are an error, and their descriptions say so.
 *
 * @param other its name, or name and value: `judge`, `via batch`
 * @example ...onlyWith('judge', { sample: usual(asWhole(1, 1e6), '200', 'how many judgments') })
 */
export const onlyWith = <const O extends CommandOptions>(other: string, options: O): O =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      { ...option, description: `with --${other}: ${option.description}`, goesWith: other },
    ]),
  ) as unknown as O;

/** Words that belong to no option. */
export const files = (description: string): CommandOption<undefined> => ({
  type: 'positional',
  description,
  read: () => undefined,
});

/** How many, where no end is the default. */
export const atMost = (description: string): CommandOption<number> => ({
  type: 'string',
  description,
  read: asWhole(1, 1e9),
  absent: Number.POSITIVE_INFINITY,
});

export const concurrency = (text: string, description: string) => usual(asWhole(1, 1024), text, description);

export const asText: ReadText<string> = (text) => text;

export const asWhole =
  (least: number, most: number): ReadText<number> =>
  (text, option) =>
    parseWholeNumber(option, text, least, most);

export const asNumber: ReadText<number> = (text, option) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InputError(option, `"${text}" is no number`);
  return value;
};

/** In (0, 1). */
export const asShare: ReadText<number> = (text, option) => {
  const share = Number(text);
  if (!(share > 0 && share < 1))
    throw new InputError(option, `must be more than 0 and less than 1, not "${text}"`);
  return share;
};

export const asOneOf =
  <const T extends string>(known: readonly T[]): ReadText<T> =>
  (text, option) => {
    const found = known.find((one) => one === text);
    if (found === undefined) throw new InputError(option, `"${text}" is none of ${known.join(', ')}`);
    return found;
  };

/** Parts with a sign between them, without blanks around them. */
export const asList =
  (sign: ',' | ';'): ReadText<string[]> =>
  (text) =>
    text.split(sign).map((one) => one.trim());

/** Some of the known words, with commas between them, each once. */
export const asSomeOf =
  <const T extends string>(known: readonly T[]): ReadText<T[]> =>
  (text, option) => [...new Set(asList(',')(text, option).map((one) => asOneOf(known)(one, option)))];

/** A JSON object. */
export const asJson: ReadText<Record<string, unknown>> = parseJsonObject;

/** Options as texts, by their names: what was given, and the defaults of the others. */
export type OptionTexts = Readonly<Record<string, string | boolean | undefined>>;

/** One call of a command. */
export interface CommandCall<O extends CommandOptions> {
  readonly args: OptionValues<O>;
  readonly files: readonly string[];
  readonly texts: OptionTexts;
  /** What options are that are not given. */
  readonly defaults: OptionTexts;
  /** Where its result comes from. */
  origin(): Promise<ResultOrigin>;
  /**
   * Prints the result: a JSON document with `--json`, else in words.
   *
   * @param origin stands in the document; null for one that has none
   */
  print(document: object, words: () => string | Promise<string>, origin?: ResultOrigin | null): void;
}

export interface Command {
  readonly options: CommandOptions;
  /** @param name its words: `eval judge` */
  run(words: readonly string[], name: string): Promise<void>;
}

/** Every command has `--json`; one that says more of it declares it. */
export function createCommand<const O extends CommandOptions>(
  own: O,
  run: (call: CommandCall<O>) => Promise<void> | void,
): Command {
  const options = 'json' in own ? own : { ...own, json: flag('one JSON document on standard output') };
  return {
    options,
    async run(words, name) {
      const { texts, files } = readWords(name, words, options);
      const read = ([option, { read, absent, type }]: [string, CommandOption]) => {
        const text = texts[option];
        return [
          option,
          typeof text === 'string' ? read(text, `--${option}`) : type === 'boolean' ? text : absent,
        ];
      };
      const args = Object.fromEntries(Object.entries(options).map(read)) as OptionValues<O>;
      let told = Promise.resolve();
      try {
        await run({
          args,
          files,
          texts,
          defaults: Object.fromEntries(
            Object.entries(options).map(([option, { default: usually }]) => [option, usually]),
          ),
          origin: () => describeOrigin(name, { rawArgs: words, args: texts }),
          print(document, shown, origin = null) {
            const source = origin === null ? '' : `\n${describeSource(origin)}\n`;
            if (!texts.json) told = told.then(async () => print(`${await shown()}${source}`));
            else print(origin === null ? `${JSON.stringify(document)}\n` : formatResult(document, origin));
          },
        });
      } finally {
        await told;
      }
    },
  };
}

/** What whoever copies figures from a terminal has to name beside them. */
function describeSource({ remand, date, models }: ResultOrigin): string {
  const asked = models.length === 0 ? '' : `; asked ${models.join(', ')}`;
  return `Remand ${remand}, ${date.slice(0, 10)}${asked}.`;
}

/**
 * Unknown options, options given twice, missing ones, and words that belong to none are errors.
 *
 * @param command its words: `eval judge`
 * @param words as they were given, without the command's name
 * @throws InputError with the nearest option that there is, or what is missing
 */
export function readWords(
  command: string,
  words: readonly string[],
  options: CommandOptions,
): { readonly texts: OptionTexts; readonly files: readonly string[] } {
  const names = Object.keys(options).filter((name) => options[name]?.type !== 'positional');
  const takesFiles = names.length < Object.keys(options).length;
  const needed = names.filter((name) => options[name]?.required);
  const isBare = (name: string | undefined, at: number) =>
    name !== undefined && options[name]?.bare !== undefined && /^(?:-|$)/.test(words[at + 1] ?? '');
  const { tokens } = parseArgs({
    args: words.map((word, at) => {
      const name = names.find((one) => word === `--${one}`);
      return isBare(name, at) ? `${word}=${options[name ?? '']?.bare}` : word;
    }),
    options: Object.fromEntries(
      names.map((name) => [
        name,
        { type: options[name]?.type === 'boolean' ? 'boolean' : 'string' } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string | boolean>();
  const files: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!takesFiles) {
        const first = needed.find((name) => !given.has(name));
        const meant = first
          ? `did you mean --${first} ${token.value}?`
          : 'a value with spaces needs quotation marks';
        throw new InputError(token.value, `belongs to no option; ${meant}`);
      }
      files.push(token.value);
    }
    if (token.kind !== 'option') continue;
    const isNegated = token.name.startsWith('no-') && !names.includes(token.name);
    const name = isNegated ? token.name.slice('no-'.length) : token.name;
    if (!names.includes(name))
      throw new InputError(`--${name}`, `no such option${suggestName(name, names, (one) => `--${one}`)}`);
    if (given.has(name)) throw new InputError(`--${name}`, 'is given twice');
    if (options[name]?.type === 'boolean') given.set(name, !isNegated && token.value !== 'false');
    else if (token.value === undefined) throw new InputError(`--${name}`, 'needs a value');
    else given.set(name, token.value);
  }
  const missing = needed.filter((name) => !given.has(name)).map((name) => `--${name}`);
  const [verb, them] = missing.length === 1 ? ['is', 'it is'] : ['are', 'they are'];
  if (missing.length > 0)
    throw new InputError(missing.join(', '), `${verb} missing; remand ${command} --help says what ${them}`);
  const texts: OptionTexts = Object.fromEntries(
    names.map((name) => [name, given.get(name) ?? options[name]?.default]),
  );
  for (const [name, value] of given) {
    const [other, wanted] = options[name]?.goesWith?.split(' ') ?? [];
    if (other === undefined || value === false) continue;
    const isThere = wanted === undefined ? (texts[other] ?? false) !== false : texts[other] === wanted;
    if (!isThere) throw new InputError(`--${name}`, `is for --${options[name]?.goesWith}`);
  }
  return { texts, files };
}
