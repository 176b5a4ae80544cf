/** `remand audit biases`: every bias of the catalogue against a judge in one run, on cases of one's own. */

import { join } from 'node:path';
import { defineCommand } from 'citty';
import { type BiasEffect, type BiasedVerdicts, measureBiasEffects } from '../../audit/index.ts';
import type { BaseItem } from '../../dataset/index.ts';
import { askBiases, INJECTED_BY_DEFAULT } from '../../evaluate/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { parseShare, parseWholeNumber, readLimit, runInterruptible, takeFirst } from '../arguments.ts';
import { claimOutput } from '../claim-output.ts';
import { baseArguments, openBaseReader } from '../dataset/base-data.ts';
import { checkNames } from '../dataset/dataset-judge.ts';
import { withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { readInjected } from '../read-injected.ts';
import { describeOrigin, formatResult, keepDate } from '../result-origin.ts';
import { alignRows, print } from '../terminal.ts';
import { listJudges, planArguments } from './run-audit.ts';

export const auditBiasesCommand = defineCommand({
  meta: {
    name: 'biases',
    description:
      'Put each bias of the catalogue into your own cases, for the wrong option and for the right one, and see what the judge’s verdicts do. A run that was stopped resumes.',
  },
  args: {
    ...baseArguments,
    ...planArguments,
    biases: {
      type: 'string',
      default: INJECTED_BY_DEFAULT.join(','),
      description: 'comma separated',
    },
    tone: {
      type: 'string',
      description: 'a model that rewrites tones: sentiment cannot be tested without one',
    },
    confidence: { type: 'string', default: '0.95', description: 'confidence level of the intervals' },
  },
  async run(context) {
    const { args } = context;
    const biases = readInjected(args.biases);
    const confidence = parseShare('--confidence', args.confidence);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const limit = readLimit(args.limit);
    const read = openBaseReader(args);
    const specs = listJudges(args.judge);
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
    await claimOutput({ path: result, command: 'audit biases', args, option: '--out' });
    const verdicts: BiasedVerdicts[] = [];
    const dropped: Record<string, Record<string, number>> = {};
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const ask = async (models: Models) => {
      const out = await models.folder(args.out);
      const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
      checkNames(judges.map(({ name }) => name));
      const tone = args.tone === undefined ? null : await models.open(args.tone, '--tone');
      await runInterruptible((signal) =>
        writeWhole({ verdicts: join(out, 'verdicts.jsonl') }, async (files) => {
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
        }),
      );
    };
    await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, ask, async (paid) => {
      const effects = measureBiasEffects(verdicts, confidence);
      const report = { effects, dropped, skipped };
      const origin = keepDate(result, report, await describeOrigin('audit biases', context));
      await writeWhole({ result }, (files) => files.result.write(formatResult(report, origin)));
      if (verdicts.every(({ clean, biased }) => clean === null && biased === null)) process.exitCode = 1;
      print(args.json ? formatResult({ ...report, ...paid }, origin) : describe(report, paid.calls));
    });
  },
});

/** Two-sided, after the correction. */
const LEVEL = 0.05;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

interface BiasesReport {
  readonly effects: readonly BiasEffect[];
  readonly dropped: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly skipped: Readonly<Record<string, number>>;
}

function describe({ effects, dropped, skipped }: BiasesReport, calls: number): string {
  const rows = effects.map(({ judge, bias, n, unread, effect, p, moved }) => [
    judge,
    bias,
    String(n),
    String(unread),
    effect.value === null
      ? `none: ${effect.reason}`
      : `${percent(effect.value)} [${percent(effect.interval.low)}, ${percent(effect.interval.high)}]`,
    p === null ? '' : p < 0.001 ? '< .001' : p.toFixed(3),
    n === 0 ? '' : percent(moved / n),
    p !== null && p <= LEVEL ? 'follows it' : '',
  ]);
  const gone = [
    ...Object.entries(dropped).flatMap(([bias, reasons]) =>
      Object.entries(reasons).map(([reason, count]) => `${bias}: ${count} not made: ${reason}`),
    ),
    ...Object.entries(skipped).map(([reason, count]) => `${count} rows skipped: ${reason}`),
  ];
  const head = ['judge', 'bias', 'rows', 'unread', 'effect, 95 %', 'p (Holm)', 'verdicts moved', ''];
  return `${alignRows([head, ...rows])}${gone.map((line) => `${line}\n`).join('')}${calls} calls.\n`;
}
