/**
 * What `--help` shows. An installed package has it as data in usage.json, which dev/bundle.ts writes: nothing of a command is
 * loaded for its help. A checkout asks the commands themselves.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { ArgsDef, CommandDef } from 'citty';
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import { mainCommand, resolveLazily } from './commands.ts';
import { wrapWords } from './terminal.ts';

/** What one command does and takes, as data; or the commands below it. */
export interface CommandUsage {
  readonly meta: { readonly description: string };
  readonly args?: ArgsDef;
  readonly subCommands?: Readonly<Record<string, CommandUsage>>;
}

/** Loads the command, and all below it. */
export async function describeCommand(command: CommandDef = mainCommand): Promise<CommandUsage> {
  const { description = '' } = (await resolveLazily(command.meta)) ?? {};
  const below = await resolveLazily(command.subCommands);
  const args = below ? undefined : await resolveLazily(command.args);
  const subCommands: Record<string, CommandUsage> = {};
  for (const [name, one] of Object.entries(below ?? {})) {
    const found = await resolveLazily(one);
    if (found) subCommands[name] = await describeCommand(found);
  }
  return { meta: { description }, ...(args && { args }), ...(below && { subCommands }) };
}

/**
 * @param words as on the command line: a command's name, and whatever stands behind it
 * @param width of a line, in characters
 * @throws InputError for a command that there is not, with the nearest one
 */
export async function formatUsage(words: readonly string[], width = 100): Promise<string> {
  const file = new URL('usage.json', import.meta.url);
  let command: CommandDef = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : mainCommand;
  const names = ['remand'];
  for (const word of words) {
    const below = await resolveLazily(command.subCommands);
    if (!below || word.startsWith('-')) break;
    const found = await resolveLazily(below[word]);
    if (!found) throw new InputError(word, `no such command${suggestName(word, Object.keys(below))}`);
    command = found;
    names.push(word);
  }
  const name = names.join(' ');
  const { description = '' } = (await resolveLazily(command.meta)) ?? {};
  const subCommands = await resolveLazily(command.subCommands);
  const options = subCommands ? {} : ((await resolveLazily(command.args)) ?? {});
  const commands: [name: string, words: string][] = [];
  for (const [word, one] of Object.entries(subCommands ?? {})) {
    const meta = await resolveLazily((await resolveLazily(one))?.meta);
    commands.push([word, (meta?.description ?? '').replace(/\. .*$/s, '.')]);
  }
  const needed = Object.entries(options).filter(([, { required }]) => required);
  const rest = subCommands ? 'COMMAND' : listOptional(options);
  const parts = [
    wrapWords(description, '', width),
    `Usage: ${[name, ...needed.map(([option, one]) => nameOption(option, one)), rest].join(' ').trimEnd()}`,
    formatRows(commands, width),
    formatRows(
      Object.entries(options).map(([option, one]) => [nameOption(option, one), describeOption(one)]),
      width,
    ),
    subCommands ? `${name} COMMAND --help says more about a command.` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function listOptional(options: ArgsDef): string {
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
