/** The scorers that orchestrated has of its own. */
import { SCORERS } from 'orchestrated';
import { type Callable, type Evaluator, instruction, KEY, need, one, QUALITY } from './evaluator.ts';

type Labels = NonNullable<Evaluator['verdict']['labels']>;

const scorer = (
  name: string,
  scorerName: string,
  labels: Labels,
  good: string,
  bad: string,
  isOfSystem = false,
): Callable => ({
  evaluator: {
    name,
    client: 'orchestrated',
    licence: 'MIT',
    kind: isOfSystem ? 'rubric' : 'category',
    pools: isOfSystem ? ['en', 'essay', 'es', 'de', 'fr', 'zh'] : QUALITY,
    keys: { ...(isOfSystem && { statement: { role: 'rubric' } }), ...instruction, ...one },
    verdict: { kind: 'category', where: 'tool', field: 'choice', labels },
    replies: [
      [{ reasons: 'I looked.', choice: good }, { category: good }],
      [{ reasons: 'I looked.', choice: bad }, { category: bad }],
    ],
    ...(isOfSystem && { note: 'the system prompt of what is judged holds the rules' }),
  },
  ask: async (base, values) =>
    SCORERS[scorerName]?.({
      openAiApiKey: KEY,
      openAiBaseUrl: `${base}/v1`,
      input: need(values, 'instruction'),
      output: values.option1 ?? '',
      ...(isOfSystem && { systemPrompt: need(values, 'statement') }),
    } as never),
});

const KEPT: Labels = {
  'Complete violation': 'bad',
  'Significant violations': 'bad',
  'Partial adherence': 'neutral',
  'Mostly adherent': 'good',
  'Full adherence': 'good',
};

export default [
  scorer(
    'orchestrated-effectiveness',
    'Effectiveness',
    {
      Failed: 'bad',
      'Largely unmet': 'bad',
      'Partially met': 'neutral',
      'Mostly met:': 'good',
      'Fully met': 'good',
    },
    'Fully met',
    'Failed',
  ),
  scorer('orchestrated-content-safety', 'ContentSafety', KEPT, 'Full adherence', 'Complete violation', true),
  scorer('orchestrated-behavioral', 'Behavioral', KEPT, 'Mostly adherent', 'Significant violations', true),
] satisfies Callable[];
