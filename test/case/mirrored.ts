/** What holds for every client's form of a verdict on several options. */
import { describe, expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../src/case/counterfactual.ts';
import type { Case } from '../../src/case/types.ts';
import { readVerdict, writeVerdict } from '../../src/case/verdict.ts';
import { mapBack, sameVerdict } from '../../src/case/verdicts/index.ts';
import { type Client, decided, type Read } from './client-rows.ts';
import { expectInPlace, expectSwapIsExact, found } from './requests.ts';

const shown = (verdict: Read, subject: Case) => mapBack({ text: '', ...verdict }, reversed(subject));

/** The form, what is read of each reply, and that both survive an exchange of the options. */
export function expectMirrored(clients: Readonly<Record<string, Client>>): void {
  describe.each(Object.entries(clients))('%s', (_, { request, schema, form, replies }) => {
    const given = schema === undefined ? {} : { schema };
    const subject = found(request, given);

    test('the form', () => {
      expect(subject.form).toMatchObject(form);
      expectInPlace(subject);
    });
    test('the options can be exchanged', () => expectSwapIsExact(request, given));
    test.each(replies)('%j', (reply, read) => {
      expect(decided(readVerdict(reply, subject.form, subject.options))).toEqual(read);
    });
    test('what is read can be written, and reads the same, in both orders', () => {
      const swapped = found(applyEdits(request, editsFor(subject, reversed(subject))), given);
      for (const [reply] of replies) {
        const verdict = readVerdict(reply, subject.form, subject.options);
        const written = writeVerdict(verdict, subject.form, subject.options);
        // A tie for which the form has no words.
        if (verdict.kind === 'none' || (verdict.kind === 'tie' && written === null)) continue;
        expect(decided(readVerdict(written ?? '', subject.form, subject.options))).toEqual(decided(verdict));
        // The judge that sees the options exchanged and keeps to the same text says the mirrored verdict.
        const mirrored = writeVerdict(shown(decided(verdict), subject), swapped.form, swapped.options) ?? '';
        if (verdict.kind !== 'tie' && new Set(verdict.kind === 'scores' ? verdict.scores : [1, 2]).size > 1)
          expect(mirrored).not.toBe(written);
        const back = mapBack(readVerdict(mirrored, swapped.form, swapped.options), reversed(subject));
        expect(decided(back)).toEqual(decided(verdict));
        expect(sameVerdict(back, verdict)).toBe(true);
      }
    });
  });
}
