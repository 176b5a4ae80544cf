/**
 * Reads 11,118 recorded replies of six real judges with Remand's verdict reader and compares with the winner
 * that the benchmark's own parser took from the same text (LLMBar, arXiv 2310.07641). Where the two differ
 * the reply is quoted in a few words with the reason, found by rule: nothing here is specific to a reply.
 */
import * as z from 'zod';
import type { Verdict } from '../src/case/types.ts';
import { readVerdict } from '../src/case/verdict.ts';

const Reply = z.object({ text: z.string(), winner: z.enum(['1', '2']).nullable() });

export const RecordedVerdicts = z.object({
  id: z.string(),
  judge: z.string(),
  strategy: z.string(),
  rounds: z.array(z.object({ original: Reply, swapped: Reply })),
});
export type RecordedVerdicts = z.infer<typeof RecordedVerdicts>;

export const LLMBAR_VERDICTS = 'llmbar/verdicts.dev.jsonl';

const OPTIONS = [{ label: 'Output (a)' }, { label: 'Output (b)' }];
const FORM = {
  kind: 'choice',
  write: { template: 'Output ({})', labels: ['a', 'b'] },
  tie: null,
  field: null,
} as const;

/** What a verdict comes to in the text's own terms: `a`, `b`, `tie`, or why there is none. */
type Said = 'a' | 'b' | 'tie' | Extract<Verdict, { kind: 'none' }>['reason'];

export interface Reading {
  readonly id: string;
  readonly judge: string;
  readonly strategy: string;
  readonly round: number;
  readonly order: 'original' | 'swapped';
  readonly text: string;
  /** The benchmark's winner, said of the text: in swapped order item 1 stands as Output (b). */
  readonly recorded: 'a' | 'b' | null;
  readonly read: Said;
  readonly agrees: boolean;
  /** One of PaLM2's free-reasoning replies, whose recorded winner is not the text's conclusion. */
  readonly misparsed: boolean;
}

export function readAll(records: readonly RecordedVerdicts[]): Reading[] {
  const reasoned = new Set(
    records
      .filter((record) => record.judge === 'PaLM2' && record.strategy === 'CoT')
      .flatMap((record) => record.rounds.flatMap((round) => [round.original.text, round.swapped.text])),
  );
  return records.flatMap(({ id, judge, strategy, rounds }) =>
    rounds.flatMap((both, round) =>
      (['original', 'swapped'] as const).map((order): Reading => {
        const { text, winner } = both[order];
        const recorded = winner === null ? null : (winner === '1') === (order === 'original') ? 'a' : 'b';
        const read = said(readVerdict(text, FORM, OPTIONS));
        const agrees = recorded === null ? !isDecision(read) : read === recorded;
        const again = strategy === 'CoT' || (round === 0 && strategy.startsWith('Swap'));
        const misparsed = judge === 'PaLM2' && again && reasoned.has(text);
        return { id, judge, strategy, round, order, text, recorded, read, agrees, misparsed };
      }),
    ),
  );
}

function said(verdict: Verdict): Said {
  if (verdict.kind === 'choice') return verdict.option === 0 ? 'a' : 'b';
  return verdict.kind === 'none' ? verdict.reason : 'tie';
}

const isDecision = (read: Said) => read === 'a' || read === 'b' || read === 'tie';

/** Why the two differ, and the words of the reply that show it. */
export function explain(reading: Reading): { readonly reason: string; readonly words: string } {
  const { text, read, recorded } = reading;
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');
  const better = sentences.filter((sentence) => /Output \([ab]\).*\b(?:better|best)\b/.test(sentence));
  const named = /Output \([ab]\)/.exec(better[0] ?? '')?.[0] ?? '';
  const opposite = better.findLast((sentence) => !sentence.includes(named));
  const taken = recorded === null ? 'nothing' : `(${recorded})`;
  if (read === 'contradictory') {
    return {
      reason: `the reply concludes both ways; the benchmark took ${taken}`,
      words: `${short(better[0], 70)} / ${short(opposite ?? better.at(-1), 70)}`,
    };
  }
  if (read === 'tie') {
    return {
      reason: `the reply says neither is better; the benchmark took ${taken}`,
      words: short(sentences.at(-1)),
    };
  }
  if (read !== 'a' && read !== 'b') {
    const words = short(read === 'refusal' ? sentences[0] : sentences.at(-1));
    return { reason: `no verdict: ${read}; the benchmark took ${taken}`, words };
  }
  const conclusion = better.findLast((sentence) => sentence.includes(`Output (${read})`)) ?? sentences.at(-1);
  if (recorded === null) return { reason: 'the benchmark took nothing', words: short(conclusion) };
  const begins = new RegExp(`^\\s*(?:Output )?\\(${recorded}\\)`, 'm').test(text);
  const within = text.includes(`Output (${recorded}) is better`);
  return {
    reason: begins
      ? `the benchmark took ${taken}, with which a line begins, against the conclusion`
      : within
        ? `the benchmark took "Output ${taken} is better" from a report or an aside, against the conclusion`
        : `the benchmark took ${taken} from a mention, against the conclusion`,
    words: short(conclusion),
  };
}

function short(sentence: string | undefined, limit = 150): string {
  const words = (sentence ?? '').replace(/\s+/g, ' ').trim();
  return words.length <= limit ? words : `${words.slice(0, limit - 1)}…`;
}
