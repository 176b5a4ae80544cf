/** The `choices` column of the published detector dataset (arXiv 2505.17100), byte for byte, its quirks included. */
import type { DatasetRow } from './row.ts';

/** The published statement doubles the sign, an escape that was never undone; a text without it gives itself away. */
const asPublished = (statement: string) => statement.replaceAll('%', '%%');

export function publishedChoices(
  row: Pick<DatasetRow, 'options' | 'labels' | 'statements' | 'biases' | 'set'>,
): string {
  const statements = row.statements
    .map((statement) => `### Statement: ${asPublished(statement)}\n\n`)
    .join('');
  const numbered = row.labels[0]?.startsWith('Choice') ?? false;
  const shown = (options: readonly string[]) =>
    numbered
      ? options.map((option, index) => `${index + 1}. ${option}`).join('\n')
      : options.map((option, index) => `${row.labels[index]}: ${option}`).join('\n\n');
  if (row.set === 'd' || !row.biases.includes('position')) return statements + shown(row.options);
  // D_bias of position is the swapped order, and the row shows what came before it, too: without the statements,
  // which name the options as the swapped order does.
  return (
    `### First Evaluation (Original Order)\n${shown(row.options.toReversed())}\n\n` +
    `### Second Evaluation (Swapped Order)\n${statements}${shown(row.options)}`
  );
}
