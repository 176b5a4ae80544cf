/**
 * Putting another text where generated text stands, behind the prompt where it repeats that. In a stream the first
 * token says all, the later ones nothing, and the generated text at the end says it again. Tokens of the words that
 * were there are taken out with their log-probabilities.
 */
import { nodeAt, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { repeatedIn } from './full-text.ts';
import { generatedIn, inEvents, type Piece, piecesIn } from './generations.ts';

export function withText(body: string, stream: boolean, text: string, sent?: string): string {
  const pieces = piecesIn(body, stream);
  const tokens = inEvents(body, stream) ? tokensIn(pieces) : [];
  return splice(
    body,
    pieces.flatMap((piece) => {
      const token = tokens.find((one) => one.piece === piece);
      return piece.moved([
        ...(token ? said(token.node, token === tokens[0] ? text : '') : []),
        ...emptied(piece.root, ['top_tokens']),
        ...(generatedIn(piece) ? generated(piece, text, sent) : []),
      ]);
    }),
  );
}

function generated(piece: Piece, text: string, sent: string | undefined): Splice[] {
  const node = generatedIn(piece);
  if (!node) return [];
  const prompt = node.value.slice(0, repeatedIn(node.value, sent) ?? 0);
  const others = nodeAt(piece.root, ['details', 'best_of_sequences'])?.items ?? [];
  return [
    written(node, JSON.stringify(prompt + text)),
    ...emptied(piece.root, ['details', 'tokens']),
    ...emptied(piece.root, ['details', 'top_tokens']),
    ...others.flatMap((other) => {
      const own = nodeAt(other, ['generated_text']);
      return [
        ...(own ? [written(own, JSON.stringify(text))] : []),
        ...emptied(other, ['tokens']),
        ...emptied(other, ['top_tokens']),
      ];
    }),
  ];
}

/** Those that are text; an end-of-sequence token stays. */
function tokensIn(pieces: readonly Piece[]): { piece: Piece; node: JsonNode }[] {
  return pieces.flatMap((piece) => {
    const node = nodeAt(piece.root, ['token']);
    return node?.type === 'object' && nodeAt(node, ['special'])?.value !== true ? [{ piece, node }] : [];
  });
}

function said(token: JsonNode, text: string): Splice[] {
  const node = nodeAt(token, ['text']);
  const logprob = nodeAt(token, ['logprob']);
  return [
    ...(node ? [written(node, JSON.stringify(text))] : []),
    // As TGI writes it of a prompt's first token, which has none.
    ...(logprob?.type === 'number' ? [written(logprob, 'null')] : []),
  ];
}

function emptied(root: JsonNode, path: readonly string[]): Splice[] {
  const node = nodeAt(root, path);
  return node?.type === 'array' && node.items?.length ? [written(node, '[]')] : [];
}

function written({ offset, length }: JsonNode, json: string): Splice {
  return { start: offset, end: offset + length, with: json };
}
