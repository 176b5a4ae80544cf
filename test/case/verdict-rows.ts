/** Tables of replies and what they are to be read as. */
import { expect, test } from 'vitest';
import type { VerdictForm } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';

export const written = (
  template: string,
  labels: string[],
  tie: string | null = null,
  field: string | null = null,
) => ({ kind: 'choice', write: { template, labels }, tie, field }) satisfies VerdictForm;
export const labelled = (...labels: string[]) => labels.map((label) => ({ label }));

type Row = readonly [reply: string, verdict: number | string];

/** A number is the option chosen, `tie` a tie, anything else the reason why there is no verdict. */
export function reads(form: VerdictForm, options: readonly { label: string }[], rows: readonly Row[]): void {
  test.each(rows)('%j → %s', (reply, expected) => {
    const verdict = readVerdict(reply, form, options);
    expect(verdict.text).toBe(reply);
    expect(
      verdict.kind === 'choice' ? verdict.option : 'reason' in verdict ? verdict.reason : verdict.kind,
    ).toBe(expected);
  });
}
