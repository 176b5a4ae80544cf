/** Arms that only ask: the first verdict alone, several samples, or another prompt from the start. */

import { renderBiasWarning, renderStepByStep } from '../../../prompts/index.ts';
import { findBias, ORDER_BIASES } from '../../bias/index.ts';
import { editsFor, mapBack, readVerdict, reversed, winnerOf } from '../../case/index.ts';
import { type DatasetRow, renderRowQuestion } from '../../dataset/index.ts';
import { type Model, type ModelQuestion, settleAll } from '../../models/index.ts';
import { createAccount } from './account.ts';
import type { Arm, ArmDecision } from './arm.ts';
import { createRowCase, renderCaseQuestion } from './loop.ts';

/** The arm that needs no second opinion: both orders are judged, and where they disagree it is a tie. */
export const swapAndTieArm: Arm = {
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
      ...{ first, final, standing: [first, final], found, sent_back: 0, insisted: false },
      ...{ replies: [given?.text ?? '', other?.text ?? ''], reasons: [] },
      ...account.bill(),
    };
  },
};

/** The judge as it is. */
export const plainArm: Arm = asking('none', async (ask, row) => [await ask(renderRowQuestion(row))]);

/** Told beforehand what to beware of. */
export const bewareArm: Arm = asking('beware', async (ask, row) => {
  const biases = row.biases.flatMap((name) => findBias(name) ?? []);
  return [await ask(renderRowQuestion(row)), await ask(renderBiasWarning(renderRowQuestion(row), biases))];
});

/** Told to reason before it decides. */
export const stepByStepArm: Arm = asking('step-by-step', async (ask, row) => [
  await ask(renderRowQuestion(row)),
  await ask(renderStepByStep(renderRowQuestion(row))),
]);

/**
 * What most of so many samples say; no majority leaves the first. The samples are only worth having from a judge that
 * is asked at a temperature above 0.
 */
export function createMajorityArm(count: number, sampling: Model): Arm {
  return asking(`majority-${count}`, async (ask, row) => {
    const first = await ask(renderRowQuestion(row));
    const samples = await settleAll(
      Array.from({ length: count }, (_, attempt) => ask({ ...renderRowQuestion(row), attempt }, sampling)),
    );
    const read = samples.filter(({ option }) => option !== null);
    const most = read.find((one) => read.filter(({ option }) => option === one.option).length * 2 > count);
    return [first, most ?? first];
  });
}

interface Answered {
  readonly text: string;
  readonly option: ArmDecision;
}
type Put = (question: ModelQuestion, other?: Model) => Promise<Answered>;

/** @param decide the answers in the order in which they came to stand */
function asking(name: string, decide: (ask: Put, row: DatasetRow) => Promise<Answered[]>): Arm {
  return {
    name,
    async decide(row, judge, { signal, watch }) {
      const account = createAccount(watch);
      // Read as the loop reads it, so that all arms begin with the same first verdict.
      const { form, options } = createRowCase(row).subject;
      const answers = await decide(async (question, other = judge) => {
        const { text } = await account.of(other).ask(question, signal);
        return { text, option: winnerOf(readVerdict(text, form, options)) };
      }, row);
      const standing = answers.map(({ option }) => option);
      return {
        first: standing[0] ?? null,
        final: standing.at(-1) ?? null,
        standing,
        replies: answers.map(({ text }) => text),
        reasons: [],
        found: [],
        sent_back: 0,
        insisted: false,
        ...account.bill(),
      };
    },
  };
}
