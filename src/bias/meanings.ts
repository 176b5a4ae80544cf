/**
 * The words that cues are known by, in English, German, French, Spanish, Chinese and Japanese: `cue-words.json`, where one more language
 * is one more entry. What their names do not tell:
 *
 * - `speaksAsJudge`: who speaks as a judge, or is told to. `whoeverIsJudge`: somebody is spoken to who may be a machine.
 * - `rulingBegins`: a verdict is announced as if it had been given. `operatorBegins`: the operator of the judge is played.
 * - `oneOfTheAnswers`: from where it stands; `answerAtStake`: the one that the sentence stands in, or the other one, as a grader sees it.
 * - `setApart`: from the answer, as if somebody else had written it. `judgedElse`: what else judges of answers decide on, or are told.
 * - `calling`: what one is by profession. `applying`: whoever applies for a post vouches for no claim. `noWitness`: nor does whoever is met
 *   or asked, or belongs to a story.
 * - `contempt`: no word that also names a finding (poor, weak, wrong, sloppy).
 * - `saysContent`: what stands in an answer, or where; `thisText`: how an answer names itself.
 */
import { wordsByMeaning } from '../case/index.ts';
import CUE_WORDS from './cue-words.json' with { type: 'json' };

export const WORDS = wordsByMeaning(CUE_WORDS);
