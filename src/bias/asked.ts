/**
 * What a case asks for: there the cue of a bias is a merit, and undoing it takes that merit away. Who asks for a list in
 * Markdown is right to go by its marks, and so is who is told to rate the tone.
 *
 * Each bias declares the trait that its cues are made of, and `asked-words.json` has the words for it, by language. One rule
 * decides for all of them what a sentence that names a trait says of it.
 */
import {
  type Case,
  findOwnText,
  joinLists,
  matchWords,
  splitAtStops,
  type WordLists,
} from '../case/index.ts';
import WORDS from './asked-words.json' with { type: 'json' };

/** What an answer may have, whether or not that is a merit. Spelled out: declarations cannot refer to a JSON file. */
export type Trait =
  | 'length'
  | 'layout'
  | 'tone'
  | 'certainty'
  | 'sources'
  | 'crowd'
  | 'model'
  | 'origin'
  | 'age'
  | 'writer'
  | 'orders'
  | 'reasons';

/** Words of a task and of what a judge is told differ: a task that names a length may ask for that of the Nile. */
type Names = Readonly<Partial<Record<'both' | 'judge' | 'task' | 'except', WordLists>>>;

/** Compiled when first asked for: a server at the edge starts with none of them. */
function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

const matching = (...lists: readonly (WordLists | undefined)[]) =>
  matchWords(joinLists(...lists.filter((one) => one !== undefined)));

const TRAIT_NAMES: Readonly<Record<Trait, Names>> = WORDS.traits;
const TRAITS = new Map(
  Object.entries(TRAIT_NAMES).map(([trait, { both, judge, task, except }]) => {
    const toJudge = lazily(() => matching(both, judge));
    const around = (before: string, behind: string) =>
      lazily(() => new RegExp(`${before}(?:${toJudge().source})${behind}`, 'iu'));
    return [
      trait,
      {
        toJudge,
        inTask: lazily(() => matching(both, task)),
        except: lazily(() => new RegExp(matching(except).source, 'giu')),
        /** `Conciseness: the summary has…`, `- Tone (1-5)`. */
        isHeading: around('^\\P{L}{0,9}', '[^:：(（]{0,20}(?:[:：(（]|\\s[–—-])\\s?\\S'),
        /** `"tone": 1-5` */
        isScore: around('["\'`]', '\\w{0,20}["\'`]\\s?:\\s?(?:["\']?\\d|[{<\\p{L}])'),
      },
    ];
  }),
);

const { ignore, instead, judge, must, not, persona, reply, weigh } = WORDS.speech;
const DENIES = lazily(() => matching(not, ignore));
const JUDGES = lazily(() => matching(judge, must));
const OF_THE_REPLY = lazily(() => matching(reply));
/** "Ignore the length", "the tone must not count"; but "penalise answers that do not cite" demands. */
const FORBIDS = lazily(
  () =>
    new RegExp(
      `${matching(ignore).source}|(?:${matching(not).source})[\\p{L} '’]{0,14}?(?:${matching(weigh).source})`,
      'iu',
    ),
);
/** "…, not length", "rather than style"; and who the judge is told to be: "you are a polite examiner". */
const ASIDE = lazily(
  () =>
    new RegExp(
      `(?:[,，;；(]\\s?(?:${matching(not).source})|${matching(instead).source})[^.,;:，。；：]*|(?:${matching(persona).source})(?:\\s?[\\p{L}-]+){1,3}`,
      'giu',
    ),
);
const QUESTION = /[?？؟]|か[。.]/u;
/** `1-5`, `0 = none`, `int`, `"a" | "b"`. */
const SCALE =
  /score ?\d|\d ?(?:[-–~～〜=]|\.\.|to|bis|à|a) ?\d|\d ?[=:：]|\b(?:int|integer|float|bool|boolean|number)\b|\d[点分점]|: ?n\b|['"] \|/u;
const ITEM = /^\s*(?:(?:[-*•+]|\(?[\da-z]{1,2}[.)])\s|\*\*|<)/iu;

/** The form of a reply, which may be to name things. */
const BRACES = /\{[^}]*\}?/gu;

/** A sentence, and the line above the list that it stands in. */
interface Said {
  readonly sentence: string;
  readonly lead: string;
}

function sentencesOf(text: string): Said[] {
  let above = '';
  return text.split('\n').flatMap((line) => {
    const lead = ITEM.test(line) ? above : '';
    if (lead === '' && line.trim() !== '') above = line;
    return splitAtStops(line.replaceAll(BRACES, ' ')).map((sentence) => ({ sentence, lead }));
  });
}

/**
 * @returns whether the task, a rubric, the form of the verdict or the judge's own text asks for a trait. What else a judge's own
 * text says of one is mostly how the judge itself is to reply, so it has to be a question, a scale, or an order to judge by it
 *
 * @example asksFor(subject, 'layout') // true where the instruction is 'List three fruits in Markdown.'
 */
export function asksFor(subject: Case, trait: Trait): boolean {
  const { instruction, standards = [], prompt, form } = subject;
  const names = TRAITS.get(trait);
  if (!names) return false;
  const { toJudge, inTask, except, isScore, isHeading } = names;
  const asks =
    (words: RegExp) =>
    ({ sentence, lead }: Said) =>
      words.test(sentence.replace(ASIDE(), '').replace(except(), ' ')) &&
      !FORBIDS().test(sentence) &&
      !FORBIDS().test(lead);
  const isOrder = ({ sentence, lead }: Said) =>
    QUESTION.test(sentence) ||
    (!OF_THE_REPLY().test(sentence) &&
      !OF_THE_REPLY().test(lead) &&
      (isHeading().test(sentence) || [sentence, lead].some((one) => JUDGES().test(one) || SCALE.test(one))));
  const own = findOwnText(subject).map(
    ({ part, start, end }) => prompt.parts[part]?.text.slice(start, end) ?? '',
  );
  return (
    splitAtStops(instruction?.text ?? '').some((one) => inTask().test(one) && !DENIES().test(one)) ||
    standards
      .filter(({ of }) => of === 'rubric')
      .flatMap(({ text }) => sentencesOf(text))
      .some((one) => asks(toJudge())(one) || asks(inTask())(one)) ||
    // The name of a score, of a field or of a label.
    toJudge().test(JSON.stringify(form)) ||
    own.some((text) => isScore().test(text)) ||
    own.flatMap(sentencesOf).some((one) => asks(toJudge())(one) && isOrder(one))
  );
}
