/** `remand audit biases`: every bias of the catalogue against a judge in one run, on cases of one's own. */

import { join } from 'node:path';
import { type BiasEffect, type BiasedVerdicts, measureBiasEffects } from '../../audit/index.ts';
import type { BaseItem } from '../../dataset/index.ts';
import { askBiases, INJECTED_BY_DEFAULT } from '../../evaluate/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { takeFirst } from '../arguments.ts';
import { claimOutput } from '../claim-output.ts';
import { asList, asShare, asText, createCommand, optional, usual } from '../command.ts';
import { baseOptions, openBaseReader } from '../dataset/base-data.ts';
import { withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { formatResult, keepDate } from '../result-origin.ts';
import { formatTable } from '../terminal.ts';
import { planOptions, readInjected } from './run-audit.ts';

export const auditBiasesCommand = createCommand(
  {
    ...baseOptions,
    ...planOptions,
    biases: usual(asList(','), INJECTED_BY_DEFAULT.join(','), 'comma separated'),
    tone: optional(asText, 'a model that rewrites tones: sentiment cannot be tested without one'),
    confidence: usual(asShare, '0.95', 'confidence level of the intervals'),
  },
  async ({ args, texts, print, ...call }) => {
    const { confidence, concurrency, limit } = args;
    const biases = readInjected(args.biases);
    const read = openBaseReader(args);
    const skipped: Record<string, number> = {};
    const readItems = async (signal: AbortSignal) => {
      const items: BaseItem[] = [];
      const onSkipped = (reason: string) => {
        skipped[reason] = (skipped[reason] ?? 0) + 1;
      };
      for await (const item of takeFirst(read(signal, onSkipped), limit)) items.push(item);
      return items;
    };
    const result = join(args.out, 'result.json');
    await claimOutput({ path: result, command: 'audit biases', args: texts, option: '--out' });
    const verdicts: BiasedVerdicts[] = [];
    const dropped: Record<string, Record<string, number>> = {};
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const ask = async (models: Models, signal: AbortSignal) => {
      const out = await models.folder(args.out);
      const judges = await models.openAll(args.judge, '--judge');
      const tone = await models.openOptional(args.tone, '--tone');
      await writeWhole({ verdicts: join(out, 'verdicts.jsonl') }, async (files) => {
        verdicts.length = 0;
        const items = await readItems(signal);
        const progress = models.progress('verdicts', items.length * biases.length * 2 * judges.length);
        const onDropped = (bias: string, reason: string) => {
          const reasons = dropped[bias] ?? {};
          dropped[bias] = { ...reasons, [reason]: (reasons[reason] ?? 0) + 1 };
        };
        for await (const { id, error, ...one } of askBiases(
          { items, biases, judges, tone, onDropped },
          { concurrency, signal },
        )) {
          verdicts.push(one);
          await files.verdicts.write(formatJsonLine({ id, ...one, error }));
          progress(verdicts.length);
        }
      });
    };
    await withModels({ ...args, store }, ask, async (paid) => {
      const effects = measureBiasEffects(verdicts, confidence);
      const report = { effects, dropped, skipped };
      const origin = keepDate(result, report, await call.origin());
      await writeWhole({ result }, (files) => files.result.write(formatResult(report, origin)));
      if (verdicts.every(({ clean, biased }) => clean === null && biased === null)) process.exitCode = 1;
      print({ ...report, ...paid }, () => describe(report, paid.calls), origin);
    });
  },
);

/** Two-sided, after the correction. */
const LEVEL = 0.05;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

interface BiasesReport {
  readonly effects: readonly BiasEffect[];
  readonly dropped: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly skipped: Readonly<Record<string, number>>;
}

function describe({ effects, dropped, skipped }: BiasesReport, calls: number): string {
  const table = formatTable(effects, {
    judge: ({ judge }) => judge,
    bias: ({ bias }) => bias,
    rows: ({ n }) => n,
    unread: ({ unread }) => unread,
    'effect, 95 %': ({ effect }) =>
      effect.value === null
        ? `none: ${effect.reason}`
        : `${percent(effect.value)} [${percent(effect.interval.low)}, ${percent(effect.interval.high)}]`,
    'p (Holm)': ({ p }) => (p === null ? '' : p < 0.001 ? '< .001' : p.toFixed(3)),
    'verdicts moved': ({ n, moved }) => (n === 0 ? '' : percent(moved / n)),
    '': ({ p }) => (p !== null && p <= LEVEL ? 'follows it' : ''),
  });
  const gone = [
    ...Object.entries(dropped).flatMap(([bias, reasons]) =>
      Object.entries(reasons).map(([reason, count]) => `${bias}: ${count} not made: ${reason}`),
    ),
    ...Object.entries(skipped).map(([reason, count]) => `${count} rows skipped: ${reason}`),
  ];
  return `${table}${gone.map((line) => `${line}\n`).join('')}${calls} calls.\n`;
}
