/** `remand dataset label`: the bias label of every verdict, and how often each judge is biased. */

import { defineCommand } from 'citty';
import {
  type BiasRate,
  checkFiles,
  createRateTally,
  labelPairs,
  listDatasetFiles,
  readPairs,
  readVerdicts,
} from '../../dataset/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { describeOrigin, formatResult } from '../result-origin.ts';
import { print } from '../terminal.ts';

export const datasetLabelCommand = defineCommand({
  meta: { name: 'label', description: 'Label each verdict biased or not: right in D and wrong in D_bias.' },
  args: {
    in: {
      type: 'string',
      required: true,
      description: 'folder with d.jsonl, d_bias.jsonl and verdicts.jsonl',
    },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run(context) {
    const { args } = context;
    const { d, dBias, verdicts, labels, unlabelled } = listDatasetFiles(args.in);
    await checkFiles([d, dBias, verdicts]);
    const tally = createRateTally();
    const counts = { labelled: 0, unlabelled: {} as Record<string, number> };
    await writeWhole({ labels, unlabelled }, async (files) => {
      for await (const row of labelPairs(readPairs(args.in), readVerdicts(args.in))) {
        if ('unlabelled' in row) {
          await files.unlabelled.write(formatJsonLine(row));
          counts.unlabelled[row.unlabelled] = (counts.unlabelled[row.unlabelled] ?? 0) + 1;
        } else {
          await files.labels.write(formatJsonLine(row));
          tally.add(row);
          counts.labelled++;
        }
      }
    });
    const rates = tally.rates();
    print(
      args.json
        ? formatResult({ ...counts, rates }, await describeOrigin('dataset label', context))
        : inWords(counts, rates),
    );
  },
});

function inWords(
  counts: { labelled: number; unlabelled: Record<string, number> },
  rates: readonly BiasRate[],
): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const lines = rates.map(({ judge, bias, twin, n, biased, share, interval, right_in_d }) => {
    const often =
      share === null || !('low' in interval)
        ? 'no labelled pairs'
        : `${percent(share)} biased (95%: ${percent(interval.low)} to ${percent(interval.high)})`;
    return `${judge}, ${bias}${twin ? ' twin' : ''}: ${often}, ${biased} of ${n}; right without the bias: ${right_in_d}`;
  });
  const gone = Object.entries(counts.unlabelled).map(([reason, count]) => `${count} not labelled: ${reason}`);
  return `${[`${counts.labelled} labelled`, ...lines, ...gone].join('\n')}\n`;
}
