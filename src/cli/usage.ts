/**
 * What `--help` shows. An installed package has it as data in usage.json, which dev/bundle.ts writes: nothing of a command is
 * loaded for its help. A checkout asks the commands themselves.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type ArgsDef, type CommandDef, renderUsage } from 'citty';
import { InputError } from '../errors.ts';
import { findNearest } from '../nearest-name.ts';
import { mainCommand, resolveLazily } from './commands.ts';

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
 * @throws InputError for a command that there is not, with the nearest one
 */
export async function formatUsage(words: readonly string[]): Promise<string> {
  const file = new URL('usage.json', import.meta.url);
  let command: CommandDef = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : mainCommand;
  const names = ['remand'];
  for (const word of words) {
    const below = await resolveLazily(command.subCommands);
    if (!below || word.startsWith('-')) break;
    const found = await resolveLazily(below[word]);
    if (!found)
      throw new InputError(word, `no such command; did you mean ${findNearest(word, Object.keys(below))}?`);
    command = found;
    names.push(word);
  }
  return renderUsage({ ...command, meta: { ...(await resolveLazily(command.meta)), name: names.join(' ') } });
}
