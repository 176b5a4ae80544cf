/** What the title of a section says it holds: an option, the instruction, or something of the judge's own. */

export interface Title {
  /** `judge`: a section of the judge's own; `maybe`: one that could be the judge's. */
  readonly role: 'option' | 'single' | 'instruction' | 'judge' | 'maybe';
  /** What the prompt calls it, in lower case and singular. */
  readonly noun: string;
  /** What tells options apart (`a`, `B`, `2`); null where there is nothing to tell apart. */
  readonly key: string | null;
}

/**
 * What judge prompts call the things judged. `document`, `passage` and `source` are left out on purpose: they
 * name what an answer was made from.
 */
export const NOUNS =
  'output|response|answer|assistant|story|text|candidate|choice|option|completion|summary|essay|model|reply|' +
  'submission|solution|translation|system|review|version|generation|poem|article|email|letter|paper|proposal|' +
  'variant|chatbot|agent|abstract|argument|explanation|conversation';

const MADE = '(?:model|ai|candidate|generated|chatbot|student|assistant)';
const POSSESSION = "(?:['’]s (?:answer|response|output|reply|story|text|solution))?";

const OPTION = new RegExp(
  `^(?:the )?(?:${MADE}[ _-])?(${NOUNS})(?:[ _-]*(?:(?:#|no\\.?|number)[ _-]*)?\\(?(\\d{1,2})\\)?|[ _-]+\\(?([a-z])\\)?|\\(([a-z])\\))${POSSESSION}$`,
  'i',
);
const SINGLE =
  /^(?:the )?(?:(?:assistant|model|ai|student|actual|generated|candidate|submitted|llm|chatbot)(?:['’]s)?[ _-])?(submission|response|answer|output|reply|generation|completion|prediction|essay|summary|story|translation|candidate)(?:[ _]to[ _](?:be[ _])?(?:evaluated?|judged?|graded?))?$/i;
const INSTRUCTION =
  /^(?:the )?(?:(?:user|original|client)(?:['’]s)?[ _-])?(question|instructions?|prompt|query|request|input|task|problem)(?:[ _]to[ _]evaluate)?(?:[ _](\d{1,2}|[a-z]))?$/i;
// Titles that only a judge's own sections have, and titles that a judged text may well have, too.
const JUDGES =
  /^(?:(?:the )?(?:reference|expected|ground[ _-]?truth|gold(?:en)?|ideal)[ _-](?:answer|output|response|solution|text)s?(?: \(.*)?|(?:score|scoring|grading|evaluation|judging) (?:rubrics?|criteri(?:a|on)|guidelines|steps|form|instructions?)|(?:your |final )+(?:verdict|decision|judge?ment|evaluation|feedback|score|rating|choice|answer|response|output)|end (?:of )?data|(?:output|response|answer|verdict) format|questions about outputs|which (?:is|one is|output|response|answer|assistant) .*)$/i;
const COMMON =
  /^(?:(?:the )?(?:reference|expert|expected|ground[ _-]?truth|ideal)|rubrics?|criteri(?:a|on)|guidelines|metrics?|verdict|decision|judge?ment|evaluation|feedback|score|rating|grade|statement|(?:answer )?(?:choices|options|answers|candidates|outputs|responses|texts|stories)|end(?: of)?(?: the)?(?: (?:data|prompt|input|text|conversation|transcript|options?|outputs?|responses?|answers?|assistant.*))?)$/i;

/** Longer ones are no titles. */
const LONGEST = 80;

/** @param text a title without its delimiters, of any length; only short ones are titles */
export function readTitle(text: string): Title | null {
  if (text.length > LONGEST) return null;
  const title = singleSpaced(text);
  const option = optionIn(title);
  if (option) return option;
  const single = SINGLE.exec(title);
  if (single) return { role: 'single', noun: (single[1] ?? '').toLowerCase(), key: null };
  const instruction = INSTRUCTION.exec(title);
  if (instruction)
    return { role: 'instruction', noun: (instruction[1] ?? '').toLowerCase(), key: instruction[2] ?? null };
  // `Your answer (Output (a) or Output (b))`: what stands in brackets only explains.
  const words = title.split('(')[0]?.trimEnd() ?? title;
  const role = JUDGES.test(words) ? 'judge' : COMMON.test(words) ? 'maybe' : null;
  return role && { role, noun: words.toLowerCase(), key: null };
}

/** The same where nothing but an option's title is looked for. */
export function readOption(text: string): Title | null {
  return text.length > LONGEST ? null : optionIn(singleSpaced(text));
}

function optionIn(title: string): Title | null {
  const option = OPTION.exec(title);
  return (
    option && {
      role: 'option',
      noun: (option[1] ?? '').toLowerCase(),
      key: option[2] ?? option[3] ?? option[4] ?? null,
    }
  );
}

/** White space other than single spaces. */
const SPACED_OUT = /[^\S ]| {2}/;

/** A text in one line, without more than one space in a row. */
export function singleSpaced(text: string): string {
  return (SPACED_OUT.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
}

/** A name as it may be written in code, as words: `responseA` and `answer_1` are `response A` and `answer 1`. */
export function asWords(name: string): string {
  return name.replaceAll('_', ' ').replace(/([a-z])([A-Z]|\d+)$/, '$1 $2');
}

/**
 * Whether keys count up from `a`, `A`, `0` or `1` without a gap, as those of options do.
 * @returns false for fewer than two, or more than a prompt could mean
 */
export function countUp(keys: readonly string[]): boolean {
  const first = keys[0];
  if (first === undefined || keys.length < 2 || keys.length > 100) return false;
  const digits = /^\d/.test(first);
  if (digits ? first !== '0' && first !== '1' : first !== 'a' && first !== 'A') return false;
  return keys.every((key, i) =>
    digits
      ? key === String(Number(first) + i)
      : i < 26 && key === String.fromCharCode(first.charCodeAt(0) + i),
  );
}
