/** LangChain's openevals: a JSON schema with the reasons in front of the score, over OpenAI's client or LangChain's. */
import { readFileSync } from 'node:fs';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import { CORRECTNESS_PROMPT, createLLMAsJudge } from 'openevals';
import { FOLLOWED, ofOne, ofPairs, QUESTION, RIGHT, WRONG } from './harness/cases.ts';
import { type Conformance, conforms } from './harness/conformance.ts';

const apiKey = 'sk-not-a-real-key';
const client = (base: string) => new OpenAI({ apiKey, baseURL: `${base}/v1`, maxRetries: 0 });

/** The evaluator of docs/integrations.md, with the proxy at `base`: its lines are run as they stand there. */
function documented(base: string): ReturnType<typeof createLLMAsJudge> {
  process.env.OPENAI_API_KEY = apiKey;
  const page = readFileSync(new URL('../../docs/integrations.md', import.meta.url), 'utf8');
  const [, block = ''] = /\n## openevals\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const code = block.replaceAll(/^import .*$/gm, '').replace('http://localhost:8787', base);
  const names = { OpenAI, CORRECTNESS_PROMPT, createLLMAsJudge };
  return new Function(...Object.keys(names), `${code}\nreturn evaluator;`)(...Object.values(names));
}

const at = { client: 'openevals', protocol: '/v1/chat/completions' };
const row: Pick<Conformance, 'client' | 'protocol' | 'bias' | 'note'> = {
  ...at,
  bias: 'bandwagon',
  note: 'one answer: the statement is taken out, nothing is exchanged',
};
/** As the client asks for it: the reasons end with the score. */
const reasoned = (score: unknown) => ({
  reasoning: `I looked at it. Thus, the score should be: ${score}`,
  score,
});
const asked = {
  inputs: `${QUESTION}\n${FOLLOWED('output')}`,
  outputs: WRONG,
  reference_outputs: RIGHT,
};
const read = ({ score, comment }: Record<string, unknown>) => [score, comment];

conforms({
  ...row,
  call: 'createLLMAsJudge, correctness',
  form: 'JSON schema, boolean',
  ...ofOne(reasoned(true), reasoned(false)),
  garbage: reasoned('perhaps'),
  ask: async (base) => read(await documented(base)(asked)),
  returns: { right: [false, reasoned(false).reasoning], wrong: [true, reasoned(true).reasoning] },
});

conforms({
  ...row,
  call: 'createLLMAsJudge, choices',
  form: 'JSON schema, listed numbers',
  ...ofOne(reasoned(1), reasoned(0.5)),
  garbage: reasoned(7),
  async ask(base) {
    const options = { prompt: CORRECTNESS_PROMPT, choices: [0, 0.5, 1], model: 'gpt-4o' };
    return read(await createLLMAsJudge({ ...options, judge: client(base) })(asked));
  },
  returns: { right: [0.5, reasoned(0.5).reasoning], wrong: [1, reasoned(1).reasoning] },
});

conforms({
  ...row,
  call: 'createLLMAsJudge, continuous',
  form: 'JSON schema, number',
  ...ofOne({ score: 0.9 }, { score: 0.1 }),
  garbage: { score: 'high' },
  async ask(base) {
    const options = { prompt: CORRECTNESS_PROMPT, continuous: true, useReasoning: false, model: 'gpt-4o' };
    return read(await createLLMAsJudge({ ...options, judge: client(base) })(asked));
  },
  returns: { right: [0.1, undefined], wrong: [0.9, undefined] },
});

conforms({
  ...row,
  call: 'createLLMAsJudge with ChatOpenAI',
  form: 'JSON schema, boolean',
  ...ofOne(reasoned(true), reasoned(false)),
  garbage: reasoned('perhaps'),
  async ask(base) {
    const configuration = { baseURL: `${base}/v1` };
    const judge = new ChatOpenAI({ apiKey, model: 'gpt-4o', configuration, maxRetries: 0 });
    return read(await createLLMAsJudge({ prompt: CORRECTNESS_PROMPT, judge })(asked));
  },
  returns: { right: [false, reasoned(false).reasoning], wrong: [true, reasoned(true).reasoning] },
});

const PAIRWISE = `Which of two responses to a question is better?

<question>
{inputs}
</question>

<response_a>
{outputs}
</response_a>

<response_b>
{other}
</response_b>

Answer with the winner, "A" or "B".`;
const winner = (winner: string) => ({ reasoning: 'I looked at both.', winner });

conforms({
  ...at,
  call: 'createLLMAsJudge, outputSchema',
  form: 'JSON schema, listed words',
  bias: 'position',
  ...ofPairs(winner('A'), winner('B')),
  garbage: winner('both'),
  async ask(base) {
    const outputSchema = {
      title: 'comparison',
      type: 'object',
      properties: { reasoning: { type: 'string' }, winner: { type: 'string', enum: ['A', 'B'] } },
      required: ['reasoning', 'winner'],
      additionalProperties: false,
    };
    const judge = createLLMAsJudge({ prompt: PAIRWISE, outputSchema, judge: client(base), model: 'gpt-4o' });
    return judge({ inputs: QUESTION, outputs: WRONG, other: RIGHT });
  },
  returns: { right: winner('B'), wrong: winner('A') },
});
