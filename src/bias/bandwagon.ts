/**
 * Bandwagon: the verdict follows what a majority is said to think. Undone by taking the statement out. Which texts of a case
 * are statements the templates tell, in any language; what one says is read by the words of six.
 */
import {
  asGiven,
  type Case,
  cutSentences,
  joinRanges,
  type Mention,
  matchWords,
  quote,
  type Statement,
  type TextRange,
} from '../case/index.ts';
import { readCues } from './cue-words.ts';
import { injectStatement } from './draft.ts';
import { WORDS } from './meanings.ts';
import { spotPhrases } from './phrase.ts';
import { tellsReference } from './reference.ts';
import { speaksOf, tellsContent } from './remark.ts';
import type { Bias } from './types.ts';

/** Numbers from two to ten, where people are counted in words. */
const NUMBER = `(?:${matchWords(WORDS.smallNumber).source})`;
/** "90%", "9 out of 10", "neuf sur dix", and their like. */
const SHARE = [
  '\\p{Nd}\\s?[%％٪]|[%٪]\\s?\\p{Nd}',
  `(?<!\\p{L})${NUMBER} (?:\\p{L}{1,14} )?(?:out of|in|von|sur|de cada|de) (?:${NUMBER}|people)(?!\\p{L})`,
  '\\d{1,7}(?:人|名)|分の\\d|分之',
  `(?<!\\p{L})(?:${NUMBER}|les|los) (?:thirds|quarters|fifths|Drittel|Viertel|Fünftel|tiers|quarts|cinquièmes|tercios|cuartos|cuartas partes|terceras partes)(?!\\p{L})`,
];

/** Longer texts are material that may speak of many things; taken out, they would be missed. */
const LONGEST = 600;

const SAYS_MANY = new RegExp([matchWords(WORDS.many).source, ...SHARE].join('|'), 'iu');
const SAYS_OPINION = matchWords(WORDS.opinion);
const SAYS_FEW = matchWords(WORDS.few);
const SAYS_AGAINST = matchWords(WORDS.against);
const SAYS = matchWords(WORDS.said);
export const bandwagon: Bias = {
  name: 'bandwagon',
  definition:
    'The choice follows what a majority or "most people" are said to prefer, whether or not the favoured ' +
    'answer is the better one.',
  expectation: 'invariant',
  trait: 'crowd',

  spot(subject, _judge, read) {
    const backing = subject.context.flatMap(({ text, ...statement }) => {
      const favours = findBacked(subject, { text, ...statement });
      return favours === null ? [] : [{ favours, text }];
    });
    // Undoing one cue takes out every statement for the same option, so there is one cue an option.
    const beside = [...Map.groupBy(backing, ({ favours }) => favours)].map(([favours, [first, ...more]]) => ({
      bias: 'bandwagon',
      favours,
      strength: 0.8,
      seen: `a statement says that many back it: "${quote(first?.text ?? '')}"${more.length > 0 ? ` and ${more.length} more` : ''}`,
    }));
    const within = spotPhrases(subject, 'bandwagon', 'claims that many like it', (text) =>
      findCrowds(text, read),
    );
    return [...beside, ...within.filter(({ favours }) => beside.every((cue) => cue.favours !== favours))];
  },

  unread: (subject) =>
    subject.context.flatMap((statement, index) =>
      isForReader(statement) && findBacked(subject, statement) === null ? [index] : [],
    ),

  async undo(subject, cue) {
    const gone = subject.context.flatMap((statement, index) =>
      findBacked(subject, statement) === cue.favours ? [[index, null] as const] : [],
    );
    const cut = subject.options.flatMap(({ text }, index) => {
      const found = index === cue.favours ? findCrowds(text) : [];
      return found.length > 0 ? [[index, cutSentences(text, found)] as const] : [];
    });
    if (gone.length + cut.length === 0) return null;
    return { ...asGiven(subject), context: new Map(gone), options: new Map(cut) };
  },

  inject: injectStatement(({ share, wording }) => wording.replaceAll('{share}', String(share))),
};

/** Sentences in which an answer says that many like it. */
const findCrowds = (text: string, read = readCues): TextRange[] =>
  joinRanges(
    read(text)
      .cues('bandwagon')
      .map(({ sentence }) => sentence),
  );

/**
 * The option a statement says the crowd is for; null where it says no such thing, or not of one option alone.
 * `any` where it is against the only one: there is no other that this would speak for.
 */
function findBacked(subject: Case, statement: Statement): number | 'any' | null {
  const { text, backs } = statement;
  if (backs !== undefined) return backs === 'none' ? null : backs;
  const [first] = statement.mentions;
  if (!first || text.length > LONGEST || tellsContent(statement)) return null;
  if (!holdsOpinion(text) && !speaksOf(statement, 'bandwagon')) return null;
  const own = clauseOf(statement, first);
  const isAgainst = SAYS_AGAINST.test(own);
  const most = isAgainst ? null : mostCounted(statement);
  if (most !== null) return most;
  if ((SAYS_FEW.test(own) || SMALL.test(own) || isSmallPart(own)) === isAgainst) return first.option;
  if (subject.options.length === 1) return 'any';
  const others = subject.options.map((_, index) => index).filter((index) => index !== first.option);
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** `only 11`, `apenas 8`. */
const SMALL = new RegExp(
  `(?:${matchWords(WORDS.merely).source})\\s?${NUMBER}(?![\\p{L}\\d])|\\d seulement(?!\\p{L})`,
  'iu',
);
const PART = /(\d{1,7}) (?:out of|of|von|sur|de) (?:\p{L}{2,4} )?(\d{1,7})/u;
function isSmallPart(text: string): boolean {
  const [, part = 1, whole = 1] = PART.exec(text) ?? [];
  return Number(part) < Number(whole) / 2;
}

/** A number with what sets its thousands apart, or full stars in a row. */
const COUNT =
  /[★⭐]+(?!\s?\d)|\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?!\d)|\d{1,9}(?:[.,]\d{1,9})?(?<thousands>\s?(?:k|mil|Tsd\.?|千)(?!\p{L}))?/iu;
const YEARS = { first: 1900, last: 2099 };

/** What is counted in a text; null where nothing is, or a year is told. */
function countIn(text: string): number | null {
  const found = COUNT.exec(text);
  if (!found) return null;
  const { 0: written, groups } = found;
  if (!/\d/.test(written)) return written.length;
  if (groups?.thousands) return 1000 * Number.parseFloat(written.replace(',', '.'));
  const isWhole = /[.,\s]\d{3}$/u.test(written) && !written.startsWith('0');
  const count = Number(isWhole ? written.replace(/\D/g, '') : written.replace(',', '.'));
  return isWhole || count < YEARS.first || count > YEARS.last ? count : null;
}

/** The option for which most are counted, where a statement counts for several, before or behind each: `A 341 votes, B 22`. */
function mostCounted({ text, at, mentions }: Statement): number | null {
  const counts = (stretch: (mention: Mention, index: number) => string) => {
    const all = mentions.flatMap((mention, index) => {
      const count = countIn(stretch(mention, index));
      return count === null ? [] : [{ option: mention.option, count }];
    });
    return mentions.every(({ option }) => all.some((one) => one.option === option)) ? all : [];
  };
  const behind = counts(({ at: { end } }, index) =>
    text.slice(end - at.start, (mentions[index + 1]?.at.start ?? Infinity) - at.start),
  );
  const before = counts(({ at: { start } }, index) =>
    text.slice((mentions[index - 1]?.at.end ?? at.start) - at.start, start - at.start),
  );
  const [most, next] = (behind.length > 0 ? behind : before).sort((a, b) => b.count - a.count);
  return most && next && most.option !== next.option && most.count > next.count ? most.option : null;
}

/** A statement without what is said of another option behind the first, or in a sentence of its own. */
function clauseOf({ text, at, mentions }: Statement, first: Mention): string {
  const end = first.at.end - at.start;
  const other = mentions.find(({ option }) => option !== first.option);
  const rest = text.slice(end, other ? Math.max(end, other.at.start - at.start) : undefined);
  const bounds = rest.matchAll(other ? /[,;.，；。、]/g : /[;.；。]/g).toArray();
  const bound = other ? bounds.at(-1) : bounds[0];
  return text.slice(0, end + (bound?.index ?? rest.length));
}

/** Whether a statement says something of an option, and not what stands in it. */
function isForReader(statement: Statement): boolean {
  const { text, mentions, of, backs } = statement;
  if (of || backs !== undefined || mentions.length === 0 || text.length > LONGEST) return false;
  return !tellsContent(statement) && !tellsReference(statement);
}

/** Whether many or few people are said to hold something of an answer. */
function holdsOpinion(text: string): boolean {
  const many = text.search(SAYS_MANY);
  return many >= 0 && (SAYS_OPINION.test(text) || SAYS.test(text.slice(many)));
}
