/** Rows of the tests of clients' forms: a template, the form that must be found in it, and replies with what is read. */
import type { Prompt, Verdict, VerdictForm } from '../../src/case/types.ts';

export const chat = (system: string, user: string): Prompt => ({
  parts: [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ],
});
export const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
export type Read = Verdict extends infer V ? (V extends Verdict ? Omit<V, 'text'> : never) : never;
export const choice = (option: number, strength?: 'slight' | 'strong'): Read => ({
  kind: 'choice',
  option,
  ...(strength && { strength }),
});
export const none = (reason: string) => ({ kind: 'none', reason });
export const scores = (...all: number[]) => ({ kind: 'scores', scores: all });
export const pass = (passes: boolean) => ({ kind: 'pass', pass: passes });
export const category = (letter: string) => ({ kind: 'category', category: letter });

export interface Client {
  readonly request: Prompt;
  readonly schema?: unknown;
  readonly form: Partial<VerdictForm>;
  readonly replies: readonly (readonly [reply: string, read: object])[];
}

export const decided = ({ text: _, ...rest }: Verdict) => rest;

export const ARENA = `Please act as an impartial judge and evaluate the quality of the responses provided by two AI assistants to the user prompt displayed below. You will be given assistant A's answer and assistant B's answer. Your job is to evaluate which assistant's answer is better.

After providing your explanation, you must output only one of the following choices as your final verdict with a label:

1. Assistant A is significantly better: [[A>>B]]
2. Assistant A is slightly better: [[A>B]]
3. Tie, relatively the same: [[A=B]]
4. Assistant B is slightly better: [[B>A]]
5. Assistant B is significantly better: [[B>>A]]

Example output: "My final verdict is tie: [[A=B]]".`;
export const ARENA_PAIR =
  "<|User Prompt|>\nHi?\n\n<|The Start of Assistant A's Answer|>\nHi.\n<|The End of Assistant A's Answer|>\n\n<|The Start of Assistant B's Answer|>\nHey.\n<|The End of Assistant B's Answer|>";
export const JUDGE = 'Please act as an impartial judge and evaluate the responses of two AI assistants.';
export const answersOf = (keys: readonly [string, string], question = '[User Question]\nHi?') =>
  `${question}\n\n${keys.map((key) => `[The Start of Assistant ${key}'s Answer]\nI am ${key}.\n[The End of Assistant ${key}'s Answer]`).join('\n\n')}`;
