/** Logs as the real Inspect writes them, in both of its formats, read by `remand look`: every call of the judge is found. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { findLoggedCalls } from '../../src/logs/index.ts';
import { readEvalSamples } from '../../src/logs/node.ts';
import { replyBody } from '../proxy/judges.ts';
import { startUpstream } from '../proxy/servers.ts';
import { CLIENTS } from './environments.ts';

const home = mkdtempSync(join(tmpdir(), 'inspect-logs-'));
afterAll(() => rmSync(home, { recursive: true }));

const MODEL = 'openai/gpt-4o';

async function callsIn(path: string) {
  if (path.endsWith('.json')) return findLoggedCalls(JSON.parse(readFileSync(path, 'utf8')))?.calls ?? [];
  const calls = [];
  for await (const { sample } of readEvalSamples(path)) calls.push(...(findLoggedCalls(sample)?.calls ?? []));
  return calls;
}

test('the prompts that the judge was sent, and what it replied', async () => {
  const sent: string[] = [];
  const { url } = await startUpstream((received, response) => {
    const { messages } = JSON.parse(received.body.toString());
    sent.push(messages[0].content);
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(`GRADE: ${messages[0].content.includes('tool for') ? 'C' : 'I'}`));
  });
  const script = join(import.meta.dirname, 'inspect_logs.py');
  await promisify(execFile)(CLIENTS.python, [script, url, home], {
    env: { PATH: process.env.PATH, HOME: home },
  });
  expect(sent).toHaveLength(6);
  const files = readdirSync(home).filter((name) => /\.(?:eval|json)$/.test(name));
  expect(files.map((name) => name.split('.').at(-1)).sort()).toEqual(['eval', 'json']);
  for (const file of files) {
    const calls = (await callsIn(join(home, file))).filter(({ body }) => body.model === MODEL);
    expect(calls.map(({ body }) => body.messages[0]?.content).sort(), file).toEqual(sent.slice(0, 3).sort());
    const replies = calls.map(({ response }) => JSON.stringify(response?.choices));
    expect(
      replies.filter((text) => text.includes('GRADE: C')),
      file,
    ).toHaveLength(1);
    expect(
      replies.filter((text) => text.includes('GRADE: I')),
      file,
    ).toHaveLength(2);
  }
});
