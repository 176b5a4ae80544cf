/** `remand eval judge --in …`: live judges on D and D_bias, one arm beside the other over the same first verdicts. */

import { join } from 'node:path';
import { readPairs } from '../../dataset/index.ts';
import { DEFAULT_DETECTOR, listModelDetectors } from '../../detect/index.ts';
import { ARMS, createArm, createArmTally, DEFAULT_BELOW, runArms } from '../../evaluate/index.ts';
import { systemClock } from '../../ports.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import type { ResultOrigin } from '../../report/index.ts';
import { countAll, takeFirst } from '../arguments.ts';
import {
  asList,
  asNumber,
  asShare,
  asSomeOf,
  asText,
  type OptionValues,
  onlyWith,
  optional,
  usual,
} from '../command.ts';
import { type ModelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { loadPrices, writeResult } from '../result-origin.ts';

/** Options of a comparison of judges that are asked now. */
export const armOptions = onlyWith('in', {
  arms: usual(asSomeOf(ARMS), `none,placebo,${DEFAULT_DETECTOR.name}`, `comma separated: ${ARMS.join(', ')}`),
  'detector-model': optional(asText, `the model of ${listModelDetectors().join(', ')} and label-only`),
  temperature: usual(asNumber, '1', 'of the samples of samples-…'),
  second: optional(asText, 'the judge to which the arm cascade sends unsure verdicts'),
  panel: optional(asList(';'), 'the judges that vote with --judge in the arm judge-panel; several with ;'),
  below: usual(
    asShare,
    String(DEFAULT_BELOW),
    'confidence below which abstain leaves a verdict open, and cascade sends it on',
  ),
});

interface ArmsOptions extends OptionValues<typeof armOptions>, ModelArguments {
  readonly origin: ResultOrigin;
  /** Folder with d.jsonl and d_bias.jsonl. */
  readonly in: string;
  /** Specifications, with `;` between them. */
  readonly judge: string;
  readonly rounds: number;
  readonly limit: number;
  readonly concurrency: number;
}

/** @param report not called in a dry run */
export async function compareArms(options: ArmsOptions, report: (result: object) => void): Promise<void> {
  const { in: folder, rounds, limit, concurrency, below, arms: names, temperature } = options;
  const prices = await loadPrices(options.prices);
  const tally = createArmTally(rounds, Object.keys(prices).length === 0 ? null : prices);
  const clock = systemClock;
  const pairs = () => takeFirst(readPairs(folder), limit);
  let done = 0;
  const ask = async (models: Models, signal: AbortSignal) => {
    const records = join(await models.folder(folder), 'judgments.jsonl');
    const specs = asList(';')(options.judge, '--judge');
    const judges = await models.openAll(specs, '--judge');
    const detector = await models.openOptional(options['detector-model'], '--detector-model');
    const second = await models.openOptional(options.second, '--second');
    const panel = await Promise.all((options.panel ?? []).map((spec) => models.open(spec, '--panel')));
    const samplers = await Promise.all(specs.map((spec) => models.open(spec, '--judge', { temperature })));
    const progress = models.progress('pairs', (await countAll(pairs())) * judges.length);
    await writeWhole({ records }, async (files) => {
      for (const [index, judge] of judges.entries()) {
        const sampling = samplers[index] ?? null;
        const tools = { rounds, clock, detector, sampling, second, panel, below };
        const arms = names.map((name) => createArm(name, tools));
        for await (const group of runArms(pairs(), [judge], arms, { concurrency, signal, clock })) {
          tally.add(group);
          for (const { ms: _, ...record } of group) await files.records.write(formatJsonLine(record));
          progress(++done);
        }
      }
    });
  };
  await withModels({ ...options, folder }, ask, async ({ calls }) => {
    const result = { arms: tally.summaries(), calls, records: join(folder, 'judgments.jsonl') };
    await writeResult(join(folder, 'arms.json'), result, options.origin);
    report(result);
  });
}
