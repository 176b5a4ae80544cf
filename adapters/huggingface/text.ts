/**
 * Putting another text where generated text stands, behind the prompt where it repeats that. In a stream the first
 * token says all, the later ones nothing, and the generated text at the end says it again. Tokens of the words that
 * were there are taken out with their log-probabilities.
 */
import { findNode, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { measureRepeatedPrompt } from './full-text.ts';
import { findGeneratedText, isEventReply, type ReplyPiece, readReplyPieces } from './generations.ts';

export function replaceHuggingFaceText(body: string, stream: boolean, text: string, sent?: string): string {
  const pieces = readReplyPieces(body, stream);
  const tokens = isEventReply(body, stream) ? tokensIn(pieces) : [];
  return splice(
    body,
    pieces.flatMap((piece) => {
      const token = tokens.find((one) => one.piece === piece);
      return piece.moved([
        ...(token ? said(token.node, token === tokens[0] ? text : '') : []),
        ...emptied(piece.root, ['top_tokens']),
        ...(findGeneratedText(piece) ? generated(piece, text, sent) : []),
      ]);
    }),
  );
}

function generated(piece: ReplyPiece, text: string, sent: string | undefined): Splice[] {
  const node = findGeneratedText(piece);
  if (!node) return [];
  const prompt = node.value.slice(0, measureRepeatedPrompt(node.value, sent) ?? 0);
  const others = findNode(piece.root, ['details', 'best_of_sequences'])?.items ?? [];
  return [
    written(node, JSON.stringify(prompt + text)),
    ...emptied(piece.root, ['details', 'tokens']),
    ...emptied(piece.root, ['details', 'top_tokens']),
    ...others.flatMap((other) => {
      const own = findNode(other, ['generated_text']);
      return [
        ...(own ? [written(own, JSON.stringify(text))] : []),
        ...emptied(other, ['tokens']),
        ...emptied(other, ['top_tokens']),
      ];
    }),
  ];
}

/** Those that are text; an end-of-sequence token stays. */
function tokensIn(pieces: readonly ReplyPiece[]): { piece: ReplyPiece; node: JsonNode }[] {
  return pieces.flatMap((piece) => {
    const node = findNode(piece.root, ['token']);
    return node?.type === 'object' && findNode(node, ['special'])?.value !== true ? [{ piece, node }] : [];
  });
}

function said(token: JsonNode, text: string): Splice[] {
  const node = findNode(token, ['text']);
  const logprob = findNode(token, ['logprob']);
  return [
    ...(node ? [written(node, JSON.stringify(text))] : []),
    // As TGI writes it of a prompt's first token, which has none.
    ...(logprob?.type === 'number' ? [written(logprob, 'null')] : []),
  ];
}

function emptied(root: JsonNode, path: readonly string[]): Splice[] {
  const node = findNode(root, path);
  return node?.type === 'array' && node.items?.length ? [written(node, '[]')] : [];
}

function written({ offset, length }: JsonNode, json: string): Splice {
  return { start: offset, end: offset + length, with: json };
}
