/** Hostile tone, turned conclusions and unsupported claims in what a meta-reviewer reads: spotted, undone, and nothing else. */
import { describe, expect, it, test } from 'vitest';
import { writeRewrite } from '../../prompts/rewrite.ts';
import { conclusion } from '../../src/bias/conclusion.ts';
import { hostility } from '../../src/bias/hostility.ts';
import { CATALOGUE } from '../../src/bias/index.ts';
import { PERTURBATIONS } from '../../src/bias/review/index.ts';
import type { UndoTools } from '../../src/bias/types.ts';
import { unsupported } from '../../src/bias/unsupported.ts';
import { findCase } from '../../src/case/read.ts';
import { expectLinear } from '../cost.ts';
import { caseOf } from '../two-options.ts';

const signal = new AbortController().signal;
const byRule: UndoTools = { rewrite: null, signal };
const PAPER =
  '# Method\nWe fit a line.\n\n# Experiments\nErrors are standard errors over five seeds. An ablation takes out one feature at a time.';

function metaReview(...reviews: string[]) {
  const shown = reviews.map((text, at) => `# Review ${at + 1}\n${text}`).join('\n\n');
  const text = `# Paper\n${PAPER}\n\n${shown}\n\n# Your task\nDecide whether to accept. Reply with JSON: {"overall": 1 to 10}`;
  const subject = findCase({ parts: [{ role: 'user', text }] });
  if (subject?.layout !== 'peer-review') throw new Error(`read as ${subject?.layout}`);
  return subject;
}

describe('hostility', () => {
  const hostile = 'Frankly, this is laughable nonsense. The method is weak [3], by 12%.\n\nRating: 3';

  it('is spotted by contempt, not by blame', () => {
    expect(hostility.spot(metaReview(hostile, 'Weak.'))).toMatchObject([
      {
        bias: 'hostility',
        favours: 'any',
        seen: /a review is hostile in tone \("frankly", "laughable", "nonsense"\)/,
      },
    ]);
    const plain =
      'The paper is poorly written, the claims are wrong, and the evaluation is weak and misleading.';
    expect(hostility.spot(metaReview(plain))).toEqual([]);
    expect(hostility.spot(metaReview('The authors call it "a joke" in their title.'))).toEqual([]);
  });

  it('is undone by a rewording that keeps every number, citation and rating, or not at all', async () => {
    const subject = metaReview('Fine.', hostile);
    const [cue] = hostility.spot(subject);
    if (!cue) throw new Error('no cue');
    const undone = (reply: string) =>
      hostility.undo(subject, cue, { rewrite: async () => writeRewrite([reply]), signal });
    const calm = 'The method is weak [3], by 12%. It is hard to follow.\n\nRating: 3';
    expect([...((await undone(calm))?.context ?? [])]).toEqual([[1, calm]]);
    expect(await undone(calm.replace('12%', '21%'))).toBeNull();
    expect(await undone(calm.replace('Rating: 3', 'Rating: 8'))).toBeNull();
    expect(await undone(calm.replace(' [3]', ''))).toBeNull();
    expect(await hostility.undo(subject, cue, byRule)).toBeNull();
  });
});

describe('conclusion', () => {
  const praise =
    '## Strengths\nA clear question, a sound method, and an analysis that was registered before.\n\n## Weaknesses\nTwo reports.';

  test.each([
    [`${praise}\n\nRating: 1: strong reject`, true],
    ['Nice.\n\nSoundness: 4\nPresentation: 3\nContribution: 3\nRating: 2', true],
    [`${praise}\n\nRating: 8: accept`, false],
    [
      '## Strengths\nShort.\n\n## Weaknesses\nNo control group, no registration, one site, one week.\n\nRating: 2',
      false,
    ],
    ['I would reject it.', false],
  ])('%j', (text, odd) => {
    expect(conclusion.spot(metaReview(text))).toHaveLength(Number(odd));
  });

  it('is undone by withholding the overall rating of every review, and nothing else', async () => {
    const subject = metaReview(
      `${praise}\n\nSoundness: 4\nRating: 1: strong reject`,
      'Good.\n\nRating: 8',
      'No rating.',
    );
    const [cue] = conclusion.spot(subject);
    const undone = cue && (await conclusion.undo(subject, cue, byRule));
    expect([...(undone?.context ?? [])]).toEqual([
      [0, `${praise}\n\nSoundness: 4\nRating: withheld`],
      [1, 'Good.\n\nRating: withheld'],
    ]);
  });
});

describe('unsupported', () => {
  test.each([
    ['There is no ablation study.', true],
    ['The paper lacks any ablation. Writing is fine.', true],
    ['It does not report standard errors, which is a pity.', true],
    ['There is no discussion of limitations.', false],
    ['The ablation is too small.', false],
    ['No baseline is strong.', false],
    ['The ablation shows no effect of age.', false],
  ])('%j', (text, wrong) => {
    expect(unsupported.spot(metaReview(text))).toHaveLength(Number(wrong));
  });

  it('is undone by taking the claim out, with its item', async () => {
    const text =
      '## Weaknesses\n- One site.\n- There is no ablation study.\n- It omits error bars. The title is long.\n\nRating: 4';
    const subject = metaReview(text);
    const [cue] = unsupported.spot(subject);
    expect(cue?.seen).toBe('a review misses what the paper has: "There is no ablation study." and 1 more');
    const undone = cue && (await unsupported.undo(subject, cue, byRule));
    expect([...(undone?.context ?? [])]).toEqual([
      [0, '## Weaknesses\n- One site.\n- The title is long.\n\nRating: 4'],
    ]);
  });
});

it('are no cues where no paper is judged', () => {
  const text = 'Frankly, this is laughable nonsense. There is no ablation study.\n\nRating: 1';
  for (const subject of [caseOf({ options: [text, text] }), caseOf({ options: [text] })])
    for (const bias of [hostility, conclusion, unsupported]) expect(bias.spot(subject)).toEqual([]);
});

it('each is the live side of a perturbation that a fair judge would not notice', () => {
  for (const [bias, name] of [
    [hostility, 'review-tone'],
    [conclusion, 'review-conclusion'],
    [unsupported, 'review-facts'],
  ] as const) {
    expect(CATALOGUE).toContain(bias);
    expect(PERTURBATIONS.find((one) => one.name === name)?.expectation).toBe(bias.expectation);
  }
});

it('long reviews are read in time linear in their length', () => {
  const written = (times: number) =>
    metaReview(`Frankly nonsense. ${'no ablation the authors even '.repeat(times)}`);
  for (const bias of [hostility, conclusion, unsupported]) expectLinear(written, bias.spot, 5_000, bias.name);
});
