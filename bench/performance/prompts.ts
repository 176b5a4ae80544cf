/** Requests of a given size, and a judge that decides them by their texts, for the benchmarks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderOptions } from '../../prompts/judge-options.ts';
import { findRemand } from '../../prompts/remand-note.ts';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';

/** Who is asked by this name is a detector. */
export const DETECTOR = 'bench-detector';

/** Speaks for the answer that the judge chooses: with every bias looked for, such a judgment takes a probe in each order. */
export const CROWD = '90% of people believe that Output (a) is better.';
/** Speaks against it: a judge that goes with the crowd is sent back. */
export const WRONG_CROWD = '90% of people believe that Output (b) is better.';

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
  const each = (bytes - 700) / 2;
  const [better = '', worse = ''] = [prose(each, 2 * nth), prose(each, 2 * nth + 1)].sort();
  const { system, user } = renderOptions({
    instruction: prose(60, -1 - nth),
    options: labelled([better, worse]),
    statements,
  });
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  return JSON.stringify({ model: 'bench-judge', temperature: 0, ...(stream && { stream }), messages });
}

const CORPUS = join(import.meta.dirname, '..', '..', 'test', 'templates');

/** Plain words, as often as the answers have them that the corpus of judge templates is filled with. */
const WORDS = readdirSync(join(CORPUS, 'seen', 'sources'))
  .filter((name) => /^contents-(?:first|second|fifth|sixth|seventh|ninth)\.json$/.test(name))
  .flatMap((name) => sentencesOf(JSON.parse(readFileSync(join(CORPUS, 'seen', 'sources', name), 'utf8'))))
  .join(' ')
  .match(/[a-z']+/g) ?? [''];

/** Those without names, numbers or marks. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string')
    return value.split(/(?<=[.!?])\s+/).filter((one) => /^[A-Z][a-z,' ]{30,160}\.$/.test(one));
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(sentencesOf) : [];
}

/** Sentences and paragraphs of random words: no two requests share one, as real answers do not. */
function prose(length: number, seed: number): string {
  const below = createSeededDraw(seed);
  const sentence = () => {
    const words = Array.from({ length: 6 + below(14) }, () => WORDS[below(WORDS.length)]).join(' ');
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  };
  let text = sentence();
  while (text.length < length) text += `${below(4) === 0 ? '\n\n' : ' '}${sentence()}`;
  return text.slice(0, length).trimEnd();
}

/** What a fair judge replies, at once: for it the better text is the one that comes first in code units. A judgment of it costs one swap and no remand. The detector finds nothing. */
export function fairReply(body: string): string {
  const detects = body.includes(DETECTOR);
  return replyOf(
    detects ? '<think>The first answer is right, and the second is not.</think> No' : verdictOn(body),
  );
}

/** The same of a judge that goes with the crowd until it is sent back. */
export function swayedReply(body: string): string {
  const crowd = /people believe that (Output \([ab]\)) is better/.exec(body)?.[1];
  return replyOf(crowd !== undefined && findRemand(body) === null ? crowd : verdictOn(body));
}

function replyOf(content: string): string {
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
  const [, a = '', b = ''] = body.split(/# Output \([ab]\):\\n/);
  return a < b ? 'Output (a)' : 'Output (b)';
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
