import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderRemand } from '../../prompts/remand-note.ts';
import { loadRecords } from '../../src/sandbox/node.ts';
import { createRecordedJudge } from '../../src/sandbox/recorded-judge.ts';
import { say } from '../judgment/ask.ts';
import { hasSharedData, SHARED } from '../shared-data.ts';

/** LLMBar's own prompt, shortened. */
const prompt = (instruction: string, a: string, b: string, note = '') =>
  `Select the Output (a) or Output (b) that is better for the given instruction.\n\nHere are some rules of the ` +
  `evaluation:\n(1) You should prioritize evaluating whether the output honestly executes the instruction.\n\n` +
  `# Instruction:\n${instruction}\n\n# Output (a):\n${a}\n\n# Output (b):\n${b}\n\n${note}# Which is better, ` +
  `Output (a) or Output (b)? Your response should be either "Output (a)" or "Output (b)":`;

describe.skipIf(!hasSharedData)('the LLMBar records (needs ../shared/data)', async () => {
  const path = (name: string) => fileURLToPath(new URL(`llmbar/${name}.dev.jsonl`, SHARED));
  const records = hasSharedData
    ? await loadRecords({ items: path('items'), verdicts: path('verdicts') })
    : null;

  test('every item is found in both orders, with a note and without', () => {
    const note = renderRemand({ biases: [], earlier: 'the first option', reasoning: 'It is 5.\n5\nYes' });
    const wrong = records?.items.flatMap(({ id, instruction, output_1, output_2 }) => {
      const asked = ['', `${note}\n\n`].flatMap((rest) => [
        records.identify(prompt(instruction, output_1, output_2, rest)),
        records.identify(prompt(instruction, output_2, output_1, rest)),
      ]);
      const swapped = output_1 === output_2 ? 'original' : 'swapped';
      const expected = ['original', swapped, 'original', swapped].map((order) => ({ id, order }));
      const found = asked.map((one) => one && { id: one.id, order: one.order });
      return JSON.stringify(found) === JSON.stringify(expected) ? [] : [{ id, found }];
    });
    expect(wrong).toEqual([]);
    expect(records?.items).toHaveLength(192);
  });

  test('and every reply of both rounds of GPT-4 is played back', async () => {
    if (!records) return;
    const voice = { judge: 'GPT-4', strategy: 'Swap' };
    const judge = createRecordedJudge(records, voice);
    let played = 0;
    for (const { id, instruction, output_1, output_2 } of records.items) {
      if (output_1 === output_2) continue;
      const rounds = records.lookup(voice, id) ?? [];
      for (const [index, round] of rounds.entries()) {
        const note =
          index === 0
            ? ''
            : `${renderRemand({ biases: [], earlier: 'the first option', reasoning: '' })}\n\n`;
        expect(await say(judge, prompt(instruction, output_1, output_2, note))).toBe(round.original.text);
        expect(await say(judge, prompt(instruction, output_2, output_1, note))).toBe(round.swapped.text);
        played += 2;
      }
    }
    expect(played).toBeGreaterThan(400);
  });
});
