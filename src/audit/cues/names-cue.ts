/**
 * Whether a judge's reason names a cue as a ground of its verdict, by rule: a sentence of it uses the cue's words,
 * they are not words of the texts that were judged, and it is not said that they do not count.
 */

import { splitAtStops } from '../../case/index.ts';
import type { CuePair } from './cue-pairs.ts';

/** "regardless of its source", "the date was not considered". */
const DENIED =
  /\b(?:regardless|irrespective|setting aside|leaving aside|independent(?:ly)? of|without (?:regard|considering)|ignor(?:e|ed|es|ing)|disregard\w*|irrelevant)\b|(?:\bnot|n['’]t) (?:be |been |being |a |the |taken |play |based |rest |rely )?(?:on )?(?:influenc|affect|matter|consider|account|into account|factor|count|weigh|relevant|role|basis|swa|its |their |who )/i;

/**
 * @param texts all that the judge saw besides the cues: a year or an expert that an answer speaks of is its content
 */
export function namesCue(reason: string, cues: CuePair, texts: readonly string[]): boolean {
  const phrases = [...new Set(cues.flatMap(({ named }) => named))].filter(
    (phrase) => !texts.some((text) => saying(phrase).test(text)),
  );
  return splitAtStops(reason)
    .flatMap((sentence) => sentence.split('; '))
    .some((sentence) => !DENIED.test(sentence) && phrases.some((phrase) => saying(phrase).test(sentence)));
}

function saying(phrase: string): RegExp {
  const words = phrase.trim().split(/\s+/).map(RegExp.escape).join('\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'iu');
}
