/** `POST …:generateContent` and its streaming twin, with text, a response schema or a forced function. */
import { events, type Protocol, whole, words } from './types.ts';

const usage = (calls: number) => ({
  promptTokenCount: 100 * calls,
  candidatesTokenCount: 4 * calls,
  totalTokenCount: 124 * calls,
  thoughtsTokenCount: 20 * calls,
});

export const gemini: Protocol = {
  path: /:(?:generateContent|streamGenerateContent)$/,
  write({ url, body }, said, calls) {
    const tool = Array.isArray(body.tools) && typeof said !== 'string' ? functionIn(body.tools[0]) : null;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const content = (part: object, last = true) => ({
      candidates: [
        { content: { parts: [part], role: 'model' }, ...(last && { finishReason: 'STOP' }), index: 0 },
      ],
      // Each chunk counts upwards; the last is what the call cost.
      usageMetadata: usage(last ? calls : 1),
      modelVersion: 'scripted-judge-1',
      responseId: 'b0a',
    });
    const part = tool ? { functionCall: { name: tool, args: said } } : { text };
    if (!url.includes(':stream')) return whole(content(part));
    const parts = tool ? [part] : words(text).map((piece) => ({ text: piece }));
    const chunks = parts.map((one, i) => content(one, i === parts.length - 1));
    return events(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`));
  },
};

function functionIn(tool: unknown): string | null {
  const { functionDeclarations } = tool as { functionDeclarations?: { name?: string }[] };
  return functionDeclarations?.[0]?.name ?? null;
}
