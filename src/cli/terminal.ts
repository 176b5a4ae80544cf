/** What a command writes to a terminal: texts without control characters, in styles, in tables. */
import { styleText } from 'node:util';
import { alignCells } from '../align-cells.ts';
import { RemandError } from '../errors.ts';
import { escapeControls } from '../records/index.ts';

/** How a text is set on a terminal. */
export type Style = Parameters<typeof styleText>[0];

/** A text to be set in a style, or as it is. */
export interface StyledText {
  readonly text: string;
  readonly style?: Style;
}

/** Writes on standard output. JSON stays JSON of the same value. */
export function print(text: string): void {
  process.stdout.write(escapeControls(text));
}

/** Writes on standard error: what is said beside the output. */
export function tell(text: string): void {
  process.stderr.write(escapeControls(text));
}

/** Writes on standard output, in styles where it is a terminal. The texts are escaped: only our own codes are obeyed. */
export function printStyled(pieces: readonly StyledText[]): void {
  const written = pieces.map(({ text, style }) => {
    const shown = escapeControls(text);
    return style === undefined || shown === '' ? shown : styleText(style, shown);
  });
  process.stdout.write(written.join(''));
}

/** Whether styles are shown on standard output: a terminal, and `NO_COLOR` is not set. */
export function isStyled(): boolean {
  return styleText('bold', 'x') !== 'x';
}

/** A table with a line for each of some things, by what its columns are called. */
export function formatTable<T>(
  all: Iterable<T>,
  columns: Readonly<Record<string, (one: T) => string | number>>,
): string {
  const cells = Object.values(columns);
  const rows = Array.from(all, (one) => cells.map((cell) => String(cell(one))));
  return alignRows([Object.keys(columns), ...rows]);
}

/** @param rows the heading first */
export const alignRows = (rows: readonly (readonly string[])[]): string =>
  alignCells(rows.map((row) => row.map((text) => ({ text }))));

/**
 * Words in lines of a width, in characters.
 *
 * @param indent before each line but the first
 */
export function wrapWords(text: string, indent: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}

/** A command that ends before its work is done, without failure: it says what is to be done about it. */
export abstract class EarlyEnd extends RemandError {
  override name = 'EarlyEnd';
  /** Whether the command can be started again at once. */
  readonly again: boolean = false;
  /** With `--json`: one document. */
  abstract readonly report: object;
}
