import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  asGiven,
  breaksTexts,
  editsFor,
  reversed,
  together,
} from '../../src/case/counterfactual.ts';
import type { Case, Verdict } from '../../src/case/types.ts';
import { mapBack, preferred, sameVerdict } from '../../src/case/verdicts/index.ts';
import { caseOf } from '../two-options.ts';

const subject = caseOf({
  options: ['Paris', 'Lyon', 'Nice'],
  statement: '90% prefer Output (b) to output (A)',
});
const textOf = (of: Parameters<typeof editsFor>[1]) =>
  applyEdits(subject.prompt, editsFor(subject, of)).parts[0]?.text;

describe('a counterfactual', () => {
  it('as given changes nothing', () => expect(editsFor(subject, asGiven(subject))).toEqual([]));

  it('in the other order moves the options and what is said of them', () => {
    const pair = caseOf({ options: ['Paris', 'Lyon'], statement: '90% prefer Output (b)' });
    const swapped = applyEdits(pair.prompt, editsFor(pair, reversed(pair))).parts[0]?.text;
    expect(swapped).toBe(
      'Which is better?\n\n90% prefer Output (a)\n\nOutput (a): Lyon\n\nOutput (b): Paris\n\n',
    );
  });

  it('combines a statement taken out, a new wording and another order', () => {
    const all = together(subject, [
      { ...asGiven(subject), context: new Map([[0, null]]) },
      { ...asGiven(subject), options: new Map([[1, 'LYON']]) },
      reversed(subject),
    ]);
    expect(textOf(all)).toBe(
      'Which is better?\n\nOutput (a): Nice\n\nOutput (b): LYON\n\nOutput (c): Paris\n\n',
    );
  });

  it('refuses edits that overlap', () => {
    const at = { part: 0, start: 0, end: 5 };
    expect(() =>
      applyEdits(subject.prompt, [
        { at, with: 'x' },
        { at, with: 'y' },
      ]),
    ).toThrow(RangeError);
  });

  it('says a verdict of the original options', () => {
    const verdict: Verdict = { kind: 'choice', option: 0, text: '' };
    expect(mapBack(verdict, reversed(subject))).toMatchObject({ option: 2 });
    expect(mapBack({ ...verdict, option: 7 }, reversed(subject))).toMatchObject({ kind: 'none' });
  });

  it('gives the scores of slots back to the options that stood in them', () => {
    const verdict: Verdict = { kind: 'scores', scores: [7, 5, 3], text: '' };
    const rotated = { ...asGiven(subject), order: [1, 2, 0] };
    expect(mapBack(verdict, rotated)).toMatchObject({ scores: [3, 7, 5] });
    expect(mapBack({ ...verdict, scores: [7, 5] }, rotated)).toMatchObject({ kind: 'none' });
  });

  it('keeps the strength of a choice with the option', () => {
    const verdict: Verdict = { kind: 'choice', option: 0, strength: 'strong', text: '' };
    expect(mapBack(verdict, reversed(subject))).toMatchObject({ option: 2, strength: 'strong' });
  });

  it('takes scores in the same order of preference for the same decision', () => {
    const scores = (...all: number[]): Verdict => ({ kind: 'scores', scores: all, text: '' });
    expect(sameVerdict(scores(9, 6), scores(8, 7))).toBe(true);
    expect(sameVerdict(scores(7, 7), scores(8, 8))).toBe(true);
    expect(sameVerdict(scores(9, 6), scores(6, 9))).toBe(false);
    expect(sameVerdict(scores(9, 6), scores(7, 7))).toBe(false);
    expect(sameVerdict(scores(9, 6, 3), scores(9, 3, 6))).toBe(false);
    expect(preferred(scores(6, 9))).toBe(1);
    expect(preferred(scores(9, 9))).toBeNull();
  });

  it('takes a choice by more or by less for the same decision', () => {
    const by = (option: number, strength: 'slight' | 'strong'): Verdict => ({
      kind: 'choice',
      option,
      strength,
      text: '',
    });
    expect(sameVerdict(by(0, 'slight'), by(0, 'strong'))).toBe(true);
    expect(sameVerdict(by(0, 'slight'), by(1, 'slight'))).toBe(false);
  });

  it('compares categories by name', () => {
    const category = (name: string): Verdict => ({ kind: 'category', category: name, text: '' });
    expect(sameVerdict(category('A'), category('A'))).toBe(true);
    expect(sameVerdict(category('A'), category('C'))).toBe(false);
  });

  it('never takes two unreadable verdicts for the same', () => {
    const none: Verdict = { kind: 'none', reason: 'empty', text: '' };
    expect(sameVerdict(none, none)).toBe(false);
  });
});

describe('a wording of a list of turns', () => {
  const text = '[{"role":"user","content":"Tea?"},{"role":"assistant","content":"It is hot. All say so."}]';
  const at = { part: 0, start: 0, end: text.length };
  const one: Case = {
    layout: 'test',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: null,
    options: [{ label: 'answer', text, at }],
    context: [],
    form: { kind: 'pass', field: null },
    noteAt: { part: 0, offset: text.length },
  };
  it.each([
    ['less a sentence within a string', text.replace(' All say so.', ''), false],
    ['less what goes across its strings', text.replace('It is hot. All say so."}]', ''), true],
    ['of another document', '[]', false],
  ])('%s', (_, wording, broken) => {
    expect(breaksTexts(one, { ...asGiven(one), options: new Map([[0, wording]]) })).toBe(broken);
  });
  it('of a text that was no document breaks none', () => {
    const plain = { ...one, options: [{ label: 'answer', text: '[see above] Tea.', at }] };
    expect(breaksTexts(plain, { ...asGiven(plain), options: new Map([[0, 'Tea.']]) })).toBe(false);
  });
});
