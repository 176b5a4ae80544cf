/** Arms that are the proxy's own loop: a detector decides what goes back to the judge. */

import { renderStatement } from '../../../prompts/index.ts';
import { type Bias, findBias } from '../../bias/index.ts';
import { applyEdits, type Case, type Edit, findCase, winnerOf } from '../../case/index.ts';
import { type DatasetRow, renderRowQuestion } from '../../dataset/index.ts';
import type { Detector } from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import { type JudgeCaller, runJudgment } from '../../judgment/index.ts';
import { createTrust } from '../../loop/index.ts';
import { createLedger, type Model } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';
import type { Arm } from './arm.ts';
import { createAccount } from './sums.ts';

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

export function createLoopArm(name: string, settings: LoopSettings): Arm {
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
          ...{ subject, security: [], biases, rounds, clock, mode: 'debias', policy: 'last-word' },
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
      const final = outcome.status === 'unsure' ? 'tie' : winnerOf(outcome.final.verdict);
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
