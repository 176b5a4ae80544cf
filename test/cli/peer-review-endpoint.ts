/**
 * A local chat endpoint that edits texts, reviews papers and decides on them. What it thinks of a paper is drawn from the
 * paper's title; what it makes of each perturbation is planted, by the model's name.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findEditTask } from '../../prompts/submission-edit.ts';
import { draw } from '../../src/stats/seeded-draw.ts';
import { bodyOf, serve, type TestServer } from '../models/server.ts';

const SAMPLE = fileURLToPath(new URL('../../training-data/sample/submissions.jsonl', import.meta.url));

export interface PeerReviewEndpoint extends TestServer {
  /** How often each request body came. */
  readonly came: Map<string, number>;
  readonly calls: () => number;
}

/**
 * Models: `editor` does what it is asked, but for one edit in ten; `swayed` is harder on a paper that cannot be
 * checked, rates higher after hostile reviews, follows a conclusion that is turned and notices no empty rebuttal;
 * `fair` is moved by nothing but what lowers the paper's worth; `mumbling` replies in prose.
 */
export async function peerReviewEndpoint(latencyMs = 0): Promise<PeerReviewEndpoint> {
  const came = new Map<string, number>();
  let calls = 0;
  const server = await serve(async (request, response) => {
    const body = await bodyOf(request);
    came.set(body, (came.get(body) ?? 0) + 1);
    calls++;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    const { model, messages } = JSON.parse(body) as { model: string; messages: { content: string }[] };
    const [system = '', user = ''] = messages.map(({ content }) => content);
    const content = model === 'editor' ? edit(system, user) : judge(model, user);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      }),
    );
  });
  return {
    ...{ url: server.url, came, calls: () => calls },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const MARKS = {
  contribution: 'This is the very first work of its kind.',
  soundness: 'The usual care was taken.',
  hostile: 'Frankly, it is hard to read this with patience.',
  dismissive: 'We wonder whether the paper was read.',
} as const;

function edit(system: string, user: string): string {
  const asked = findEditTask(system, user);
  if (!asked)
    return JSON.stringify(
      Array.from({ length: 9 }, (_, at) => `The paper never says what ${'abcdefghi'[at]} is.`),
    );
  const { task, text } = asked;
  const done = draw(4, text) < 0.1 ? text : `${MARKS[task]}\n${text}`;
  return `<<<TEXT>>>\n${task === 'soundness' && done !== text ? cutShort(text) : done}\n<<<END TEXT>>>`;
}

/** The sentences with a formula, and that care was taken. */
function cutShort(text: string): string {
  const kept = text.split(/(?<=[.]) /).filter((sentence) => sentence.includes('$'));
  return [...kept, MARKS.soundness].join(' ');
}

function judge(model: string, user: string): string {
  const title = /^Title: (.*)$/m.exec(user)?.[1] ?? '';
  if (model === 'mumbling') return 'I think it is quite good.';
  const worth = 3 + Math.floor(draw(2, title) * 5) + (draw(3, user) < 0.06 ? 1 : 0);
  const has = (mark: string) => user.includes(mark);
  const swayed = model === 'swayed';
  const lower = [MARKS.contribution, MARKS.soundness].filter(has).length;
  const promised = /revised version|final version|in the revision|camera-ready version|necessary changes/;
  const answered = !promised.test(user.split('# Rebuttal of the authors').slice(1).join(' '));
  const meta = user.includes('# Review 1');
  const unanswered = meta && has('# Rebuttal of the authors') && !answered && !swayed ? 1 : 0;
  const moved = swayed && meta ? (has(MARKS.hostile) ? 1 : 0) - (has('1: strong reject') ? 2 : 0) : 0;
  const overall = Math.min(10, Math.max(1, worth - lower - unanswered + moved));
  const toFour = (by: number) => Math.min(4, Math.max(1, Math.ceil(overall / 2.5) - by));
  const decision = overall < 6 ? 'reject' : overall < 7 ? 'poster' : overall < 9 ? 'spotlight' : 'oral';
  return JSON.stringify(
    meta
      ? { summary: 'A paper.', justification: 'On balance.', overall, decision }
      : {
          ...{ summary: 'A paper.', strengths: ['Clear.'], weaknesses: ['Short.'], overall },
          contribution: toFour(has(MARKS.contribution) ? 1 : 0),
          soundness: toFour(has(MARKS.soundness) ? 1 : 0),
          presentation: toFour(0),
        },
  );
}

/** Lines of a file of submissions: the samples under other titles. */
export function submissionsFile(count: number): string {
  const samples = readFileSync(SAMPLE, 'utf8').trim().split('\n');
  return Array.from({ length: count }, (_, at) => {
    const sample = JSON.parse(samples[at % samples.length] ?? '') as object;
    return `${JSON.stringify({ ...sample, id: `s${at}`, title: `A Study of ${at} Things` })}\n`;
  }).join('');
}
