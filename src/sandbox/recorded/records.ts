/**
 * Recorded judgments: what real judges once replied, looked up by judge, strategy and item. Pure; the files
 * are read in load.ts, which is for Node only.
 */
import * as z from 'zod';
import { createItemIndex, type ItemMatch } from './identify.ts';

/** A pair that was judged. */
export const itemSchema = z.looseObject({
  id: z.string(),
  instruction: z.string(),
  output_1: z.string(),
  output_2: z.string(),
  subset: z.string().optional(),
  /** The better output. */
  label: z.union([z.literal(1), z.literal(2)]).optional(),
});
export type Item = z.infer<typeof itemSchema>;

const replySchema = z.looseObject({
  text: z.string(),
  /** Said of the item's own order, whichever order was shown; null where none could be read. */
  winner: z.union([z.literal('1'), z.literal('2'), z.literal('tie')]).nullable(),
});
const roundSchema = z.looseObject({ original: replySchema, swapped: replySchema });

/** What one judge replied under one strategy: `rounds[0]` at first, `rounds[1]` when it was asked again. */
export const verdictSchema = z.looseObject({
  id: z.string(),
  judge: z.string(),
  strategy: z.string(),
  rounds: z.array(roundSchema).min(1),
});
type RecordedVerdict = z.infer<typeof verdictSchema>;
export type RecordedRound = z.infer<typeof roundSchema>;

/** Whose replies are played back. */
export interface Voice {
  readonly judge: string;
  readonly strategy: string;
}

export interface Records {
  readonly items: readonly Item[];
  /** All voices that were recorded, in the order of the records. */
  readonly voices: readonly Voice[];
  /** The rounds recorded for an item, null where there are none. */
  lookup(voice: Voice, id: string): readonly RecordedRound[] | null;
  /** Which item a prompt asks about, and in which order it shows the outputs; null for none of them. */
  identify(promptText: string): ItemMatch | null;
}

/** Of several records for the same judge, strategy and item the last one counts. */
export function createRecords(items: readonly Item[], verdicts: readonly RecordedVerdict[]): Records {
  const voices = new Map<string, Voice & { rounds: Map<string, readonly RecordedRound[]> }>();
  for (const { id, judge, strategy, rounds } of verdicts) {
    const key = voiceKey({ judge, strategy });
    const voice = voices.get(key) ?? { judge, strategy, rounds: new Map() };
    voices.set(key, voice);
    voice.rounds.set(id, rounds);
  }
  const identify = createItemIndex(items);
  return {
    items,
    voices: [...voices.values()].map(({ judge, strategy }) => ({ judge, strategy })),
    lookup: (voice, id) => voices.get(voiceKey(voice))?.rounds.get(id) ?? null,
    identify,
  };
}

function voiceKey({ judge, strategy }: Voice): string {
  return JSON.stringify([judge, strategy]);
}
