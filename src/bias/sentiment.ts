/**
 * Sentiment: the verdict follows the mood of an answer's wording. Undone by comparing final answers where
 * every option states one, otherwise by restating the options in a neutral tone.
 */

import { type Case, splitSentences } from '../case/index.ts';
import { reduceToFinalAnswers, rewriteOptions } from './reword.ts';
import { measurePolarity } from './sentence-polarity.ts';
import type { Bias } from './types.ts';

/** Difference of mean sentence polarity (each in [-1, 1]) from which moods differ noticeably. */
const MARGIN = 0.5;
/** Polarity from which a text counts as coloured at all: VADER's own threshold for "not neutral". */
const COLOURED = 0.05;
/** Characters. Mood shows in the opening. */
const READ = 240;

export const sentiment: Bias = {
  name: 'sentiment',
  definition:
    'The choice follows the emotional tone of the wording (cheerful over gloomy, or the reverse) rather than ' +
    'what the answer claims.',
  expectation: 'invariant',

  spot(subject) {
    if (subject.options.length < 2) return [];
    const moods = subject.options.map((option) => measureMood(option.text));
    const gloomiest = Math.min(...moods);
    return moods.flatMap((value, favours) =>
      value - gloomiest < MARGIN
        ? []
        : [
            {
              bias: 'sentiment',
              favours,
              strength: (value - gloomiest) / 2,
              seen: `its tone is brighter than that of another (polarity ${value.toFixed(2)} against ${gloomiest.toFixed(2)})`,
            },
          ],
    );
  },

  async undo(subject, _cue, tools) {
    return reduceToFinalAnswers(subject) ?? rewriteOptions(subject, 'neutral', coloured(subject), tools);
  },

  /** The wrong options are made to sound cheerful and the right one gloomy; in the twin, the other way round. */
  async inject(draft, { side, retone, signal }) {
    if (draft.toned && side === 'wrong') return { ...draft, options: draft.toned };
    if (!retone) return { dropped: 'no model to change the tone with' };
    const tasks = draft.options.map((text, index) => {
      const cheerful = (index === draft.right) === (side === 'right');
      return { text, tone: cheerful ? ('cheerful' as const) : ('gloomy' as const) };
    });
    const options = await retone(tasks, signal);
    if (options.some((text) => text === null)) return { dropped: 'the meaning did not stay in another tone' };
    return { ...draft, options: options.map((text) => text ?? '') };
  },
};

function coloured(subject: Case): number[] {
  return subject.options.flatMap((option, index) =>
    Math.abs(measureMood(option.text)) >= COLOURED ? [index] : [],
  );
}

/**
 * Mean VADER polarity of the sentences at the head of a text, in [-1, 1] (Hutto & Gilbert, ICWSM 2014).
 * The mean keeps long texts from saturating; the lexicon is English, other languages read as neutral.
 */
export function measureMood(text: string): number {
  const scores = splitSentences(text.slice(0, READ)).map(measurePolarity).filter(Number.isFinite);
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
