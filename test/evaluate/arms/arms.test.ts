/** Every arm by what it asks: which questions, in which order, how often, and what it makes of the replies. */
import { describe, expect, it, test } from 'vitest';
import { renderRowQuestion } from '../../../src/dataset/judge-pairs.ts';
import { InputError } from '../../../src/errors.ts';
import { ARMS, type ArmName } from '../../../src/evaluate/arms/index.ts';
import { JudgeError } from '../../../src/http/send.ts';
import { createMemoryCalls } from '../../../src/models/call-store.ts';
import { type Asked, arm, CROWD, decide, follower, isNoted, NOTE, ORDERS, scripted } from './scripted.ts';

const [, crowd] = CROWD;
const [order] = ORDERS;
const plain = renderRowQuestion(crowd);
const yes = (reasons: string) => scripted(() => `<think>${reasons}</think> Yes`, { name: 'detector' });
const detector = yes('The crowd was followed: Output (b) is wrong, 2+2 is 4.');
const tools = {
  detector: detector.model,
  sampling: scripted(follower, { store: createMemoryCalls() }).model,
  second: scripted(follower, { name: 'better', store: createMemoryCalls() }).model,
  panel: [scripted(follower, { name: 'other', store: createMemoryCalls() }).model],
};

describe('the first verdict', () => {
  test.each([
    'Output (b)',
    'Output (b) is better.',
    'Tie',
    'I cannot say.',
    '',
    '**Output (a)**',
    'output (B)',
  ])('of a judge that says %j is the same for every arm, and asked for once', async (reply) => {
    const { model, asked } = scripted((one) => (isNoted(one) ? 'Output (a)' : reply));
    const all = await Promise.all(ARMS.map((name) => decide(arm(name, tools), crowd, model)));
    expect(new Set(all.map(({ first }) => first)).size).toBe(1);
    expect(new Set(all.map(({ standing }) => standing[0])).size).toBe(1);
    expect(asked.filter((one) => one.user === plain.user && one.system === plain.system)).toHaveLength(1);
    for (const { calls } of all) expect(calls).toBeGreaterThanOrEqual(1);
  });
});

describe('none', () => {
  it('asks once and takes what is said', async () => {
    const { model, asked } = scripted(follower);
    expect(await decide(arm('none'), crowd, model)).toMatchObject({
      ...{ first: 1, final: 1, standing: [1], found: [], sent_back: 0, calls: 1, insisted: false },
      tokens: { input: 10, output: 1 },
      spent: [{ model: 'judge', calls: 1, uncounted: 0, input: 10, output: 1 }],
    });
    expect(asked).toEqual([plain]);
  });

  it('takes what cannot be read for no verdict', async () => {
    expect(await decide(arm('none'), crowd, scripted(() => 'Hm.').model)).toMatchObject({ final: null });
  });
});

describe('probe', () => {
  it('judges without the crowd, and sends back what changes then', async () => {
    const { model, asked } = scripted(follower);
    expect(await decide(arm('probe'), crowd, model)).toMatchObject({
      ...{ first: 1, final: 0, standing: [1, 0], found: ['bandwagon'], sent_back: 1, calls: 3 },
    });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toEqual(plain);
    expect(asked[1]?.user).not.toContain('believe');
    expect(asked[1]?.user).not.toContain(NOTE);
    expect(asked[2]?.user).toContain(NOTE);
    expect(asked[2]?.user).toContain('90% believe');
  });

  it('leaves a verdict alone that no cue speaks for', async () => {
    const { model, asked } = scripted(() => 'Output (a)');
    expect(await decide(arm('probe'), crowd, model)).toMatchObject({ final: 0, sent_back: 0, calls: 1 });
    expect(asked).toHaveLength(1);
  });

  it('says so where the judge insists', async () => {
    const stubborn = (one: Asked) => (one.user.includes('believe') ? 'Output (b)' : 'Output (a)');
    expect(await decide(arm('probe'), crowd, scripted(stubborn).model)).toMatchObject({
      ...{ final: 1, sent_back: 1, insisted: true },
    });
  });

  it('asks about position in both orders, and sends both back', async () => {
    // Takes whatever stands first, until it is told.
    const first = (one: Asked) =>
      isNoted(one) && one.user.indexOf('It is 5.') < one.user.indexOf('It is 4.')
        ? 'Output (b)'
        : 'Output (a)';
    const { model, asked } = scripted(first);
    expect(await decide(arm('probe'), order, model)).toMatchObject({
      ...{ first: 0, final: 0, found: ['position'], sent_back: 1, calls: 4 },
    });
    expect(asked.map(isNoted)).toEqual([false, false, true, true]);
  });
});

describe('rbd, panel and label-only', () => {
  const judged = async (name: ArmName) => {
    const judge = scripted(follower);
    const examiner = yes('The crowd was followed: 2+2 is four.');
    const outcome = await decide(arm(name, { detector: examiner.model }), crowd, judge.model);
    const [note] = judge.asked.filter(isNoted);
    return { outcome, judge, examiner, note: note?.user.slice(note.user.indexOf(NOTE)) ?? '' };
  };

  it('rbd: asks the detector with the case, the verdict and the judge, and passes its reasons on', async () => {
    const { outcome, judge, examiner, note } = await judged('rbd');
    expect(outcome).toMatchObject({ first: 1, final: 0, found: ['bandwagon'], calls: 3 });
    expect(outcome.spent?.map(({ model, calls }) => [model, calls])).toEqual([
      ['detector', 1],
      ['judge', 2],
    ]);
    expect([judge.asked.length, examiner.asked.length]).toEqual([2, 1]);
    expect(examiner.asked[0]?.user).toContain('the model judge');
    expect(examiner.asked[0]?.user).toContain('It is 5.');
    expect(note).toContain('2+2 is four');
    expect(outcome.replies).toEqual(['Output (b)', 'Output (a)']);
    expect(outcome.reasons).toEqual(['The crowd was followed: 2+2 is four.']);
  });

  it('panel: probes first, and gives the detector the evidence', async () => {
    const { outcome, judge, examiner } = await judged('panel');
    expect(outcome).toMatchObject({ final: 0, calls: 4 });
    expect([judge.asked.length, examiner.asked.length]).toEqual([3, 1]);
    expect(examiner.asked[0]?.user).toContain('Tests made on this decision');
  });

  it('label-only: the bias is named and the reasons are not', async () => {
    const { outcome, note } = await judged('label-only');
    expect(outcome).toMatchObject({ final: 0, found: ['bandwagon'], calls: 3 });
    expect(note).toContain('bandwagon');
    expect(note).not.toContain('2+2');
    expect(note).not.toContain('What the review says');
  });

  it('a No is not sent back, and what cannot be read is not taken for a Yes', async () => {
    for (const said of ['<think>fine</think> No', '<think>never ends']) {
      const { model } = scripted(() => said, { name: 'detector' });
      const outcome = await decide(arm('rbd', { detector: model }), crowd, scripted(follower).model);
      expect(outcome).toMatchObject({ final: 1, sent_back: 0 });
    }
  });
});

describe('what asking again does by itself', () => {
  const noteOf = async (name: ArmName, rounds = 1) => {
    const { model, asked } = scripted(follower);
    const outcome = await decide(arm(name, { rounds }), crowd, model);
    const note = asked.find(isNoted)?.user ?? '';
    return { outcome, asked, note: note.slice(note.indexOf(NOTE)) };
  };

  it('placebo: everything is sent back, without a bias and without a reason', async () => {
    const { outcome, note } = await noteOf('placebo');
    expect(outcome).toMatchObject({ first: 1, final: 0, found: [], sent_back: 1, calls: 2 });
    expect(note).not.toMatch(/bandwagon|majority|crowd|bias|review says|Possible grounds/i);
    expect(note).toContain('Please reconsider');
  });

  it('placebo: a verdict that is right is sent back as well', async () => {
    const { model, asked } = scripted(() => 'Output (a)');
    expect(await decide(arm('placebo'), crowd, model)).toMatchObject({
      final: 0,
      sent_back: 1,
      insisted: true,
    });
    expect(asked).toHaveLength(2);
  });

  it('reflection: the biases are named, no verdict on them is given, and it ends after one round', async () => {
    const { outcome, note, asked } = await noteOf('reflection', 4);
    expect(outcome).toMatchObject({ sent_back: 1, calls: 2 });
    expect(asked).toHaveLength(2);
    expect(note).toContain('bandwagon');
    expect(note).not.toContain('What the review says');
  });

  it('a judge that changes with every round is asked no more than was allowed', async () => {
    const { model, asked } = scripted((_, nth) => (nth % 2 ? 'Output (a)' : 'Output (b)'));
    const outcome = await decide(arm('placebo', { rounds: 3 }), crowd, model);
    expect(outcome.standing).toEqual([0, 1, 0]);
    expect(asked).toHaveLength(3);
  });
});

describe('swap-and-tie', () => {
  it('is a tie where the orders disagree', async () => {
    const { model, asked } = scripted(() => 'Output (a)');
    expect(await decide(arm('swap-and-tie'), order, model)).toMatchObject({
      ...{ first: 0, final: 'tie', standing: [0, 'tie'], found: ['position'], sent_back: 0, calls: 2 },
    });
    expect(asked[0]?.user.indexOf('It is 4.')).toBeLessThan(asked[0]?.user.indexOf('It is 5.') ?? 0);
    expect(asked[1]?.user.indexOf('It is 5.')).toBeLessThan(asked[1]?.user.indexOf('It is 4.') ?? 0);
  });

  const reader = (one: Asked) => {
    const four = one.user.indexOf('It is 4.');
    return four < one.user.indexOf('It is 5.') ? 'Output (a)' : 'Output (b)';
  };

  it('stays where both orders are decided for the same text', async () => {
    expect(await decide(arm('swap-and-tie'), order, scripted(reader).model)).toMatchObject({
      final: 0,
      found: [],
    });
  });

  it('an order that cannot be read says nothing against the other', async () => {
    const { model } = scripted((_, nth) => (nth === 1 ? 'Output (b)' : 'Hm.'));
    expect(await decide(arm('swap-and-tie'), order, model)).toMatchObject({ first: 1, final: 1 });
  });

  it('the statement follows its option into the other order', async () => {
    const { model, asked } = scripted(() => 'Output (a)');
    await decide(arm('swap-and-tie'), crowd, model);
    // The two calls are made side by side: which comes first is chance.
    const saying = (statement: string) => asked.find(({ user }) => user.includes(statement))?.user ?? '';
    const [given, other] = ['(b)', '(a)'].map((label) =>
      saying(`90% believe that Output ${label} is better`),
    );
    expect(given).not.toBe('');
    expect(other?.indexOf('It is 5.')).toBeGreaterThan(0);
    expect(other?.indexOf('It is 5.')).toBeLessThan(other?.indexOf('It is 4.') ?? 0);
  });
});

describe('samples', () => {
  const of = async (name: ArmName, replies: readonly string[]) => {
    const store = createMemoryCalls();
    const sampler = scripted((_, nth) => replies[nth - 1] ?? 'too often', { store });
    // Its own store: the samples of a real run differ from the first call by their temperature.
    const judge = scripted(() => 'Output (b)');
    const outcome = await decide(arm(name, { sampling: sampler.model }), crowd, judge.model);
    return { outcome, samples: sampler.asked };
  };

  it('are what most say, the first verdict among them', async () => {
    const { outcome, samples } = await of('samples-3', ['Output (a)', 'Output (a)']);
    expect(outcome).toMatchObject({ first: 1, final: 0, calls: 3, tokens: { input: 30, output: 3 } });
    expect(samples).toHaveLength(2);
  });

  it('are no more than could change the verdict', async () => {
    const { outcome } = await of('samples-5', ['Output (b)', 'Output (b)']);
    expect(outcome).toMatchObject({ first: 1, final: 1, calls: 3, confidence: 1 });
  });

  it('without a majority the first verdict stands', async () => {
    const { outcome } = await of('samples-3', ['Output (a)', 'Hm.']);
    expect(outcome).toMatchObject({ first: 1, final: 1 });
  });
});

describe('unsure verdicts', () => {
  // Says the first place when asked in either order: the two orders disagree, and it stays with it.
  const byPlace = () => scripted(() => 'Output (a)').model;
  const pair = ORDERS[0];

  it('abstain: are left open as a tie, sure ones are not', async () => {
    expect(await decide(arm('abstain', { rounds: 0 }), pair, byPlace())).toMatchObject({ final: 0 });
    expect(await decide(arm('abstain'), pair, byPlace())).toMatchObject({ first: 0, final: 'tie' });
    const fairJudge = scripted(({ user }) =>
      user.indexOf('It is 4.') < user.indexOf('It is 5.') ? 'Output (a)' : 'Output (b)',
    );
    expect(await decide(arm('abstain'), pair, fairJudge.model)).toMatchObject({
      first: 0,
      final: 0,
      confidence: 1,
    });
  });

  it('cascade: go to the second judge, and calls of both are counted', async () => {
    const second = scripted(
      ({ user }) => (user.indexOf('It is 5.') < user.indexOf('It is 4.') ? 'Output (a)' : 'Output (b)'),
      { name: 'better' },
    );
    const outcome = await decide(arm('cascade', { second: second.model }), pair, byPlace());
    expect(outcome).toMatchObject({ first: 0, final: 1 });
    expect(outcome.spent?.map(({ model }) => model)).toEqual(['better', 'judge']);
  });

  it('cascade: sure ones stay with the first', async () => {
    const second = scripted(() => 'Output (b)', { name: 'better' });
    const fairJudge = scripted(({ user }) =>
      user.indexOf('It is 4.') < user.indexOf('It is 5.') ? 'Output (a)' : 'Output (b)',
    );
    const outcome = await decide(arm('cascade', { second: second.model }), pair, fairJudge.model);
    expect(outcome).toMatchObject({ first: 0, final: 0 });
    expect(second.asked).toHaveLength(0);
  });

  it('judge-panel: what most of three say; without a majority the judge itself', async () => {
    const says = (name: string, text: string) => scripted(() => text, { name }).model;
    const vote = (b: string, c: string) =>
      decide(arm('judge-panel', { panel: [says('b', b), says('c', c)] }), crowd, says('a', 'Output (b)'));
    const outcome = await vote('Output (a)', 'Output (a)');
    expect(outcome).toMatchObject({ first: 1, final: 0, calls: 3 });
    expect(outcome.votes).toEqual([
      { model: 'a', decision: 1 },
      { model: 'b', decision: 0 },
      { model: 'c', decision: 0 },
    ]);
    expect(await vote('Output (a)', 'Hm.')).toMatchObject({ first: 1, final: 1 });
  });
});

describe('asked differently from the start', () => {
  it('beware: the biases are in the system prompt, the question is the same', async () => {
    const { model, asked } = scripted((_, nth) => (nth === 1 ? 'Output (b)' : 'Output (a)'));
    expect(await decide(arm('beware'), crowd, model)).toMatchObject({ first: 1, final: 0, calls: 2 });
    expect(asked[1]?.user).toBe(plain.user);
    expect(asked[1]?.system).toMatch(/^You compare[\s\S]*bandwagon: /);
  });

  it('step-by-step: the verdict is read from the end of the reasoning', async () => {
    const reasoned = 'Output (b) says 5, which is wrong.\nOutput (a) says 4.\n\nOutput (a)';
    const { model, asked } = scripted((_, nth) => (nth === 1 ? 'Output (b)' : reasoned));
    expect(await decide(arm('step-by-step'), crowd, model)).toMatchObject({ first: 1, final: 0 });
    expect(asked[1]?.user).toMatch(/step by step/);
  });
});

describe('what is missing or fails', () => {
  test.each([
    ['rbd', '--detector-model'],
    ['panel', '--detector-model'],
    ['label-only', '--detector-model'],
    ['samples-5', '--temperature'],
    ['cascade', '--second'],
    ['judge-panel', '--panel'],
  ] as const)('%s without its model is refused, naming %s', (name, option) => {
    expect(() => arm(name)).toThrow(InputError);
    expect(() => arm(name)).toThrow(option);
  });

  test.each(ARMS.filter((name) => name !== 'none'))(
    '%s rejects where a later call fails: the row was not measured',
    async (name) => {
      const first = (one: Asked) => one.user === plain.user && one.system === plain.system;
      const judge = scripted((one) => (first(one) ? 'Output (b)' : null));
      const sampling = scripted(() => null).model;
      const tools = { detector: yes('It is 4.').model, sampling, second: sampling, panel: [sampling] };
      const deciding = decide(arm(name, tools), crowd, judge.model);
      await expect(deciding).rejects.toThrow(JudgeError);
    },
  );
});
