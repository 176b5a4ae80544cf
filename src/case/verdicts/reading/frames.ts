/** What stands in the places of a text: the `4` of `Rating: {}`, once or several times, one place a `{}`. */
import { withoutMarkup } from './own-words.ts';
import type { Unread } from './reply.ts';

/** Stands for any number in a frame, as that of a list's items: `Claim {n}: {}`. */
export const ANY_NUMBER = '{n}';

/** Whether a template is a row of places with nothing but signs between them: `{} {}`, `{},{},{n}`. */
export const isRow = (template: string): boolean =>
  /^[^\p{L}\p{N}\n]+$/u.test(template.replaceAll(ANY_NUMBER, '{}'));

/** Signs between the cells of a row; where a row has none of the last three, a comma or a space. */
const SIGNS = /[,、/|;]/g;

/** The cells of a row, with the sign between them. */
export function cellsOf(line: string): { readonly cells: readonly string[]; readonly sign: string } {
  const row = line.normalize('NFKC').replace(/^[\s|]{0,9}|[\s|]{0,9}$/g, '');
  const [sign = ' '] = row.match(SIGNS) ?? [];
  const cells = row.split(/[ ,]/.test(sign) ? /\s{0,9},\s{0,9}|\s{1,9}/ : sign).map((cell) => cell.trim());
  return { cells, sign };
}

/** What stands in the places of a row that is the first line of the text; null where it has another number of cells. */
export function valuesInRow(text: string, template: string): readonly string[] | null {
  const [asked, said] = [template, text.trim().split('\n', 1)[0] ?? ''].map(cellsOf);
  const isSame =
    said?.cells.length === asked?.cells.length &&
    / |,/.test(said?.sign ?? '') === / |,/.test(asked?.sign ?? '');
  return isSame ? (said?.cells.filter((_, n) => asked?.cells[n] === '{}') ?? null) : null;
}

/** What stands around a place. */
interface Frame {
  readonly lead: string;
  readonly tail: string;
}

/** The frame of each place of a template: what stands in front of it, as far as its own place goes, and behind it on its line. */
function framesOf(template: string): Frame[] {
  const pieces = withoutMarkup(template.normalize('NFKC')).split('{}');
  return pieces.slice(1).map((after, n) => {
    const before = pieces[n] ?? '';
    const own = n === 0 ? 0 : before.indexOf('\n') + 1;
    return {
      lead: before.slice(own).trim(),
      tail: (after.split('\n', 1)[0] ?? '').trim(),
    };
  });
}

/**
 * What stands in each place of a template. Places in the same frame are taken one after the other.
 *
 * @param text without markup
 * @param value what may stand in a place, as the source of a regular expression without groups
 */
export function valuesFramed(text: string, template: string, value: string): readonly string[] | Unread {
  const frames = framesOf(template);
  const isLike = (a: Frame) => (b: Frame) => a.lead === b.lead && a.tail === b.tail;
  const found = frames.map((frame, n) => {
    const all = valuesInFrame(text, frame, value);
    const alike = frames.filter(isLike(frame)).length;
    const before = frames.slice(0, n).filter(isLike(frame)).length;
    if (alike > 1) return all.length === alike ? all.slice(before, before + 1) : [];
    return [...new Set(all)];
  });
  if (found.some(({ length }) => length === 0)) return { none: 'no-label' };
  return found.some(({ length }) => length > 1) ? { none: 'contradictory' } : found.flat();
}

/** What stands in the place of a template, each time that it stands in the text. */
export const everyFramed = (text: string, template: string, value: string): string[] =>
  framesOf(template).flatMap((frame) => valuesInFrame(text, frame, value));

function valuesInFrame(text: string, { lead, tail }: Frame, value: string): string[] {
  const before =
    lead === ''
      ? '^\\s{0,9}'
      : `${/^(?:[\p{L}\p{N}]|\{n\})/u.test(lead) ? '(?<![\\p{L}\\p{N}])' : ''}${loose(lead)}`;
  const behind = tail === '' ? ENDS : `\\s{0,9}${loose(tail)}`;
  const place = new RegExp(`${before}["'(]{0,3}\\s{0,9}(${value})${behind}`, 'gimu');
  return [...text.matchAll(place)].map(([, found = '']) => found);
}

/** What may not follow a number or a word in its place. */
export const ENDS = '(?![\\p{L}\\p{N}%]|\\.\\d|,\\d|\\s{0,9}(?:-|–|to|or)\\s{0,9}\\d)';

/** Literally, but any space for a space, and any number for one. */
export const loose = (text: string) =>
  text
    .split(ANY_NUMBER)
    .map((piece) => piece.split(/\s+/).map(RegExp.escape).join('\\s{1,9}'))
    .join('\\d{1,3}');
