/** What is judged: finding a case in a request, changing it, and reading and writing a verdict in its form. */
export {
  type Checkpoint,
  COLD,
  createReadingBudget,
  ReadingTooLongError,
  runSteps as finished,
  unlimited,
} from './checkpoint.ts';
export { MODELS, SPEAKERS } from './conversation.ts';
export {
  applyEdits,
  asGiven,
  breaksTexts,
  type Counterfactual,
  changesNothing,
  type Edit,
  editsFor,
  labelKey,
  leavesSameTexts,
  reversed,
  together,
} from './counterfactual.ts';
export { finalAnswer, finalAnswers, finalNumber } from './final-answer.ts';
export { whyOrderIsFixed } from './fixed-order.ts';
export type { DeclaredCase } from './layouts/declared.ts';
export { endOfName } from './layouts/places.ts';
export { inTemplate, turnsIn } from './layouts/turns.ts';
export { markMedia } from './media.ts';
export { nameByPlace, placeName, withoutLabels } from './ordinals.ts';
export { readOwnReasons } from './own-reasons.ts';
export { findOwnText } from './own-text.ts';
export { isFromQuote } from './quoted-verdict.ts';
export { findCase, guessCase } from './read.ts';
export { type NoCaseReason, type Recognition, recogniseCase } from './recognise.ts';
export { companionsAgree, keepsPlace, standsInFor, writtenLike } from './replacement.ts';
export {
  createTemplateBook,
  LEARN_MODES,
  type LearnMode,
  mayAct,
  type Pipeline,
  type TemplateBook,
  type TemplateReply,
} from './templates/book.ts';
export { explainOpen } from './templates/confirmation.ts';
export { LONGEST_LEARNED } from './templates/learner.ts';
export { matchTemplate } from './templates/match.ts';
export { CASES_TO_CONFIRM, LEARNED_STATES, literalsOf, progressOf, shapeOf } from './templates/pipeline.ts';
export { withAnswer, withFailure } from './templates/reader/reader-answer.ts';
export { isLeftAlone, openPoints, questionOf } from './templates/reader/reader-question.ts';
export { type ReaderRecord, readerRecordSchema } from './templates/reader/reader-record.ts';
export {
  type Learning,
  type ReadableRequest,
  readTemplateFile,
  readTemplateFiles,
  recogniseAgain,
  recogniseByTemplates,
  type TemplateRecognition,
} from './templates/recognition.ts';
export { createTemplateShelf, type TemplateShelf } from './templates/shelf.ts';
export {
  parseTemplate,
  SLOT_ENCODINGS,
  SLOT_ROLES,
  type Slot,
  type SlotRole,
  type Template,
  type TemplateFile,
  templateFile,
  templateFileSchema,
} from './templates/template.ts';
export type * from './types.ts';
export { readVerdict, readVerdictPair, writeVerdict } from './verdict.ts';
export {
  describeForm,
  describeTraced,
  describeVerdict,
  distanceBetween,
  formKindOf,
  fromTracedFields,
  isNone,
  isUnderstood,
  kindOf,
  labelsOf,
  listAnswers,
  mapBack,
  preferred,
  readBrief,
  remindVerdict,
  sameVerdict,
  tracedFields,
  type VerdictFile,
  verdictFileSchema,
  wasRead,
  winnerOf,
  withoutField,
} from './verdicts/index.ts';
export { finiteOrNull, type VerdictDraw, type VerdictValue, verdictValue } from './verdicts/kind.ts';
export { readWeighed } from './weighing/weighed.ts';
export {
  type Cut,
  clausesOf,
  countLetters,
  createCueFinder,
  cutPhrases,
  cutSentences,
  endsSentence,
  type FoundCue,
  joinRanges,
  quote,
  type SentenceRule,
} from './words/phrases.ts';
export { splitAtStops, splitSentences } from './words/sentences.ts';
export { rolesOfLabel } from './words/vocabulary.ts';
export { joinLists, matchWords, type WordLists, wordsByMeaning } from './words/words.ts';
