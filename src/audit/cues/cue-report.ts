/** What an audit of cues comes to, as `result.json` holds it: figures, the order of the cues, and a paragraph for each judge. */
import type { CuePlace } from '../../../prompts/index.ts';
import type { CueRecord } from './ask-cues.ts';
import type { CuePair } from './cue-pairs.ts';
import { describeCueVerdict } from './describe-cues.ts';
import { type JudgeCues, listDisagreements, measureCues } from './measure-cues.ts';

export interface CueReport {
  readonly audit: 'cues';
  readonly cues: readonly { readonly name: string; readonly called: string; readonly wording: string }[];
  readonly place: CuePlace;
  readonly seed: number;
  /** Comparisons of which a call failed. */
  readonly failed: number;
  /** Rows that were no pair of two texts, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly results: readonly (JudgeCues & { readonly verdict: string })[];
  readonly disagreements: ReturnType<typeof listDisagreements>;
}

/** @param records of all judges; of their replies only the reasons are read */
export function createCueReport(
  records: readonly CueRecord[],
  audit: Pick<CueReport, 'place' | 'seed' | 'skipped'> & { readonly cues: readonly CuePair[] },
): CueReport {
  const { place, seed, skipped } = audit;
  const cues = new Map(
    audit.cues.flat().map(({ name, called, wording }) => [name, { name, called, wording }]),
  );
  const results = measureCues(records, seed).map((one) => ({
    ...one,
    verdict: describeCueVerdict(one, (cue) => cues.get(cue)?.called ?? cue),
  }));
  const failed = records.filter(({ error }) => error !== null).length;
  return {
    ...{ audit: 'cues', cues: [...cues.values()], place, seed, failed, skipped, results },
    disagreements: listDisagreements(records),
  };
}
