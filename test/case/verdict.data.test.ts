/** The reader on recorded replies of real judges. Skipped where `../shared/data` is missing. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { explain, LLMBAR_VERDICTS, RecordedVerdicts, readAll } from '../../bench/verdict-agreement.ts';
import { PAGE, page } from '../../bench/verdict-reader.ts';
import type { VerdictForm } from '../../src/case/types.ts';
import { readVerdict, readVerdictPair } from '../../src/case/verdict.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';

const OUTPUTS = [{ label: 'Output (a)' }, { label: 'Output (b)' }];

const form = (template: string, labels: string[]): VerdictForm => ({
  kind: 'choice',
  write: { template, labels },
  tie: null,
  field: null,
});

describe.skipIf(!hasSharedData)('recorded replies (needs ../shared/data)', () => {
  const readings = readAll(readJsonl(LLMBAR_VERDICTS, RecordedVerdicts));
  const others = readings.filter((reading) => !reading.misparsed);

  test('are all there', () => expect(readings).toHaveLength(11_118));

  test('are read as the benchmark recorded in at least 99%, PaLM2’s reasoned replies aside', () => {
    expect(readings.length - others.length).toBe(3 * 384);
    expect(others.filter((reading) => reading.agrees).length / others.length).toBeGreaterThanOrEqual(0.99);
  });

  test('that are read differently have a reason, and words of the reply that show it', () => {
    for (const reading of readings.filter((one) => !one.agrees)) {
      const { reason, words } = explain(reading);
      expect(reason).not.toBe('');
      expect(words.length).toBeGreaterThan(10);
      expect(words.length).toBeLessThanOrEqual(160);
    }
  });

  test('give docs/verdict-reader.md as it stands', () => {
    expect(readFileSync(fileURLToPath(PAGE), 'utf8')).toBe(page(readings));
  });
});

describe.skipIf(!hasSharedData)('the published verdicts of four biases (needs ../shared/data)', () => {
  const Published = z.object({ bias_category: z.string(), choices: z.string(), llm_judgment: z.string() });
  const rows = readJsonl('rbd/reasoning-supervision.test-dev.jsonl', Published);

  test('are all read as what they say', () => {
    expect(rows).toHaveLength(251);
    for (const { bias_category, choices, llm_judgment } of rows) {
      if (bias_category === 'position') {
        const pair = readVerdictPair(llm_judgment, form('Output ({})', ['a', 'b']), OUTPUTS);
        const [original, swapped] = [...llm_judgment.matchAll(/\(([ab])\)/g)].map(([, key]) =>
          key === 'a' ? 0 : 1,
        );
        expect(pair).toMatchObject({ original: { option: original }, swapped: { option: swapped } });
      } else if (bias_category === 'sentiment') {
        const keys = [...choices.matchAll(/^(\d)\. /gm)].map(([, key]) => key ?? '');
        const options = keys.map((label) => ({ label }));
        const option = keys.findIndex((key) => `Choice ${key}` === llm_judgment);
        expect(option).toBeGreaterThanOrEqual(0);
        expect(readVerdict(llm_judgment, form('Choice {}', keys), options)).toMatchObject({
          kind: 'choice',
          option,
        });
      } else {
        const option = llm_judgment === 'Output (a)' ? 0 : 1;
        const verdict = readVerdict(llm_judgment, form('Output ({})', ['a', 'b']), OUTPUTS);
        expect(verdict).toMatchObject({ kind: 'choice', option });
      }
    }
  });
});
