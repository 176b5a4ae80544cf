/** The tree of commands: one file a command, loaded when it is asked for. */
import { type ArgsDef, type CommandDef, defineCommand } from 'citty';

const evaluate = defineCommand({
  meta: { name: 'eval', description: 'Measure detectors and judges.' },
  subCommands: {
    judge: async () => (await import('./eval-judge.ts')).evalJudgeCommand,
    detector: async () => (await import('./eval-detector.ts')).evalDetectorCommand,
  },
});

const audit = defineCommand({
  meta: {
    name: 'audit',
    description: 'Put into cases what a fair judge would not notice, and see whether this judge does.',
  },
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
  meta: { name: 'labels', description: "Exchange people's labels with annotation queues of Langfuse." },
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
      const args = await resolveLazily((await load()).args);
      if (!args) throw new RangeError(`the command ${name} takes no arguments`);
      return args;
    },
    run: async (context) => (await load()).run?.(context),
  };
}

const keys = defineCommand({
  meta: {
    name: 'keys',
    description: 'Add, list and revoke the keys of this Remand: who may judge, and who may read traces.',
  },
  subCommands: async () => (await resolveLazily((await import('./keys.ts')).keysCommand.subCommands)) ?? {},
});

/** `remand`, with every command below it, in the order in which people come to need them. */
export const mainCommand = defineCommand({
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
    doctor: lazy(
      'doctor',
      'Check settings, files, the judge’s endpoint and key, what the judge supports, and whether your prompts are read. Costs at most three short calls.',
      async () => (await import('./doctor.ts')).doctorCommand,
    ),
    read: lazy(
      'read',
      'Show how judge prompts are read: slots, options, verdict form, template, or why one is left alone. Learns from all given requests first.',
      async () => (await import('./read-command.ts')).readCommand,
    ),
    look: lazy(
      'look',
      'Look back at judgments that were made already: which can be examined, what share the first place wins, and with --judge how many verdicts rest on place, format or length.',
      async () => (await import('./look.ts')).lookCommand,
    ),
    card: lazy(
      'card',
      'Write a report card of one or more judges: whether a judge agrees with itself and with labels, what sways it, what to do about it. A run that was stopped resumes.',
      async () => (await import('./card.ts')).cardCommand,
    ),
    audit,
    eval: evaluate,
    calibrate: lazy(
      'calibrate',
      'Decide from labelled judgments, for each judge and bias, whether to send back, flag only, or answer with a tie. With --records: calibrate the confidence of judges.',
      async () => (await import('./calibrate.ts')).calibrateCommand,
    ),
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
    keys,
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
  },
});

/** What citty lets a command give as a value, a promise or a function. */
export async function resolveLazily<T>(
  value: T | Promise<T> | (() => T | Promise<T>) | undefined,
): Promise<T | undefined> {
  return value instanceof Function ? value() : value;
}
