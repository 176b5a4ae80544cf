/** The plan of the audit of cues: two texts under two cues, both ways round, for one judge. */

import * as z from 'zod';
import { CUE_PLACES, TEXT_KINDS, type TextKind } from '../../../prompts/index.ts';
import type { Model } from '../../models/index.ts';
import { isPlain, NOT_PLAIN } from '../../records/index.ts';
import { shorten } from '../../shorten.ts';
import { nonBlankText } from '../../strict-fields.ts';
import { createChoice, createCount, type SettingPrefix } from '../audit-settings.ts';
import { type AuditJudge, type AuditPlan, openSeeded } from '../plan.ts';
import {
  type AuditPair,
  askCues,
  auditPair,
  type CueRecord,
  createFailedCues,
  cueRecord,
} from './ask-cues.ts';
import { type CueFile, type CuePair, parseCuePairs, USUAL_PAIRS } from './cue-pairs.ts';
import { type CueReport, createCueReport } from './measure-cues.ts';

export const cueSettings = z.object({
  cues: z.string().default(USUAL_PAIRS).describe('pairs of cues'),
  years: z
    .string()
    .regex(/^\d{1,4},\d{1,4}$/, { error: 'must be two years, such as 2025,1950' })
    .transform((text) => text.split(',').map(Number))
    .default([2025, 1950])
    .describe('of the cues new and old'),
  place: createChoice(CUE_PLACES)
    .default('before')
    .describe(`where a cue stands beside its text: ${CUE_PLACES.join(', ')}`),
  texts: createChoice(TEXT_KINDS)
    .optional()
    .describe(`what they are: ${TEXT_KINDS.join(', ')} (default: story for litbench, else response)`),
  seed: createCount(0, 2 ** 31)
    .default(1)
    .describe('of the intervals, and sent to judges whose protocol has a seed'),
});
type CueSettings = z.output<typeof cueSettings>;

/** What the command line has beside the settings. */
interface CuePlanOptions {
  readonly prefix?: SettingPrefix;
  /** Further cues, or others under the names of ours. */
  readonly own?: CueFile;
  /** Says of each reason whether it names a cue; null for the rule alone. */
  readonly checker?: Model | null;
  /** Rows that were no pair of two texts, by the reason: counted while the others are asked. */
  readonly skipped?: Readonly<Record<string, number>>;
}

type CuePlan = AuditPlan<AuditPair, CueRecord, CueReport>;

/** @throws InputError naming a cue that there is not */
export function chooseCues(
  { cues, years: [recent = 0, old = 0] }: CueSettings,
  { own = {}, prefix = '' }: CuePlanOptions,
): CuePair[] {
  return parseCuePairs(cues, { new: recent, old }, own, `${prefix}cues`);
}

/** @throws InputError naming the setting that cannot be used */
export async function createCuePlan(
  settings: CueSettings,
  judges: readonly AuditJudge[],
  options: CuePlanOptions = {},
): Promise<CuePlan> {
  const { place, seed, texts = 'response' } = settings;
  const { checker = null, skipped = {} } = options;
  const cues = chooseCues(settings, options);
  const models = await openSeeded(judges, seed);
  return {
    row: createRow(texts),
    tasks: async (pair) =>
      models.flatMap((judge) =>
        cues.map((two) => {
          const task = { pair, judge, cues: two };
          return {
            calls: checker ? 4 : 2,
            ask: (signal) => askCues(task, { place, checker }, signal),
            fail: (error) => createFailedCues(task, error),
          };
        }),
      ),
    entry: cueRecord,
    trim: trimReplies,
    createTally() {
      const records: CueRecord[] = [];
      return {
        add: (record) => void records.push(trimReplies(record)),
        report: () => createCueReport(records, { cues, place, seed, skipped }),
      };
    },
  };
}

/** A pair as `pairs.jsonl` has it, or base data: a good answer and a bad one. */
function createRow(kind: TextKind): z.ZodType<AuditPair, unknown> {
  const pair = auditPair.extend({
    dataset: z.string().refine(isPlain, NOT_PLAIN).default('rows'),
    instruction: nonBlankText,
    texts: z.tuple([nonBlankText, nonBlankText], { error: 'must be two texts' }),
    kind: z.enum(TEXT_KINDS).default(kind),
  });
  return z.unknown().transform(fromBase).pipe(pair);
}

function fromBase(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('positive' in row && 'negative' in row)) return row;
  const texts = [row.positive, row.negative];
  const turned = 'first' in row && row.first === 'negative';
  return { ...row, texts: turned ? texts.toReversed() : texts, kind: undefined, dataset: undefined };
}

/** Most characters of a reason in a trimmed record. */
const MAX_REASON = 4_000;

/** The figures need the reasons and none of the replies around them. */
function trimReplies(record: CueRecord): CueRecord {
  const trimmed = (reply: CueRecord['as_given']) =>
    reply && { ...reply, text: '', reason: reply.reason && shorten(reply.reason, MAX_REASON, '') };
  return { ...record, as_given: trimmed(record.as_given), exchanged: trimmed(record.exchanged) };
}
