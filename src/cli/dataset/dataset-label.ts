/** `remand dataset label`: the bias label of every verdict, and how often each judge is biased. */

import {
  checkDataset,
  checkFiles,
  createRateTally,
  labelPairs,
  listDatasetFiles,
  readPairs,
  readVerdicts,
} from '../../dataset/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import type { BiasRate } from '../../report/index.ts';
import { formatPercent } from '../../stats/index.ts';
import { addTo, type ReasonCounts } from '../arguments.ts';
import { asText, createCommand, needed } from '../command.ts';

export const datasetLabelCommand = createCommand(
  { in: needed(asText, 'folder with d.jsonl, d_bias.jsonl and verdicts.jsonl') },
  async ({ args, origin, print }) => {
    const { verdicts, labels, unlabelled } = listDatasetFiles(args.in);
    await checkDataset(args.in);
    await checkFiles([verdicts], `; remand dataset judge --in ${args.in} makes it`);
    const tally = createRateTally();
    const counts = { labelled: 0, unlabelled: {} as ReasonCounts };
    await writeWhole({ labels, unlabelled }, async (files) => {
      for await (const row of labelPairs(readPairs(args.in), readVerdicts(args.in))) {
        if ('unlabelled' in row) {
          await files.unlabelled.write(formatJsonLine(row));
          addTo(counts.unlabelled, row.unlabelled);
        } else {
          await files.labels.write(formatJsonLine(row));
          tally.add(row);
          counts.labelled++;
        }
      }
    });
    const rates = tally.rates();
    print({ ...counts, rates }, () => inWords(counts, rates), await origin());
  },
);

function inWords(counts: { labelled: number; unlabelled: ReasonCounts }, rates: readonly BiasRate[]): string {
  const lines = rates.map(({ judge, bias, twin, n, biased, share, interval, right_in_d }) => {
    const often =
      share === null || !interval || !('low' in interval)
        ? 'no labelled pairs'
        : `${formatPercent(share)} biased (95%: ${formatPercent(interval.low)} to ${formatPercent(interval.high)})`;
    return `${judge}, ${bias}${twin ? ' twin' : ''}: ${often}, ${biased} of ${n}; right without the bias: ${right_in_d}`;
  });
  const gone = Object.entries(counts.unlabelled).map(([reason, count]) => `${count} not labelled: ${reason}`);
  return `${[`${counts.labelled} labelled`, ...lines, ...gone].join('\n')}\n`;
}
