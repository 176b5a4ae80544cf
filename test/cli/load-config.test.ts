/** Settings that are files: what is wrong in one is told by the file, the place in it and the field. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/cli/load-config.ts';
import { createJudge } from '../../src/embed/index.ts';
import { readConfig } from '../../src/proxy/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const template = (verdict: unknown) => ({
  name: 'ours',
  parts: [{ role: 'user', text: '{{option}}' }],
  verdict,
});
const KINDS = 'choice, score, pass, category, scores, ranking or list';
const ANCHOR = { body: { messages: [] } };

test.each<[setting: string, content: string, place: string]>([
  [
    'REMAND_TEMPLATES',
    JSON.stringify(template({ kind: 'categry' })),
    `: verdict.kind: must be ${KINDS}, not "categry"`,
  ],
  ['REMAND_TEMPLATES', JSON.stringify(template({})), ': verdict.kind: is missing'],
  [
    'REMAND_TEMPLATES',
    JSON.stringify([template({ kind: 'score' }), { ...template({ kind: 'score' }), nme: 'x' }]),
    '[1]: no such field "nme"; did you mean "name"?',
  ],
  [
    'REMAND_TEMPLATES',
    JSON.stringify(template({ kind: 'score', min: 5, max: 1 })),
    ': verdict.max: must be more than min',
  ],
  [
    'REMAND_TEMPLATES',
    JSON.stringify(template({ kind: 'scores', field: 'marks', min: 1, max: 1 })),
    ': verdict.max: must be more than min',
  ],
  [
    'REMAND_TEMPLATES',
    JSON.stringify({ name: 'ours', parts: [{ role: 'user', text: '{{optoin}}' }] }),
    ': parts.0.text: {{optoin}} is no slot',
  ],
  [
    'REMAND_ANCHORS',
    `${JSON.stringify(ANCHOR)}\n\n{"bdy": {}}\n`,
    ': line 3: body: is missing; no such field "bdy"',
  ],
  ['REMAND_ANCHORS', '{"body": 5}', ': line 1: body: must be an object, not a number'],
  ['REMAND_CALIBRATION', '{"x": 1}', ': version: is missing'],
  ['REMAND_CONFIDENCE', '{"x": 1}', ': judges: is missing'],
  ['REMAND_CONFIDENCE', '{"judges": {"m": "x"}}', ': judges.m: must be an object, not text'],
])('a mistake in %s: %s', async (setting, content, place) => {
  const path = join(folder, `${setting}.json`);
  writeFileSync(path, content);
  await expect(loadConfig({ [setting]: path })).rejects.toThrow(`${setting}: ${path}${place}`);
});

test('a mistake in a setting that is JSON is told by its field, too', () => {
  const settings = (env: Record<string, string>) => () => readConfig(env);
  expect(settings({ REMAND_ANCHORS: '[{"bdy": {}}]' })).toThrow(
    'REMAND_ANCHORS.0: no such field "bdy"; did you mean "body"?',
  );
  expect(settings({ REMAND_CALIBRATION: '{"x": 1}' })).toThrow('REMAND_CALIBRATION.version: is missing');
  expect(settings({ REMAND_CONFIDENCE: '{"judges": {"m": "x"}}' })).toThrow(
    'REMAND_CONFIDENCE.judges.m: must be an object, not text',
  );
});

test('and so is one in a template that is given in code', () => {
  expect(() =>
    createJudge({ templates: [template({ kind: 'categry' })], ask: async () => '' } as never),
  ).toThrow(`templates.0: verdict.kind: must be ${KINDS}, not "categry"`);
});
