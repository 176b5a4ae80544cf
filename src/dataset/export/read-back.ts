/** What was written is read again as its consumer reads it, beside what should be there. */
import { isDeepStrictEqual } from 'node:util';
import { readRbdAnalysis } from '../../detect/index.ts';
import { InputError, RemandError } from '../../errors.ts';
import { UnreadableAnalysisError } from '../../http/index.ts';
import type { ConsumerRecord, Format } from './format.ts';
import type { TrainingExample } from './training-example.ts';

/** A written file is not what its consumer needs; says which, and in which row (from 1). */
class ReadBackError extends RemandError {
  override name = 'ReadBackError';
}

/**
 * @param name of the file, for errors: it is still under another
 * @throws ReadBackError naming file and row
 */
export async function readBack(
  format: Pick<Format, 'read' | 'record'>,
  path: string,
  name: string,
  examples: AsyncIterable<TrainingExample>,
): Promise<void> {
  const expected = examples[Symbol.asyncIterator]();
  let row = 0;
  try {
    for await (const told of format.read(path)) {
      row++;
      const next = await expected.next();
      if (next.done) throw new ReadBackError(`${name}: row ${row}: there should be no more rows`);
      const wrong = faultOf(told, format.record(next.value), next.value);
      if (wrong !== null) throw new ReadBackError(`${name}: row ${row}: ${wrong}`);
    }
    if (!(await expected.next()).done)
      throw new ReadBackError(`${name}: row ${row + 1}: is missing, the file ends before it`);
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new ReadBackError(`${name}: row ${row + 1}: ${cause.message.replaceAll(path, name)}`, { cause });
  } finally {
    await expected.return?.();
  }
}

function faultOf(told: ConsumerRecord, written: object, example: TrainingExample): string | null {
  if (told.prompt.trim() === '') return 'the prompt is empty';
  const analysis = analysisOf(told.completion);
  if (typeof analysis === 'string') return analysis;
  const label = analysis.biased ? 'Yes' : 'No';
  if (label !== example.bias_label)
    return `the completion says ${label}, and the label is ${example.bias_label}`;
  // Without reasoning the reader gives the label itself in its place.
  if (analysis.reasoning !== (example.reasoning ?? label)) return 'the completion gives another reasoning';
  const names = Object.entries(written).filter(
    ([name, value]) => !isDeepStrictEqual(value, told.record[name as keyof object]),
  );
  if (names.length > 0) return `${names.map(([name]) => name).join(', ')}: is not what was written`;
  return isDeepStrictEqual(told.record, written) ? null : 'has more than was written';
}

/** What the detector's reader makes of a completion, or why it can make nothing of it. */
function analysisOf(completion: string): ReturnType<typeof readRbdAnalysis> | string {
  try {
    return readRbdAnalysis({ reasoning: null, content: completion, finish: null });
  } catch (cause) {
    if (cause instanceof UnreadableAnalysisError) return `completion: ${cause.message}`;
    throw cause;
  }
}
