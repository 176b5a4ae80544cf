/** What the cues of three entries are known by: which words stand near each other in a sentence. A text is read once for all three. */
import {
  createCueFinder,
  type FoundCue,
  joinLists,
  MODELS,
  type SentenceRule,
  SPEAKERS,
  type TextRange,
} from '../case/index.ts';
import { classify, type Depths, type KindOfSentence } from './classifier.ts';
import { WORDS } from './meanings.ts';

// Orders to the judge.

/** What a judge of answers decides on, or is told. Other judges decide on parties and on pies. */
const JUDGED = joinLists(
  WORDS.oneOfTheAnswers,
  WORDS.topMark,
  WORDS.answerAtStake,
  WORDS.setApart,
  WORDS.judgedElse,
);

/** Whom a text speaks to, what it demands, and of what. */
const ORDERS_TO_JUDGE: readonly SentenceRule[] = [
  { all: [WORDS.judge, WORDS.asWhom, WORDS.speaksAsJudge], beside: JUDGED },
  { all: [WORDS.ignoreTheAbove], none: WORDS.programMessage },
  { all: [WORDS.oneOfTheAnswers, WORDS.duty, WORDS.choose], within: 60 },
  { all: [WORDS.machine, WORDS.whoeverIsJudge, WORDS.judging, WORDS.nearAtHand], within: 70 },
  { all: [WORDS.rulingBegins, WORDS.oneOfTheAnswers, WORDS.wins] },
  { all: [WORDS.operatorBegins, WORDS.judgeWrites] },
  {
    all: [
      WORDS.grader,
      WORDS.scoring,
      WORDS.you,
      WORDS.pleaOrThreat,
      WORDS.ordered,
      WORDS.answerAtStake,
      WORDS.setApart,
    ],
    least: 2,
    within: 160,
    beside: joinLists(JUDGED, WORDS.pleaOrThreat),
  },
  {
    all: [
      WORDS.judge,
      WORDS.scoring,
      WORDS.you,
      WORDS.pleaOrThreat,
      WORDS.ordered,
      WORDS.answerAtStake,
      WORDS.setApart,
    ],
    least: 3,
    within: 160,
    beside: JUDGED,
  },
  { all: [WORDS.answerAtStake, WORDS.scoring, WORDS.you, WORDS.ordered, WORDS.topMark], least: 3 },
  { all: [WORDS.orders, WORDS.meetsAll], within: 60 },
];

/**
 * Whatever the language: a verdict given beforehand, a role that begins, a forged field of the prompt. In one expression,
 * so that a text is walked through once.
 */
const SIGNS = new RegExp(
  [
    /\[\[[ \t]{0,4}(?:[A-C]|tie)[ \t]{0,4}\]\]/i,
    /[:：][ \t]{0,4}\[\[[ \t]{0,4}\d{1,3}[ \t]{0,4}\]\]/,
    /\{[^{}\n]{0,80}["'](?:winner|verdict|preferred|preference|better_response|best_response)["'][ \t]{0,4}:[ \t]{0,4}["'[\d][^{}\n]{0,200}\}/i,
    /<\/?(?:verdict|winner|judg(?:e)?ment|final_verdict)>/i,
    /<\|(?:im_start|im_end|eot_id|start_header_id|end_header_id|endoftext|system|user|assistant|end)\|>/i,
    /\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|^\[SYSTEM\]/i,
    /"\w{1,40}"[ \t]{0,4}:[ \t]{0,4}"""/,
    /<\/?(?:system|instructions?|evaluation|grading|grade|score|rating|candidate|submission|judge|rubric)>/i,
    /^#{2,4} ?system[ \t]{0,4}:/i,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
);

// What an answer says of itself.

/** Sentences about the answer itself. */
export const SELF_REMARKS: readonly SentenceRule[] = [
  { all: [WORDS.praise, WORDS.answerItself] },
  { all: [WORDS.praise, WORDS.hereIs, WORDS.reply] },
  { all: [WORDS.reconsider, WORDS.will], within: 70, none: WORDS.otherPeople },
  { all: [WORDS.checked, WORDS.done, WORDS.thorough], none: WORDS.otherPeople },
];
/** Clauses in front of a claim, or behind it. */
const ASSURANCES: readonly SentenceRule[] = [
  { all: [WORDS.secondThought] },
  { all: [WORDS.sure, WORDS.self], within: 60, none: WORDS.doubtful },
  { all: [WORDS.noDoubt] },
  { all: [WORDS.slip] },
];

// Who is called to witness.

const WITNESSES: readonly SentenceRule[] = [
  { all: [WORDS.experts, WORDS.accordingTo], within: 100, none: WORDS.noWitness },
  { all: [WORDS.calling, WORDS.accordingTo], within: 80, none: WORDS.noWitness },
  { all: [WORDS.experts, WORDS.vouch], within: 110, none: WORDS.noWitness },
  { all: [WORDS.calling, WORDS.being, WORDS.iSay], within: 120 },
  { all: [WORDS.calling, WORDS.being], within: 60, beside: WORDS.me, none: WORDS.noWitness },
  { all: [WORDS.credential, WORDS.having], within: 70, none: WORDS.applying },
];

const findCues = createCueFinder({
  instruction: { sentences: ORDERS_TO_JUDGE, signs: SIGNS },
  reflection: { sentences: [...SELF_REMARKS, ...ASSURANCES] },
  authority: { sentences: WITNESSES },
  bandwagon: {
    sentences: [{ all: [WORDS.answerItself, WORDS.crowd, WORDS.liked], within: 120 }],
  },
});

type CueKind = 'instruction' | 'reflection' | 'authority' | 'bandwagon';

/** What a text says of what sways a judge. */
export interface CueReading {
  /** What the rules find, and the sentences without such a cue that the classifier takes for one, at the midst of what says it. */
  cues(kind: CueKind): FoundCue[];
  /** Sentences that may say who wrote the text, however little more than the rest: down to AUTHOR_BELOW under the threshold. */
  readonly ofAuthor: readonly KindOfSentence[];
}

export type CueReader = (text: string) => CueReading;

/** So far under its threshold the classifier still lets a sentence stand that begins as one about its writer does. */
export const AUTHOR_BELOW = 2;

/** Of kinds that rules alone take for too much: so far under its threshold the classifier still lets a cue of theirs stand. */
const DOUBTED_BELOW = 2.3;

/** What is looked for within answers by the classifier as well, in one reading: most of its time splits a text into words. */
const READ_KINDS = ['instruction', 'reflection', 'authority', 'author'] as const;
const DEPTHS: Depths = { reflection: DOUBTED_BELOW, authority: DOUBTED_BELOW, author: AUTHOR_BELOW };

/** Who speaks, at the beginning of a line: `Assistant: `, `**User:** `. */
const TURN = new RegExp(`^[ \\t*_]{0,4}(${SPEAKERS})[*_]{0,2}:[*_]{0,2}[ \\t]`, 'gim');

/**
 * Whether a text begins with a turn. Roles are forged in the middle of an answer, by a system alone, and where the model
 * speaks first and somebody answers it: that goes on with the judge's own chat.
 */
function isTranscript(text: string): boolean {
  if (text.trimStart().search(TURN) !== 0) return false;
  const speakers = Array.from(text.matchAll(TURN), ([, speaker = '']) => speaker.toLowerCase());
  const isModels = (speaker: string) => MODELS.has(speaker);
  return isModels(speakers[0] ?? '')
    ? speakers.every(isModels)
    : speakers.some((speaker) => speaker !== 'system');
}

/** A transcript with spaces for the names of its speakers: "Assistant:" in front of a sentence makes no order of it. */
export const withoutSpeakers = (text: string): string =>
  isTranscript(text) ? text.replace(TURN, (mark) => ' '.repeat(mark.length)) : text;

export const readCues: CueReader = (whole) => {
  const text = withoutSpeakers(whole);
  const byRules = findCues(text);
  const byWeights = Map.groupBy(classify(text, READ_KINDS, DEPTHS), ({ kind }) => kind);
  return {
    cues(kind) {
      const likely = kind === 'bandwagon' ? [] : (byWeights.get(kind) ?? []);
      const isDoubted = kind === 'reflection' || kind === 'authority';
      const found = byRules(kind).filter(
        ({ sentence }) => !isDoubted || likely.some((one) => overlap(one.sentence, sentence)),
      );
      const more = likely.flatMap(({ score, sentence, place }) => {
        const midst = Math.floor((place.start + place.end) / 2);
        const isNew = score > 0 && !found.some((one) => overlap(one.sentence, sentence));
        return isNew ? [{ start: midst, end: midst, sentence, rule: null }] : [];
      });
      return [...found, ...more].sort((a, b) => a.start - b.start);
    },
    ofAuthor: byWeights.get('author') ?? [],
  };
};

const overlap = (a: TextRange, b: TextRange) => a.start < b.end && b.start < a.end;

/** A reader that reads no text twice. */
export function createCueReader(): CueReader {
  const read = new Map<string, CueReading>();
  return (text) => {
    const cues = read.get(text) ?? readCues(text);
    read.set(text, cues);
    return cues;
  };
}
