/** The request that docs/options.md prints, as it stands there: the case that it declares is the one that is judged. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { DeclaredCase } from '../../src/index.ts';
import { whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const PAGE = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8');
const [, printed = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
const request = z.looseObject({ remand: z.object({ case: z.unknown() }) }).parse(JSON.parse(printed));

async function judge(declared: unknown) {
  const judgeOf = await startUpstream(whole(() => 'Ann'));
  const { url } = await startProxy({ JUDGE_BASE_URL: judgeOf.url });
  const { status, headers, body } = await exchange(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...request, remand: { case: declared } }),
  });
  const trace = await exchange(`${url}/remand/traces/${headers['x-remand-trace']}`);
  return { status, body: body.toString(), headers, told: JSON.parse(trace.body.toString()) };
}

const texts = z.looseObject({
  case: z.looseObject({ options: z.array(z.looseObject({ label: z.string(), text: z.string() })) }),
});

test('is examined as the case that it declares', async () => {
  const { status, told, headers } = await judge(request.remand.case);
  expect(status).toBe(200);
  // This judge says Ann, whatever Ann says.
  expect(headers).toMatchObject({ 'x-remand-status': 'insisted', 'x-remand-biases': 'position' });
  expect(texts.parse(told).case.options).toMatchObject([
    { label: 'Ann', text: '381' },
    { label: 'Bob', text: '391' },
  ]);
});

test('plain strings are options as well, and labels are read in the prompt', async () => {
  const plain: DeclaredCase = { options: ['381', '391'] };
  const { status, told } = await judge(plain);
  expect(status).toBe(200);
  expect(texts.parse(told).case.options.map(({ text }) => text)).toEqual(['381', '391']);
});

test.each([
  [{ options: [] }, 'remand.case.options'],
  [{ options: ['381', 7] }, 'remand.case.options.1'],
  [{ options: ['381', '392'] }, 'remand.case.options.1'],
  [{ options: ['381', '391'], contxt: [] }, 'no such field \\"contxt\\"; did you mean \\"context\\"?'],
  [{ options: [{ txt: '381' }, '391'] }, 'remand.case.options.0'],
])('%j is refused by name', async (declared, field) => {
  const { status, body } = await judge(declared);
  expect(status).toBe(400);
  expect(body).toContain(field);
});

test('a field beside the case is refused with the name that was meant', async () => {
  const { url } = await startProxy({});
  const { status, body } = await exchange(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...request, remand: { caze: {} } }),
  });
  expect([status, JSON.parse(body.toString()).error.message]).toEqual([
    400,
    'remand: no such field "caze"; did you mean "case"?',
  ]);
});
