/** Arms that are the proxy's own loop: a detector decides what goes back to the judge. */

import { renderStatement } from '../../../prompts/index.ts';
import { type Bias, findBias } from '../../bias/index.ts';
import { applyEdits, type Case, type Edit, findCase, winnerOf } from '../../case/index.ts';
import { type DatasetRow, renderRowQuestion } from '../../dataset/index.ts';
import type { Detector } from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import { type JudgeCaller, runJudgment } from '../../judgment/index.ts';
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
}

export function createLoopArm(name: string, settings: LoopSettings): Arm {
  return {
    name,
    async decide(row, judge, { signal, watch }) {
      const account = createAccount(watch);
      const counted = account.of(judge);
      const { subject, biases } = createRowCase(row);
      const { clock, rounds } = settings;
      const run = await runJudgment(
        createModelCaller(counted, subject),
        {
          ...{ subject, security: [], biases, rounds, clock, mode: 'debias', policy: 'last-word' },
          detector: settings.detector(account.of),
          deadlineMs: NO_DEADLINE,
          // The model retries by itself, and the run has a budget of its own.
          retries: 0,
          ledger: createLedger({ clock, extraCalls: Number.POSITIVE_INFINITY }),
        },
        signal,
      );
      if (run.outcome === null) throw run.cause;
      const { outcome } = run;
      // A client is better served by a verdict that was not examined; a comparison is not.
      account.requireAnswers();
      const standing = outcome.verdicts.map(winnerOf);
      return {
        first: winnerOf(outcome.first.verdict),
        final: winnerOf(outcome.final.verdict),
        standing,
        replies: outcome.verdicts.map(({ text }) => text),
        reasons: outcome.analyses.map(({ reasoning }) => reasoning),
        found: [...outcome.biases],
        sent_back: outcome.rounds,
        insisted: outcome.stop === 'insisted',
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

/** A model of the run as the judge of one case. */
function createModelCaller(model: Model, subject: Case): JudgeCaller<string> {
  return {
    model: model.name,
    schema: null,
    async ask(call, signal) {
      const question =
        call.kind === 'rewrite' ? call.prompt : renderCaseQuestion(subject, call.changes?.edits ?? []);
      const { text, finish, tokens } = await model.ask(question, signal);
      return { reply: text, read: { texts: [text], finish, usage: null, tokens } };
    },
  };
}
