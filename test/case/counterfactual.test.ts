import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  asGiven,
  editsFor,
  mapBack,
  reversed,
  sameVerdict,
  together,
} from '../../src/case/counterfactual.ts';
import type { Verdict } from '../../src/case/types.ts';
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

  it('never takes two unreadable verdicts for the same', () => {
    const none: Verdict = { kind: 'none', reason: 'empty', text: '' };
    expect(sameVerdict(none, none)).toBe(false);
  });
});
