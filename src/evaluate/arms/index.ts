/** The arms by name: the proxy's own loop, and those that only ask, once, several times or with another prompt. */

import { renderBiasWarning, renderStatement, renderStepByStep } from '../../../prompts/index.ts';
import { type Bias, findBias, ORDER_BIASES } from '../../bias/index.ts';
import {
  applyEdits,
  type Case,
  type Edit,
  editsFor,
  findCase,
  mapBack,
  readVerdict,
  reversed,
  winnerOf,
} from '../../case/index.ts';
import { type DatasetRow, renderRowQuestion } from '../../dataset/index.ts';
import {
  BASELINE_DETECTOR,
  createProbeDetector,
  createRbdDetector,
  DETECTOR_NAMES,
  type Detector,
  type DetectorModel,
  type DetectorName,
  findDetector,
} from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import { type JudgeCaller, runJudgment } from '../../judgment/index.ts';
import { createTrust } from '../../loop/index.ts';
import { createLedger, type Model, type ModelQuestion, settleAll } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';
import { toDetectorModel } from '../prompted-detector.ts';
import type { Arm, ArmDecision } from './run-arms.ts';
import { createAccount } from './sums.ts';

const OTHERS = [
  'label-only',
  'placebo',
  'reflection',
  'swap-and-tie',
  'samples-3',
  'samples-5',
  'samples-8',
  'abstain',
  'cascade',
  'judge-panel',
  'beware',
  'step-by-step',
] as const;

export type ArmName = 'none' | DetectorName | (typeof OTHERS)[number];

/** The judge alone, the loop with each detector, and what else might do as much. */
export const ARMS: readonly ArmName[] = [
  'none',
  ...DETECTOR_NAMES.filter((name) => name !== BASELINE_DETECTOR.name),
  ...OTHERS,
];

/** Confidence below which a verdict is unsure, unless told otherwise. */
export const DEFAULT_BELOW = 0.8;

export interface ArmTools {
  readonly rounds: number;
  readonly clock: Clock;
  /** The detector model, for the detectors that need one and for `label-only`; null where there is none. */
  readonly detector: Model | null;
  /** The judge at a temperature above 0, for `samples-…`; null where there is none. */
  readonly sampling: Model | null;
  /** For `cascade`: the judge to which an unsure verdict goes; null where there is none. */
  readonly second?: Model | null;
  /** For `judge-panel`: the judges that vote beside the one that is measured. */
  readonly panel?: readonly Model[];
  /** Confidence below which `abstain` leaves a verdict open, and `cascade` sends it on. */
  readonly below?: number;
}

/** @throws InputError where the arm needs a model that was not given */
export function createArm(name: ArmName, tools: ArmTools): Arm {
  const { rounds, clock, below = DEFAULT_BELOW } = tools;
  const loop = (detector: (model: DetectorModel) => Detector) => {
    const model = requireModel(tools.detector, name, '--detector-model');
    return createLoopArm(name, {
      rounds,
      clock,
      detector: (counted) => detector(toDetectorModel(counted(model))),
    });
  };
  const entry = findDetector(name);
  if (entry?.needsModel) return loop((model) => entry.create(model));
  if (entry) return createLoopArm(name, { rounds, clock, detector: () => entry.create() });
  switch (name as Exclude<ArmName, DetectorName>) {
    case 'none':
      return plainArm;
    case 'label-only':
      return loop((model) => withoutReasons(createRbdDetector(model)));
    case 'placebo':
      return createLoopArm(name, { rounds, clock, detector: () => placebo });
    case 'reflection':
      return createLoopArm(name, { rounds: 1, clock, detector: () => reflection });
    case 'swap-and-tie':
      return swapAndTieArm;
    case 'samples-3':
    case 'samples-5':
    case 'samples-8': {
      const samples = {
        count: Number(name.slice('samples-'.length)),
        model: requireModel(tools.sampling, name, '--temperature'),
      };
      return createLoopArm(name, { rounds: 0, clock, detector: createDefault, samples });
    }
    case 'abstain':
      return createLoopArm(name, { rounds, clock, detector: createDefault, abstainBelow: below });
    case 'cascade': {
      const second = { model: requireModel(tools.second ?? null, name, '--second'), below };
      return createLoopArm(name, { rounds, clock, detector: createDefault, second });
    }
    case 'judge-panel':
      if (!tools.panel?.length) throw new InputError('--panel', 'is needed by the arm judge-panel');
      return createPanelArm(tools.panel);
    case 'beware':
      return bewareArm;
    case 'step-by-step':
      return stepByStepArm;
  }
}

const createDefault = () => createProbeDetector();

function requireModel(model: Model | null, arm: string, option: string): Model {
  if (!model) throw new InputError(option, `is needed by the arm ${arm}`);
  return model;
}

/** The judge is told that it is biased and by what, but not why (the label-only ablation of arXiv 2505.17100 §4). */
function withoutReasons(detector: Detector): Detector {
  return {
    name: 'label-only',
    analyse: async (brief) => ({ ...(await detector.analyse(brief)), reasoning: '' }),
  };
}

/** Everything is sent back without a word of what was found: what asking again does by itself. */
const placebo: Detector = {
  name: 'placebo',
  analyse: async () => ({ biased: true, biases: [], reasoning: '', evidence: [] }),
};

/** Everything is sent back with the biases to look for; whether there was any is for the judge to say. */
const reflection: Detector = {
  name: 'reflection',
  analyse: async ({ biases }) => ({
    biased: true,
    biases: biases.flatMap(({ name }) => (findBias(name) ? [name] : [])),
    reasoning: '',
    evidence: [],
  }),
};

/** The arm that needs no second opinion: both orders are judged, and where they disagree it is a tie. */
const swapAndTieArm: Arm = {
  name: 'swap-and-tie',
  async decide(row, judge, { signal, watch }) {
    const account = createAccount(watch);
    const counted = account.of(judge);
    const { subject } = createRowCase(row);
    const turned = reversed(subject);
    const [given, other] = await settleAll(
      [[], editsFor(subject, turned)].map(async (edits) => {
        const { text } = await counted.ask(renderCaseQuestion(subject, edits), signal);
        return { text, verdict: readVerdict(text, subject.form, subject.options) };
      }),
    );
    const first = given ? winnerOf(given.verdict) : null;
    const second = other ? winnerOf(mapBack(other.verdict, turned)) : null;
    // An order that cannot be read says nothing against the other.
    const final = first !== null && second !== null && first !== second ? 'tie' : first;
    const found = final === 'tie' ? ORDER_BIASES.map(({ name }) => name) : [];
    return {
      ...withoutRemand([first, final], [given?.text ?? '', other?.text ?? '']),
      found,
      ...account.bill(),
    };
  },
};

/** What comes of verdicts that nothing was sent back for, in the order in which they came to stand. */
function withoutRemand(standing: ArmDecision[], replies: string[]) {
  return {
    first: standing[0] ?? null,
    final: standing.at(-1) ?? null,
    standing,
    replies,
    reasons: [],
    found: [],
    sent_back: 0,
    insisted: false,
  };
}

/** The judge as it is. */
const plainArm: Arm = asking('none', async (ask, row) => [await ask(renderRowQuestion(row))]);

/** Told beforehand what to beware of. */
const bewareArm: Arm = asking('beware', async (ask, row) => {
  const biases = row.biases.flatMap((name) => findBias(name) ?? []);
  return [await ask(renderRowQuestion(row)), await ask(renderBiasWarning(renderRowQuestion(row), biases))];
});

/** Told to reason before it decides. */
const stepByStepArm: Arm = asking('step-by-step', async (ask, row) => [
  await ask(renderRowQuestion(row)),
  await ask(renderStepByStep(renderRowQuestion(row))),
]);

/** What most of several judges say, the one that is measured among them; its own verdict where no majority does. */
function createPanelArm(others: readonly Model[]): Arm {
  return {
    name: 'judge-panel',
    async decide(row, judge, { signal, watch }) {
      const account = createAccount(watch);
      const { form, options } = createRowCase(row).subject;
      const answers = await settleAll(
        [judge, ...others].map(async (model) => {
          const { text } = await account.of(model).ask(renderRowQuestion(row), signal);
          return { model: model.name, text, decision: winnerOf(readVerdict(text, form, options)) };
        }),
      );
      const [own] = answers;
      const read = answers.filter(({ decision }) => decision !== null);
      const first = own?.decision ?? null;
      const most = read.find(
        (one) => read.filter(({ decision }) => decision === one.decision).length * 2 > answers.length,
      );
      const final = most?.decision ?? first;
      return {
        ...withoutRemand([first, final], [own?.text ?? '', most?.text ?? own?.text ?? '']),
        votes: answers.map(({ model, decision }) => ({ model, decision })),
        ...account.bill(),
      };
    },
  };
}

interface ArmReply {
  readonly text: string;
  readonly option: ArmDecision;
}
type Put = (question: ModelQuestion) => Promise<ArmReply>;

/** @param decide the answers in the order in which they came to stand */
function asking(name: string, decide: (ask: Put, row: DatasetRow) => Promise<ArmReply[]>): Arm {
  return {
    name,
    async decide(row, judge, { signal, watch }) {
      const account = createAccount(watch);
      // Read as the loop reads it, so that all arms begin with the same first verdict.
      const { form, options } = createRowCase(row).subject;
      const answers = await decide(async (question) => {
        const { text } = await account.of(judge).ask(question, signal);
        return { text, option: winnerOf(readVerdict(text, form, options)) };
      }, row);
      const standing = answers.map(({ option }) => option);
      const replies = answers.map(({ text }) => text);
      return { ...withoutRemand(standing, replies), ...account.bill() };
    },
  };
}

// Arms that are the proxy's own loop: a detector decides what goes back to the judge.

/** Nobody waits for an offline run. */
const NO_DEADLINE = 24 * 3_600_000;

interface LoopSettings {
  /** Given a way to count the calls of the models it asks. */
  readonly detector: (counted: (model: Model) => Model) => Detector;
  /** Most remands. */
  readonly rounds: number;
  readonly clock: Clock;
  /** Most samples of the first question, and the judge that gives them: at a temperature above 0. */
  readonly samples?: { readonly count: number; readonly model: Model };
  /** Confidence below which the verdict is a tie. */
  readonly abstainBelow?: number;
  /** The judge to which a verdict goes that is less sure than `below`. */
  readonly second?: { readonly model: Model; readonly below: number };
}

function createLoopArm(name: string, settings: LoopSettings): Arm {
  return {
    name,
    async decide(row, judge, { signal, watch }) {
      const account = createAccount(watch);
      const counted = account.of(judge);
      const { subject, biases } = createRowCase(row);
      const { clock, rounds, samples, abstainBelow: below, second } = settings;
      const unlimited = () => createLedger({ clock, extraCalls: Number.POSITIVE_INFINITY });
      const trust = createTrust(undefined, judge.name, {
        ...(below !== undefined && { abstention: 'tie', below }),
      });
      const run = await runJudgment(
        createModelCaller(counted, subject, samples && account.of(samples.model)),
        {
          subject,
          security: [],
          biases,
          rounds,
          clock,
          mode: 'debias',
          policy: 'last-word',
          detector: settings.detector(account.of),
          deadlineMs: NO_DEADLINE,
          // The model retries by itself, and the run has a budget of its own.
          retries: 0,
          ledger: unlimited(),
          trust,
          ...(samples && { samples: samples.count }),
          ...(second && {
            escalation: {
              caller: createModelCaller(account.of(second.model), subject),
              below: second.below,
              trust: createTrust(undefined, second.model.name, {}),
              ledger: unlimited(),
            },
          }),
        },
        signal,
      );
      if (run.outcome === null) throw run.cause;
      const { outcome } = run;
      // A client is better served by a verdict that was not examined; a comparison is not.
      account.requireAnswers();
      const { confidence } = outcome;
      const final = outcome.status === 'unsure' ? 'tie' : winnerOf(outcome.written ?? outcome.final.verdict);
      // Of several samples the one that stands may be another one than the judge's first.
      const first = winnerOf(outcome.samples?.verdicts[0] ?? outcome.first.verdict);
      const standing = [first, ...outcome.verdicts.slice(1, -1).map(winnerOf), final];
      return {
        first,
        final,
        standing,
        replies: outcome.verdicts.map(({ text }) => text),
        reasons: outcome.analyses.map(({ reasoning }) => reasoning),
        found: [...outcome.biases],
        sent_back: outcome.rounds,
        insisted: outcome.stop === 'insisted',
        ...(confidence && { confidence: confidence.score }),
        ...account.bill(),
      };
    },
  };
}

/**
 * The row as the loop sees it: what is what is said, not searched for.
 *
 * @throws InputError where a text stands in the prompt so often that its place cannot be told
 */
export function createRowCase(row: DatasetRow): { subject: Case; biases: Bias[] } {
  const { system, user } = renderRowQuestion(row);
  const parts = [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ];
  const declared = {
    instruction: row.instruction,
    options: row.options.map((text, index) => ({ text, label: row.labels[index] ?? '' })),
    // With the words around it that the prompt gives it, so that nothing is left where it is taken out.
    context: row.statements.map(renderStatement),
  };
  const subject = findCase({ parts }, { declared });
  if (!subject)
    throw new InputError(row.id, 'cannot be put before a judge: its options cannot be told apart');
  return { subject, biases: row.biases.flatMap((name) => findBias(name) ?? []) };
}

/** What the judge is asked of a case, with edits made in it. */
export function renderCaseQuestion(
  subject: Case,
  edits: readonly Edit[],
): { system: string | null; user: string } {
  const [system, user] = applyEdits(subject.prompt, edits).parts;
  return { system: system?.text ?? null, user: user?.text ?? '' };
}

/** A model of the run as the judge of one case. @param sampling is asked for samples in its place */
function createModelCaller(model: Model, subject: Case, sampling = model): JudgeCaller<unknown> {
  let sampled = 0;
  return {
    model: model.name,
    schema: null,
    async ask(call, signal) {
      const question =
        call.kind === 'rewrite' ? call.prompt : renderCaseQuestion(subject, call.changes?.edits ?? []);
      const { text, finish, tokens } =
        call.kind === 'sample'
          ? await sampling.ask({ ...question, attempt: ++sampled }, signal)
          : await model.ask(question, signal);
      return { reply: text, read: { texts: [text], finish, usage: null, tokens } };
    },
  };
}
