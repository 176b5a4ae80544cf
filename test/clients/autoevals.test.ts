/** Braintrust's autoevals: a forced function `select_choice`, by default over the responses API. */
import { Battle } from 'autoevals';
import { ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const key = 'sk-not-a-real-key';
const at = (base: string) => ({ openAiApiKey: key, openAiBaseUrl: `${base}/v1`, model: 'gpt-5-mini' });

conforms({
  client: 'autoevals',
  call: 'Battle',
  protocol: '/v1/responses',
  form: 'forced function',
  bias: 'position',
  ...ofPairs({ choice: 'Yes' }, { choice: 'No' }),
  garbage: { choice: 'Neither' },
  async ask(base) {
    const { score } = await Battle({ ...at(base), instructions: QUESTION, output: WRONG, expected: RIGHT });
    return score;
  },
  returns: { right: 0, wrong: 1 },
});
