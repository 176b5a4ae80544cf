import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/bias/index.ts';
import type { Verdict } from '../../src/case/types.ts';
import { createPanelDetector, type PanelOptions } from '../../src/detect/panel.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import type { DetectorModel } from '../../src/detect/rbd/detector-model.ts';
import { BudgetError, JudgeError, UnreadableAnalysisError } from '../../src/http/send.ts';
import { caseOf, type Layout } from '../two-options.ts';

const choice = (option: number): Verdict => ({ kind: 'choice', option, text: '' });
const CROWD = '90% believe that Output (a) is better';
const LONG = 'Let x be the beans, of which there are some. '.repeat(6);

interface Setting extends PanelOptions {
  readonly layout: Layout;
  readonly verdict?: Verdict;
  readonly swapped?: Verdict | null;
  /** What the judge decides once a cue is undone. */
  readonly after?: Verdict;
  readonly model: string | Error;
}

async function panel({
  layout,
  verdict = choice(0),
  swapped = null,
  after = verdict,
  model,
  ...options
}: Setting) {
  const prompts: string[] = [];
  let probes = 0;
  const detector: DetectorModel = {
    name: 'm',
    async complete(prompt) {
      prompts.push(prompt);
      if (model instanceof Error) throw model;
      return { reasoning: null, content: model, finish: 'stop', tokens: null };
    },
  };
  const analysis = createPanelDetector(detector, createProbeDetector(), options).analyse({
    subject: caseOf(layout),
    judge: 'judge-1',
    verdict,
    swapped,
    biases: CATALOGUE,
    probe: async () => {
      probes++;
      return after;
    },
    rewrite: null,
    signal: new AbortController().signal,
  });
  return { analysis: await analysis, prompts, probes };
}

const crowd: Layout = { options: ['8', '9'], statement: CROWD };
const YES = '<think>9 is right.</think> Yes';
const NO = '<think>8 is right.</think> No';

describe('the panel', () => {
  test('asks nobody where no cue speaks for the choice', async () => {
    const { analysis, prompts, probes } = await panel({ layout: crowd, verdict: choice(1), model: YES });
    expect(analysis).toMatchObject({ biased: false, biases: [] });
    expect([prompts.length, probes]).toEqual([0, 0]);
  });

  test('a changed verdict is biased, with the reasons of a model that agrees', async () => {
    const { analysis, prompts } = await panel({ layout: crowd, after: choice(1), model: YES });
    expect(analysis).toMatchObject({ biased: true, biases: ['bandwagon'] });
    expect(analysis.reasoning).toContain('instead of Output (a)');
    expect(analysis.reasoning).toContain('9 is right.');
    expect(prompts[0]).toContain('Tests made on this decision');
    expect(prompts[0]).toContain('instead of Output (a)');
    // What follows from the test is the model's to say, and the judge's to read.
    const conclusion = /did not rest on|did not stay with/;
    expect(prompts[0]).not.toMatch(conclusion);
    expect(analysis.reasoning).toMatch(conclusion);
  });

  test('evidence beats the opinion of a model that says No, and drops its reasons', async () => {
    const { analysis } = await panel({ layout: crowd, after: choice(1), model: NO });
    expect(analysis).toMatchObject({ biased: true, biases: ['bandwagon'] });
    expect(analysis.reasoning).not.toContain('8 is right.');
  });

  test.each([new JudgeError('down'), new UnreadableAnalysisError('no label')])(
    'a model that fails (%s) takes nothing from the evidence',
    async (model) => {
      const { analysis } = await panel({ layout: crowd, after: choice(1), model });
      expect(analysis).toMatchObject({ biased: true, biases: ['bandwagon'] });
    },
  );

  test('but an exhausted budget ends the analysis', async () => {
    await expect(
      panel({ layout: crowd, after: choice(1), model: new BudgetError('used up') }),
    ).rejects.toThrow(BudgetError);
  });

  test('every suspect tested, nothing changed: not biased, and no model call', async () => {
    const { analysis, prompts, probes } = await panel({ layout: crowd, model: YES });
    expect(analysis.biased).toBe(false);
    expect([prompts.length, probes]).toEqual([0, 1]);
  });

  test('what cannot be undone is for the model, with the evidence on the rest', async () => {
    // Prose without a final answer cannot be condensed without a rewriter.
    const layout: Layout = { options: [LONG, 'Fish swim.'], statement: CROWD };
    const { analysis, prompts } = await panel({ layout, model: YES });
    expect(analysis).toMatchObject({ biased: true, biases: ['verbosity'], reasoning: '9 is right.' });
    expect(analysis.evidence).toHaveLength(1);
    expect(prompts[0]).toContain('still decided for Output (a)');
    expect(prompts[0]).toContain('- verbosity:');
    expect(prompts[0]).not.toContain('- bandwagon:');
  });

  test('and there a model that fails is a failure', async () => {
    const layout: Layout = { options: [LONG, 'Fish swim.'] };
    await expect(panel({ layout, model: new JudgeError('down') })).rejects.toThrow(JudgeError);
    await expect(panel({ layout, model: 'hm' })).rejects.toThrow(UnreadableAnalysisError);
  });

  test('two orders that disagree are evidence without a probe', async () => {
    const layout: Layout = { options: ['8', '9'] };
    const { analysis, prompts, probes } = await panel({ layout, swapped: choice(1), model: YES });
    expect(analysis).toMatchObject({ biased: true, biases: ['position'] });
    expect(prompts[0]).not.toContain('did not stay with');
    expect(probes).toBe(0);
    expect(prompts[0]).toContain('### Second Round, with Output (b) before Output (a)');
  });
});

test('a score whose repeat cannot be read is no test: the model decides', async () => {
  const verdicts: Verdict[] = [
    { kind: 'score', score: 4, text: '' },
    { kind: 'none', reason: 'no-label', text: '' },
  ];
  let asked = 0;
  const model: DetectorModel = {
    name: 'm',
    async complete() {
      asked++;
      return {
        reasoning: null,
        content: '<think>It followed the crowd.</think> Yes',
        finish: 'stop',
        tokens: null,
      };
    },
  };
  const analysis = await createPanelDetector(model, createProbeDetector()).analyse({
    subject: caseOf({ options: ['381'], statement: CROWD }),
    judge: 'judge-1',
    verdict: { kind: 'score', score: 8, text: '' },
    swapped: null,
    biases: CATALOGUE,
    probe: async () => verdicts.shift() ?? choice(0),
    rewrite: null,
    signal: new AbortController().signal,
  });
  expect(asked).toBe(1);
  expect(analysis).toMatchObject({ biased: true, biases: ['bandwagon'] });
});
