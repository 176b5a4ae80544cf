/** No false alarm on what real judges wrote, and what is found where the verdict is turned round. Skipped without the data. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LLMBAR_VERDICTS, RecordedVerdicts } from '../../bench/verdict-agreement.ts';
import { contradiction } from '../../src/bias/contradiction.ts';
import { readVerdict, type Verdict, type VerdictForm } from '../../src/case/index.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';
import { caseOf } from '../two-options.ts';

const Replied = z.object({ form: z.string(), reply: z.string() });

interface Asked {
  readonly form: VerdictForm;
  readonly names: readonly [string, string];
}

const asked = (template: string, labels: string[], ...names: [string, string]): Asked => ({
  form: { kind: 'choice', write: { template, labels }, tie: null, field: null },
  names,
});

const FORMS: Readonly<Record<string, Asked>> = {
  'arena-hard': asked('[[{}]]', ['A>B', 'B>A'], 'Assistant A', 'Assistant B'),
  'mt-bench': asked('[[{}]]', ['A', 'B'], 'Assistant A', 'Assistant B'),
  devbench: asked('Choice: {}', ['A', 'B'], 'Response 1', 'Response 2'),
};
const LLMBAR = asked('Output ({})', ['a', 'b'], 'Output (a)', 'Output (b)');

function isAgainst(verdict: Verdict, { form, names }: Asked): boolean {
  const subject = caseOf({ options: ['one', 'two'] });
  const options = subject.options.map((option, n) => ({ ...option, label: names[n] ?? '' }));
  const prompt = { parts: [{ role: 'user', text: 'Which is better?' }] };
  return contradiction.reread?.({ ...subject, options, form, prompt }, verdict) != null;
}

const verdictOf = (text: string, { form, names }: Asked) =>
  readVerdict(
    text,
    form,
    names.map((label) => ({ label })),
  );

describe.skipIf(!hasSharedData)('recorded replies (needs ../shared/data)', () => {
  const llmbar = readJsonl(LLMBAR_VERDICTS, RecordedVerdicts).flatMap(({ rounds, strategy }) =>
    rounds.flatMap(({ original, swapped }) =>
      [original, swapped].map(({ text }) => ({ reasoned: strategy === 'CoT', text, of: LLMBAR })),
    ),
  );
  const others = readJsonl('judge-replies/replies.dev.jsonl', Replied).flatMap(({ form, reply }) => {
    const of = FORMS[form];
    return of ? [{ reasoned: form !== 'devbench', text: reply, of }] : [];
  });
  const verdicts = [...llmbar, ...others].flatMap(({ reasoned, text, of }) => {
    const verdict = verdictOf(text, of);
    return verdict.kind === 'choice' ? [{ reasoned, verdict, of }] : [];
  });

  test('none of them is said to contradict itself', () => {
    expect(verdicts).toHaveLength(11_354);
    expect(verdicts.filter(({ verdict, of }) => isAgainst(verdict, of))).toEqual([]);
  });

  test('turned round, three quarters of the reasoned ones of LLMBar are', () => {
    const reasoned = verdicts.filter(({ reasoned: one, of }) => one && of === LLMBAR);
    const found = reasoned.filter(({ verdict, of }) =>
      isAgainst({ ...verdict, option: 1 - verdict.option }, of),
    );
    expect(reasoned).toHaveLength(2_289);
    expect(found.length / reasoned.length).toBeGreaterThan(0.75);
  });
});
