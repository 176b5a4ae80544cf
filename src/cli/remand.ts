#!/usr/bin/env node
/** The command line: one file a command, gathered here. Exits 0 on success, 2 on wrong usage or bad input, 1 on failure. */
import { type CommandDef, defineCommand, runCommand, showUsage } from 'citty';
import { describeError, InputError } from '../errors.ts';
import { limitHeap, setUpCompileCache } from './process-setup.ts';
import { print, tell } from './terminal.ts';

setUpCompileCache();

/** A command's file is loaded when the command is asked for: `serve` must not wait for Parquet and charts. */
const evaluate = defineCommand({
  meta: { name: 'eval', description: 'Measure detectors and judges.' },
  subCommands: {
    judge: async () => (await import('./eval-judge.ts')).evalJudgeCommand,
    detector: async () => (await import('./eval-detector.ts')).evalDetectorCommand,
  },
});

const audit = defineCommand({
  meta: { name: 'audit', description: 'Inject what a fair judge would not notice, and see whether it does.' },
  subCommands: {
    authors: async () => (await import('./audit/audit-authors.ts')).auditAuthorsCommand,
    authorship: async () => (await import('./audit/audit-authorship.ts')).auditAuthorshipCommand,
    cues: async () => (await import('./audit/audit-cues.ts')).auditCuesCommand,
    perturb: async () => (await import('./audit/audit-perturb.ts')).auditPerturbCommand,
  },
});

const dataset = defineCommand({
  meta: {
    name: 'dataset',
    description: 'Build biased datasets, let judges decide them, label the verdicts.',
  },
  subCommands: {
    build: async () => (await import('./dataset/dataset-build.ts')).datasetBuildCommand,
    judge: async () => (await import('./dataset/dataset-judge.ts')).datasetJudgeCommand,
    label: async () => (await import('./dataset/dataset-label.ts')).datasetLabelCommand,
  },
});

const labels = defineCommand({
  meta: { name: 'labels', description: "People's labels by way of Langfuse's annotation queues." },
  subCommands: {
    push: async () => (await import('./labels.ts')).labelsPushCommand,
    pull: async () => (await import('./labels.ts')).labelsPullCommand,
  },
});

const main = defineCommand({
  meta: { name: 'remand', description: 'Makes any LLM judge fairer at inference time.' },
  subCommands: {
    serve: async () => (await import('./serve.ts')).serveCommand,
    keys: async () => (await import('./keys.ts')).keysCommand,
    calibrate: async () => (await import('./calibrate.ts')).calibrateCommand,
    labels,
    dataset,
    distill: async () => (await import('./distill.ts')).distillCommand,
    export: async () => (await import('./export.ts')).exportCommand,
    finetune: async () => (await import('./finetune.ts')).finetuneCommand,
    eval: evaluate,
    estimate: async () => (await import('./estimate.ts')).estimateCommand,
    audit,
    rank: async () => (await import('./rank.ts')).rankCommand,
    report: async () => (await import('./report.ts')).reportCommand,
    read: async () => (await import('./read-command.ts')).readCommand,
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
  if (words[0] === 'serve') limitHeap();
  try {
    await runCommand(main, { rawArgs: words });
    return Number(process.exitCode ?? 0);
  } catch (cause) {
    const { BatchPendingError } = await import('./via-batch.ts');
    if (cause instanceof BatchPendingError) {
      if (cause.again) return run(words);
      print(words.includes('--json') ? `${JSON.stringify(cause.report)}\n` : `${cause.message}\n`);
      return 0;
    }
    const message = describeError(cause);
    tell(`remand: ${message}\n`);
    // citty names its own errors of usage "CLIError".
    const usage = cause instanceof InputError || (cause instanceof Error && cause.name === 'CLIError');
    return usage ? 2 : 1;
  }
}

process.exitCode = await run(process.argv.slice(2));
