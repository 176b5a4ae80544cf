#!/usr/bin/env node
/** The command line: one file a command, gathered here. Exits 0 on success, 2 on wrong usage or bad input, 1 on failure. */
import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runCommand } from 'citty';
import { describeError, InputError } from '../errors.ts';
import { findNearest } from '../nearest-name.ts';
import { checkOptions } from './arguments.ts';
import { limitHeap, loadDotEnv, readVersion, setUpCompileCache } from './process-setup.ts';
import { print, printUsage, tell } from './terminal.ts';

setUpCompileCache();

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
    biases: async () => (await import('./audit/audit-biases.ts')).auditBiasesCommand,
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

/**
 * A command whose file is loaded when it is asked for: `serve` must not wait for Parquet and charts, nor a list of all commands
 * for any of them.
 */
function lazy<A extends ArgsDef>(
  name: string,
  description: string,
  load: () => Promise<CommandDef<A>>,
): CommandDef<A> {
  return {
    meta: { name, description },
    async args() {
      const args = await resolve((await load()).args);
      if (!args) throw new RangeError(`the command ${name} takes no arguments`);
      return args;
    },
    run: async (context) => (await load()).run?.(context),
  };
}

const keys = defineCommand({
  meta: { name: 'keys', description: 'Keys of our own: who may judge through this Remand, or read traces.' },
  subCommands: async () => (await resolve((await import('./keys.ts')).keysCommand.subCommands)) ?? {},
});

const main = defineCommand({
  meta: { name: 'remand', description: 'Makes any LLM judge fairer at inference time.' },
  subCommands: {
    serve: lazy(
      'serve',
      'Serve the proxy. With nothing set, a sandbox judge answers.',
      async () => (await import('./serve.ts')).serveCommand,
    ),
    try: lazy(
      'try',
      'Ask the sandbox judge one question, alone and behind Remand, and see what happens. No key, no network.',
      async () => (await import('./try.ts')).tryCommand,
    ),
    keys,
    calibrate: lazy(
      'calibrate',
      'Decide from labelled judgments, for each judge and bias, whether to send back, flag only, or answer with a tie. With --records: calibrate the confidence of judges.',
      async () => (await import('./calibrate.ts')).calibrateCommand,
    ),
    labels,
    dataset,
    distill: lazy(
      'distill',
      "Distil a teacher's reasoning into examples a detector learns from. A run that was stopped resumes.",
      async () => (await import('./distill.ts')).distillCommand,
    ),
    export: lazy(
      'export',
      'Write distilled examples in the layouts trainers read; each file is read back and checked.',
      async () => (await import('./export.ts')).exportCommand,
    ),
    finetune: lazy(
      'finetune',
      'Train a detector at an OpenAI-compatible fine-tuning API. A run that was stopped resumes.',
      async () => (await import('./finetune.ts')).finetuneCommand,
    ),
    eval: evaluate,
    drift: lazy(
      'drift',
      'Compare two runs of a judge over the same items: shift, spread, flips beyond its own noise, translated marks.',
      async () => (await import('./drift.ts')).driftCommand,
    ),
    estimate: lazy(
      'estimate',
      'Estimate the rate to report: a judge’s verdicts on many items, corrected by labels on some, with a confidence interval.',
      async () => (await import('./estimate.ts')).estimateCommand,
    ),
    audit,
    card: lazy(
      'card',
      'Write a report card of one or more judges: whether a judge agrees with itself and with labels, what sways it, what to do about it. A run that was stopped resumes.',
      async () => (await import('./card.ts')).cardCommand,
    ),
    rank: lazy(
      'rank',
      'Rank contestants by verdicts on pairs or more of them: strengths with ties, places and intervals.',
      async () => (await import('./rank.ts')).rankCommand,
    ),
    report: lazy(
      'report',
      'Write one page (HTML, no scripts, no network) from the results of other commands.',
      async () => (await import('./report.ts')).reportCommand,
    ),
    read: lazy(
      'read',
      'Show how judge prompts are read: slots, options, verdict form, template, or why one is left alone. Learns from all given requests first.',
      async () => (await import('./read-command.ts')).readCommand,
    ),
    doctor: lazy(
      'doctor',
      'Check settings, files, the judge’s endpoint and key, what the judge supports, and whether your prompts are read. Costs at most three short calls.',
      async () => (await import('./doctor.ts')).doctorCommand,
    ),
    look: lazy(
      'look',
      'Look back at judgments that were made already: which can be examined, what share the first place wins, and with --judge how many verdicts rest on place, format or length.',
      async () => (await import('./look.ts')).lookCommand,
    ),
  },
});

interface FoundCommand {
  readonly command: CommandDef;
  readonly parent: CommandDef | undefined;
  /** The words behind its name. */
  readonly rest: readonly string[];
}

/** The command that the words name, as far as they name one. */
async function findCommand(words: readonly string[]): Promise<FoundCommand> {
  let found: FoundCommand = { command: main, parent: undefined, rest: words };
  for (;;) {
    const { command, rest } = found;
    const below = (await resolve(command.subCommands))?.[rest[0] ?? ''];
    if (!below) return found;
    found = { command: (await resolve(below)) ?? command, parent: command, rest: rest.slice(1) };
  }
}

/** @throws InputError for a command or an option that there is not, with the nearest one that there is */
async function checkWords({ command, rest }: FoundCommand): Promise<void> {
  const below = await resolve(command.subCommands);
  if (!below) return checkOptions(rest, (await resolve(command.args)) ?? {});
  const names = Object.keys(below);
  const [word] = rest;
  if (word === undefined) throw new InputError('command', `is missing: ${names.join(', ')}`);
  if (word.startsWith('-')) throw new InputError(word, `no such option; commands are ${names.join(', ')}`);
  throw new InputError(word, `no such command; did you mean ${findNearest(word, names)}?`);
}

async function resolve<T>(
  value: T | Promise<T> | (() => T | Promise<T>) | undefined,
): Promise<T | undefined> {
  return value instanceof Function ? value() : value;
}

/** Commands that run for days, or over millions of lines: V8 would let garbage lie about. */
const LEAN: readonly string[] = ['serve', 'rank'];

async function run(words: string[]): Promise<number> {
  const [first] = words;
  if (first === '--version' || first === '-v') {
    print(`${readVersion()}\n`);
    return 0;
  }
  if (first === undefined || first === 'help' || words.includes('--help') || words.includes('-h')) {
    const { command, parent } = await findCommand(first === 'help' ? words.slice(1) : words);
    printUsage(await renderUsage(command, parent));
    return first === undefined ? 2 : 0;
  }
  if (LEAN.includes(first)) limitHeap();
  try {
    const names = loadDotEnv();
    if (names.length > 0) tell(`Taken from .env: ${names.join(', ')}\n`);
    await checkWords(await findCommand(words));
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
