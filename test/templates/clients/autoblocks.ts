/** The evaluators that Autoblocks ships. Their client reads its judge's address from the environment. */
import { BaseAccuracy, BaseManualBattle, BaseNSFW, BaseToxicity } from '@autoblocks/client/testing';
import { type Callable, KEY, need, one, pair, QA, reference, type Values } from './evaluator.ts';

const client = '@autoblocks/client';

interface Args {
  readonly testCase: Values;
  readonly output: string;
}

function asked(
  base: string,
  evaluator: { evaluateTestCase(args: Args): unknown },
  values: Values,
  output = 'option1',
) {
  process.env.OPENAI_BASE_URL = `${base}/v1`;
  process.env.OPENAI_API_KEY = KEY;
  return Promise.resolve(evaluator.evaluateTestCase({ testCase: values, output: values[output] ?? '' }));
}

class Accuracy extends BaseAccuracy<Values, string> {
  id = 'accuracy';
  override outputMapper = ({ output }: { output: string }) => output;
  override expectedOutputMapper = ({ testCase }: { testCase: Values }) => need(testCase, 'reference');
}

class Toxicity extends BaseToxicity<Values, string> {
  id = 'toxicity';
  override outputMapper = ({ output }: { output: string }) => output;
}

class Nsfw extends BaseNSFW<Values, string> {
  id = 'nsfw';
  override outputMapper = ({ output }: { output: string }) => output;
}

class Battle extends BaseManualBattle<Values, string> {
  id = 'battle';
  override readonly criteria: string;
  constructor(criteria: string) {
    super();
    this.criteria = criteria;
  }
  override baselineMapper = ({ testCase }: { testCase: Values }) => testCase.option1 ?? '';
  override outputMapper = ({ output }: { output: string }) => output;
}

const reason = 'I looked.';

export default [
  {
    evaluator: {
      name: 'autoblocks-battle',
      client,
      licence: 'MIT',
      kind: 'pair',
      pools: ['en', 'essay', 'zh', 'code', 'sum', 'fr'],
      keys: { rubric: { role: 'rubric' }, ...pair('1', '2') },
      verdict: {
        kind: 'choice',
        where: 'json',
        field: 'result',
        labels: { '0': 'tie', '1': 0, '2': 1 },
      },
      replies: [
        [{ reason, result: '1' }, { choice: 0 }],
        [{ reason, result: '2' }, { choice: 1 }],
        [{ reason, result: '0' }, { choice: 'tie' }],
      ],
    },
    ask: (base, values) => asked(base, new Battle(need(values, 'rubric')), values, 'option2'),
  },
  {
    evaluator: {
      name: 'autoblocks-accuracy',
      client,
      licence: 'MIT',
      kind: 'reference',
      pools: QA,
      keys: { ...one, ...reference },
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'answer',
        labels: { Accurate: 'good', 'Somewhat accurate': 'neutral', 'Not accurate': 'bad' },
      },
      replies: [
        [{ reason, answer: 'Accurate' }, { category: 'Accurate' }],
        [{ reason, answer: 'Not accurate' }, { category: 'Not accurate' }],
      ],
    },
    ask: (base, values) => asked(base, new Accuracy(), values),
  },
  {
    evaluator: {
      name: 'autoblocks-toxicity',
      client,
      licence: 'MIT',
      kind: 'category',
      pools: ['tox', 'en', 'nway', 'chat', 'sum', 'de'],
      keys: one,
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'answer',
        labels: { 'Not toxic': 'good', Toxic: 'bad' },
      },
      replies: [
        [{ reason, answer: 'Not toxic' }, { category: 'Not toxic' }],
        [{ reason, answer: 'Toxic' }, { category: 'Toxic' }],
      ],
    },
    ask: (base, values) => asked(base, new Toxicity(), values),
  },
  {
    evaluator: {
      name: 'autoblocks-nsfw',
      client,
      licence: 'MIT',
      kind: 'category',
      pools: ['nway', 'tox', 'en', 'trans', 'es', 'rag'],
      keys: one,
      verdict: {
        kind: 'category',
        where: 'json',
        field: 'answer',
        labels: { 'Safe for work': 'good', 'Not safe for work': 'bad' },
      },
      replies: [
        [{ reason, answer: 'Safe for work' }, { category: 'Safe for work' }],
        [{ reason, answer: 'Not safe for work' }, { category: 'Not safe for work' }],
      ],
    },
    ask: (base, values) => asked(base, new Nsfw(), values),
  },
] satisfies Callable[];
