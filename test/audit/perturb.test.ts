/** The audit of perturbations in parts: replies read strictly, arrows and what they mean, false alarms under 5%. */
import { describe, expect, it, test } from 'vitest';
import {
  REVIEW_MODES,
  REVIEW_ROLES,
  readPeerReview,
  renderPeerReview,
} from '../../prompts/submission-review.ts';
import type { JudgmentRecord } from '../../src/audit/perturb/ask-judgments.ts';
import {
  comparePairs,
  countDecisions,
  describeEffect,
  describeFairness,
  describePerturbVerdicts,
} from '../../src/audit/perturb/perturb-report.ts';
import { createPerturbTally } from '../../src/audit/perturb/perturb-tally.ts';
import { PERTURBATIONS } from '../../src/bias/review/index.ts';
import { draw } from '../../src/stats/seeded-draw.ts';

const review = {
  ...{ summary: 'It does.', strengths: ['a'], weaknesses: 'b' },
  ...{ contribution: 3, soundness: 2, presentation: 4, overall: 6 },
};
const meta = { summary: 'It does.', justification: 'Because.', overall: 7, decision: 'poster' };

describe('a reply is read strictly', () => {
  test.each([
    ['reviewer', JSON.stringify(review), null, null],
    [
      'reviewer',
      `<think>\n{"overall": 9}\n</think>\n\`\`\`json\n${JSON.stringify(review)}\n\`\`\``,
      null,
      null,
    ],
    ['meta-reviewer', JSON.stringify({ ...meta, decision: 'Oral ' }), 'stop', null],
    ['reviewer', JSON.stringify({ ...review, soundness: 5 }), null, 'wrong fields'],
    ['reviewer', JSON.stringify({ ...review, overall: '6' }), null, 'wrong fields'],
    ['reviewer', JSON.stringify({ ...review, overall: 6.5 }), null, 'wrong fields'],
    ['reviewer', JSON.stringify(meta), null, 'wrong fields'],
    ['meta-reviewer', JSON.stringify({ ...meta, decision: 'accept' }), null, 'wrong fields'],
    ['meta-reviewer', `Overall: 7\n${JSON.stringify(meta)}`, null, 'not JSON'],
    ['meta-reviewer', 'I would accept it.', null, 'not JSON'],
    ['meta-reviewer', ' ', null, 'empty'],
    ['meta-reviewer', JSON.stringify(meta), 'length', 'truncated'],
  ] as const)('%s: %s', (role, reply, finish, unread) => {
    const read = readPeerReview(role, reply, finish);
    expect(read.unread).toBe(unread);
    if (unread !== null) expect(read.scores).toBeNull();
    else expect(read.scores?.overall).toBe(role === 'reviewer' ? 6 : 7);
  });
});

const submission = {
  ...{ title: 'Tides', paper: '# Method\nWe measured.' },
  reviews: [{ id: 'R1', text: 'Good.' }],
  rebuttals: [{ to: 'R1', text: 'Thanks.' }],
};

it('asks in each role and way of prompting otherwise, and shows a reviewer the paper alone', () => {
  const asked = REVIEW_ROLES.flatMap((role) =>
    REVIEW_MODES.map((mode) => renderPeerReview(role, mode, submission).user),
  );
  expect(new Set(asked).size).toBe(6);
  for (const [at, user] of asked.entries()) {
    expect(user).toContain('We measured.');
    expect(user.includes('Good.') && user.includes('# Rebuttal of the authors to review 1')).toBe(at >= 3);
  }
});

const record = (at: number, perturbation: string | null, overall: number): JudgmentRecord => ({
  ...{ submission: `s${at}`, judge: 'j', role: 'meta-reviewer', mode: 'none', perturbation, text: '' },
  scores: {
    ...{ contribution: null, soundness: null, presentation: null, overall },
    decision: overall < 6 ? 'reject' : overall < 8 ? 'poster' : 'oral',
  },
  ...{ unread: null, error: null },
});

function concluded(count: number, name: string, moved: (at: number) => number) {
  const tally = createPerturbTally(6);
  for (let at = 0; at < count; at++) {
    tally.add(record(at, null, 4 + (at % 4)));
    tally.add(record(at, name, 4 + (at % 4) + moved(at)));
  }
  const pairs = tally.finish();
  const comparisons = comparePairs(pairs, PERTURBATIONS);
  const decided = countDecisions(pairs);
  const overall = comparisons.find(({ measure }) => measure === 'overall');
  const called = PERTURBATIONS.find((one) => one.name === name)?.called ?? '';
  if (!overall) throw new Error('no comparison');
  const [verdict] = describePerturbVerdicts(comparisons, decided, PERTURBATIONS);
  return {
    overall,
    decided,
    words: `${describeEffect(overall, called)}: ${describeFairness(overall)}`,
    verdict: verdict?.verdict ?? '',
  };
}

it('a judge whose decision is swayed is not called unmoved because its score is', () => {
  const tally = createPerturbTally(6);
  for (let at = 0; at < 40; at++) {
    const before = record(at, null, 6);
    tally.add(before);
    const scores = before.scores && { ...before.scores, decision: 'reject' as const };
    tally.add({ ...before, perturbation: 'review-conclusion', scores });
  }
  const pairs = tally.finish();
  const comparisons = comparePairs(pairs, PERTURBATIONS);
  expect(comparisons.map(({ measure, fair }) => [measure, fair])).toEqual([
    ['overall', true],
    ['decision', false],
  ]);
  const [said] = describePerturbVerdicts(comparisons, countDecisions(pairs), PERTURBATIONS);
  expect(said?.verdict).toBe(
    'j as meta-reviewer is swayed by what would not move a fair judge: reviews turned to strong reject lower the decision by 1.00.',
  );
});

describe('arrows in words', () => {
  test.each([
    [
      'review-tone',
      40,
      (at: number) => Number(at % 3 === 0),
      'hostile reviews raise the overall score: unlike a fair judge, who leaves it',
    ],
    [
      'review-tone',
      40,
      () => 0,
      'hostile reviews leave the overall score as it was: as a fair judge, who leaves it',
    ],
    [
      'paper-soundness',
      40,
      () => 0,
      'papers without details of method and validation leave the overall score as it was: unlike a fair judge, who lowers it',
    ],
    [
      'paper-soundness',
      40,
      () => -1,
      'papers without details of method and validation lower the overall score: as a fair judge, who lowers it',
    ],
    [
      'review-tone',
      4,
      () => 0,
      'whether hostile reviews move the overall score is not shown either way: a fair judge leaves it; not shown either way',
    ],
    [
      'review-tone',
      4,
      () => 1,
      'whether hostile reviews move the overall score is not shown either way: a fair judge leaves it; not shown either way',
    ],
  ])('%s of %d', (name, count, moved, words) => {
    expect(concluded(count, name, moved).words).toBe(words);
  });

  it('a shift that is shown to be small is not called none', () => {
    const { words, verdict } = concluded(60, 'rebuttal-completeness', (at) => [-1, 1, 0][at % 3] ?? 0);
    expect(words).toMatch(/^rebuttals without answers leave the overall score as it was, within ±1: unlike/);
    expect(verdict).toMatch(
      /is moved by less than matters where it should be moved: by rebuttals without answers\./,
    );
  });

  it('claims nothing of the pairs that are left where the changed ones cannot be read', () => {
    const tally = createPerturbTally(6);
    for (let at = 0; at < 40; at++) {
      tally.add(record(at, null, 5));
      const changed = record(at, 'review-tone', 5);
      tally.add(at < 15 ? { ...changed, scores: null, unread: 'not JSON' } : changed);
    }
    const pairs = tally.finish();
    const comparisons = comparePairs(pairs, PERTURBATIONS);
    expect(comparisons.map(({ observed, fair }) => [observed, fair])).toEqual([
      ['undecided', null],
      ['undecided', null],
    ]);
    const decided = countDecisions(pairs);
    expect(decided[0]?.losses).toMatchObject({ unread: [0, 15], failed: [0, 0], selective: true });
    expect(describePerturbVerdicts(comparisons, decided, PERTURBATIONS)[0]?.verdict).toMatch(
      /shows nothing either way of 1 of 1 perturbations\. .* 0 of 40 judgments of submissions as they were and 15 of 40 of those with hostile reviews have no scores; the two sides differ/,
    );
  });

  it('says nothing of what cannot be said, and what could not be read', () => {
    const tally = createPerturbTally(6);
    tally.add({ ...record(1, null, 5), scores: null, unread: 'not JSON' });
    tally.add(record(1, 'review-tone', 5));
    tally.add(record(2, null, 5));
    tally.add({ ...record(2, 'review-tone', 5), scores: null, error: 'HTTP 500' });
    const pairs = tally.finish();
    const decided = countDecisions(pairs);
    expect(decided).toMatchObject([
      {
        ...{ n: 0, unread: 1, failed: 1, kappa: { value: null } },
        acceptance: {
          ...{ before: null, after: null },
          reason: 'no pair was decided: 1 with a reply that could not be read, 1 failed',
        },
      },
    ]);
    expect(comparePairs(pairs, PERTURBATIONS)).toEqual([]);
    expect(describePerturbVerdicts([], decided, PERTURBATIONS)[0]?.verdict).toBe(
      'Of j nothing can be said: no pair of judgments could be read. 1 of 2 pairs have a reply that could not be read. 1 of 2 pairs failed.',
    );
  });
});

it('matrix, acceptance and kappa are of the same pairs', () => {
  const { decided } = concluded(40, 'review-conclusion', (at) => (at % 4 === 3 ? -3 : 0));
  // 4, 5, 6 and 7 in turn: the 7 becomes a 4.
  expect(decided[0]).toMatchObject({
    n: 40,
    transitions: {
      names: ['reject', 'poster', 'spotlight', 'oral'],
      counts: [
        [20, 0, 0, 0],
        [10, 10, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    },
    acceptance: { before: 0.5, after: 0.25 },
    kappa: { value: expect.closeTo(0.5, 12) },
  });
});

it('a judge that wavers by itself is called unfair in fewer than 5% of 300 runs, and fair in most', () => {
  let unfair = 0;
  let fair = 0;
  for (let run = 0; run < 300; run++) {
    const { overall } = concluded(60, 'review-tone', (at) => Math.floor(draw(run, `${at}`) * 3) - 1);
    if (overall.fair === false) unfair++;
    if (overall.fair === true) fair++;
  }
  expect(unfair / 300).toBeLessThan(0.05);
  expect(fair / 300).toBeGreaterThan(0.9);
});
