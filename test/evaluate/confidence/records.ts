/** The recorded judges beside the repository, as records of judgments. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { PastJudgment } from '../../../src/evaluate/confidence/past-judgment.ts';
import { SHARED } from '../../shared-data.ts';

const read = <T>(path: string, schema: z.ZodType<T>): T[] =>
  readFileSync(fileURLToPath(new URL(path, SHARED)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

const ComposoItem = z.object({
  id: z.string(),
  best: z.number(),
  scores: z.record(z.string(), z.record(z.string(), z.array(z.array(z.number().nullable())))),
});

/** Scores of four answers, eight times; `judges` as judge and prompt: `mini/base`. */
export function composoRecords(judges: readonly string[]): PastJudgment[] {
  return read('composo/items.dev.jsonl', ComposoItem).flatMap(({ id, best, scores }) =>
    judges.flatMap((name) => {
      const [judge = '', prompt = ''] = name.split('/');
      const given = scores[judge]?.[prompt] ?? [];
      return Array.from({ length: given[0]?.length ?? 0 }, (_, sample) => ({
        item: id,
        judge: name,
        sample,
        scores: given.map((draws) => draws[sample] ?? null),
        label: best,
      }));
    }),
  );
}

const ArenaItem = z.object({
  id: z.string(),
  human: z.number(),
  judges: z.record(z.string(), z.object({ verdict: z.number(), probs: z.array(z.number()) })),
});

/** Three judges with probabilities, beside what one person said. */
export const arenaRecords = (): PastJudgment[] =>
  read('arena500/items.dev.jsonl', ArenaItem).flatMap(({ id, human, judges }) =>
    Object.entries(judges).map(([judge, { verdict, probs }]) => ({
      item: id,
      judge,
      choice: verdict - 1,
      probability: Math.min(1, Math.max(...probs)),
      label: human - 1,
    })),
  );

const AutoJItem = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  human: z.number(),
  autoj: z.number(),
  autoj_swapped: z.number(),
});
const option = (code: number) => (code === 0 ? ('tie' as const) : code - 1);

/** One judge in both orders. */
export const autoJRecords = (): PastJudgment[] =>
  read('auto-j/items.dev.jsonl', AutoJItem).flatMap(({ id, human, autoj, autoj_swapped }) => [
    { item: id, judge: 'auto-j', order: 'given' as const, choice: option(autoj), label: option(human) },
    {
      item: id,
      judge: 'auto-j',
      order: 'swapped' as const,
      choice: option(autoj_swapped),
      label: option(human),
    },
  ]);

const LlmbarItem = z.looseObject({
  id: z.string(),
  label: z.union([z.number(), z.string()]).transform(Number),
});
const Said = z.object({ winner: z.union([z.string(), z.number()]).nullable() });
const LlmbarVerdict = z.looseObject({
  id: z.string(),
  judge: z.string(),
  strategy: z.string(),
  rounds: z.array(z.looseObject({ original: Said, swapped: Said })),
});

/** Six judges in both orders, asked without reasons. A winner is one of the item's own order. */
export function llmbarRecords(): PastJudgment[] {
  const labels = new Map(read('llmbar/items.dev.jsonl', LlmbarItem).map(({ id, label }) => [id, label - 1]));
  return read('llmbar/verdicts.dev.jsonl', LlmbarVerdict)
    .filter(({ strategy }) => strategy === 'Vanilla')
    .flatMap(({ id, judge, rounds: [round] }) =>
      (['original', 'swapped'] as const).flatMap((order): PastJudgment[] => {
        const winner = Number(round?.[order].winner);
        const label = labels.get(id);
        const choice = winner === 1 || winner === 2 ? winner - 1 : undefined;
        return [
          {
            item: id,
            judge,
            order: order === 'original' ? 'given' : 'swapped',
            ...(choice !== undefined && { choice }),
            ...(label !== undefined && { label }),
          },
        ];
      }),
    );
}
