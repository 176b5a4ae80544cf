/** Real answers as plain text. Skipped where `../shared/data` is missing. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { countMarks } from '../../src/bias/formatting.ts';
import { renderPlain } from '../../src/bias/plain-text.ts';
import { hasSharedData, readJsonl } from '../shared-data.ts';

const FENCE = /^```[^\n]*\n[\s\S]*?\n```$/gm;
/** What marking is made of, and the commas that stand between the cells of a table once its bars are gone. */
const SIGNS = /[\s\-*#=>_+|,]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\uFE0F/gu;
const pair = z.object({ a: z.string(), b: z.string() });

test.skipIf(!hasSharedData).each(['auto-j', 'pandalm'])(
  '%s: nothing but marking goes: every word, number, sign and code block stays (needs ../shared/data)',
  (folder) => {
    const texts = readJsonl(`${folder}/items.dev.jsonl`, pair).flatMap((row) => Object.values(row));
    expect(texts.length).toBeGreaterThan(700);
    let [marked, left] = [0, 0];
    for (const text of texts) {
      const plain = renderPlain(text);
      expect(plain.replace(SIGNS, '')).toBe(text.replace(SIGNS, ''));
      const letters = (one: string) => one.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      expect(letters(plain)).toBe(letters(text));
      for (const [fence] of text.matchAll(FENCE)) expect(plain).toContain(fence);
      if (countMarks(text.replaceAll(FENCE, '')) === 0) continue;
      marked++;
      if (countMarks(plain.replaceAll(FENCE, '')) > 0) left++;
    }
    expect(marked).toBeGreaterThan(40);
    expect(left / marked).toBeLessThan(0.1);
  },
);
