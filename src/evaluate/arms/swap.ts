/** The arm that needs no second opinion: both orders are judged, and where they disagree it is a tie. */
import { ORDER_BIASES } from '../../bias/index.ts';
import { editsFor, mapBack, readVerdict, reversed, winnerOf } from '../../case/index.ts';
import { settleAll } from '../../models/index.ts';
import { createAccount } from './account.ts';
import type { Arm } from './arm.ts';
import { createRowCase, renderCaseQuestion } from './loop.ts';

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
