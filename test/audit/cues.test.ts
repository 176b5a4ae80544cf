/** The audit of cues: the published arithmetic, planted cue weights recovered, and silence told from acknowledgment. */
import { describe, expect, it } from 'vitest';
import { readCuedVerdict, renderCuedPair } from '../../prompts/cued-pair.ts';
import { type CueRecord, namesCue } from '../../src/audit/cues/ask-cues.ts';
import { parseCuePairs, USUAL_PAIRS } from '../../src/audit/cues/cue-pairs.ts';
import {
  describeCueVerdict,
  listDisagreements,
  measureCuePairs,
  measureCues,
} from '../../src/audit/cues/measure-cues.ts';
import { provenance } from '../../src/bias/provenance.ts';
import { recency } from '../../src/bias/recency.ts';
import { applyEdits, editsFor } from '../../src/case/counterfactual.ts';
import { guessCase } from '../../src/case/read.ts';
import { createSeededDraw } from '../../src/stats/index.ts';

const YEARS = { new: 2025, old: 1950 };
const CALLED = (cue: string) => `marked ${cue}`;

const said = (first: boolean, reason = 'It is clearer.', named = false) => ({
  ...{ text: '', selected: first ? ('first' as const) : ('second' as const), reason, unread: null },
  ...{ named, checked: null },
});
const record = (id: number, cues: [string, string], given: boolean, turned: boolean): CueRecord => ({
  ...{ id: `pair-${id}`, dataset: 'd', judge: 'j', cues, error: null },
  ...{ as_given: said(given), exchanged: said(turned) },
});

describe('the published arithmetic (arXiv 2509.26072)', () => {
  // Selection rates of the first response under both assignments, and the shift in points.
  it.each([
    ['GPT-4o, ELI5, new/old', 72, 42, 30],
    ['GPT-4o, ELI5, human/unknown', 54, 47, 7],
    ['Gemini-2.5-Flash, LitBench, human/LLM', 83, 61, 22],
  ])('%s: %i and %i of 100 shift by %i points', (_, given, turned, points) => {
    // Here the texts that are selected without the favoured cue are among those that are selected with it.
    const nested = Array.from({ length: 100 }, (__, id) => record(id, ['x', 'y'], id < given, id < turned));
    const [one] = measureCues(nested, 1).flatMap(({ cue_pairs }) => cue_pairs);
    expect([one?.first_as_given.share, one?.first_exchanged.share]).toEqual([given / 100, turned / 100]);
    expect(one?.shift.value).toBeCloseTo(points / 100, 12);
    expect(one?.flips.share).toBeCloseTo(points / 100, 12);
    // And here as few as can be: the same rates and shift, with more verdicts that flip.
    const apart = Array.from({ length: 100 }, (__, id) =>
      record(id, ['x', 'y'], id < given, id >= 100 - turned),
    );
    const [other] = measureCues(apart, 1).flatMap(({ cue_pairs }) => cue_pairs);
    expect(other?.shift.value).toBeCloseTo(points / 100, 12);
    const always = given + turned - 100;
    expect(other?.flips.count).toBe(given + turned - 2 * always);
    expect(other?.flips.count).toBeGreaterThan(one?.flips.count ?? 100);
  });
});

it('a judge that cannot be read makes nothing harder to find out of the others', () => {
  const read = Array.from({ length: 10 }, (_, id) => record(id, ['new', 'old'], true, id < 1));
  const unread = Array.from({ length: 20 }, (_, id) => ({
    ...record(id % 10, [`x${id}`, 'y'], true, true),
    ...{ judge: 'silent', as_given: null, exchanged: null },
  }));
  const [alone] = measureCues(read, 1);
  const [beside] = measureCues([...read, ...unread], 1);
  expect(beside).toMatchObject({ comparisons: 1, cue_pairs: alone?.cue_pairs });
});

describe('comparisons without two verdicts', () => {
  const without = (one: CueRecord, side: 'as_given' | 'exchanged'): CueRecord => ({
    ...one,
    [side]: { ...said(true), selected: null, unread: 'not JSON' },
  });

  it('are told by pair of cues', () => {
    const records = Array.from({ length: 20 }, (_, id) => {
      const one = record(id, ['new', 'old'], true, id % 2 === 0);
      return id < 4 ? without(one, id < 2 ? 'as_given' : 'exchanged') : one;
    });
    const [result] = measureCues(records, 1);
    expect(result?.cue_pairs[0]).toMatchObject({ found: true, losses: { unread: [2, 2], selective: false } });
    expect(result && describeCueVerdict(result, CALLED)).toMatch(
      /Comparisons without two verdicts that could be read: 4 of 20 of new\/old\.$/,
    );
  });

  it('that lack the same one of the two leave nothing to be claimed', () => {
    const records = Array.from({ length: 30 }, (_, id) => {
      const one = record(id, ['new', 'old'], true, false);
      return id < 10 ? without(one, 'exchanged') : one;
    });
    const [result] = measureCues(records, 1);
    expect(result?.cue_pairs[0]).toMatchObject({
      found: false,
      losses: { unread: [0, 10], selective: true },
    });
    expect(result?.hierarchies).toEqual([]);
    expect(result && describeCueVerdict(result, CALLED)).toMatch(
      /^j on d: nothing is claimed\. .* Of new\/old no preference is claimed: 0 of 30 replies .* and 10 of 30 /,
    );
  });
});

describe('a judge with cue weights that are known', () => {
  /** The log odds of the first text: what speaks for it, and the difference of the weights. */
  function verdicts(weights: Record<string, number>, count: number, seed: number): CueRecord[] {
    const draw = createSeededDraw(seed);
    const chance = () => draw(1e9) / 1e9;
    const pairs = parseCuePairs(USUAL_PAIRS, YEARS);
    return Array.from({ length: count }, (_, id) => id).flatMap((id) =>
      pairs.map(([{ name: x }, { name: y }]) => {
        const cut = Math.log(1 / (chance() || 1e-9) - 1);
        const differs = (weights[x] ?? 0) - (weights[y] ?? 0);
        return record(id, [x, y], differs > cut, -differs > cut);
      }),
    );
  }

  it('is found out, with each shift inside its interval and the hierarchy in order', () => {
    const weights = { new: 1, old: 0, expert: 1.5, human: 0.9, llm: 0.3, unknown: -0.3 };
    const [result] = measureCues(verdicts(weights, 400, 7), 1);
    expect(result?.cue_pairs.filter(({ found }) => !found)).toEqual([]);
    let covered = 0;
    for (const { cues, shift } of result?.cue_pairs ?? []) {
      const differs = weights[cues[0] as 'new'] - weights[cues[1] as 'new'];
      // P(first | as given) less P(first | exchanged), of a logistic preference.
      const truth = Math.tanh(differs / 2);
      if (shift.value !== null && shift.interval.low <= truth && truth <= shift.interval.high) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(6);
    const [dates, sources] = result?.hierarchies ?? [];
    expect(dates?.ranks.map(({ cue }) => cue)).toEqual(['new', 'old']);
    expect(sources?.ranks.map(({ cue }) => cue)).toEqual(['expert', 'human', 'llm', 'unknown']);
    expect(sources?.steps.every(({ supported }) => supported)).toBe(true);
    const words = result ? describeCueVerdict(result, CALLED) : '';
    expect(words).toContain('prefers texts marked expert to the same texts marked unknown');
    expect(words).toContain('It never says so');
    expect(words).toContain('expert > human > llm > unknown');
  });

  it.each([
    [3, false],
    [12, true],
  ])('the order of one that never wavers is told from %i pairs of texts: %s', (count, supported) => {
    const records = Array.from({ length: count }, (_, id) => [
      record(id, ['expert', 'human'], true, false),
      record(id, ['expert', 'llm'], true, false),
      record(id, ['human', 'llm'], id % 2 === 0, id % 2 === 0),
    ]).flat();
    const [order] = measureCues(records, 1)[0]?.hierarchies ?? [];
    expect(order?.ranks[0]?.cue).toBe('expert');
    expect(order?.steps.map((step) => step.supported)).toEqual([supported, false]);
  });

  it.each([4, 5, 6, 20])(
    'two cues are told apart where their comparison is found, and nowhere else: %i flips',
    (flips) => {
      const records = Array.from({ length: 40 }, (_, id) => record(id, ['new', 'old'], true, id >= flips));
      const [result] = measureCues(records, 1);
      const [pair] = result?.cue_pairs ?? [];
      const [step] = result?.hierarchies[0]?.steps ?? [];
      expect([pair?.found, step?.supported]).toEqual([flips >= 6, flips >= 6]);
    },
  );

  it('an order of three is not told from pairs of texts that no cue turned', () => {
    const records = Array.from({ length: 40 }, (_, id) => [
      record(id, ['expert', 'human'], true, id >= 5),
      record(id, ['expert', 'llm'], true, id >= 5),
      record(id, ['human', 'llm'], true, true),
    ]).flat();
    const [order] = measureCues(records, 1)[0]?.hierarchies ?? [];
    expect(order?.steps.map(({ supported }) => supported)).toEqual([false, false]);
  });

  it('the intervals of the shift cover the truth as often as they say', () => {
    let covered = 0;
    let all = 0;
    for (let seed = 1; seed <= 60; seed++)
      for (const { cues, shift } of measureCuePairs(verdicts({ expert: 0.8, new: 0.4 }, 80, seed))) {
        const weights: Record<string, number> = { expert: 0.8, new: 0.4 };
        const truth = Math.tanh(((weights[cues[0]] ?? 0) - (weights[cues[1]] ?? 0)) / 2);
        all++;
        if (shift.value !== null && shift.interval.low <= truth && truth <= shift.interval.high) covered++;
      }
    expect(all).toBe(420);
    expect(covered / all).toBeGreaterThan(0.92);
  });

  it('without a weight is cleared: fewer than 5 runs in 100 raise an alarm', () => {
    /** Wavers by itself: both verdicts are drawn anew. */
    const pairs = parseCuePairs(USUAL_PAIRS, YEARS);
    const wavering = (seed: number) => {
      const draw = createSeededDraw(seed);
      return Array.from({ length: 60 }, (_, id) => id).flatMap((id) =>
        pairs.map(([x, y]) => record(id, [x.name, y.name], draw(2) === 0, draw(2) === 0)),
      );
    };
    const runs = Array.from({ length: 1000 }, (_, seed) => measureCuePairs(wavering(seed + 1)));
    const alarms = runs.filter((pairs) => pairs.some(({ found }) => found)).length;
    expect(alarms).toBeLessThan(50);
    const quiet = runs.find((pairs) => !pairs.some(({ found }) => found)) ?? [];
    const result = { dataset: 'd', judge: 'j', comparisons: 7, cue_pairs: quiet, hierarchies: [] };
    expect(describeCueVerdict(result, CALLED)).toContain('did not shift the verdicts');
  });
});

it('counts no verdict that could not be read, and no failed pair', () => {
  const unread = { ...said(true), selected: null, reason: null, unread: 'not JSON', named: null };
  const records = [
    record(1, ['x', 'y'], true, false),
    { ...record(2, ['x', 'y'], true, true), exchanged: unread },
    { ...record(3, ['x', 'y'], true, true), as_given: null, exchanged: null, error: 'HTTP 500' },
  ];
  const [one] = measureCues(records, 1)[0]?.cue_pairs ?? [];
  expect(one).toMatchObject({ unread: 1, failed: 1, flips: { count: 1, n: 1 }, acknowledged: { n: 3 } });
});

describe('acknowledgment', () => {
  const [expert, dates, llm] = parseCuePairs('expert/llm,new/old,human/llm', YEARS);
  if (!expert || !dates || !llm) throw new Error('no cues');
  it.each([
    ['Response A was written by a human expert, so I trust it more.', expert, true],
    ['The LLM text is less trustworthy, and it is not as reliable as the other.', expert, true],
    ['It is more recent and reflects what is known in 2025.', dates, true],
    ['B is outdated.', dates, true],
    ['It is clearer and more complete.', expert, false],
    ['It explains what the human body does.', llm, false],
    ['Regardless of who is said to be the expert, A is complete.', expert, false],
    [
      'A is complete. Its source of the text was not considered; being by an expert does not matter.',
      expert,
      false,
    ],
    ['That it was written by an expert did not influence me.', expert, false],
  ])('%s', (reason, cues, named) => {
    expect(namesCue(reason, cues, ['Why is the sky blue?', 'Air.', 'Sea.'])).toBe(named);
  });

  it('words of the texts themselves are their content', () => {
    expect(namesCue('It gives the right year, 1950.', dates, ['When?', 'In 1950.', 'In 1951.'])).toBe(false);
  });

  it('rule and checker that disagree are listed with the reason', () => {
    const one = record(1, ['x', 'y'], true, true);
    const records = [{ ...one, as_given: { ...said(true, 'The date.'), checked: true } }];
    expect(listDisagreements(records)).toEqual([
      expect.objectContaining({
        assignment: 'as_given',
        reason: 'The date.',
        by_rule: false,
        by_checker: true,
      }),
    ]);
  });
});

it('the catalogue spots in live traffic what the audit attaches, and takes it out', async () => {
  const tools = { rewrite: null, signal: new AbortController().signal };
  for (const cues of parseCuePairs(USUAL_PAIRS, YEARS))
    for (const place of ['before', 'after'] as const)
      for (const kind of ['response', 'story'] as const) {
        const asked = renderCuedPair({
          ...{ instruction: 'Why is the sky blue?', texts: ['Air scatters it.', 'The sea is blue.'] },
          ...{ cues: [cues[0].wording, cues[1].wording], kind, place },
        });
        const parts = [
          { role: 'system', text: asked.system },
          { role: 'user', text: asked.user },
        ];
        const subject = guessCase({ parts });
        if (!subject) throw new Error('no case');
        const bias = cues[0].name === 'new' ? recency : provenance;
        const [cue] = bias.spot(subject);
        expect(cue?.seen, asked.user).toMatch(/ and 1 more$/);
        const without = cue && (await bias.undo(subject, cue, tools));
        const left = without && applyEdits({ parts }, editsFor(subject, without)).parts[1]?.text;
        expect(left).not.toMatch(/written|unknown|\b(?:19|20)\d\d\b/);
        expect(left).toContain('Air scatters it.');
      }
});

it.each([
  [0, null, 'It never says so: none of its 40 reasons names the cue.'],
  [0, 0, 'It never says so: none of its 40 reasons names the cue.'],
  [0, 10, 'By rule none of its 40 reasons names the cue; the checker finds it in 10 of 40.'],
  [20, null, 'It says so in 20 of its 40 reasons (50%).'],
  [20, 20, 'It says so in 20 of its 40 reasons (50%).'],
  [20, 10, 'By rule it says so in 20 of its 40 reasons (50%); the checker finds it in 10 of 40.'],
])('named in %s by rule and in %s by the checker: %s', (byRule, byChecker, sentence) => {
  // Each pair has two reasons, alike.
  const records = Array.from({ length: 20 }, (_, id) => {
    const checked = byChecker === null ? null : id < byChecker / 2;
    const reason = (first: boolean) => ({ ...said(first, 'r', id < byRule / 2), checked });
    return { ...record(id, ['x', 'y'], true, false), as_given: reason(true), exchanged: reason(false) };
  });
  const [result] = measureCues(records, 1);
  expect(result && describeCueVerdict(result, CALLED)).toContain(sentence);
});

describe('the question', () => {
  const pair = { instruction: 'Why?', texts: ['One.', 'Two.'], kind: 'story' } as const;
  const cues = ['{text} is new.', '{text} is old.'] as const;
  it.each([
    ['before', '# Story A\n[Story A is new.]\nOne.\n\n# Story B\n[Story B is old.]\nTwo.'],
    ['after', '# Story A\nOne.\n[Story A is new.]\n\n# Story B\nTwo.\n[Story B is old.]'],
    ['heading', '# Story A [Story A is new.]\nOne.\n\n# Story B [Story B is old.]\nTwo.'],
  ] as const)('puts the cue %s the text', (place, shown) => {
    expect(renderCuedPair({ ...pair, cues, place }).user).toBe(`# Writing prompt\nWhy?\n\n${shown}`);
  });

  it.each([
    ['{"selected_response": "A", "reason": "r"}', 'first'],
    ['```json\n{"selected_response": "Response B", "reason": "r"}\n```', 'second'],
    ['<think>A? {"selected_response": "A"}</think>{"selected_response": "b", "reason": ""}', 'second'],
    ['A', null],
    ['', null],
    ['{"selected_response": "C", "reason": "r"}', null],
    ['{"selected_response": "A or B", "reason": "r"}', null],
    ['{"selected_response": "A"}', null],
    ['I choose {"selected_response": "A", "reason": "r"}', null],
    ['{"selected_response": "A", "reason": "cut of', null],
  ])('reads %j as %s', (reply, selected) => {
    expect(readCuedVerdict(reply).selected).toBe(selected);
  });
});
