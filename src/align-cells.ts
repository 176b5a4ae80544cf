/** Tables in columns of a terminal, which shows some characters in two columns and some in none. */
import stringWidth from 'string-width';

interface TableCell {
  readonly text: string;
  /** Numbers stand right. */
  readonly isNumber?: boolean;
}

/**
 * @param rows the heading first
 * @param widest a cell of more columns shifts its own row alone
 * @returns a line for each row, each ended
 *
 * @example alignCells([[{ text: 'judge' }, { text: 'n' }], [{ text: '法官' }, { text: '7' }]])
 * // 'judge  n\n法官   7\n'
 */
export function alignCells(
  rows: readonly (readonly TableCell[])[],
  widest: number = Number.POSITIVE_INFINITY,
): string {
  const sized = rows.map((row) => row.map((cell) => ({ ...cell, width: stringWidth(cell.text) })));
  const columns = (sized[0] ?? []).map((_, n) =>
    Math.max(0, ...sized.map((row) => row[n]?.width ?? 0).filter((width) => width <= widest)),
  );
  const lines = sized.map((row) =>
    row
      .map(({ text, isNumber, width }, n) => {
        const blanks = ' '.repeat(Math.max(0, (columns[n] ?? 0) - width));
        return isNumber ? blanks + text : text + blanks;
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
