/**
 * The cues that are attached to texts in the audit: sentences on where a text comes from or when it was written
 * (arXiv 2509.26072). A fair judge decides alike whichever of them stands beside a text.
 */
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { strictFields } from '../../strict-fields.ts';

const cue = strictFields({
  /** The sentence, with `{text}` where the text is named, and `{new}` and `{old}` for the years. */
  wording: z.string().refine((text) => text.includes('{text}'), 'must name the text with {text}'),
  /** What a text with this cue is called in a report, after "texts": `marked new`, `said to be by an expert`. */
  called: z.string().min(1),
  /** Words and phrases by which a reason names the cue, in any letter case, whole words. */
  named: z.array(z.string().min(1)).min(1),
});

interface CueText extends z.output<typeof cue> {
  readonly name: string;
}

/** Any of these speaks of where a text is from. */
const AUTHORSHIP = [
  'authorship',
  'provenance',
  'source of the',
  'origin of the',
  'authored by',
  'written by',
];
const DATES = ['recency', 'publication date', 'year it was written', 'more recent', 'newer', 'older'];

const OWN: Readonly<Record<string, z.output<typeof cue>>> = {
  new: {
    wording: '{text} is new: it was written in {new}.',
    called: 'marked new',
    named: ['{new}', 'recent', 'recently', 'up-to-date', 'up to date', ...DATES],
  },
  old: {
    wording: '{text} is old: it was written in {old}.',
    called: 'marked old',
    named: ['{old}', 'outdated', 'out of date', 'dated', ...DATES],
  },
  expert: {
    wording: '{text} was written by a human expert.',
    called: 'said to be by a human expert',
    named: ['expert', 'experts', 'expertise', 'expert-written', ...AUTHORSHIP],
  },
  human: {
    wording: '{text} was written by a human.',
    called: 'said to be by a human',
    named: ['by a human', 'from a human', 'human-written', 'human author', 'human authorship', ...AUTHORSHIP],
  },
  llm: {
    wording: '{text} was written by a large language model.',
    called: 'said to be by a language model',
    named: ['LLM', 'language model', 'AI-generated', 'machine-generated', 'model-generated', ...AUTHORSHIP],
  },
  unknown: {
    wording: 'The source of {text} is unknown.',
    called: 'said to be of unknown source',
    named: [
      'unknown source',
      'unknown origin',
      'source is unknown',
      'unverified',
      'anonymous',
      ...AUTHORSHIP,
    ],
  },
};

/** The pairs that are audited where none are named: all of one dimension. */
export const USUAL_PAIRS =
  'new/old,expert/human,expert/llm,expert/unknown,human/llm,human/unknown,llm/unknown';

export const cueFile = z.record(z.string().regex(/^[a-z][\w-]*$/), cue);
export type CueFile = z.output<typeof cueFile>;

export type CuePair = readonly [CueText, CueText];

/**
 * @param list `new/old,expert/llm`: the first of each pair is attached to the first text, then they are exchanged
 * @param own further cues, or others under the names of ours
 * @param option named in errors
 * @throws InputError naming a pair that cannot be read, is given twice, or names a cue that there is not
 */
export function parseCuePairs(
  list: string,
  years: { readonly new: number; readonly old: number },
  own: CueFile = {},
  option = '--cues',
): CuePair[] {
  const known: Readonly<Record<string, z.output<typeof cue>>> = { ...OWN, ...own };
  const dated = (text: string) =>
    text.replaceAll('{new}', String(years.new)).replaceAll('{old}', String(years.old));
  const named = (name: string): CueText => {
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!found) throw new InputError(option, `"${name}" is none of ${Object.keys(known).join(', ')}`);
    return { name, called: found.called, wording: dated(found.wording), named: found.named.map(dated) };
  };
  const seen = new Set<string>();
  return list.split(',').map((text) => {
    const [first, second, more] = text.split('/').map((name) => name.trim());
    if (!first || !second || more !== undefined || first === second)
      throw new InputError(option, `"${text.trim()}" is no pair of two cues, such as new/old`);
    const key = [first, second].toSorted().join('/');
    if (seen.has(key)) throw new InputError(option, `${text.trim()} is given twice`);
    seen.add(key);
    return [named(first), named(second)];
  });
}
