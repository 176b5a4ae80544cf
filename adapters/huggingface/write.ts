/** Writing generations as TGI does (https://huggingface.github.io/text-generation-inference): of our own, and another text in one that came. */
import * as z from 'zod';
import { findNode, type JsonNode, replaceNode, replaceText, type Splice, splice } from '../json-source.ts';
import { formatEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';
import {
  findGeneratedText,
  isEventReply,
  measureRepeatedPrompt,
  type ReplyPiece,
  readReplyPieces,
} from './reply.ts';

const parameters = z.looseObject({
  inputs: z.string().catch(''),
  parameters: z
    .looseObject({
      details: z.boolean().nullish().catch(null),
      return_full_text: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

export function writeHuggingFaceReply(said: RequestedAnswer): WireReply {
  const { inputs, parameters: asked } = parameters.parse(said.fields);
  const generated_text = asked?.return_full_text ? inputs + said.text : said.text;
  const tokens = tokensOf(said);
  const counts = { finish_reason: 'eos_token', generated_tokens: tokens.length, seed: null };
  const input = said.tokens ? { input_length: said.tokens.input } : {};
  if (said.stream) {
    const details = { ...counts, ...input };
    return {
      events: tokens.map((token, i, all) =>
        i === all.length - 1
          ? formatEvent({ index: i + 1, token, generated_text, details })
          : formatEvent({ index: i + 1, token, generated_text: null, details: null }),
      ),
    };
  }
  const details = asked?.details ? { details: { ...counts, prefill: [], tokens, ...input } } : {};
  const generation = { generated_text, ...details };
  // TGI's own route answers with an object, those that it has for older clients with a list.
  const own = /^\/generate/.test(said.target);
  return { json: JSON.stringify(own ? generation : [generation]) };
}

/** There is no chance in what this endpoint says, so every token's probability is 1 and its logarithm 0. */
function tokensOf({ text }: RequestedAnswer): object[] {
  const pieces = splitWords(text);
  return (pieces.length > 0 ? pieces : [text]).map((piece, id) => ({
    id,
    text: piece,
    logprob: 0,
    special: false,
  }));
}

/**
 * Putting another text where generated text stands, behind the prompt where it repeats that. In a stream the first
 * token says all, the later ones nothing, and the generated text at the end says it again. Tokens of the words that
 * were there are taken out with their log-probabilities.
 */
export function replaceHuggingFaceText(body: string, stream: boolean, text: string, sent?: string): string {
  const pieces = readReplyPieces(body, stream);
  const tokens = isEventReply(body, stream) ? tokensIn(pieces) : [];
  return splice(
    body,
    pieces.flatMap((piece) => {
      const token = tokens.find((one) => one.piece === piece);
      return piece.moved([
        ...(token ? replaceToken(token.node, token === tokens[0] ? text : '') : []),
        ...emptyArray(piece.root, ['top_tokens']),
        ...(findGeneratedText(piece) ? replaceGenerated(piece, text, sent) : []),
      ]);
    }),
  );
}

function replaceGenerated(piece: ReplyPiece, text: string, sent: string | undefined): Splice[] {
  const node = findGeneratedText(piece);
  if (!node) return [];
  const prompt = node.value.slice(0, measureRepeatedPrompt(node.value, sent) ?? 0);
  const others = findNode(piece.root, ['details', 'best_of_sequences'])?.items ?? [];
  return [
    replaceText(node, prompt + text),
    ...emptyArray(piece.root, ['details', 'tokens']),
    ...emptyArray(piece.root, ['details', 'top_tokens']),
    ...others.flatMap((other) => {
      const own = findNode(other, ['generated_text']);
      return [
        ...(own ? [replaceText(own, text)] : []),
        ...emptyArray(other, ['tokens']),
        ...emptyArray(other, ['top_tokens']),
      ];
    }),
  ];
}

/** Tokens that are text. An end-of-sequence token stays. */
function tokensIn(pieces: readonly ReplyPiece[]): { piece: ReplyPiece; node: JsonNode }[] {
  return pieces.flatMap((piece) => {
    const node = findNode(piece.root, ['token']);
    return node?.type === 'object' && findNode(node, ['special'])?.value !== true ? [{ piece, node }] : [];
  });
}

function replaceToken(token: JsonNode, text: string): Splice[] {
  const node = findNode(token, ['text']);
  const logprob = findNode(token, ['logprob']);
  return [
    ...(node ? [replaceText(node, text)] : []),
    // As TGI writes it of a prompt's first token, which has none.
    ...(logprob?.type === 'number' ? [replaceNode(logprob, 'null')] : []),
  ];
}

function emptyArray(root: JsonNode, path: readonly string[]): Splice[] {
  const node = findNode(root, path);
  return node?.type === 'array' && node.items?.length ? [replaceNode(node, '[]')] : [];
}
