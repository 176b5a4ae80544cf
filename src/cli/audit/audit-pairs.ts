/** The pairs of texts that an audit is made on, from base data of any source. */
import type { TextKind } from '../../../prompts/index.ts';
import type { AuditPair } from '../../audit/index.ts';
import { type BaseArguments, openBaseReader } from '../dataset/base-data.ts';

/** What the texts of a dataset are, where it is known by name. */
const KINDS: Readonly<Record<string, TextKind>> = { eli5: 'response', litbench: 'story' };

export interface AuditSource {
  readonly from: string;
  /** Reports tell datasets apart by it. */
  readonly dataset: string;
}

/**
 * @param kind what all texts are; null to tell by the dataset, answers where that says nothing
 * @param limit most pairs of each source
 * @param onSkipped told of every row that is no pair of two texts, and why
 * @throws InputError as reading base data does
 */
export async function* readAuditPairs(
  sources: readonly AuditSource[],
  args: Omit<BaseArguments, 'from'>,
  kind: TextKind | null,
  limit: number,
  signal: AbortSignal,
  onSkipped: (reason: string) => void,
): AsyncGenerator<AuditPair> {
  for (const { from, dataset } of sources) {
    let count = 0;
    for await (const base of openBaseReader({ ...args, from })(signal, onSkipped)) {
      if (count >= limit) break;
      if (base.kind !== 'pair' || base.negative === null) {
        onSkipped(base.kind === 'pair' ? 'one text alone' : 'not two texts');
        continue;
      }
      count++;
      const { id, instruction, positive, negative } = base;
      const texts =
        base.first === 'positive' ? ([positive, negative] as const) : ([negative, positive] as const);
      yield { id, dataset, instruction, texts, kind: kind ?? KINDS[from] ?? 'response' };
    }
  }
}
