/**
 * OpenAI's fine-tuning files: chat JSONL, with the rules the upload is checked by
 * (platform.openai.com/docs/guides/supervised-fine-tuning): at least 10 examples, known roles, nothing empty, the
 * assistant last.
 */
import { RemandError } from '../../errors.ts';
import type { Format } from './format.ts';
import { createMessagesFormat } from './json-layouts.ts';

const LEAST_EXAMPLES = 10;
/** Tokens of one example; what is longer is cut at the end, where the label stands. */
const MOST_TOKENS = 65_536;
/** Tokens around each message, and before the reply: OpenAI's own way of counting. */
const AROUND_MESSAGE = 3;
const BEFORE_REPLY = 3;

export const openai: Format = createMessagesFormat();

export interface TokenCount {
  readonly encoding: string;
  count(text: string): number;
}

export interface TokenReport {
  readonly encoding: string;
  readonly total: number;
  readonly longest: number;
  /** Examples above the limit. */
  readonly above_limit: number;
  readonly limit: number;
}

/** @throws RemandError where there are too few examples to train on */
export function checkExamples(split: string, examples: number): void {
  if (split === 'train' && examples < LEAST_EXAMPLES)
    throw new RemandError(
      `openai/train.jsonl: has ${examples} examples, and OpenAI takes no fewer than ${LEAST_EXAMPLES}`,
    );
}

export function createTokenReport(tokens: TokenCount): {
  add(prompt: string, completion: string): void;
  report(): TokenReport;
} {
  let total = 0;
  let longest = 0;
  let above = 0;
  return {
    add(prompt, completion) {
      // A role is one token.
      const count = tokens.count(prompt) + tokens.count(completion) + 2 * (AROUND_MESSAGE + 1) + BEFORE_REPLY;
      total += count;
      longest = Math.max(longest, count);
      if (count > MOST_TOKENS) above++;
    },
    report: () => ({
      ...{ encoding: tokens.encoding, total, longest },
      ...{ above_limit: above, limit: MOST_TOKENS },
    }),
  };
}
