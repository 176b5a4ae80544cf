/**
 * What stands among the texts of a prompt and is none: pictures, sounds, files. Options change places as texts, so a
 * picture would stay behind, beside the words of another option.
 */
import { hasWord } from './templates/align/tokens.ts';
import type { Case, PromptPart } from './types.ts';

/**
 * The texts of a prompt, each told whether media follow it.
 *
 * @param pieces in order; `'media'` stands for a piece that is no text
 *
 * @example markMedia([{ role: 'user', text: 'Which is nicer?' }, 'media']) // [{ role: 'user', text: 'Which is nicer?', mediaFollow: true }]
 */
export function markMedia<P extends PromptPart>(pieces: readonly (P | 'media')[]): P[] {
  return pieces.flatMap((piece, i) => {
    if (piece === 'media') return [];
    return pieces[i + 1] === 'media' ? [{ ...piece, mediaFollow: true }] : [piece];
  });
}

/**
 * Whether media stand between two options, or beside the first or the last of them with no word between. Media above the
 * label of the first option are taken for the question's own.
 */
export function hasMediaBetween({ prompt: { parts }, options }: Case): boolean {
  if (options.length < 2 || !parts.some(({ mediaFollow }) => mediaFollow)) return false;
  const whole = parts.map(({ text }) => text).join('');
  const endOf = parts.map((_, n) => parts.slice(0, n + 1).reduce((sum, { text }) => sum + text.length, 0));
  const startOf = [0, ...endOf];
  const places = options.flatMap(({ at, moves = [] }) => [at, ...moves]);
  const first = Math.min(...places.map(({ part, start }) => (startOf[part] ?? 0) + start));
  const last = Math.max(...places.map(({ part, end }) => (startOf[part] ?? 0) + end));
  return endOf.some(
    (at, part) =>
      parts[part]?.mediaFollow && !hasWord(whole.slice(at, first)) && !hasWord(whole.slice(last, at)),
  );
}
