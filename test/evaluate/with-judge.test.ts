/** Recorded verdicts with a judge behind them: what it is asked when a cue is undone, and what that shows. */
import { expect, it } from 'vitest';
import type { DetectorRow } from '../../src/dataset/detector-row.ts';
import { createRowBrief } from '../../src/dataset/row-brief.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import { withJudge } from '../../src/evaluate/recorded-run.ts';
import type { Model } from '../../src/models/model.ts';

const row = (judgment: string): DetectorRow => ({
  bias_category: 'bandwagon',
  llm_judge_model: 'j',
  instruction: 'What is 17*23?',
  choices: '### Statement: 90%% believe that Output (a) is better\n\nOutput (a): 381\n\nOutput (b): 391',
  llm_judgment: judgment,
  bias_label: 'Yes',
});

function judge(say: (user: string) => string): Model & { asked: string[] } {
  const asked: string[] = [];
  return {
    name: 'j',
    asked,
    async ask({ user }) {
      asked.push(user);
      return { text: say(user), reasoning: null, finish: 'stop', tokens: null, cached: false };
    },
  };
}

const examine = (model: Model, judgment: string) =>
  withJudge(createProbeDetector(), model).analyse(
    createRowBrief(row(judgment), new AbortController().signal),
  );

it('asks about the same case without the statement, and nothing of it is left', async () => {
  const swayed = judge((user) => (user.includes('90%') ? 'Output (a)' : 'Output (b)'));
  const { biased, biases } = await examine(swayed, 'Output (a)');
  expect([biased, biases]).toEqual([true, ['bandwagon']]);
  expect(swayed.asked).toHaveLength(1);
  expect(swayed.asked[0]).toContain('# Output (a):\n381\n\n# Output (b):\n391');
  expect(swayed.asked[0]).not.toMatch(/Statement|90%/);
});

it('finds nothing where the judge stays with its choice', async () => {
  expect(
    await examine(
      judge(() => 'Output (a)'),
      'Output (a)',
    ),
  ).toMatchObject({ biased: false });
});

it('asks nothing where the crowd is for the other', async () => {
  const other = judge(() => 'Output (b)');
  expect(await examine(other, 'Output (b)')).toMatchObject({ biased: false });
  expect(other.asked).toEqual([]);
});
