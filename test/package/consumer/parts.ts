/** Every way into the package, and the loop put together by hand. */
import {
  applyEdits,
  CATALOGUE,
  createAsk,
  createProbeDetector,
  debias,
  findCase,
  type Outcome,
  readVerdict,
  systemClock,
} from 'remand';
import { createOpenAiDetectorModel } from 'remand/detector-models';
import { createProxy } from 'remand/proxy';
import { startServer } from 'remand/server';
import { mcnemarExact } from 'remand/stats';
import worker from 'remand/worker';
import { askYourModel, prompt } from './your-judge.ts';

const subject = findCase({ parts: [{ role: 'user', text: prompt }] });
if (!subject) throw new Error('no case found');
const ask = createAsk<string>(subject, async (_, changes) => {
  const { parts } = applyEdits(subject.prompt, changes?.edits ?? []);
  const text = await askYourModel(parts.map((part) => part.text).join('\n'));
  return { reply: text, read: { texts: [text], finish: null, usage: null, tokens: null } };
});
const outcome: Outcome<string> = await debias({
  subject,
  ask,
  judge: 'by-hand',
  detector: createProbeDetector(),
  biases: CATALOGUE,
  rounds: 1,
  mode: 'debias',
  policy: 'last-word',
  deadlineMs: 1000,
  rewrite: null,
  clock: systemClock,
  signal: new AbortController().signal,
});

const proxy = createProxy(
  { JUDGE_BASE_URL: process.env.JUDGE_URL, REMAND_BIASES: 'position' },
  { log: () => {} },
);
const proxied = await proxy.request('/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model: 'test-judge', messages: [{ role: 'user', content: prompt }] }),
});

console.log(
  JSON.stringify({
    plain: await askYourModel(prompt),
    byHand: [outcome.status, outcome.final.reply],
    read: readVerdict('Output (b)', subject.form, subject.options).kind,
    proxied: proxied.headers.get('x-remand-status'),
    p: mcnemarExact(13, 1).toFixed(4),
    others: [typeof createOpenAiDetectorModel, typeof startServer, typeof worker.fetch],
  }),
);
