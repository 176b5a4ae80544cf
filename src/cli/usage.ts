/**
 * What `--help` shows. An installed package has it as data in usage.json, which dev/bundle.ts writes: nothing of a command is
 * loaded for its help. A checkout asks the commands themselves.
 */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import type { CommandOption, CommandOptions } from './command.ts';
import { type CommandEntry, findCommand, mainCommand } from './commands.ts';
import { wrapWords } from './terminal.ts';

/** What one command does and takes, as data; or the commands below it. */
export interface CommandUsage {
  readonly description: string;
  readonly args?: CommandOptions;
  readonly subCommands?: Readonly<Record<string, CommandUsage>>;
}

/** Loads the command, and all below it. */
export async function describeCommand(entry: CommandEntry = mainCommand): Promise<CommandUsage> {
  const { description, load, subCommands: below } = entry;
  if (load) return { description, args: (await load()).options };
  const all = Object.entries(below ?? {}).map(
    async ([name, one]) => [name, await describeCommand(one)] as const,
  );
  return { description, subCommands: Object.fromEntries(await Promise.all(all)) };
}

/**
 * @param words as on the command line: a command's name, and whatever stands behind it
 * @param width of a line, in characters
 * @throws InputError for a command that there is not, with the nearest one
 */
export async function formatUsage(words: readonly string[], width = 100): Promise<string> {
  const file = new URL('usage.json', import.meta.url);
  const main: CommandUsage & CommandEntry = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : mainCommand;
  const { entry, names, rest } = findCommand<CommandUsage & CommandEntry>(main, words);
  const { description, subCommands, args, load } = entry;
  const [stray] = rest;
  if (subCommands && stray !== undefined && !stray.startsWith('-'))
    throw new InputError(stray, `no such command${suggestName(stray, Object.keys(subCommands))}`);
  const name = ['remand', ...names].join(' ');
  const options = args ?? (await load?.())?.options ?? {};
  const needed = Object.entries(options).filter(([, { required }]) => required);
  const behind = subCommands ? 'COMMAND' : listOptional(options);
  const parts = [
    wrapWords(description, '', width),
    `Usage: ${[name, ...needed.map(([option, one]) => nameOption(option, one)), behind].join(' ').trimEnd()}`,
    formatRows(
      Object.entries(subCommands ?? {}).map(([word, one]) => [word, one.description.replace(/\. .*$/s, '.')]),
      width,
    ),
    formatRows(
      Object.entries(options).map(([option, one]) => [nameOption(option, one), describeOption(one)]),
      width,
    ),
    subCommands ? `${name} COMMAND --help says more about a command.` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listOptional(options: CommandOptions): string {
  const optional = Object.entries(options).filter(([, { required }]) => !required);
  const files = optional
    .filter(([, { type }]) => type === 'positional')
    .map(([name]) => `[${name.toUpperCase()} …]`);
  return [...files, ...(optional.length > files.length ? ['[options]'] : [])].join(' ');
}

function nameOption(name: string, option: CommandOption): string {
  if (option.type === 'positional') return name.toUpperCase();
  if (option.type === 'boolean') return option.default === true ? `--${name}, --no-${name}` : `--${name}`;
  return `--${name} …`;
}

function describeOption(option: CommandOption): string {
  const { description, required, default: usual } = option;
  if (required) return `${description} (needed)`;
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
