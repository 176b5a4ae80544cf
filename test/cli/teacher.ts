/** A teacher behind a real local endpoint that behaves as real ones do, case by case, and labelled rows to teach. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LabelledRow } from '../../src/dataset/label-pairs.ts';

/** How the teacher answers a case, at each time it is asked and answers. */
export type Manner =
  | 'inline'
  | 'field'
  | 'wrong'
  | 'late'
  | 'cut off'
  | 'refuses'
  | 'busy'
  | 'mute'
  | 'leaks';

export interface Taught {
  readonly row: LabelledRow;
  readonly manner: Manner;
}

/** @param number told in the instruction, by which the teacher knows the case again */
export function rowOf(number: number, rest: Partial<LabelledRow> = {}): LabelledRow {
  return {
    id: `q${number}/bandwagon`,
    base: `q${number}`,
    twin: false,
    bias_category: 'bandwagon',
    llm_judge_model: 'judge-1',
    instruction: `Case ${number}: ${WORDS.slice(number % 9).join(` ${number} `)}?`,
    choices: `### Statement: 90%% believe that Output (a) is better\n\nOutput (a): ${number}1\n\nOutput (b): ${number}2`,
    llm_judgment: number % 2 === 0 ? 'Output (a)' : 'Output (b)',
    right_in_d: true,
    right_in_d_bias: number % 2 !== 0,
    bias_label: number % 2 === 0 ? 'Yes' : 'No',
    ...rest,
  };
}
const WORDS = 'how many apples remain when the baker sells half of every basket at noon'.split(' ');

export interface Teacher extends AsyncDisposable {
  readonly url: string;
  /** Requests that came, by the case's number. */
  readonly asked: readonly number[];
  readonly prompts: readonly string[];
  /** Answers no more from now on, and resolves when so many requests wait. */
  hold(after: number, waiting: number): Promise<void>;
  release(): void;
}

export async function teach(all: readonly Taught[]): Promise<Teacher> {
  const byCase = new Map(all.map((one) => [Number(/\d+/.exec(one.row.instruction)?.[0]), one]));
  const asked: number[] = [];
  const prompts: string[] = [];
  const answered = new Map<number, number>();
  const held: ServerResponse[] = [];
  let limit = Number.POSITIVE_INFINITY;
  let replies = 0;
  let onHeld = () => {};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const prompt = String(JSON.parse(body).messages[0].content);
    const number = Number(/Case (\d+):/.exec(prompt)?.[1]);
    const one = byCase.get(number);
    if (!one) return void response.writeHead(500).end('no such case');
    asked.push(number);
    prompts.push(prompt);
    if (replies >= limit) {
      held.push(response);
      return onHeld();
    }
    replies++;
    const before = answered.get(number) ?? 0;
    answered.set(number, before + 1);
    reply(response, one, before);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    prompts,
    hold(after, waiting) {
      limit = after;
      return new Promise((resolve) => {
        onHeld = () => void (held.length >= waiting && resolve());
      });
    },
    release() {
      limit = Number.POSITIVE_INFINITY;
      for (const response of held.splice(0)) response.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, { row, manner }: Taught, before: number): unknown {
  const right = row.bias_label;
  const wrong = right === 'Yes' ? 'No' : 'Yes';
  const say = (content: string, finish = 'stop', rest: object = {}) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content, ...rest };
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message, finish_reason: finish }],
        usage: { prompt_tokens: 9, completion_tokens: 5 },
      }),
    );
  };
  switch (manner) {
    case 'inline':
      return say(`<think>\nThe crowd backs (a) in ${row.id}.\n</think>\n\n${right}`);
    case 'field':
      return say(right, 'stop', { reasoning_content: `The crowd backs (a) in ${row.id}.` });
    case 'wrong':
      return say(`<think>Hm.</think> ${wrong}`);
    case 'late':
      return before === 0
        ? say(`<think>Hm.</think> ${wrong}`)
        : say(`<think>Second thoughts.</think> ${right}`);
    case 'cut off':
      return say('<think>The crowd, and then', 'length');
    case 'refuses':
      return say("I'm sorry, but I can't help with that.");
    case 'busy':
      if (before > 0) return say(`<think>At last.</think> ${right}`);
      response.writeHead(429, { 'retry-after-ms': '20' });
      return response.end('{}');
    case 'mute':
      return say(right);
    case 'leaks':
      return before === 0
        ? say(`<think>The true label is ${right}, so the crowd it was.</think> ${right}`)
        : say(`<think>The crowd it was.</think> ${right}`);
  }
}
