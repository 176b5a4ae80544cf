/**
 * Naming options by their place ("the first option") instead of by their label. A note to a judge must not
 * contain a label the way a verdict is written: many clients take the first or last label they find, and an
 * index such as `1` is a verdict, too, in some forms.
 */
import { labelKey } from './counterfactual.ts';
import type { Case, Verdict } from './types.ts';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
  'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth';
const NOUNS =
  'outputs?|options?|answers?|choices?|responses?|assistants?|models?|story|stories|candidates?|texts?|solutions?|replies|reply';

/** `the second option`; beyond the twentieth, `a later option`. @param slot place in the prompt, from 0 */
export function placeName(slot: number): string {
  const ordinal = ORDINALS.split(' ')[slot];
  return ordinal ? `the ${ordinal} option` : 'a later option';
}

/**
 * A text with every labelled mention of an option replaced by the option's place.
 * @param order the order in which the reader sees the options: `order[slot]` is an index into them
 */
export function nameByPlace(text: string, subject: Case, order: readonly number[]): string {
  return subject.options.reduce((named, option, index) => {
    const place = placeName(order.indexOf(index));
    const key = escape(labelKey(option.label));
    const spellings = [
      escape(option.label).replace(/\s+/g, '\\s*'),
      `(?:${NOUNS})\\s*[\\[(]{0,2}${key}[\\])]{0,2}(?![\\p{L}\\p{N}])`,
      `\\[\\[\\s*${key}\\s*\\]\\]`,
      ...(/^\p{L}$/u.test(labelKey(option.label)) ? [`\\(${key}\\)`] : []),
    ];
    // A bare number is a label in some layouts, but not every number in a text is one.
    const safe = /^\d+$/.test(option.label) ? spellings.slice(1) : spellings;
    return named.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${safe.join('|')})`, 'giu'), place);
  }, text);
}

/** A verdict in words, without label syntax, as seen in the given order. */
export function describeVerdict(verdict: Verdict, order: readonly number[]): string {
  switch (verdict.kind) {
    case 'choice':
      return placeName(order.indexOf(verdict.option));
    case 'tie':
      return 'a tie';
    case 'score':
      return 'the score you gave then';
    case 'pass':
      return 'the outcome you gave then';
    case 'none':
      return 'nothing that could be read';
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
