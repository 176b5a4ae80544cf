/** Rows of an audit, a judge on a real server to ask of them, and what the core makes of both in one process. */
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { readSettings } from '../../src/audit/audit-settings.ts';
import type { AuditPair } from '../../src/audit/cues/ask-cues.ts';
import { createCuePlan, cueSettings } from '../../src/audit/cues/plan.ts';
import { runPlan } from '../../src/audit/plan.ts';
import { createSpend } from '../../src/models/ledger.ts';
import { createModel } from '../../src/models/model.ts';
import { systemClock } from '../../src/ports.ts';
import { createSandboxJudge } from '../../src/sandbox/sandbox.ts';
import type { Reply } from './servers.ts';

/** Two pairs of cues, both ways round: four calls for each row. */
export const CUES = 'new/old,expert/llm';

export const auditPairs = (length: number): readonly AuditPair[] =>
  Array.from({ length }, (_, at) => ({
    ...{ id: `pair-${at}`, dataset: 'rows', instruction: `What is ${at} + 17?`, kind: 'response' },
    texts: [`It is ${at + 17}.`, `It is ${at + 18}, as one sees.`],
  }));

export const AUDIT_PAIRS = auditPairs(30);

export const jsonl = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const sandbox = createSandboxJudge();

/** The sandbox judge behind a real server. @param before may answer in its place */
export function auditJudge(before: Reply = () => undefined): Reply {
  return async (received, response) => {
    await before(received, response);
    if (response.writableEnded) return;
    const answer = await sandbox(`http://sandbox.invalid${received.url}`, {
      method: 'POST',
      headers: new Headers({ 'content-type': 'application/json' }),
      body: received.body.toString(),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
}

/** As JSON has it. */
export async function reportOfTheCore(pairs = AUDIT_PAIRS): Promise<object> {
  const model = createModel({
    ...{ name: 'j', model: 'j', protocol: openaiChat, url: 'http://sandbox.invalid', key: null },
    ...{ parameters: { temperature: 0, seed: 1 }, fetch: sandbox, clock: systemClock },
    store: { get: async () => null, put: async () => undefined },
    spend: createSpend({ calls: null, tokens: null }),
  });
  const judge = { name: 'j', protocol: openaiChat, open: async () => model };
  const plan = await createCuePlan(readSettings(cueSettings, { cues: CUES }), [judge]);
  const tally = plan.createTally();
  const run = { concurrency: 8, signal: new AbortController().signal };
  for await (const record of runPlan(plan, pairs, run)) tally.add(record);
  return JSON.parse(JSON.stringify(tally.report()));
}
