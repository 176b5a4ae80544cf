/** Provenance: the verdict follows who or what is said to have written an option. Undone by taking the remark out. */
import { matchWords } from '../case/index.ts';
import { classify } from './classifier.ts';
import { injectStatement } from './draft.ts';
import { WORDS } from './meanings.ts';
import { type RemarkKind, spotRemarks, undoRemarks } from './remark.ts';
import type { Bias } from './types.ts';

/** Kinds of author, not names: those are metadata of their own. */
const SOURCE =
  "(?:(?:an?|the|some)\\s+)?(?:(?:real|domain|subject[- ]matter|leading|qualified|advanced|unknown|unidentified|anonymous|unverified)\\s+)*(?:(?:human|expert)(?:[- ](?:expert|author|writer|annotator|being))?s?|LLM(?:-based \\w+)?s?|(?:large\\s+)?language\\s+models?(?:\\s*\\(LLMs?\\))?|AI(?:\\s+(?:model|assistant|system|chatbot))?s?|artificial intelligence|machine|chatbot|ChatGPT|GPT-[\\w.]+|unknown|source|author|origin)(?![\\p{L}\\p{N}'’])";
const MADE =
  '(?:written|authored|composed|penned|produced|generated|created|submitted|answered|provided|given)';
const NOUN =
  '(?:output|response|answer|assistant|story|text|candidate|option|reply|completion|summary|essay)';
/** "by a human expert", "from an unknown source", "Source: LLM", "the source of Response A is unknown", "AI-generated". */
const FROM = `(?:(?:${MADE}\\s+by|(?:comes?|came|is|taken)\\s+from|(?:source|author|origin|provenance|written\\s+by)\\s*[:=]|\\bauthor\\b[^.\\n:]{1,30}:|(?:source|author|origin)\\s+of\\s+(?:(?:this|the)\\s+)?(?:(?:first|second)\\s+)?${NOUN}(?:\\s*\\(?[a-z0-9]{1,2}\\)?)?\\s+(?:is|was))\\s*${SOURCE}|(?:AI|LLM|machine|model|human|expert)[- ](?:generated|written|authored|made)(?![\\p{L}\\p{N}]))`;
const SAYS = new RegExp(`\\b${FROM}|^\\W*(?:by|from)\\s+${SOURCE}\\W*$`, 'iu');
const LINE = new RegExp(
  `^[\\[(*_#\\s-]*(?:(?:this|the)\\s+)?(?:${NOUN}(?:\\s*\\(?[a-z0-9]{1,2}\\)?)?\\s*)?(?:(?:was|is|were)\\s+)?${FROM}[\\])*_.\\s]*$`,
  'iu',
);

const NAMES_ITSELF = matchWords(WORDS.thisText);
/** A line of an answer that is longer says more than who wrote it. */
const LONGEST_LINE = 80;

/** Sentences that say who wrote an option. */
export const PROVENANCE_REMARK: RemarkKind = {
  bias: 'provenance',
  what: 'who wrote an option',
  says: (sentence) => SAYS.test(sentence),
  isLine: (line) =>
    LINE.test(line) ||
    (line.length <= LONGEST_LINE && NAMES_ITSELF.test(line) && classify(line, ['provenance']).length > 0),
};

export const provenance: Bias = {
  name: 'provenance',
  definition:
    'The choice follows who or what is said to have written an answer (an expert, a human, a language model, an ' +
    'unknown source), whether or not that answer is the better one.',
  expectation: 'invariant',
  trait: 'origin',

  spot: (subject) => spotRemarks(subject, PROVENANCE_REMARK),

  undo: async (subject) => undoRemarks(subject, PROVENANCE_REMARK),

  inject: injectStatement(() => '{option} was written by a human expert'),
};
