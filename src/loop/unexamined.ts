import type { NoVerdictReason, UntestedReason } from '../case/index.ts';

/*
 * Why a verdict goes out without having been examined: the value of `x-remand-reason` and the label of
 * `remand_unexamined_total`. Every `no-verdict`, `bypassed` and `failed-open` has one. A closed list, so that no
 * client and no upstream can make up metric labels. A new reason is one line here.
 */

const WHY_UNEXAMINED = {
  off: 'switched off, by REMAND_MODE or x-remand-mode',
  'no-rounds': 'no rounds were asked for (REMAND_ROUNDS, x-remand-rounds)',
  packed: 'the request is packed (content-encoding)',
  'no-case': 'it does not look like a judgment; /remand/templates shows what is being learned',
  'unclear-case':
    'it looks like a judgment, and no case was found in it for certain; three like it teach its template, or the judge is asked once (REMAND_READER_MODEL)',
  'worse-asked': 'it asks which one is worse, and verdicts are for the better one; ask for the better one',
  ambiguous: 'a text of the case holds what stands between its texts',
  'not-evident':
    'a case was found, and the prompt does not show for certain where its texts begin and end; three like it teach its template, or the judge is asked once (REMAND_READER_MODEL)',
  'media-between':
    'a picture, a sound or a file stands between the options, and would stay there when they change places',
  'too-long': 'longer than REMAND_READ_LIMIT',
  'over-time': 'reading it, or looking for cues in it, took longer than REMAND_READ_MS',
  'reader-failed': 'the reader failed: a fault of Remand',
  // No verdict could be read from the judge's reply, with the reason of the reader.
  'reply-empty':
    'the reply holds no text: an error of the judge ended it, a filter held it back, or its limit of tokens is too low',
  'reply-no-label':
    'the reply names none of the options; have the prompt say how the verdict is written, or a template (docs/templates.md)',
  'reply-contradictory': 'the reply contradicts itself; have the prompt ask for the verdict once',
  'reply-truncated': 'the reply was cut short; allow it more tokens',
  'reply-off-scale': 'the reply is off the scale; have the prompt name the scale',
  'reply-neither': 'the judge says that it chooses neither',
  'reply-refusal': 'the judge refused',
  'reply-malformed': 'the reply is not in the form that was asked for, or that the first reply had',
  'reply-too-long': 'the reply is longer than REMAND_REPLY_LIMIT, or its texts than 1 Mi characters',
  'reply-over-time': 'reading the verdict took longer than REMAND_READ_MS',
  // The verdict was read, but examining it failed.
  'unreadable-analysis': "the detector's answer could not be read",
  'detector-failed': 'the detector failed',
  'order-unknown': 'the other order could not be judged',
  'order-fixed':
    'the options are not to change places: the orders tell the places apart, or an answer speaks of another by its label; what else could sway the judge was examined',
  untested: 'cues spoke for the verdict, and none could be tested',
  'judge-failed': 'the judge failed when it was asked again',
  'unreadable-verdict': 'the judge was asked again, and its verdict could not be read',
  deadline: 'the deadline was over (REMAND_DEADLINE_MS)',
  budget: 'no call was left (REMAND_EXTRA_CALLS, or the budget of the key)',
} as const;

export type UnexaminedReason = keyof typeof WHY_UNEXAMINED;
export const UNEXAMINED_REASONS = Object.keys(WHY_UNEXAMINED) as [UnexaminedReason, ...UnexaminedReason[]];

/** @param reason as `x-remand-reason` has it */
export const explainUnexamined = (reason: string): string =>
  UNEXAMINED_REASONS.some((known) => known === reason) ? WHY_UNEXAMINED[reason as UnexaminedReason] : reason;

export const replyReason = (reason: NoVerdictReason): UnexaminedReason => `reply-${reason}`;

/** Why no verdict could be read from a reply, in words. */
export const explainNoVerdict = (reason: NoVerdictReason): string => explainUnexamined(replyReason(reason));

const WHY_UNTESTED: Readonly<Record<UntestedReason, string>> = {
  'not-removable': 'No rule takes it out of the case.',
  'same-texts':
    'Without it two of the answers would read the same, so that nothing could be compared. It may be what the question is about.',
  'same-answers': 'All answers read the same, so that their order makes no difference.',
  'no-rewriter': 'It takes a rewording, and no model rewords here.',
  'rewrite-failed': 'The call that was to reword the text failed.',
  'rewrite-unusable': 'The reworded text could not be used.',
  'same-wording': 'The model that was to reword the text left it as it was.',
  'no-verdict': 'The reply to the test holds no verdict.',
  budget: 'No call was left for it (REMAND_EXTRA_CALLS, or the budget of the key).',
  'other-order': 'The other order could not be judged.',
  'not-reached': 'Another cue was found first, and no round was left for this one.',
  'not-read': 'No rule reads the statement, and the detector model gave no answer of what it says.',
  'no-reader': 'Nothing reads the statement. REMAND_READER_MODEL names a model that does.',
  'not-named':
    'It is tested where it is named in REMAND_BIASES or x-remand-biases: a judge may be right to go by it.',
  'asked-for': 'The case asks for what the cue goes by, so that a judge is right to go by it.',
};

export const UNTESTED_REASONS = Object.keys(WHY_UNTESTED);

/** Why a cue was not tested, as a sentence. A trace may be of a version that knew other reasons. */
export function explainUntested(why: string): string {
  return why in WHY_UNTESTED ? WHY_UNTESTED[why as UntestedReason] : why;
}
