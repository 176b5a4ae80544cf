/** Reads recorded judgments from files. For Node. */
import { readAllJsonl } from '../records/node.ts';
import { createRecords, itemSchema, type Records, verdictSchema } from './recorded/records.ts';

export interface RecordPaths {
  readonly items: string;
  readonly verdicts: string;
}

/** @throws InputError naming file, line and field of the first record that is wrong */
export async function loadRecords(paths: RecordPaths): Promise<Records> {
  // One after the other, so that of two faults always the same one is named.
  const items = await readAllJsonl(paths.items, itemSchema);
  const verdicts = await readAllJsonl(paths.verdicts, verdictSchema);
  return createRecords(items, verdicts);
}
