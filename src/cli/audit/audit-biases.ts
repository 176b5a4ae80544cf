/** `remand audit biases`: every bias of the catalogue against a judge in one run, on cases of one's own. */

import { join } from 'node:path';
import { type BiasedVerdicts, measureBiasEffects } from '../../audit/index.ts';
import { askBiases, INJECTED_BY_DEFAULT } from '../../evaluate/index.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { addTo, type ReasonCounts, takeFirst } from '../arguments.ts';
import { claimOutput } from '../claim-output.ts';
import { asList, asShare, asText, createCommand, optional, usual } from '../command.ts';
import { baseOptions, openBaseReader } from '../dataset/base-data.ts';
import { withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { describeResult, writeResult } from '../result-origin.ts';
import { planOptions, readInjected } from './run-audit.ts';

export const auditBiasesCommand = createCommand(
  {
    ...baseOptions,
    ...planOptions,
    biases: usual(asList(','), INJECTED_BY_DEFAULT.join(','), 'comma separated'),
    tone: optional(asText, 'a model that rewrites tones: sentiment cannot be tested without one'),
    confidence: usual(asShare, '0.95', 'confidence level of the intervals'),
  },
  async ({ args, texts, defaults, print, ...call }) => {
    const { confidence, concurrency, limit } = args;
    const biases = readInjected(args.biases);
    const read = await openBaseReader(args);
    const skipped: ReasonCounts = {};
    const result = join(args.out, 'result.json');
    await claimOutput({ path: result, command: 'audit biases', args: texts, defaults, option: '--out' });
    const verdicts: BiasedVerdicts[] = [];
    const dropped: Record<string, ReasonCounts> = {};
    const ask = async (models: Models, signal: AbortSignal) => {
      const out = await models.folder(args.out);
      const judges = await models.openAll(args.judge, '--judge');
      const tone = await models.openOptional(args.tone, '--tone');
      await writeWhole({ verdicts: join(out, 'verdicts.jsonl') }, async (files) => {
        verdicts.length = 0;
        const items = await Array.fromAsync(
          takeFirst(
            read(signal, (reason) => addTo(skipped, reason)),
            limit,
          ),
        );
        const progress = models.progress('verdicts', items.length * biases.length * 2 * judges.length);
        const onDropped = (bias: string, reason: string) => {
          dropped[bias] ??= {};
          addTo(dropped[bias], reason);
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
    await withModels({ ...args, folder: args.out }, ask, async (paid) => {
      const effects = measureBiasEffects(verdicts, confidence);
      const report = { effects, dropped, skipped };
      const origin = await writeResult(result, report, await call.origin());
      if (verdicts.every(({ clean, biased }) => clean === null && biased === null)) process.exitCode = 1;
      print(
        { ...report, ...paid },
        async () => `${await describeResult(report)}\n${paid.calls} calls.\n`,
        origin,
      );
    });
  },
);
