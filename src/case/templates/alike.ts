/**
 * Whether the names of a template's options stand by their texts in the same way, so that nothing but the texts is exchanged:
 * in front of each, or behind each.
 */
import { labelKey } from '../counterfactual.ts';
import { CJK } from '../vocabulary.ts';
import { isFramed } from './openings.ts';
import { lastLine } from './shared-lines.ts';
import { entryStart } from './slot-names.ts';
import type { Template, TemplatePart } from './template.ts';
import { hasWord } from './tokens.ts';

/** What stands behind a word, wherever it has no letter beside it, or a number no digit. */
function* behindWord(text: string, word: string): Generator<string> {
  // Nothing stands between the words of Chinese or Japanese, nor between these and others.
  const same = /\p{N}/u.test(word) ? /\p{N}/u : CJK.test(word) ? /(?!)/u : /\p{L}/u;
  const isSame = (sign: string) => same.test(sign) && !CJK.test(sign);
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (isSame(text.charAt(at - 1)) || isSame(text.charAt(end))) continue;
    const line = text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? '';
    const rest = text.slice(end);
    // A line that closes what it opens names the text as a whole, with who wrote it.
    yield withoutAside(rest);
    if (isFramed(line)) yield rest.replace(/^[^\n]*[\p{L}\p{N}]/u, '').trim();
  }
}

/** What a name adds to an option's own: ` (without memory)`, ` - gpt-4`, in front of what ends the line. */
const ASIDE =
  /^\s?(?:[(（[][^()（）[\]\n]{1,60}[)）\]]|[-–—|/,]\s[^\n]{1,60}?)(?=[^\p{L}\p{N}\n]{0,9}(?:\n|$))/u;

const withoutAside = (lead: string) => lead.replace(ASIDE, '').trim();

/** What stands between an option's name and its text is the same for all options, but for what a name adds. */
export function optionsAlike({ parts }: Template): boolean {
  const leads = new Map<string, ReadonlySet<string>>();
  for (const { literals, slots } of parts)
    for (const [n, { role, label }] of slots.entries()) {
      if (role !== 'option' || label === '' || leads.has(label)) continue;
      const before = literals[n] ?? '';
      const entry = entryStart(before);
      const named = [...behindWord(before, before.includes(label) ? label : labelKey(label))];
      // Names that stand elsewhere leave the mark in front of each text: `→ {{option}}`.
      const mark = lastLine(before.trim());
      leads.set(label, new Set(entry !== null ? [entry.trim()] : named.length > 0 ? named : [mark]));
    }
  const [first = new Set(), ...others] = leads.values();
  const inFront = others.reduce((all, own) => all.intersection(own), first).size > 0;
  return leads.size < 2 || inFront || areNamedBehind(parts);
}

/** Whether each option has its name behind it, in the same words and marks as all others: `^^^ output of system 1`. */
export function areNamedBehind(parts: readonly TemplatePart[]): boolean {
  const names = parts.flatMap(({ literals, slots }) =>
    slots.flatMap(({ role, label }, n) =>
      role === 'option' ? [nameBehind(literals[n] ?? '', literals[n + 1] ?? '', label)] : [],
    ),
  );
  const [first, ...others] = names;
  return (
    first != null &&
    others.length > 0 &&
    others.every((one) => one !== null && one.words === first.words && one.front === first.front) &&
    names.slice(0, -1).every((one) => one && !hasWord(one.rest)) &&
    new Set(names.map((one) => one?.key)).size === names.length
  );
}

/**
 * The name of an option that stands behind it, and what stands around the two.
 *
 * @returns the name (`key`); the words from the option to the end of the name's line, less the name; what stands on the option's
 * line in `front` of it; what comes behind the name's line (`rest`). Null where the name does not stand there once
 */
function nameBehind(before: string, after: string, label: string) {
  const line = after.split('\n').find(hasWord) ?? '';
  const lead = after.slice(0, after.indexOf(line) + line.length);
  const key = labelKey(label);
  const [start = '', end, ...more] = lead.split(key);
  const isPart = /[\p{L}\p{N}]$/u.test(start) || /^[\p{L}\p{N}]/u.test(end ?? '');
  if (key === '' || end === undefined || more.length > 0 || isPart) return null;
  const front = lastLine(before).trim();
  return hasWord(front) ? null : { key, words: `${start}\0${end}`, front, rest: after.slice(lead.length) };
}
