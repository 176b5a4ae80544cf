#!/usr/bin/env node
/** The command line. Exits 0 on success, 2 on wrong usage or bad input, 1 on failure. */
import { InputError } from '../errors.ts';
import { suggestName } from '../nearest-name.ts';
import { VERSION } from '../version.ts';
import { findCommand, mainCommand } from './commands.ts';
import { limitHeap, loadDotEnv, setUpCompileCache } from './process-setup.ts';
import { print, tell } from './terminal.ts';
import { formatUsage } from './usage.ts';

setUpCompileCache();

/** What stands where a command could. */
const MAIN_OPTIONS = ['--help', '--version'];

/** @throws InputError for a command that there is not, with the nearest that there is */
async function loadCommand(words: readonly string[]) {
  const { entry, names, rest } = findCommand(mainCommand, words);
  if (entry.load) return { command: await entry.load(), name: names.join(' '), rest };
  const below = Object.keys(entry.subCommands ?? {});
  const [word] = rest;
  if (word === undefined)
    throw new InputError(words.join(' '), `needs one of the commands ${below.join(', ')}`);
  if (!word.startsWith('-')) throw new InputError(word, `no such command${suggestName(word, below)}`);
  const known = names.length === 0 ? suggestName(word, MAIN_OPTIONS) : `; commands are ${below.join(', ')}`;
  throw new InputError(word, `no such option${known}`);
}

/**
 * A variable of ours that there is not. Commands that read settings say so themselves; of the others nobody would.
 *
 * @throws InputError with the nearest name that there is
 */
async function checkVariables(): Promise<void> {
  if (!Object.keys(process.env).some((name) => name.startsWith('REMAND_'))) return;
  const { checkSettingNames } = await import('../proxy/config.ts');
  checkSettingNames(process.env);
}

/** Commands that run for days, or over millions of lines: V8 would let garbage lie about. */
const LEAN: readonly string[] = ['serve', 'rank'];

async function run(words: string[]): Promise<number> {
  const [first] = words;
  if (first === '--version' || first === '-v') {
    print(`${VERSION}\n`);
    return 0;
  }
  try {
    if (first === undefined || first === 'help' || words.includes('--help') || words.includes('-h')) {
      print(await formatUsage(first === 'help' ? words.slice(1) : words, process.stdout.columns));
      return first === undefined ? 2 : 0;
    }
    if (LEAN.includes(first)) limitHeap();
    const names = loadDotEnv();
    if (names.length > 0) tell(`Taken from .env: ${names.join(', ')}\n`);
    await checkVariables();
    const { command, name, rest } = await loadCommand(words);
    await command.run(rest, name);
    return Number(process.exitCode ?? 0);
  } catch (cause) {
    const { EarlyEnd } = await import('./terminal.ts');
    if (cause instanceof EarlyEnd) {
      if (cause.again) return run(words);
      print(words.includes('--json') ? `${JSON.stringify(cause.report)}\n` : `${cause.message}\n`);
      return 0;
    }
    const message = cause instanceof Error ? cause.message : String(cause);
    tell(`remand: ${message}\n`);
    return cause instanceof InputError ? 2 : 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
