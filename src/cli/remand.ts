#!/usr/bin/env node
/** The command line: one file a command, gathered here. Exits 0 on success, 2 on wrong usage or bad input, 1 on failure. */
import { type CommandDef, defineCommand, runCommand, showUsage } from 'citty';
import { InputError } from '../errors.ts';
import { keepCompiled } from './compiled.ts';
import { print, tell } from './terminal.ts';
import { LeftWaiting } from './via-batch.ts';

keepCompiled();

/** A command's file is loaded when the command is asked for: `serve` must not wait for Parquet and charts. */
const evaluate = defineCommand({
  meta: { name: 'eval', description: 'Measure detectors and judges.' },
  subCommands: {
    judge: async () => (await import('./eval-judge.ts')).evalJudge,
    detector: async () => (await import('./eval-detector.ts')).evalDetector,
  },
});

const dataset = defineCommand({
  meta: {
    name: 'dataset',
    description: 'Build biased datasets, let judges decide them, label the verdicts.',
  },
  subCommands: {
    build: async () => (await import('./dataset/build.ts')).build,
    judge: async () => (await import('./dataset/judge.ts')).judge,
    label: async () => (await import('./dataset/label.ts')).label,
  },
});

const main = defineCommand({
  meta: { name: 'remand', description: 'Makes any LLM judge fairer at inference time.' },
  subCommands: {
    serve: async () => (await import('./serve.ts')).serve,
    keys: async () => (await import('./keys.ts')).keys,
    calibrate: async () => (await import('./calibrate.ts')).calibrateCommand,
    dataset,
    distill: async () => (await import('./distill.ts')).distill,
    export: async () => (await import('./export.ts')).exportData,
    finetune: async () => (await import('./finetune.ts')).finetune,
    eval: evaluate,
    audit: async () => (await import('./audit.ts')).audit,
    report: async () => (await import('./report.ts')).report,
    read: async () => (await import('./read.ts')).read,
  },
});

/** The command that the words name, as far as they name one, for its usage text. */
async function commandAt(words: readonly string[]): Promise<[CommandDef, CommandDef | undefined]> {
  let command: CommandDef = main;
  let parent: CommandDef | undefined;
  for (const word of words) {
    const below = (await resolve(command.subCommands))?.[word];
    if (!below) break;
    parent = command;
    command = (await resolve(below)) ?? command;
  }
  return [command, parent];
}

async function resolve<T>(
  value: T | Promise<T> | (() => T | Promise<T>) | undefined,
): Promise<T | undefined> {
  return value instanceof Function ? value() : value;
}

async function run(words: string[]): Promise<number> {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
    await showUsage(...(await commandAt(words)));
    return words.length === 0 ? 2 : 0;
  }
  try {
    await runCommand(main, { rawArgs: words });
    return Number(process.exitCode ?? 0);
  } catch (cause) {
    if (cause instanceof LeftWaiting) {
      if (cause.again) return run(words);
      print(words.includes('--json') ? `${JSON.stringify(cause.report)}\n` : `${cause.message}\n`);
      return 0;
    }
    const message = cause instanceof Error ? cause.message : String(cause);
    tell(`remand: ${message}\n`);
    // citty names its own errors of usage "CLIError".
    const usage = cause instanceof InputError || (cause instanceof Error && cause.name === 'CLIError');
    return usage ? 2 : 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
