/** A result as a terminal shows it: what its part of the page says, without drawings and cases. */
import { parseHTML } from 'linkedom';
import { alignCells } from '../align-cells.ts';
import { createSection } from './report-page.ts';
import { recogniseResult } from './results.ts';

/**
 * @param document a result as a command writes it
 * @returns sentences and tables, each line ended
 *
 * @example formatResultText({ effects, dropped, skipped })
 */
export function formatResultText(document: object): string {
  const result = recogniseResult(document);
  if (!result) throw new RangeError('the document is no result of any kind');
  const { findings, parts } = createSection(result, () => '');
  const read = parts.map(({ heading, body }) => ({ heading, text: readText(body.join('\n')) }));
  const shown = read.filter(({ text }) => text !== '').map(({ heading, text }) => `\n${heading}\n${text}`);
  return `${findings.map((one) => readText(`<p>${String(one)}</p>`)).join('')}${shown.join('')}`;
}

/** Its blocks, a line each; tables with a line for each row. */
function readText(markup: string): string {
  const { document } = parseHTML(`<body>${markup}</body>`);
  for (const one of document.querySelectorAll('figure, details')) one.remove();
  // On the page it is a line of its own in its cell.
  for (const range of document.querySelectorAll('.range')) {
    range.before(range.textContent?.startsWith('[') ? ' ' : ', ');
    range.after(' ');
  }
  return [...document.querySelectorAll('table, p, li, .text')]
    .map((block) => {
      if (block.localName === 'table') return alignTable(block);
      return block.className === 'text' ? `${block.textContent}\n` : `${readLine(block)}\n`;
    })
    .join('');
}

function readLine({ textContent }: Element): string {
  return (textContent ?? '').trim().replaceAll('\n', ' ').replaceAll('\u00a0', ' ');
}

/** A cell of more columns shifts its own row alone. */
const WIDEST = 60;

/** Figures stand right, as on the page. */
function alignTable(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => ({ text: readLine(cell), isNumber: cell.className === 'number' })),
  );
  return alignCells(rows, WIDEST);
}
