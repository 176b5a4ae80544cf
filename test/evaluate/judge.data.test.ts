import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { figuresBesideBaselines, recordedFigures } from '../../bench/recorded-figures.ts';
import { LLMBAR_VERDICTS, RecordedVerdicts, readAll } from '../../bench/verdict-agreement.ts';
import { position } from '../../src/bias/position.ts';
import { evaluateRecorded } from '../../src/cli/eval-judge/evaluate-recorded.ts';
import { createProbeDetector } from '../../src/detect/probe.ts';
import {
  countReplies,
  judgeRecorded,
  type RecordedRun,
  summariseJudgments,
  type VerdictSource,
  wasAskedAgain,
} from '../../src/evaluate/recorded-run.ts';
import { systemClock } from '../../src/ports.ts';
import { formatResultText } from '../../src/report/index.ts';
import { loadRecords } from '../../src/sandbox/node.ts';
import type { Records } from '../../src/sandbox/recorded/records.ts';
import { hasSharedData, readJsonl, SHARED } from '../shared-data.ts';

const paths = {
  items: fileURLToPath(new URL('llmbar/items.dev.jsonl', SHARED)),
  verdicts: fileURLToPath(new URL('llmbar/verdicts.dev.jsonl', SHARED)),
};

describe.skipIf(!hasSharedData)(
  'six recorded judges through the loop (skipped without the recorded verdicts)',
  () => {
    let records: Records;
    beforeAll(async () => {
      records = await loadRecords(paths);
    });

    const evaluate = async (judge: string, strategy: string, verdictFrom?: VerdictSource) => {
      const run: RecordedRun = {
        records,
        voice: { judge, strategy },
        detector: createProbeDetector(),
        biases: [position],
        rounds: 1,
        clock: systemClock,
        verdictFrom,
      };
      return summariseJudgments(await judgeRecorded(run), wasAskedAgain(run), 0);
    };

    it.each([
      ['the recorded winners', undefined],
      ['what the replies say for winners', 'reply'],
    ] as const)('come out exactly as computed straight from a file with %s', async (_, from) => {
      const figures = recordedFigures(paths.items, from === 'reply' ? writeReadWinners() : paths.verdicts);
      expect(Object.keys(figures)).toHaveLength(24);
      for (const [name, { baseline: _, ...expected }] of Object.entries(figures)) {
        const [judge = '', strategy = ''] = name.split('/');
        expect(await evaluate(judge, strategy, from), name).toMatchObject(expected);
      }
    });

    it('replies that say something else than their recorded winner are counted', () => {
      const differing = Object.fromEntries(
        records.voices.flatMap((voice) => {
          const { n, differ, unread } = countReplies({ records, voice });
          expect(unread).toBe(0);
          return differ === 0 ? [] : [[`${voice.judge}/${voice.strategy}`, `${differ} of ${n}`]];
        }),
      );
      expect(differing).toEqual({
        'GPT-4/Swap_CoT': '1 of 416',
        'ChatGPT/CoT': '1 of 384',
        'ChatGPT/Swap': '1 of 534',
        'ChatGPT/Swap_CoT': '11 of 534',
        'ChatGPT-0301/CoT': '1 of 384',
        'ChatGPT-0301/Swap_CoT': '2 of 536',
        'PaLM2/CoT': '86 of 384',
        'PaLM2/Swap': '3 of 500',
        'PaLM2/Swap_CoT': '3 of 500',
        'LLaMA2/CoT': '1 of 384',
        'LLaMA2/Swap': '1 of 534',
        'LLaMA2/Swap_CoT': '5 of 534',
        'Falcon/CoT': '3 of 384',
        'Falcon/Swap': '3 of 722',
        'Falcon/Swap_CoT': '4 of 722',
      });
    });

    it('a judge whose replies are the same under two strategies is as accurate under both', async () => {
      // PaLM2 was not asked anew for Swap: its first replies are those of CoT, which a second parser read.
      const figures = async (from: VerdictSource) =>
        (await Promise.all(['CoT', 'Swap'].map((strategy) => evaluate('PaLM2', strategy, from)))).map(
          ({ accuracy_before: accuracy }) => accuracy.toFixed(3),
        );
      expect(await figures('winner')).toEqual(['0.643', '0.724']);
      expect(await figures('reply')).toEqual(['0.724', '0.724']);
    });

    it('strategies without a second round are baselines, and what is sent back is set beside them', async () => {
      const args = { cases: paths.items, verdicts: paths.verdicts, biases: ['position'] };
      const results = await evaluateRecorded(args, 1);
      const figures = recordedFigures(paths.items, paths.verdicts);
      const beside = figuresBesideBaselines(paths.items, paths.verdicts);
      const baselines = Object.keys(results).filter((name) => results[name]?.baseline);
      expect(baselines).toEqual(Object.keys(figures).filter((name) => figures[name]?.baseline));
      expect(baselines).toContain('GPT-4/Vanilla');
      expect(baselines).toContain('GPT-4/CoT');
      expect(Object.keys(beside)).toHaveLength(Object.keys(results).length - baselines.length);
      for (const [name, { against, baseline, remanded }] of Object.entries(results)) {
        if (baseline) expect([against, remanded]).toEqual([{}, 0]);
        if (baseline) expect(results[name]?.by_item.value).toBeNull();
        else expect(against, name).toMatchObject(beside[name] ?? { missing: true });
      }
      const { Vanilla } = results['GPT-4/Swap']?.against ?? {};
      expect(Vanilla?.accuracy).toBe(figures['GPT-4/Swap']?.accuracy_after);
      expect(Vanilla?.baseline_accuracy).toBe(figures['GPT-4/Vanilla']?.accuracy_before);

      const lines = formatResultText(results).split('\n');
      const vanilla = lines.find((line) => line.startsWith('GPT-4/Vanilla '));
      expect(vanilla).toMatch(/Vanilla +192 +\d+ +0 of 384 +91\.1% \[.*\] +94\.8% \[.*\]$/);
      const alone = await evaluateRecorded({ ...args, judge: 'GPT-4', strategy: 'Swap' }, 1);
      expect(alone).toEqual({ 'GPT-4/Swap': results['GPT-4/Swap'] });
    });

    it('GPT-4 gains under Swap, as published figures of this half say', async () => {
      const { accuracy_before, accuracy_after, agreement_before, agreement_after, mcnemar_p, ...counts } =
        await evaluate('GPT-4', 'Swap');
      expect(
        [accuracy_before, accuracy_after, agreement_before, agreement_after].map((x) => x.toFixed(4)),
      ).toEqual(['0.8828', '0.9141', '0.9010', '0.9635']);
      expect(counts).toMatchObject({ n: 192, wrong_to_right: 13, right_to_wrong: 1 });
      expect(mcnemar_p).toBeCloseTo(0.00183, 5);
      // Of 14 judgments that changed two are the orders of one item, one each way: 12 items, all up, so 2 of 2^12.
      expect(counts.by_item).toMatchObject({
        ...{ value: 12 / 384, items: 192 },
        test: { value: 2 ** -11, moved: 12, up: 12 },
      });
    });

    it('a judge that was never asked again comes out as it went in', async () => {
      const { accuracy_before, accuracy_after, remanded } = await evaluate('GPT-4', 'Vanilla');
      expect([accuracy_after, remanded]).toEqual([accuracy_before, 0]);
    });
  },
);

/** The records with the winner of each reply as bench/verdict-agreement.ts reads it; the path of a file. */
function writeReadWinners(): string {
  const readings = Map.groupBy(
    readAll(readJsonl(LLMBAR_VERDICTS, RecordedVerdicts)),
    ({ id, judge, strategy }) => JSON.stringify({ id, judge, strategy }),
  );
  const lines = [...readings].map(([key, replies]) => {
    const rounds: Record<string, { winner: string | null }>[] = [];
    for (const { round, order, read } of replies) {
      rounds[round] ??= {};
      const first = order === 'original' ? 'a' : 'b';
      const winner =
        read === 'tie' ? 'tie' : read !== 'a' && read !== 'b' ? null : read === first ? '1' : '2';
      rounds[round][order] = { winner };
    }
    return `${JSON.stringify({ ...JSON.parse(key), rounds })}\n`;
  });
  const folder = mkdtempSync(join(tmpdir(), 'remand-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'verdicts.jsonl');
  writeFileSync(path, lines.join(''));
  return path;
}
