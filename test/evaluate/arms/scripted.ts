/** A judge that says what a test has it say, asked through the real call store and budget; and rows to ask it about. */
import { openaiChat } from '../../../adapters/openai-chat/index.ts';
import type { DatasetRow } from '../../../src/dataset/base.ts';
import type { RowPair } from '../../../src/dataset/judge-pairs.ts';
import { type ArmName, type ArmTools, createArm } from '../../../src/evaluate/arms/index.ts';
import { type Arm, createStopwatch } from '../../../src/evaluate/arms/run-arms.ts';
import { type CallStore, createMemoryCalls } from '../../../src/models/call-store.ts';
import { createSpend } from '../../../src/models/ledger.ts';
import { createModel, type Model } from '../../../src/models/model.ts';
import { type Clock, type Fetch, systemClock } from '../../../src/ports.ts';

export interface Asked {
  readonly system: string;
  readonly user: string;
}

export interface Scripted {
  readonly model: Model;
  /** Calls that were really made, in their order. */
  readonly asked: Asked[];
}

/** @param say the reply, or null for an endpoint that refuses the request */
export function scripted(
  say: (asked: Asked, nth: number) => string | null,
  options: {
    readonly name?: string;
    readonly budget?: number;
    readonly store?: CallStore;
    readonly clock?: Clock;
    readonly uncounted?: boolean;
  } = {},
): Scripted {
  const asked: Asked[] = [];
  const fetch: Fetch = async (_, { body }) => {
    const { messages } = JSON.parse(String(body)) as { messages: { role: string; content: string }[] };
    const textOf = (role: string) => messages.find((one) => one.role === role)?.content ?? '';
    const one = { system: textOf('system'), user: textOf('user') };
    asked.push(one);
    const text = say(one, asked.length);
    if (text === null) return Response.json({ error: { message: 'refused' } }, { status: 400 });
    return Response.json({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      ...(options.uncounted ? {} : { usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 } }),
    });
  };
  const name = options.name ?? 'judge';
  const model = createModel({
    ...{ name, model: name, protocol: openaiChat, url: 'http://scripted.invalid', key: null, fetch },
    ...{ parameters: {}, store: options.store ?? createMemoryCalls(), clock: options.clock ?? systemClock },
    ...{ spend: createSpend({ calls: options.budget ?? null, tokens: null }), retries: 0 },
  });
  return { model, asked };
}

const head = {
  id: 'x',
  base: 'x',
  twin: false,
  instruction: 'What is 2+2?',
  labels: ['Output (a)', 'Output (b)'],
};

/** The first option is right; in D_bias a crowd is for the other one. */
export const CROWD: RowPair = [
  { ...head, biases: ['bandwagon'], set: 'd', options: ['It is 4.', 'It is 5.'], right: 0, statements: [] },
  {
    ...{ ...head, biases: ['bandwagon'], set: 'd_bias', options: ['It is 4.', 'It is 5.'], right: 0 },
    statements: ['90% believe that Output (b) is better'],
  },
];

/** The same two options in both orders. */
export const ORDERS: RowPair = [
  { ...head, biases: ['position'], set: 'd', options: ['It is 4.', 'It is 5.'], right: 0, statements: [] },
  {
    ...head,
    biases: ['position'],
    set: 'd_bias',
    options: ['It is 5.', 'It is 4.'],
    right: 1,
    statements: [],
  },
];

export const NOTE = '--- Note on an earlier evaluation';
export const isNoted = ({ user }: Asked) => user.includes(NOTE);
/** Follows the crowd until it is told to reconsider. */
export const follower = (asked: Asked) =>
  asked.user.includes('believe that Output (b)') && !isNoted(asked) ? 'Output (b)' : 'Output (a)';

const signal = new AbortController().signal;

export function arm(name: ArmName, tools: Partial<ArmTools> = {}): Arm {
  return createArm(name, { rounds: 1, clock: systemClock, detector: null, sampling: null, ...tools });
}

export function decide(one: Arm, row: DatasetRow, model: Model) {
  return one.decide(row, model, { signal, watch: createStopwatch(systemClock) });
}
