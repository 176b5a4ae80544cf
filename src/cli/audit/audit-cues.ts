/** `remand audit cues`: whether judges follow what is said of a text's source or date, and whether they say so. */

import { basename, extname } from 'node:path';
import type { TextKind } from '../../../prompts/index.ts';
import { type AuditPair, chooseCues, createCuePlan, cueFile, cueSettings } from '../../audit/index.ts';
import { formatJsonLine } from '../../records/node.ts';
import { addTo, countAll, type ReasonCounts, readJsonOption, runInterruptible } from '../arguments.ts';
import { asList, asText, createCommand, needed, optional } from '../command.ts';
import { type BaseArguments, baseOptions, openBaseReader } from '../dataset/base-data.ts';
import { describeSettings, planOptions, runAudit } from './run-audit.ts';

// The pairs of texts that an audit is made on, from base data of any source.

/** What the texts of a dataset are, where it is known by name. */
const KINDS: Readonly<Record<string, TextKind>> = { eli5: 'response', litbench: 'story' };

interface AuditSource {
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
async function* readAuditPairs(
  sources: readonly AuditSource[],
  args: Omit<BaseArguments, 'from'>,
  kind: TextKind | null,
  limit: number,
  signal: AbortSignal,
  onSkipped: (reason: string) => void,
): AsyncGenerator<AuditPair> {
  for (const { from, dataset } of sources) {
    let count = 0;
    const read = await openBaseReader({ ...args, from });
    for await (const base of read(signal, onSkipped)) {
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

export const auditCuesCommand = createCommand(
  {
    ...baseOptions,
    from: needed(asList(';'), 'pairs of texts: base data, as for dataset build; several with ;'),
    ...describeSettings(cueSettings),
    'cue-file': optional(
      asText,
      'JSON of further cues: {"name": {"wording": "{text} …", "called": "…", "named": ["…"]}}',
    ),
    checker: optional(asText, 'a model that says of each reason whether it names the cue'),
    ...planOptions,
  },
  async (call) => {
    const { args } = call;
    const own =
      args['cue-file'] === undefined ? {} : await readJsonOption(args['cue-file'], '--cue-file', cueFile);
    let skipped: ReasonCounts = {};
    const onSkipped = (reason: string) => addTo(skipped, reason);
    const sources = sourcesOf(args.from);
    for (const { from } of sources) await openBaseReader({ ...args, from });
    const read = (signal: AbortSignal) =>
      readAuditPairs(sources, args, args.texts ?? null, args.limit, signal, onSkipped);
    const cues = chooseCues(args, { own, prefix: '--' });
    await runAudit(call, {
      noun: 'comparisons',
      total: async () => {
        const pairs = await runInterruptible((signal) => countAll(read(signal)));
        return pairs * cues.length * args.judge.length;
      },
      // The texts stand beside the verdicts: a report shows the cases with what the judge saw.
      files: ['verdicts', 'pairs'],
      async open(judges, models) {
        skipped = {};
        const checker = await models.openOptional(args.checker, '--checker');
        return createCuePlan(args, judges, { own, prefix: '--', checker, skipped });
      },
      rows: (signal, { pairs }) => noteEach(read(signal), (pair) => pairs.write(formatJsonLine(pair))),
      write: (record, { verdicts }) => verdicts.write(formatJsonLine(record)),
      measured: ({ results }) => results.some((one) => one.cue_pairs.some(({ flips }) => flips.n > 0)),
    });
  },
);

/** A dataset is called by its file's name, or as the hub has it; by its whole path where two files have one name. */
function sourcesOf(all: readonly string[]): AuditSource[] {
  const short = all.map((from) => basename(from, extname(from)));
  const once = new Set(short).size === all.length;
  return all.map((from, index) => ({ from, dataset: (once && short[index]) || from }));
}

async function* noteEach(
  pairs: AsyncIterable<AuditPair>,
  note: (pair: AuditPair) => Promise<void>,
): AsyncGenerator<AuditPair> {
  for await (const pair of pairs) {
    await note(pair);
    yield pair;
  }
}
