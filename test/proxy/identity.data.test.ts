/**
 * Real verdicts with and without the names of the writers, through the proxy: the probe finds exactly the verdicts that differ,
 * whatever the labels say, in both orders. Skipped where `../shared/data` is missing. SELF_RECOGNITION_PAIRS sets how many pairs of
 * each data set and judge there are, and prints the figures as the table in docs/numbers.md; the counts are compared with those
 * of identity_changes.py, where there is a Python.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hasSharedData, readJsonl, SHARED } from '../shared-data.ts';
import { replyBody } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

/** Of each data set and judge. */
const MOST = Number(process.env.SELF_RECOGNITION_PAIRS ?? 25);

const LABELS = ['true', 'wrong', 'random'] as const;
const ORDERS = ['forward', 'backward'] as const;

const orders = z.tuple([
  z.tuple([z.enum(['1', '2']), z.number().nullable()]),
  z.tuple([z.enum(['1', '2']), z.number().nullable()]),
]);
const pair = z.looseObject({
  id: z.string(),
  data: z.string(),
  judge: z.string(),
  other: z.string(),
  none: orders,
  true: orders,
  wrong: orders,
  random: orders,
  random_labels: z.tuple([z.string(), z.string()]),
});
type Pair = z.infer<typeof pair>;
const text = z.object({ id: z.string(), article: z.string(), summaries: z.record(z.string(), z.string()) });
const prompts = z.looseObject({ system: z.string(), with_sources: z.string() });
const counted = z.object({
  ...{ n: z.number(), true: z.number(), wrong: z.number(), random: z.number() },
  ...{ by_itself: z.number().optional(), repeats: z.number().optional() },
});
const path = (name: string) => fileURLToPath(new URL(`self-recognition/${name}`, SHARED));

const SLOTS = ['article', 'source1', 'summary1', 'source2', 'summary2'] as const;
const ROLES = ['instruction', 'context', 'option 1', 'context', 'option 2'];

/** What stands at the judge's own summary and at the other's. */
function sourcesOf(one: Pair, labels: (typeof LABELS)[number]): readonly [own: string, other: string] {
  if (labels === 'random') return one.random_labels;
  return labels === 'true' ? [one.judge, one.other] : [one.other, one.judge];
}

describe.skipIf(!hasSharedData)('writers named beside the options (needs ../shared/data)', () => {
  test('the probe finds exactly the verdicts that differ between names and none: both judges, both orders, every kind of label', {
    timeout: 1_200_000,
  }, async () => {
    const { system, with_sources: asked } = prompts.parse(
      JSON.parse(readFileSync(path('prompts.json'), 'utf8')),
    );
    const texts = new Map(readJsonl('self-recognition/texts.dev.jsonl', text).map((one) => [one.id, one]));
    const fill = (values: readonly (string | undefined)[]) =>
      SLOTS.reduce((all, slot, n) => all.replace(`{${slot}}`, () => values[n] ?? ''), asked);
    const template = {
      name: 'summaries',
      parts: [
        { role: 'system', text: system },
        { role: 'user', text: fill(ROLES.map((role) => `{{${role}}}`)) },
      ],
      verdict: { kind: 'choice', labels: ['1', '2'] },
    };
    let recorded = { named: '', unnamed: '' };
    const judge = await startUpstream(({ body }, response) => {
      const isNamed = !body.toString().includes("(withheld's summary)");
      response.setHeader('content-type', 'application/json');
      response.end(replyBody(isNamed ? recorded.named : recorded.unnamed));
    });
    const proxy = await startProxy({
      ...{ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'identity', REMAND_ROUNDS: '1' },
      ...{ REMAND_TEMPLATES: JSON.stringify([template]), REMAND_TRACES: 'off' },
    });

    const found: Record<string, Record<'n' | (typeof LABELS)[number], number>> = {};
    for (const one of readJsonl('self-recognition/pairs.dev.jsonl', pair)) {
      const known = texts.get(one.id);
      const groups = ORDERS.map((place) => `${one.data}/${one.judge}/${place}`);
      if (!known || (found[groups[0] ?? '']?.n ?? 0) >= MOST) continue;
      for (const [order, group] of groups.entries()) {
        const counts = found[group] ?? { n: 0, true: 0, wrong: 0, random: 0 };
        found[group] = counts;
        counts.n++;
        for (const labels of LABELS) {
          const [own, other] = sourcesOf(one, labels);
          const summaries = [known.summaries[one.judge], known.summaries[one.other]] as const;
          const values =
            order === 0
              ? [known.article, own, summaries[0], other, summaries[1]]
              : [known.article, other, summaries[1], own, summaries[0]];
          const [named = '', unnamed = ''] = [one[labels][order]?.[0], one.none[order]?.[0]];
          recorded = { named, unnamed };
          const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
            method: 'POST',
            body: JSON.stringify({
              ...{ model: one.judge, temperature: 0 },
              messages: [
                { role: 'system', content: system },
                { role: 'user', content: fill(values) },
              ],
            }),
          });
          const isChanged = named !== unnamed;
          expect([one.id, labels, group, headers['x-remand-biases'], headers['x-remand-status']]).toEqual([
            ...[one.id, labels, group],
            ...(isChanged ? ['identity', 'insisted'] : ['', 'unchanged']),
          ]);
          if (isChanged) counts[labels]++;
        }
      }
    }
    expect(Object.keys(found)).toHaveLength(8);

    const script = fileURLToPath(new URL('../bias/identity_changes.py', import.meta.url));
    const { stdout, error } = spawnSync(
      process.env.PYTHON ?? 'python3',
      [script, path('pairs.dev.jsonl'), path('texts.dev.jsonl'), String(MOST)],
      { encoding: 'utf8' },
    );
    if (error) return;
    const again = z.record(z.string(), counted).parse(JSON.parse(stdout));
    expect(Object.keys(again).toSorted()).toEqual(Object.keys(found).toSorted());
    for (const [group, { n, ...counts }] of Object.entries(again)) {
      const { true: named, wrong, random } = counts;
      expect([group, found[group]]).toEqual([group, { n, true: named, wrong, random }]);
    }
    if (process.env.SELF_RECOGNITION_PAIRS) console.log(tableOf(again));
  });
});

function tableOf(figures: Readonly<Record<string, z.infer<typeof counted>>>): string {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  const lines = Object.entries(figures).map(([group, { n, by_itself: own, repeats, ...changed }]) => {
    const noise = own === undefined || !repeats ? 'not asked' : percent(own, repeats);
    const cells = LABELS.map((labels) => `${changed[labels]} (${percent(changed[labels], n)})`);
    return `| ${group.replaceAll('/', ', ')} | ${n} | ${cells.join(' | ')} | ${noise} |`;
  });
  return [
    '| data, judge, own summary | verdicts | true names | exchanged | random | by itself |',
    '|---|---:|---:|---:|---:|---:|',
    ...lines,
  ]
    .join('\n')
    .replaceAll(', forward', ', first')
    .replaceAll(', backward', ', last');
}
