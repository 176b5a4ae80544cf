/**
 * What `--help` shows, from usage.json: nothing of a command is loaded for it. `npm run settings` writes the file from the
 * commands, and test/house.test.ts fails where that was forgotten.
 */
import type { ArgsDef } from 'citty';
import { InputError } from '../errors.ts';
import { findNearest } from '../nearest-name.ts';
import { wrapWords } from './terminal.ts';

/** What one command does and takes; or, with `commands`, those below it. */
export interface CommandUsage {
  readonly description: string;
  readonly options?: ArgsDef;
  readonly commands?: Readonly<Record<string, CommandUsage>>;
}

/** `remand` itself. Loaded when it is asked for: a server would hold 80 KB of texts that it never shows. */
export async function readUsage(): Promise<CommandUsage> {
  const { default: usage } = await import('./usage.json', { with: { type: 'json' } });
  return usage as CommandUsage;
}

/**
 * @param words as on the command line: a command's name, and whatever stands behind it
 * @param width of a line, in characters
 * @throws InputError for a command that there is not, with the nearest one
 */
export async function formatUsage(words: readonly string[], width = 100): Promise<string> {
  let found = await readUsage();
  const names = ['remand'];
  for (const word of words) {
    const { commands } = found;
    if (!commands || word.startsWith('-')) break;
    const below = commands[word];
    if (!below)
      throw new InputError(
        word,
        `no such command; did you mean ${findNearest(word, Object.keys(commands))}?`,
      );
    found = below;
    names.push(word);
  }
  const { description, options = {}, commands = {} } = found;
  const name = names.join(' ');
  const needed = Object.entries(options).filter(([, { required }]) => required);
  const parts = [
    wrapWords(description, '', width),
    `Usage: ${[name, ...needed.map(([option, one]) => nameOption(option, one)), listRest(found)].join(' ')}`,
    formatRows(
      Object.entries(commands).map(([word, one]) => [word, one.description.replace(/\. .*$/s, '.')]),
      width,
    ),
    formatRows(
      Object.entries(options).map(([option, one]) => [nameOption(option, one), describeOption(one)]),
      width,
    ),
    Object.keys(commands).length > 0 ? `${name} COMMAND --help says more about a command.` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listRest({ options = {}, commands }: CommandUsage): string {
  if (commands) return 'COMMAND';
  const optional = Object.entries(options).filter(([, { required }]) => !required);
  const files = optional
    .filter(([, { type }]) => type === 'positional')
    .map(([name]) => `[${name.toUpperCase()} …]`);
  return [...files, ...(optional.length > files.length ? ['[options]'] : [])].join(' ');
}

function nameOption(name: string, option: ArgsDef[string]): string {
  if (option.type === 'positional') return name.toUpperCase();
  if (option.type === 'boolean') return option.default === true ? `--${name}, --no-${name}` : `--${name}`;
  return `--${name} …`;
}

function describeOption(option: ArgsDef[string]): string {
  const { description = '', required } = option;
  if (required) return `${description} (needed)`;
  const usual = 'default' in option ? option.default : undefined;
  return usual === undefined || typeof usual === 'boolean'
    ? description
    : `${description} (default: ${usual})`;
}

/** Two columns, the second of them wrapped. */
function formatRows(rows: readonly (readonly [name: string, words: string])[], width: number): string {
  const left = 4 + Math.max(0, ...rows.map(([name]) => name.length));
  return rows
    .map(([name, words]) => `  ${name}`.padEnd(left) + wrapWords(words, ' '.repeat(left), width))
    .join('\n');
}
