/** Answers that are one string addressed to the judge, and ordinary ones. Skipped where `../shared/data` is missing. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { findInstructions, instruction } from '../../src/bias/instruction.ts';
import { applyEdits, editsFor, findCase } from '../../src/case/index.ts';
import { cutSentences } from '../../src/case/words/phrases.ts';
import { hasSharedData, readJsonl, SHARED } from '../shared-data.ts';

const row = z.object({
  ...{ instruction: z.string(), baseline: z.string() },
  ...{ 'claude-2.1': z.string(), 'gpt-3.5-turbo-1106': z.string(), 'wizardlm-13b': z.string() },
});
const strings = z.object({ null: z.string(), without_prefix: z.string(), template: z.string() });

const read = () => {
  const path = fileURLToPath(new URL('nullmodel/strings.json', SHARED));
  return strings.parse(JSON.parse(readFileSync(path, 'utf8')));
};

test.skipIf(!hasSharedData)(
  'the constant answer is seen in every order and pair, and cut out of the request to the byte',
  async () => {
    const { null: constant, without_prefix: bare } = read();
    for (const { instruction: asked, baseline } of readJsonl('nullmodel/texts.dev.jsonl', row))
      for (const [options, at] of [
        [[constant, baseline], 0],
        [[baseline, constant], 1],
        [[bare, baseline], 0],
      ] as const) {
        const text = `Which is better?\n\n${asked}\n\nOutput 1:\n${options[0]}\n\nOutput 2:\n${options[1]}\n\nReply with "1" or "2".`;
        const declared = {
          instruction: asked,
          options: options.map((one, n) => ({ text: one, label: `Output ${n + 1}` })),
        };
        const subject = findCase({ parts: [{ role: 'user', text }] }, { declared });
        if (!subject) throw new Error('no case');
        const [cue] = instruction.spot(subject);
        if (!cue) throw new Error('not seen');
        const undone = await instruction.undo(subject, cue, {
          rewrite: null,
          signal: AbortSignal.timeout(1000),
        });
        if (!undone) throw new Error('not undone');
        const [part] = applyEdits(subject.prompt, editsFor(subject, undone)).parts;
        const kept = cutSentences(options[at], findInstructions(options[at]));
        expect(kept.length).toBeLessThan(options[at].length);
        const start = text.indexOf(`Output ${at + 1}:\n`) + `Output ${at + 1}:\n`.length;
        expect(part?.text).toBe(text.slice(0, start) + kept + text.slice(start + options[at].length));
        expect(kept).not.toMatch(/Ignore the above|Output nothing|## Instruction/);
      }
  },
);

test.skipIf(!hasSharedData)('of ordinary answers hardly any is taken for one', () => {
  const texts = [
    ...readJsonl('nullmodel/texts.dev.jsonl', row).flatMap(({ instruction: _, ...answers }) =>
      Object.values(answers),
    ),
    ...['auto-j', 'pandalm'].flatMap((folder) =>
      readJsonl(`${folder}/items.dev.jsonl`, z.object({ a: z.string(), b: z.string() })).flatMap(
        ({ a, b }) => [a, b],
      ),
    ),
  ];
  expect(texts.length).toBeGreaterThan(3000);
  const alarms = texts.filter((text) => findInstructions(text).length > 0);
  expect(alarms.length / texts.length).toBeLessThan(0.001);
});
