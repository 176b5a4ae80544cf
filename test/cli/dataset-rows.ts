/** A small dataset to judge, made by the command itself, and a judge whose decision is a function of the request. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remand } from './command.ts';

/** Builds D and D_bias of so many rows in the folder. */
export async function buildRows(folder: string, count: number): Promise<void> {
  const base = join(folder, 'base.jsonl');
  writeFileSync(
    base,
    Array.from({ length: count }, (_, index) => `${JSON.stringify(pair(index))}\n`).join(''),
  );
  const { code, err } = await remand([
    ...['dataset', 'build', '--bias', 'bandwagon', '--from', base, '--out', folder],
  ]);
  if (code !== 0) throw new Error(err);
}

export const pair = (index: number) => ({
  kind: 'pair',
  id: `item-${index}`,
  instruction: `What is ${index} plus 1?`,
  positive: `It is ${index + 1}.`,
  negative: `It is ${index + 2}.`,
  answer: `${index + 1}`,
  first: index % 2 === 0 ? 'positive' : 'negative',
});

/** The same request gets the same verdict, however often and in whatever order it comes. */
export function decision(request: string): string {
  const [byte = 0] = createHash('sha256').update(request).digest();
  return byte % 2 === 0 ? 'Output (a)' : 'Output (b)';
}

export const chatReply = (text: string) => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
});
