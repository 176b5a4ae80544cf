/**
 * Real verdicts with and without the names of the writers, through the proxy: the probe finds exactly the verdicts that differ.
 * Skipped where `../shared/data` is missing; with PYTHON (and numpy) the counts are compared with identity_changes.py.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hasSharedData, readJsonl, SHARED } from '../shared-data.ts';
import { replyBody } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

/** Of each data set and judge. */
const MOST = 250;

const orders = z.array(z.tuple([z.enum(['1', '2']), z.number().nullable()]));
const pair = z.looseObject({
  id: z.string(),
  data: z.string(),
  judge: z.string(),
  other: z.string(),
  none: orders,
  true: orders,
});
const text = z.object({ id: z.string(), article: z.string(), summaries: z.record(z.string(), z.string()) });
const prompts = z.looseObject({ system: z.string(), with_sources: z.string() });
const path = (name: string) => fileURLToPath(new URL(`self-recognition/${name}`, SHARED));

describe.skipIf(!hasSharedData)('writers named beside the options (needs ../shared/data)', () => {
  test('the probe finds exactly the verdicts that differ between names and none', {
    timeout: 300_000,
  }, async () => {
    const { system, with_sources: asked } = prompts.parse(
      JSON.parse(readFileSync(path('prompts.json'), 'utf8')),
    );
    const texts = new Map(readJsonl('self-recognition/texts.dev.jsonl', text).map((one) => [one.id, one]));
    const user = ['article', 'source1', 'summary1', 'source2', 'summary2'].reduce(
      (all, slot, n) =>
        all.replace(`{${slot}}`, `{{${['instruction', 'context', 'option 1', 'context', 'option 2'][n]}}}`),
      asked,
    );
    const template = {
      name: 'summaries',
      parts: [
        { role: 'system', text: system },
        { role: 'user', text: user },
      ],
      verdict: { kind: 'choice', labels: ['1', '2'] },
    };
    let current: z.infer<typeof pair> | undefined;
    const judge = await startUpstream(({ body }, response) => {
      const named = !body.toString().includes("(withheld's summary)");
      response.setHeader('content-type', 'application/json');
      response.end(replyBody((named ? current?.true : current?.none)?.[0]?.[0] ?? ''));
    });
    const proxy = await startProxy({
      ...{
        JUDGE_BASE_URL: judge.url,
        REMAND_BIASES: 'identity',
        REMAND_TEMPLATES: JSON.stringify([template]),
      },
      ...{ REMAND_ROUNDS: '1', REMAND_TRACES: 'off' },
    });
    const found: Record<string, { n: number; changed: number }> = {};
    for (const one of readJsonl('self-recognition/pairs.dev.jsonl', pair)) {
      const known = texts.get(one.id);
      const counts = found[`${one.data}/${one.judge}`] ?? { n: 0, changed: 0 };
      if (!known || counts.n >= MOST) continue;
      found[`${one.data}/${one.judge}`] = counts;
      current = one;
      const slots = [
        known.article,
        one.judge,
        known.summaries[one.judge],
        one.other,
        known.summaries[one.other],
      ];
      const content = ['article', 'source1', 'summary1', 'source2', 'summary2'].reduce(
        (all, slot, n) => all.replace(`{${slot}}`, () => slots[n] ?? ''),
        asked,
      );
      const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({
          ...{ model: one.judge, temperature: 0 },
          messages: [
            { role: 'system', content: system },
            { role: 'user', content },
          ],
        }),
      });
      const isChanged = one.none[0]?.[0] !== one.true[0]?.[0];
      expect([one.id, headers['x-remand-biases'], headers['x-remand-status']]).toEqual([
        one.id,
        isChanged ? 'identity' : '',
        isChanged ? 'insisted' : 'unchanged',
      ]);
      counts.n++;
      if (isChanged) counts.changed++;
    }
    expect(Object.keys(found)).toHaveLength(4);
    const python = process.env.PYTHON;
    if (!python) return;
    const script = fileURLToPath(new URL('../bias/identity_changes.py', import.meta.url));
    const printed = execFileSync(
      python,
      [script, path('pairs.dev.jsonl'), path('texts.dev.jsonl'), String(MOST)],
      { encoding: 'utf8' },
    );
    for (const [name, counts] of Object.entries(JSON.parse(printed)))
      expect(found[name]).toMatchObject({
        n: MOST,
        changed: z.object({ changed: z.number() }).parse(counts).changed,
      });
  });
});
