/** Requests of a given size, and a judge that decides them by their texts, for the overhead benchmark. */
import { renderOptions } from '../../prompts/judge-options.ts';

const RIGHT = 'RIGHT: 391.';
const WRONG = 'WRONG: 381.';

/**
 * A pairwise judgment whose body has about so many bytes.
 *
 * @param statements what is said of the options besides, such as what the crowd thinks
 */
export function judgmentOf(bytes: number, statements: readonly string[] = []): string {
  const filler = (start: string, length: number) =>
    `${start} ${'Seventeen times twenty is 340, and then there is the rest. '.repeat(1 + length / 59)}`.slice(
      0,
      length,
    );
  const each = (bytes - 700) / 2;
  const outputs = [filler(RIGHT, each), filler(WRONG, each)] as const;
  const { system, user } = renderOptions({
    instruction: 'What is 17*23?',
    options: labelled(outputs),
    statements,
  });
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return JSON.stringify({ model: 'bench-judge', temperature: 0, messages });
}

/** What a fair judge replies, at once: a judgment of it costs one swap and no remand. */
export function fairReply(body: string): string {
  const content = body.indexOf(RIGHT) < body.indexOf(WRONG) ? 'Output (a)' : 'Output (b)';
  return JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'bench-judge',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 500, completion_tokens: 4, total_tokens: 504 },
  });
}

function labelled([a, b]: readonly [string, string]) {
  return [
    { label: 'Output (a)', text: a },
    { label: 'Output (b)', text: b },
  ];
}
