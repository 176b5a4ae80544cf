/**
 * What a reply repeats of its prompt. With `return_full_text`, which TGI's root route takes for granted of some
 * models, the generated text begins with the prompt, labels and all: no verdict is to be read from that.
 */
import * as z from 'zod';
import { type Splice, splice } from '../json-source.ts';
import { findGeneratedText, readReplyPieces } from './generations.ts';

const asked = z.looseObject({
  inputs: z.string(),
  parameters: z.looseObject({ return_full_text: z.boolean().nullish() }).nullish().catch(null),
});

/** As many letters of a prompt as tell that a text begins with it. */
const TELLING = 32;

/**
 * How much of a generated text is the prompt.
 * @param sent body of the request
 * @returns 0 where it repeats nothing; null where it repeats it inexactly, so that nothing tells where it ends
 */
export function measureRepeatedPrompt(generated: string, sent: string | undefined): number | null {
  if (sent === undefined) return 0;
  const { data } = asked.safeParse(JSON.parse(sent));
  const full = data?.parameters?.return_full_text ?? null;
  if (!data || full === false) return 0;
  if (generated.startsWith(data.inputs)) return data.inputs.length;
  const beginning = lettersOf(data.inputs).slice(0, TELLING);
  const alike = beginning.length === TELLING && lettersOf(generated).startsWith(beginning);
  return full || alike ? null : 0;
}

/** Less what a tokenizer may change on the way there and back: its own tokens, and white space. */
function lettersOf(text: string): string {
  return text.slice(0, 40 * TELLING).replace(/<[^<>\s]{1,40}>|[^\p{L}\p{N}]/gu, '');
}

/** The reply to an edited request, with the client's own prompt where it repeats the edited one. */
export function restoreOwnPrompt(body: string, stream: boolean, sent: string, own: string): string {
  const inputs = asked.safeParse(JSON.parse(own)).data?.inputs;
  if (inputs === undefined || sent === own) return body;
  const splices = readReplyPieces(body, stream).flatMap((piece): readonly Splice[] => {
    const text = findGeneratedText(piece);
    const length = text && measureRepeatedPrompt(text.value, sent);
    if (!text || !length) return [];
    const restored = JSON.stringify(inputs + text.value.slice(length));
    return piece.moved([{ start: text.offset, end: text.offset + text.length, with: restored }]);
  });
  return splice(body, splices);
}
