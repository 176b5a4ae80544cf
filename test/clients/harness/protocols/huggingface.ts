/** Hugging Face's text generation: `POST /` of an inference endpoint, `/generate`, `/generate_stream`, whole and streamed. */
import { events, type Protocol, whole, words } from './types.ts';

const token = (text: string, id: number) => ({ id, text, logprob: -0.25, special: false });

export const huggingface: Protocol = {
  path: /^\/$|\/generate(?:_stream)?$|\/models\/[^:]+$/,
  write({ url, body }, said) {
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const { parameters = {} } = body as { parameters?: { details?: boolean } };
    const tokens = words(text).map(token);
    const details = { finish_reason: 'eos_token', generated_tokens: tokens.length, seed: null };
    if (!body.stream && !url.endsWith('_stream')) {
      const one = {
        generated_text: text,
        ...(parameters.details && { details: { ...details, prefill: [], tokens } }),
      };
      return whole(url.endsWith('/generate') ? one : [one]);
    }
    return events(
      tokens.map((one, i) => {
        const last = i === tokens.length - 1;
        const event = { index: i + 1, token: one, generated_text: last ? text : null };
        return `data:${JSON.stringify({ ...event, details: last ? details : null })}\n\n`;
      }),
    );
  },
};
