/**
 * What `--help` shows, from usage.json: nothing of a command is loaded for it. `npm run settings` writes the file from the
 * commands, and test/house.test.ts fails where that was forgotten.
 */
import { type ArgsDef, renderUsage } from 'citty';
import { InputError } from '../errors.ts';
import { findNearest } from '../nearest-name.ts';

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
 * @throws InputError for a command that there is not, with the nearest one
 */
export async function formatUsage(words: readonly string[]): Promise<string> {
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
  const { description, options, commands } = found;
  return renderUsage({
    meta: { name: names.join(' '), description },
    ...(options && { args: options }),
    ...(commands && {
      subCommands: Object.fromEntries(
        Object.entries(commands).map(([name, one]) => [name, { meta: { description: one.description } }]),
      ),
    }),
  });
}
