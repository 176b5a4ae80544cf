/** The SDKs of OpenAI and Anthropic, DeepEval, Inspect, ragas, MLflow and LiteLLM, each asked in an interpreter of its own (clients.py). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ofOne, ofPairs, RIGHT, WRONG } from '../clients/harness/cases.ts';
import { type Conformance, conforms } from '../clients/harness/conformance.ts';
import type { Say } from '../clients/harness/judge.ts';
import type { Said } from '../clients/harness/protocols/types.ts';
import { CLIENTS, GATEWAYS, RAGAS } from './environments.ts';

const HERE = import.meta.dirname;

/** What clients write down goes there, and nobody is told of the run. */
const home = mkdtempSync(join(tmpdir(), 'python-clients-'));
afterAll(() => rmSync(home, { recursive: true }));
const env = {
  PATH: process.env.PATH,
  HOME: home,
  DEEPEVAL_TELEMETRY_OPT_OUT: '1',
  DEEPEVAL_UPDATE_WARNING_OPT_IN: '0',
  INSPECT_LOG_DIR: join(home, 'logs'),
  RAGAS_DO_NOT_TRACK: 'true',
  PYTHONWARNINGS: 'ignore',
  MLFLOW_DISABLE_TELEMETRY: 'true',
  MLFLOW_TRACKING_URI: `sqlite:///${join(home, 'mlflow.db')}`,
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
};

/** @returns what the call of that name in clients.py returned */
const call =
  (name: string, environment: { readonly python: string } = CLIENTS) =>
  async (base: string) => {
    const python = spawn(environment.python, [join(HERE, 'clients.py'), name, base], { cwd: home, env });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    let out = '';
    let err = '';
    python.stdout.on('data', (piece: Buffer) => {
      out += piece;
    });
    python.stderr.on('data', (piece: Buffer) => {
      err += piece;
    });
    python.on('error', reject).on('close', resolve);
    const status = await promise;
    if (status !== 0) throw new Error(`clients.py ${name}: exit status ${status}\n${err}`);
    return JSON.parse(out.trim().split('\n').at(-1) ?? '') as unknown;
  };

const CHAT = '/v1/chat/completions';

const labelled: Pick<Conformance, 'form' | 'bias' | 'fair' | 'swayed' | 'garbage' | 'returns'> = {
  form: 'text',
  bias: 'position',
  ...ofPairs('Output (a)', 'Output (b)'),
  garbage: 'Neither of them.',
  returns: { right: 'Output (b)', wrong: 'Output (a)' },
};
const schema: typeof labelled = {
  form: 'JSON schema, enum',
  bias: 'position',
  ...ofPairs(
    { reasoning: 'The first multiplies correctly.', winner: 'Output (a)' },
    { reasoning: 'The second multiplies correctly.', winner: 'Output (b)' },
  ),
  garbage: { reasoning: 'Neither.', winner: 'both' },
  returns: { right: 'Output (b)', wrong: 'Output (a)' },
};
const openai = { client: 'openai', protocol: CHAT };
const anthropic = { client: 'anthropic', protocol: '/v1/messages' };

conforms({ ...openai, ...labelled, call: 'chat.completions.create', ask: call('openai_chat') });
conforms({
  ...openai,
  ...labelled,
  call: 'chat.completions.stream',
  form: 'text, streamed',
  ask: call('openai_stream'),
});
conforms({ ...openai, ...schema, call: 'beta.chat.completions.parse', ask: call('openai_parse') });
conforms({
  ...openai,
  ...schema,
  call: 'responses.parse',
  protocol: '/v1/responses',
  ask: call('openai_responses'),
});
conforms({ ...anthropic, ...labelled, call: 'messages.create', ask: call('anthropic_messages') });
conforms({
  ...anthropic,
  ...labelled,
  call: 'messages.stream',
  form: 'text, streamed',
  ask: call('anthropic_stream'),
});

const one = { bias: 'bandwagon', note: 'one answer: the statement is taken out, nothing is exchanged' };

conforms({
  ...one,
  client: 'deepeval',
  call: 'GEval',
  protocol: CHAT,
  form: 'JSON in text, weighed by log-probabilities',
  ...ofOne({ reason: 'It is right.', score: 9 }, { reason: 'It is off.', score: 2 }),
  garbage: 'I cannot say.',
  ask: call('deepeval_geval'),
  // Four fifths of the probability are on the score, the rest on the one below.
  returns: { right: 0.18, wrong: 0.88 },
});

/** The contestants' drawn names, as they are shown: the first, and who has the right answer. */
function contestants(text: string): { first: string; right: string } | null {
  const shown = [...text.matchAll(/^ {4}"(\w+)": "(\{.*\})",?$/gm)];
  const [first, right] = [shown[0], shown.find(([, , fields]) => fields?.includes(RIGHT))];
  return first?.[1] === undefined || right?.[1] === undefined ? null : { first: first[1], right: right[1] };
}
const wins = (winner: string | undefined): Said =>
  winner === undefined ? { rewritten_reason: 'As said.' } : { winner, reason: `$${winner}$ is right.` };
const best: Say = ({ text }) => wins(contestants(text)?.right);

conforms({
  client: 'deepeval',
  call: 'ArenaGEval',
  protocol: CHAT,
  form: 'JSON schema, a contestant’s drawn name',
  bias: 'position',
  fair: best,
  swayed: (heard) => (heard.sentBack ? best(heard) : wins(contestants(heard.text)?.first)),
  garbage: { winner: 'Neither', reason: 'They are alike.' },
  // It asks for the reason once more, with the contestants' own names in it.
  beside: ({ text }) => !text.includes('arena_test_cases'),
  ask: call('deepeval_arena'),
  returns: { right: 'correct', wrong: 'off by ten' },
});

conforms({
  ...one,
  client: 'inspect_ai',
  call: 'model_graded_qa',
  protocol: CHAT,
  form: 'GRADE: in text',
  ...ofOne('It is right.\nGRADE: C', 'It is off by ten.\nGRADE: I'),
  garbage: 'I cannot say.',
  ask: call('inspect_graded_qa'),
  returns: { right: 'I', wrong: 'C' },
});

const ragas = { ...one, client: 'ragas', protocol: CHAT, garbage: 'I cannot say.' };

conforms({
  ...ragas,
  call: 'ContextPrecisionWithReference',
  form: 'JSON in text, 0 or 1',
  ...ofOne({ reason: 'It is useful.', verdict: 1 }, { reason: 'It is off.', verdict: 0 }),
  ask: call('ragas_context_precision', RAGAS),
  returns: { right: 0, wrong: 1 },
});

conforms({
  ...ragas,
  call: 'DomainSpecificRubrics',
  form: 'JSON in text, a score of the rubric',
  ...ofOne({ feedback: 'It is right.', score: 5 }, { feedback: 'It is off by ten.', score: 1 }),
  ask: call('ragas_rubrics', RAGAS),
  returns: { right: 1, wrong: 5 },
});

conforms({
  ...ragas,
  call: 'AspectCritic',
  form: 'JSON in text, 0 or 1',
  ...ofOne({ reason: 'It is right.', verdict: 1 }, { reason: 'It is off by ten.', verdict: 0 }),
  ask: call('ragas_aspect_critic', RAGAS),
  returns: { right: 0, wrong: 1 },
});

const claimed = (verdict: number) => ({
  statements: [{ statement: WRONG, reason: 'As the context has it.', verdict }],
});
const asksForStatements = ({ text }: { readonly text: string }) => !text.includes('faithfulness');
const faithful = ofOne(claimed(1), claimed(0));
const stated =
  (say: Say): Say =>
  (heard) =>
    asksForStatements(heard) ? { statements: [WRONG] } : say(heard);

conforms({
  ...ragas,
  call: 'Faithfulness',
  form: 'JSON in text, a verdict for each statement',
  fair: stated(faithful.fair),
  swayed: stated(faithful.swayed),
  // It asks for the statements first.
  beside: asksForStatements,
  ask: call('ragas_faithfulness', RAGAS),
  returns: { right: 0, wrong: 1 },
});

conforms({
  ...one,
  client: 'mlflow',
  call: 'make_judge',
  protocol: CHAT,
  form: 'JSON schema, true or false',
  ...ofOne({ result: true, rationale: 'It is right.' }, { result: false, rationale: 'It is off by ten.' }),
  garbage: 'I cannot say.',
  ask: call('mlflow_judge', GATEWAYS),
  returns: { right: false, wrong: true },
});

conforms({
  client: 'litellm',
  call: 'completion, api_base',
  protocol: CHAT,
  ...labelled,
  ask: call('litellm_completion', GATEWAYS),
});

const weighed = (score: number, reasoning: string) => ({
  verdicts: [{ criterion_name: 'accuracy', score, reasoning, passed: score > 80, weight: 100 }],
  overall_score: score,
});

conforms({
  ...one,
  client: 'litellm',
  call: 'llm_as_a_judge guardrail',
  protocol: CHAT,
  form: 'JSON object, a score for all criteria',
  ...ofOne(weighed(95, 'It is right.'), weighed(5, 'It is off by ten.')),
  garbage: 'I cannot say.',
  ask: call('litellm_guardrail', GATEWAYS),
  returns: { right: 5, wrong: 95 },
});
