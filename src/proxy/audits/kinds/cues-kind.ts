/** The audit of cues, piece by piece: two texts under two cues, both ways round, for one judge. */
import * as z from 'zod';
import { CUE_PLACES, TEXT_KINDS, type TextKind } from '../../../../prompts/cued-pair.ts';
import {
  type AuditPair,
  askCues,
  auditPair,
  type CueRecord,
  createCueReport,
  createFailedCues,
  cueRecord,
  listCueTasks,
  parseCuePairs,
  USUAL_PAIRS,
} from '../../../audit/cues/index.ts';
import { createSeedFields } from '../../../audit/seed.ts';
import { basePair } from '../../../dataset/base.ts';
import { createWholeNumber, plainName } from '../../options.ts';
import { readAuditSettings } from './audit-settings.ts';
import { type AuditKind, LONGEST_TEXT } from './types.ts';

const settings = z.object({
  cues: z.string().default(USUAL_PAIRS),
  years: z
    .string()
    .regex(/^\d{1,4},\d{1,4}$/, { error: 'must be two years, such as 2025,1950' })
    .default('2025,1950'),
  place: z.enum(CUE_PLACES, { error: `must be one of ${CUE_PLACES.join(', ')}` }).default('before'),
  texts: z.enum(TEXT_KINDS, { error: `must be one of ${TEXT_KINDS.join(', ')}` }).default('response'),
  seed: createWholeNumber(0, 2 ** 31).default(1),
});

/** What a text must have to be judged. */
const text = z.string().refine((one) => one.trim() !== '', 'must not be empty');

/** A pair as `pairs.jsonl` has it, where `dataset` and `kind` may be missing; or base data: a good answer and a bad one. */
function rowOf(kind: TextKind) {
  const given = auditPair.extend({
    dataset: plainName.default('rows'),
    instruction: text,
    texts: z.tuple([text, text], { error: 'must be two texts' }),
    kind: z.enum(TEXT_KINDS).default(kind),
  });
  const base = basePair
    .extend({ negative: text })
    .transform(({ id, instruction, positive, negative, first }): AuditPair => {
      const texts = first === 'positive' ? ([positive, negative] as const) : ([negative, positive] as const);
      return { id, dataset: 'rows', instruction, texts, kind };
    });
  const isBase = (row: unknown) => typeof row === 'object' && row !== null && 'positive' in row;
  // Told by what it has, so that an error speaks of the form that was meant.
  return z.unknown().transform((row, context): AuditPair => {
    const read = (isBase(row) ? base : given).safeParse(row);
    if (read.success) return read.data;
    context.issues.push(
      ...read.error.issues.map((issue) => ({ ...issue, code: 'custom' as const, input: row })),
    );
    return z.NEVER;
  });
}

export const cuesKind: AuditKind = (asked, { specs, open }) => {
  const { cues: list, years, place, texts, seed } = readAuditSettings(asked, settings);
  const [recent = 0, old = 0] = years.split(',').map(Number);
  const pairs = parseCuePairs(list, { new: recent, old }, {}, 'cues');
  const judges = specs.map((spec) => open(spec, createSeedFields(spec.protocol, seed)));
  const audit = { judges, cues: pairs, place, checker: null };
  return {
    row: rowOf(texts),
    pieces: async (row) =>
      listCueTasks(auditPair.parse(row), audit).map((task) => ({
        calls: 2,
        ask: async (signal) => bounded(await askCues(task, audit, signal)),
        failed: (error) => createFailedCues(task, error),
      })),
    report: (records) =>
      createCueReport(z.array(cueRecord).parse(records), { cues: pairs, place, seed, skipped: {} }),
  };
};

/** The figures need the reasons and none of the replies around them. */
function bounded(record: CueRecord): CueRecord {
  const bare = (said: CueRecord['as_given']) =>
    said && { ...said, text: '', reason: said.reason?.slice(0, LONGEST_TEXT) ?? null };
  return { ...record, as_given: bare(record.as_given), exchanged: bare(record.exchanged) };
}
