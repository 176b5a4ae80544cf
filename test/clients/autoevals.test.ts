/**
 * Braintrust's autoevals: a forced function `select_choice`, over the responses API or, for older models, over
 * chat completions; reasons and a choice with `useCoT`.
 */
import { Battle, ClosedQA, Factuality } from 'autoevals';
import { FOLLOWED, ofOne, ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { type Conformance, conforms } from './harness/conformance.ts';

const FORMS = [
  { protocol: '/v1/responses', model: 'gpt-5-mini' },
  { protocol: '/v1/chat/completions', model: 'gpt-4o' },
] as const;

for (const { protocol, model } of FORMS) {
  const at = (base: string) => ({
    openAiApiKey: 'sk-not-a-real-key',
    openAiBaseUrl: `${base}/v1`,
    model,
  });
  const row: Pick<Conformance, 'client' | 'protocol' | 'form' | 'garbage'> = {
    client: 'autoevals',
    protocol,
    form: 'forced function',
    garbage: { choice: 'Neither' },
  };

  conforms({
    ...row,
    call: 'Battle',
    bias: 'position',
    ...ofPairs({ choice: 'Yes' }, { choice: 'No' }),
    async ask(base) {
      const { score } = await Battle({ ...at(base), instructions: QUESTION, output: WRONG, expected: RIGHT });
      return score;
    },
    returns: { right: 0, wrong: 1 },
  });

  conforms({
    ...row,
    call: 'Battle with useCoT',
    bias: 'position',
    ...ofPairs({ reasons: 'It comes first.', choice: 'Yes' }, { reasons: 'It is right.', choice: 'No' }),
    garbage: { reasons: 'It is hard to say.', choice: 'Neither' },
    async ask(base) {
      const asked = { instructions: QUESTION, output: WRONG, expected: RIGHT, useCoT: true };
      const { score, metadata } = await Battle({ ...at(base), ...asked });
      return [score, metadata?.rationale];
    },
    returns: { right: [0, 'It is right.'], wrong: [1, 'It comes first.'] },
  });

  conforms({
    ...row,
    call: 'ClosedQA',
    bias: 'bandwagon',
    note: 'one answer: the statement is taken out, nothing is exchanged',
    ...ofOne({ choice: 'Y' }, { choice: 'N' }),
    async ask(base) {
      const criteria = 'Is the arithmetic correct?';
      const input = `${QUESTION}\n${FOLLOWED('submission')}`;
      const { score } = await ClosedQA({ ...at(base), input, output: WRONG, criteria });
      return score;
    },
    returns: { right: 0, wrong: 1 },
  });

  conforms({
    ...row,
    call: 'Factuality',
    bias: 'bandwagon',
    note: 'A to E are relations, no options: the statement is taken out, nothing is exchanged',
    ...ofOne({ choice: 'C' }, { choice: 'D' }),
    async ask(base) {
      const input = `${QUESTION}\n${FOLLOWED('submission')}`;
      const { score } = await Factuality({ ...at(base), input, output: WRONG, expected: RIGHT });
      return score;
    },
    returns: { right: 0, wrong: 1 },
  });
}
