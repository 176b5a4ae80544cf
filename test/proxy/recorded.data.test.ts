import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { LLMBAR_VERDICTS, RecordedVerdicts, readAll } from '../../bench/verdict-agreement.ts';
import { renderOptions } from '../../prompts/judge-options.ts';
import type { VerdictForm } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { type RunningServer, startServer } from '../../src/proxy/server.ts';
import { itemSchema, verdictSchema } from '../../src/sandbox/recorded/records.ts';
import { hasSharedData, readJsonl, SHARED } from '../shared-data.ts';

const FORM: VerdictForm = {
  kind: 'choice',
  write: { template: 'Output ({})', labels: ['a', 'b'] },
  tie: null,
  field: null,
};
const OPTIONS = [{ label: 'Output (a)' }, { label: 'Output (b)' }];
const completion = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });

const items = readJsonl('llmbar/items.dev.jsonl', itemSchema);
const verdicts = readJsonl('llmbar/verdicts.dev.jsonl', verdictSchema);
const path = (file: string) => fileURLToPath(new URL(file, SHARED));

/** Slot decided for, as the text says; null for a tie or none, which the loop does not tell apart here. */
const slotOf = (text: string) => {
  const verdict = readVerdict(text, FORM, OPTIONS);
  return verdict.kind === 'choice' ? verdict.option : verdict.kind;
};
const itemSlot = (slot: ReturnType<typeof slotOf>, order: number) =>
  typeof slot === 'number' ? (slot === order ? 1 : 2) : slot;

/** What must come out, from the recorded texts and the reader alone: no loop, no proxy. */
function expected(judge: string, strategy: string, asked: typeof items) {
  return asked.map(({ id }) => {
    const rounds =
      verdicts.find((v) => v.id === id && v.judge === judge && v.strategy === strategy)?.rounds ?? [];
    const [first = [], again = []] = rounds.map((round) =>
      [round.original, round.swapped].map(({ text }, order) => itemSlot(slotOf(text), order)),
    );
    if (first.includes('none') || first[0] === first[1]) return first;
    return first.map((slot, order) =>
      again[order] === undefined || again[order] === 'none' ? slot : again[order],
    );
  });
}

/** Replies that are read otherwise than the benchmark recorded (docs/verdict-reader.md counts them). */
const otherwise = new Set(
  hasSharedData
    ? readAll(
        readJsonl(LLMBAR_VERDICTS, RecordedVerdicts).filter(({ strategy }) => strategy.startsWith('Swap')),
      )
        .filter(({ agrees }) => !agrees)
        .map(({ id, judge }) => `${id} ${judge}`)
    : [],
);
const voices = [...new Set(verdicts.map(({ judge, strategy }) => `${judge}/${strategy}`))].filter((name) =>
  name.includes('/Swap'),
);

describe.skipIf(!hasSharedData)(
  'real verdicts through the real proxy over HTTP (skipped without the recorded verdicts)',
  () => {
    let server: RunningServer;
    const start = async (judge: string, strategy: string) => {
      const query = new URLSearchParams({ items: path('llmbar/items.dev.jsonl'), judge, strategy });
      const config = readConfig({
        JUDGE_BASE_URL: `recorded:${path('llmbar/verdicts.dev.jsonl')}?${query}`,
        PORT: '0',
        REMAND_TRACES: 'off',
        REMAND_BIASES: 'position',
        REMAND_ROUNDS: '1',
      });
      server = await startServer(config, () => {});
    };

    const judge = async (instruction: string, outputs: readonly [string, string]) => {
      const { system, user } = renderOptions({ instruction, options: labelled(outputs), statements: [] });
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'recorded', messages, temperature: 0 }),
      });
      expect(response.status).toBe(200);
      return slotOf(completion.parse(await response.json()).choices[0].message.content);
    };

    it.each(voices)('%s', async (name) => {
      const [model = '', strategy = ''] = name.split('/');
      await start(model, strategy);
      // All items where the figure is known, every fourth of them elsewhere.
      const asked = items.filter((_, at) => name === 'GPT-4/Swap' || at % 4 === 0);
      try {
        const answered: ReturnType<typeof itemSlot>[][] = [];
        for (const { instruction, output_1, output_2 } of asked) {
          const slots = await Promise.all([
            judge(instruction, [output_1, output_2]),
            judge(instruction, [output_2, output_1]),
          ]);
          answered.push(slots.map((slot, order) => itemSlot(slot, order)));
        }
        expect(answered).toEqual(expected(model, strategy, asked));

        // The recorded winners give the same figure, but for replies that are read otherwise.
        const right = (slots: readonly (readonly unknown[])[]) =>
          slots.flat().filter((slot, at) => slot === asked[at >> 1]?.label).length;
        const winners = asked.map(({ id }) => {
          const rounds =
            verdicts.find((v) => v.id === id && v.judge === model && v.strategy === strategy)?.rounds ?? [];
          const [first = [], again = []] = rounds.map(({ original, swapped }) =>
            [original.winner, swapped.winner].map((w) => (w === null ? 'none' : Number(w))),
          );
          return first.includes('none') || first[0] === first[1]
            ? first
            : first.map((w, order) => again[order] ?? w);
        });
        const differing = asked
          .filter((_, at) => JSON.stringify(winners[at]) !== JSON.stringify(answered[at]))
          .map(({ id }) => id);
        const unlisted = differing.filter((id) => !otherwise.has(`${id} ${model}`));
        expect(unlisted).toEqual([]);
        if (differing.length === 0) expect(right(answered)).toBe(right(winners));
        if (name === 'GPT-4/Swap') expect([differing, right(answered)]).toEqual([[], 351]);
      } finally {
        await server.close();
      }
    });
  },
);

function labelled([a, b]: readonly [string, string]) {
  return [
    { label: 'Output (a)', text: a },
    { label: 'Output (b)', text: b },
  ];
}
