/** Requests of a given size, and a judge that decides them by their texts, for the benchmarks. */
import { renderOptions } from '../../prompts/judge-options.ts';

const RIGHT = 'RIGHT: 391.';
const WRONG = 'WRONG: 381.';

/** Who is asked by this name is a detector. */
export const DETECTOR = 'bench-detector';

/** Speaks for the answer that the judge chooses: with every bias looked for, such a judgment takes a probe in each order. */
export const CROWD = '90% of people believe that Output (a) is better.';

export interface JudgmentText {
  /** About so many in the body. */
  readonly bytes: number;
  /** Another number, another text. */
  readonly nth?: number;
  /** What is said of the options besides. */
  readonly statements?: readonly string[];
  readonly stream?: boolean;
}

/** A pairwise judgment, as a body. */
export function judgmentOf({ bytes, nth = 0, statements = [], stream = false }: JudgmentText): string {
  const filler = (start: string, length: number) =>
    `${start} ${`Seventeen times twenty is 340, and then there is the rest: ${nth}. `.repeat(1 + length / 60)}`.slice(
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
  return JSON.stringify({ model: 'bench-judge', temperature: 0, ...(stream && { stream }), messages });
}

/** What a fair judge replies, at once: a judgment of it costs one swap and no remand. The detector finds nothing. */
export function fairReply(body: string): string {
  const detects = body.includes(DETECTOR);
  const content = detects
    ? '<think>The first answer is right, and the second is not.</think> No'
    : verdictOn(body);
  const message = { role: 'assistant', content, refusal: null };
  return JSON.stringify({
    ...of('chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 500, completion_tokens: 4, total_tokens: 504 },
  });
}

/** The same as a stream of events, a word each. */
export function fairStream(body: string): string[] {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...of('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const words = verdictOn(body)
    .split(/(?= )/)
    .map((content) => chunk({ content }, null));
  return [chunk({ role: 'assistant', content: '' }, null), ...words, chunk({}, 'stop'), 'data: [DONE]\n\n'];
}

function verdictOn(body: string): string {
  return body.indexOf(RIGHT) < body.indexOf(WRONG) ? 'Output (a)' : 'Output (b)';
}

function of(object: string) {
  return { id: 'chatcmpl-bench', object, created: 1_760_000_000, model: 'bench-judge' };
}

function labelled([a, b]: readonly [string, string]) {
  return [
    { label: 'Output (a)', text: a },
    { label: 'Output (b)', text: b },
  ];
}
