/** A labelled row becomes the detector's prompt, with several biases and in both orders, too. */
import { expect, it, test } from 'vitest';
import { labelPair } from '../../src/dataset/label.ts';
import { rowOf } from '../../src/dataset/lay-out.ts';
import { briefOf } from '../../src/dataset/row-brief.ts';
import { readSaid } from '../../src/dataset/verdicts.ts';
import { renderBrief } from '../../src/detect/rbd/prompt.ts';

const never = new AbortController().signal;
const draftOf = (options: string[], right: number, statements: { wording: string; favours: number }[]) => ({
  instruction: 'What is 17*23?',
  options,
  right,
  answers: options.map(() => null),
  toned: null,
  statements,
});

/** As `dataset build` and `label` make it: D, the swapped D_bias with a statement in it, and a judge's two verdicts. */
function labelled(options: string[], favours: number, inD: string, inDBias: string) {
  const head = { id: 'x/1', base: 'x', biases: ['bandwagon', 'position'], twin: false };
  const numbered = options.length > 2;
  const last = options.length - 1;
  const statements = [{ wording: '90% believe that {option} is better', favours: last - favours }];
  const d = rowOf({ ...head, set: 'd' }, draftOf(options, 0, []), numbered, false);
  const turned = draftOf(options.toReversed(), last, statements);
  const dBias = rowOf({ ...head, set: 'd_bias' }, turned, numbered, false);
  const made = labelPair([d, dBias], {
    ...{ id: 'x/1', judge: 'j', error: null },
    d: readSaid(inD, d),
    d_bias: readSaid(inDBias, dBias),
  });
  if ('unlabelled' in made) throw new Error(made.unlabelled);
  return made;
}

test('a statement of the swapped order speaks of the same text in both', () => {
  const row = labelled(['391', '381'], 1, 'Output (a)', 'Output (a)');
  expect(row).toMatchObject({ bias_category: 'bandwagon+position', bias_label: 'Yes' });
  const brief = briefOf(row, never);
  expect(brief.biases.map(({ name }) => name)).toEqual(['bandwagon', 'position']);
  expect(brief.subject.options.map(({ text }) => text)).toEqual(['391', '381']);
  expect(brief.subject.context[0]?.mentions.map(({ option }) => option)).toEqual([1]);
  expect(brief.verdict).toMatchObject({ kind: 'choice', option: 0 });
  expect(brief.swapped).toMatchObject({ kind: 'choice', option: 1 });
  const prompt = renderBrief(brief);
  expect(prompt).toContain('- bandwagon: ');
  expect(prompt).toContain('- position: ');
  expect(prompt).toMatch(
    /Statement: 90%% believe that Output \(b\)[\s\S]+Output \(a\): 391[\s\S]+Output \(b\): 381/,
  );
  expect(prompt).toMatch(/Swapped Order\)[\s\S]+believe that Output \(a\)[\s\S]+Output \(a\): 381/);
});

test('multiple choice in two orders', () => {
  const row = labelled(['Paris', 'Rome', 'Oslo'], 2, 'Choice 1', 'Choice 1');
  const brief = briefOf(row, never);
  expect(brief.subject.options.map(({ text }) => text)).toEqual(['Paris', 'Rome', 'Oslo']);
  expect(brief.subject.context[0]?.mentions.map(({ option }) => option)).toEqual([2]);
  expect(brief.swapped).toMatchObject({ option: 2 });
});

it('names the bias that is unknown', () => {
  const row = { ...labelled(['391', '381'], 1, 'Output (a)', 'Output (a)'), bias_category: 'position+charm' };
  expect(() => briefOf(row, never)).toThrow('"charm"');
});
