import { expect, test } from 'vitest';
import { runSteps, unlimited } from '../../../src/case/checkpoint.ts';
import { learnTemplate } from '../../../src/case/templates/learned-template.ts';
import { learnFromSteps } from '../../../src/case/templates/learner.ts';
import { literalsOf, type Origin, type Pipeline, sampleOf } from '../../../src/case/templates/pipeline.ts';
import { createTemplateShelf, MOST_HELD } from '../../../src/case/templates/shelf.ts';
import { parseTemplate } from '../../../src/case/templates/template.ts';
import type { Prompt } from '../../../src/case/types.ts';
import { pipeline } from '../../proxy/help-desk.ts';

const prompt = (n: number, length: number): Prompt => ({
  parts: [
    { role: 'user', text: `You judge the flower show.\nEntry:\n${n} ${'x'.repeat(length)}\nScore it:` },
  ],
});
const LONG = 30 * 1024;

const learnFrom = (pipelines: readonly Pipeline[], origin: Origin, one: Prompt, id: string) =>
  runSteps(
    learnFromSteps(pipelines, { origin, sample: sampleOf(one, null), id: () => id, checkpoint: unlimited }),
  )?.pipeline;

test('requests held to learn from are bounded in bytes, and the tenant with the most gives way', () => {
  const shelf = createTemplateShelf();
  const put = (origin: Origin, n: number, length: number) => {
    const prompts = [1, 2].map((one) => prompt(n + one, length));
    const samples = prompts.map((one) => sampleOf(one, null));
    const counts = { requests: 2, read: 2, replies: 0, repliesRead: 0, state: 'learning' as const };
    const template = learnTemplate('', [prompt(1, 2), prompt(2, 2)]);
    shelf.put({ id: `${origin.tenant}${n}`, origin, template, samples, ...counts });
  };
  put({ tenant: 'small', path: '/small', schema: null }, 0, 10);
  const many = Math.ceil(MOST_HELD / (2 * LONG)) + 20;
  for (let n = 0; n < many; n++) put({ tenant: 'greedy', path: `/${n}`, schema: null }, n, LONG);
  const all = shelf.all();
  const held = all
    .flatMap(({ samples }) => samples.flatMap((sample) => sample.prompt.parts))
    .reduce((sum, { text }) => sum + text.length, 0);
  expect(held).toBeLessThanOrEqual(MOST_HELD);
  expect(held).toBeGreaterThan(MOST_HELD / 4);
  expect(all).toHaveLength(many + 1);
  expect(all.find(({ id }) => id === 'small0')?.samples).toHaveLength(2);
  const first = all.find(({ id }) => id === 'greedy0');
  expect(first?.samples).toEqual([]);
  // The template stands in for the requests that are gone.
  const more = first && learnFrom([first], first.origin, prompt(9, 9), 'new');
  expect(more?.id).toBe('greedy0');
  expect(more?.samples).toHaveLength(2);
});

test('a pipeline without a template goes with its request', () => {
  const shelf = createTemplateShelf();
  const origin = (n: number) => ({ tenant: '', path: `/${n}`, schema: null });
  for (let n = 0; n * LONG <= MOST_HELD; n++) {
    const pipeline = learnFrom([], origin(n), prompt(n, LONG), `p${n}`);
    if (pipeline) shelf.put(pipeline);
  }
  expect(shelf.get('p0')).toBeUndefined();
  expect(shelf.all().length).toBeGreaterThan(100);
});

test('what acts and what a person decided stay, however many ordinary chats come along the same way', () => {
  const shelf = createTemplateShelf();
  const origin: Origin = { tenant: '', path: '/', schema: null };
  const counts = { requests: 3, read: 3, replies: 3, repliesRead: 3, samples: [] };
  const template = learnTemplate('', [prompt(1, 2), prompt(2, 2)]);
  shelf.put({ id: 'acts', origin, template, state: 'confirmed', ...counts });
  shelf.put({ id: 'rejected', origin, template, state: 'rejected', decided: 7, ...counts });
  for (let n = 0; n < 500; n++) {
    const parts = [{ role: 'user', text: `${'abcdefghij'[n % 10]}${n} is a chat of its own` }];
    const pipeline = learnFrom([], origin, { parts }, `chat${n}`);
    if (pipeline) shelf.put(pipeline);
  }
  expect(shelf.get('acts')).toBeDefined();
  expect(shelf.get('rejected')).toBeDefined();
  expect(shelf.get('chat499')).toBeDefined();
  expect(shelf.all().length).toBeLessThanOrEqual(100);
});

test('what another server has come further with is taken over, unless it was doubted here', () => {
  const kept = pipeline('one', { state: 'confirmed' });
  const shelf = createTemplateShelf();
  shelf.put(pipeline('one', { state: 'learning', requests: 3 }));
  shelf.restore([kept]);
  expect(shelf.get('one')).toMatchObject({ state: 'confirmed', requests: 4 });
  shelf.put(pipeline('one', { state: 'learning' }));
  expect(shelf.get('one')?.doubted).toBe(true);
  shelf.restore([kept]);
  expect(shelf.get('one')?.state).toBe('learning');
  shelf.put(kept);
  expect(shelf.get('one')?.doubted).toBeUndefined();
  shelf.restore([pipeline('one', { state: 'learning' })]);
  expect(shelf.get('one')?.state).toBe('confirmed');
});

test('of two with the same template the one that has come further stays, with what was seen here', () => {
  const shelf = createTemplateShelf();
  const { template } = pipeline('x');
  const samples = [sampleOf(prompt(1, 9), null)];
  shelf.put(pipeline('own', { template, state: 'learning', samples }));
  shelf.restore([pipeline('other', { template })]);
  expect(shelf.all()).toMatchObject([{ id: 'other', state: 'confirmed', samples }]);
  shelf.restore([pipeline('third', { template, state: 'learning' })]);
  expect(shelf.all()).toHaveLength(1);
});

test('what a person edited holds where others learned the same prompt, in whatever order both are heard of', () => {
  const text = (one: string, other: string) => ({ one, other });
  const learned = (id: string) =>
    pipeline(id, { template: templateOf(text('{{option A}}', '{{option B}}')), state: 'confirmed' });
  const edits = {
    'roles of slots': templateOf(text('{{*}}', '{{*}}')),
    'one slot less': parseTemplate({
      name: 'edited',
      parts: [{ role: 'user', text: 'You judge the flower show.\n\nRoses:\n{{option}}\n\nWho wins?' }],
    }),
  };
  const learnedAs = literalsOf(templateOf(text('{{option A}}', '{{option B}}')));
  for (const template of Object.values(edits)) {
    const edited = pipeline('edited', { template, state: 'approved', decided: 5, learnedAs });
    const before = createTemplateShelf();
    before.put(learned('other'));
    before.restore([edited]);
    const after = createTemplateShelf();
    after.put(edited);
    after.restore([learned('other')]);
    for (const shelf of [before, after]) expect(shelf.all().map(({ id }) => id)).toEqual(['edited']);
  }
  // One that was approved as it was learned says nothing of another, though it fits the other's requests.
  const template = parseTemplate({
    name: 'one',
    parts: [{ role: 'user', text: 'You judge the flower show.\n\nRoses:\n{{option}}\n\nWho wins?' }],
  });
  const apart = createTemplateShelf();
  apart.put(pipeline('one', { template, state: 'approved', decided: 5 }));
  apart.restore([learned('other')]);
  expect(apart.all()).toHaveLength(2);
});

const templateOf = ({ one, other }: { one: string; other: string }) =>
  parseTemplate({
    name: 'show',
    parts: [
      {
        role: 'user',
        text: `You judge the flower show.\n\nRoses:\n${one}\n\nTulips:\n${other}\n\nWho wins?`,
      },
    ],
  });
