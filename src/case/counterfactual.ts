/**
 * The same case with something undone: other order, other wording, a statement gone. A counterfactual is
 * described against the original case and turned into edits of the request only at the end, so several
 * changes combine without moving each other's places.
 */

import { parseJson } from '../parse-json.ts';
import { textAt } from './layouts/lines.ts';
import { halfWidth } from './layouts/loose-places.ts';
import { movedPlace } from './layouts/places.ts';
import { escapeJson, unescapeJson } from './nested.ts';
import type { Case, Option, Prompt, Span } from './types.ts';

export interface Counterfactual {
  /** `order[slot]` is the original option that stands in that slot. */
  readonly order: readonly number[];
  /** New wording by original option, as it is to read (unescaped); options not in the map keep theirs. */
  readonly options: ReadonlyMap<number, string>;
  /** New wording by index into `case.context`; null takes the statement out. */
  readonly context: ReadonlyMap<number, string | null>;
  /** Of what is neither option nor statement: the judge's own text, a rubric, a reference. They meet neither. */
  readonly elsewhere: readonly Edit[];
}

/**
 * Replace `at` by a text, or by what stands at another span of the same request. A span is moved as it was
 * sent, escape sequences and all: that is why exchanging twice gives back the same bytes.
 */
export interface Edit {
  readonly at: Span;
  readonly with: string | Span;
}

/**
 * The case as it is: nothing undone.
 *
 * @example asGiven(subject) // { order: [0, 1], options: Map {}, context: Map {}, elsewhere: [] }
 */
export function asGiven(subject: Case): Counterfactual {
  return { order: subject.options.map((_, i) => i), options: new Map(), context: new Map(), elsewhere: [] };
}

/**
 * Options in the opposite order; for a pair, the two exchanged.
 *
 * @example reversed(subject) // { order: [1, 0], options: Map {}, context: Map {}, elsewhere: [] }
 */
export function reversed(subject: Case): Counterfactual {
  const given = asGiven(subject);
  return { ...given, order: given.order.toReversed() };
}

/**
 * Whether new wordings cannot be put in: an option that is a JSON document, a list of turns say, would be none any more,
 * since a sentence was cut across its strings; or the turns of one option stand between those of another.
 */
export function breaksTexts({ options }: Case, { options: wordings }: Counterfactual): boolean {
  const isDocument = (text: string) => /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
  const breaks = [...wordings].some(
    ([index, text]) => isDocument(options[index]?.text ?? '') && !isDocument(text),
  );
  return breaks || (wordings.size > 0 && areInterleaved(options));
}

/** Whether two options that differ would read the same: a verdict between them would say nothing. */
export function leavesSameTexts({ options }: Case, { options: wordings }: Counterfactual): boolean {
  if (wordings.size === 0) return false;
  const texts = options.map(({ text }, index) => ({
    before: text.trim(),
    after: (wordings.get(index) ?? text).trim(),
  }));
  return texts.some((one, index) =>
    texts.slice(index + 1).some((other) => one.after === other.after && one.before !== other.before),
  );
}

/**
 * Whether the case stays as it came, but for blanks around a text: answers that read the same have changed places, say, or a
 * text was worded as it stood.
 *
 * @example changesNothing(subject, asGiven(subject)) // true
 */
export function changesNothing(subject: Case, counterfactual: Counterfactual): boolean {
  const { order, options } = counterfactual;
  const textOf = (one: number | undefined) => subject.options[one ?? -1]?.text.trim();
  // A recorded case has texts and no places.
  if (order.some((one, slot) => (options.get(one)?.trim() ?? textOf(one)) !== textOf(slot))) return false;
  return editsFor(subject, counterfactual).every(
    ({ at, with: by }) =>
      (typeof by === 'string' ? by : textAt(subject.prompt, by)).trim() === textAt(subject.prompt, at).trim(),
  );
}

/** Whether a part of one option stands between two parts of another. */
export function areInterleaved(options: readonly Pick<Option, 'at'>[]): boolean {
  const places = options.map(({ at }) => at).toSorted((a, b) => a.part - b.part || a.start - b.start);
  return places.some(({ part, start }, n) => {
    const before = places[n - 1];
    return before?.part === part && start < before.end;
  });
}

/**
 * All changes of several counterfactuals of one case at once. Where two reword the same thing the later
 * one wins; of the orders, the last that differs from the given one.
 *
 * @example together(subject, [reversed(subject), withoutCrowd]) // the other order, and the statement taken out
 */
export function together(subject: Case, all: readonly Counterfactual[]): Counterfactual {
  const [first] = all;
  if (first && all.length === 1) return first;
  const given = asGiven(subject);
  return {
    order: all.findLast((c) => c.order.some((option, slot) => option !== slot))?.order ?? given.order,
    options: new Map(all.flatMap((c) => [...c.options])),
    context: new Map(all.flatMap((c) => [...c.context])),
    elsewhere: all.flatMap((c) => c.elsewhere),
  };
}

/**
 * The edits that turn the original request into the counterfactual one. They do not overlap.
 * Mentions of options in statements that stay follow their option to its new slot.
 *
 * @example editsFor(subject, reversed(subject)) // [{ at: …, with: … }, …]
 */
export function editsFor(subject: Case, counterfactual: Counterfactual): Edit[] {
  const { elsewhere } = counterfactual;
  const moved = subject.options.flatMap(({ moves = [] }, slot) =>
    counterfactual.order[slot] === slot ? [] : moves,
  );
  // What is told of an option beside it moves as it is reworded.
  const edits = elsewhere.filter(({ at }) => !moved.some((span) => isSame(span, at)));
  for (const [slot, original] of counterfactual.order.entries()) {
    const here = subject.options[slot];
    const there = subject.options[original];
    if (!here || !there)
      throw new RangeError(`order names option ${original}, the case has ${subject.options.length}`);
    const wording = counterfactual.options.get(original);
    if (wording !== undefined) {
      const spoken = spokenBy(subject, wording, there, here);
      edits.push({ at: here.at, with: escapeJson(spoken, here.nested ?? 0) });
    }
    if (slot === original) continue;
    const [into, from] = [here.moves ?? [here.at], there.moves ?? [there.at]];
    for (const [i, at] of into.entries())
      if (wording === undefined || !within(at, here.at)) {
        const span = from[i] ?? '';
        edits.push({
          at,
          with: elsewhere.find((edit) => span !== '' && isSame(edit.at, span))?.with ?? span,
        });
      }
  }
  const reworded = edits.filter((edit) => typeof edit.with === 'string').map(({ at }) => at);
  for (const [index, statement] of subject.context.entries()) {
    // Between the turns of a conversation, and gone with them where the whole of it is put in other words.
    if (reworded.some((at) => within(statement.whole, at))) continue;
    const change = counterfactual.context.get(index);
    if (change === null) edits.push({ at: statement.whole, with: '' });
    else if (change !== undefined) edits.push({ at: statement.at, with: change });
    else edits.push(...mentionEdits(subject, statement.mentions, counterfactual.order));
  }
  return edits;
}

const isSame = (one: Span, other: Span) => within(one, other) && within(other, one);

const within = (inner: Span, outer: Span) =>
  inner.part === outer.part && inner.start >= outer.start && inner.end <= outer.end;

/** A conversation in new words still has its speaker's name in it, which is that of the place it stands in. */
function spokenBy(subject: Case, wording: string, there: Option, here: Option): string {
  const nameOf = ({ moves = [], at, nested = 0 }: Option) => {
    const [first, second] = moves.filter((span) => within(span, at));
    const written = first && second && subject.prompt.parts[at.part]?.text.slice(first.end, second.start);
    return written && unescapeJson(written, nested);
  };
  const [was, is] = [nameOf(there), nameOf(here)];
  return was && is && was !== is ? wording.replaceAll(was, () => is) : wording;
}

function mentionEdits(
  subject: Case,
  mentions: Case['context'][number]['mentions'],
  order: readonly number[],
): Edit[] {
  const edits: Edit[] = [];
  for (const { option, at } of mentions) {
    const slot = order.indexOf(option);
    if (slot === option) continue;
    edits.push({ at, with: relabel(textAt(subject.prompt, at), subject, option, slot) });
  }
  return edits;
}

/**
 * `(a)` names option 0; for slot 1 it becomes `(b)`, in the letter case and brackets it was written with. Places
 * ("first") move likewise.
 */
function relabel(asSent: string, subject: Case, from: number, to: number): string {
  const written = halfWidth(asSent);
  const keyOf = (index: number) => labelKey(subject.options[index]?.label ?? '');
  const [key, becoming] = [keyOf(from), keyOf(to)];
  if (written === key) return becoming;
  const place = written.toLowerCase() === key.toLowerCase() ? null : movedPlace(written, to);
  if (place !== null) return place;
  const at = written.toLowerCase().lastIndexOf(key.toLowerCase());
  if (at < 0) return written;
  const was = written.slice(at, at + key.length);
  const becomes = was === was.toUpperCase() ? becoming.toUpperCase() : becoming.toLowerCase();
  return written.slice(0, at) + becomes + written.slice(at + was.length);
}

/** A number, a letter or a counting word behind Chinese or Japanese characters, which stand without a space. */
const CJK_KEY =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]([0-9A-Za-z]+|[甲乙丙丁戊一二三四五])[^\p{L}\p{N}_]*$/u;

/** The part of a label that tells options apart: `a` of `Output (a)`, `2` of `Choice 2`, `甲` of `回答甲`. */
export function labelKey(label: string): string {
  const joined = CJK_KEY.exec(label)?.[1];
  if (joined) return joined;
  return /(?<![\p{L}\p{N}])([\p{L}\p{N}]+)[^\p{L}\p{N}_]*$/u.exec(label)?.[1] ?? label;
}

/**
 * Applies edits to a prompt's texts. Throws RangeError where two edits overlap.
 *
 * @example applyEdits(subject.prompt, editsFor(subject, reversed(subject))) // the prompt with the options exchanged
 */
export function applyEdits(prompt: Prompt, edits: readonly Edit[]): Prompt {
  return {
    parts: prompt.parts.map((given, part) => {
      const { text } = given;
      const here = edits
        .filter((edit) => edit.at.part === part)
        .sort((a, b) => a.at.start - b.at.start || a.at.end - b.at.end);
      let result = '';
      let from = 0;
      for (const edit of here) {
        if (edit.at.start < from) throw new RangeError(`edits overlap in part ${part} at ${edit.at.start}`);
        result +=
          text.slice(from, edit.at.start) +
          (typeof edit.with === 'string' ? edit.with : textAt(prompt, edit.with));
        from = edit.at.end;
      }
      return { ...given, text: result + text.slice(from) };
    }),
  };
}
