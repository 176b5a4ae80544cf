/**
 * Statements that name an option and that no rule of the catalogue reads, such as one in a language that the rules do not
 * know: a detector model says once what they say, and its answer is kept by their text.
 */
import { readStatementAnswer, renderStatementQuestion } from '../../prompts/index.ts';
import type { Case, Untested } from '../case/index.ts';
import { JudgeError } from '../http/index.ts';
import type { DetectorModel } from './rbd/detector-model.ts';
import { neutralise } from './rbd/render-brief.ts';
import type { Brief, StatementReadings } from './types.ts';

/** Older readings are made again. */
const MOST = 1_000;

class UnreadStatementError extends Error {}

/**
 * @returns the case with what the model made of its statements, and the statements that could not be read
 * @throws BudgetError, or the signal's reason
 */
export async function readStatements(
  { subject, biases, signal }: Pick<Brief, 'subject' | 'biases' | 'signal'>,
  model: DetectorModel,
  readings: StatementReadings,
): Promise<{ readonly subject: Case; readonly untested: readonly Untested[] }> {
  const labels = subject.options.map(({ label }) => label);
  const open = biases.flatMap(
    ({ name, unread }) => unread?.(subject).map((index) => ({ name, index })) ?? [],
  );
  if (open.length === 0) return { subject, untested: [] };
  const context = [...subject.context];
  const untested: Untested[] = [];
  await Promise.all(
    open.map(async ({ name, index }) => {
      const statement = subject.context[index];
      if (!statement) return;
      try {
        context[index] = {
          ...statement,
          backs: await readOnce(statement.text, labels, model, readings, signal),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UnreadStatementError) && !(error instanceof JudgeError)) throw error;
        const seen = `no rule reads a statement, and the model gave no answer: "${statement.text}"`;
        untested.push({ bias: name, favours: 'any', seen, why: 'not-read' });
      }
    }),
  );
  return { subject: { ...subject, context }, untested };
}

async function readOnce(
  text: string,
  labels: readonly string[],
  model: DetectorModel,
  readings: StatementReadings,
  signal: AbortSignal,
): Promise<number | 'none'> {
  const key = JSON.stringify([text, labels]);
  const known = readings.get(key);
  if (known !== undefined) return known;
  const { content } = await model.complete(
    renderStatementQuestion(neutralise(text), labels.map(neutralise)),
    signal,
  );
  const read = readStatementAnswer(content, labels);
  if (read === null) throw new UnreadStatementError();
  readings.set(key, read);
  const [oldest] = readings.keys();
  if (readings.size > MOST && oldest !== undefined) readings.delete(oldest);
  return read;
}
