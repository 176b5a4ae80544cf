/**
 * What another run wrote is not lost: beside its files a run says what made them (`judgments.run.json`), and a run of other
 * settings does not write there unless it is told to.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import * as z from 'zod';
import { InputError } from '../errors.ts';
import { parseJson } from '../parse-json.ts';
import { writeWhole } from '../records/node.ts';
import { flag } from './command.ts';
import { withoutSecrets } from './result-origin.ts';

export const overwriteOption = { overwrite: flag('write where a run of other settings has written') };

/** How the name of a file ends that says what made another one. */
export const RUN_NOTE = '.run.json';

/** How long the calls of `card` took, over all its runs; beside its result. */
export const CARD_TIMINGS = 'timings.json';

/** How a run is made, not what comes of it. */
const PASSING: readonly string[] = [
  ...['json', 'overwrite', 'dry-run', 'store', 'budget', 'tokens', 'retries', 'timeout'],
  ...['via', 'wait', 'poll', 'batch-size', 'concurrency', 'prices', 'out', 'in'],
];

const RunNote = z.object({ command: z.string(), settings: z.record(z.string(), z.unknown()) });
type RunNote = z.infer<typeof RunNote>;

interface Claim {
  /** The file that is written, or the folder. */
  readonly path: string;
  /** As on the command line: `dataset build`. */
  readonly command: string;
  /** Of the command line, as texts. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Of its options: one that an earlier version had not yet is no other setting. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What `--in` names, where one place can be written from several. */
  readonly source?: string;
  /** Named in errors. */
  readonly option: string;
}

/**
 * To be called before anything is written or paid for. A run that was killed goes on; the same run again writes the same.
 * A dry run only looks.
 *
 * @throws InputError where the file is there, another run made it, and `--overwrite` was not given
 *
 * @example await claimOutput({ path: 'data/d.jsonl', command: 'dataset build', args, defaults, option: '--out' })
 */
export async function claimOutput({ path, command, args, defaults, source, option }: Claim): Promise<void> {
  const note = `${path.replace(/\.\w+$/, '')}${RUN_NOTE}`;
  const own: RunNote = {
    command,
    settings: { ...settingsOf(args), ...(source && { in: withoutSecrets(source) }) },
  };
  const read = Object.entries(args).find(
    ([name, value]) => name !== option.replace('--', '') && isNamed(value, path),
  );
  if (existsSync(path) && read)
    throw new InputError(option, `${path} is what --${read[0]} reads; write elsewhere`);
  if (existsSync(path) && args.overwrite !== true) {
    const before = readNote(note);
    const why = before === null ? 'nothing says what made it' : difference(before, own, defaults);
    if (why !== null)
      throw new InputError(
        option,
        `${relative('.', path) || path} is there already, of another run (${why}); write elsewhere, or give --overwrite`,
      );
  }
  if (args['dry-run'] !== true)
    await writeWhole({ note }, (files) => files.note.write(`${JSON.stringify(own, null, 2)}\n`));
}

/** Whether a value of the command line names this file, alone or among several. */
const isNamed = (value: unknown, path: string) =>
  typeof value === 'string' && [value, ...value.split(' ')].some((one) => resolve(one) === resolve(path));

function settingsOf(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.entries(args).filter(
    ([name, value]) => value !== undefined && !PASSING.includes(name),
  );
  return Object.fromEntries(
    named
      .map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value) : value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function readNote(path: string): RunNote | null {
  if (!existsSync(path)) return null;
  return RunNote.safeParse(parseJson(readFileSync(path, 'utf8'))).data ?? null;
}

/** In words; null where there is none. */
function difference(
  before: RunNote,
  own: RunNote,
  defaults: Readonly<Record<string, unknown>>,
): string | null {
  if (before.command !== own.command) return `remand ${before.command}`;
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(own.settings)])].filter(
    (name) =>
      JSON.stringify(before.settings[name] ?? defaults[name]) !==
      JSON.stringify(own.settings[name] ?? defaults[name]),
  );
  return names.length === 0 ? null : `other ${names.map((name) => `--${name}`).join(', ')}`;
}
