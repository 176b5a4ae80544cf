/**
 * Statements that name an option and that no entry of the catalogue reads, such as one in a language that none knows: a model
 * says once what they say, and its answer is kept by their text. Where no model reads them, they are told as untested.
 */
import { readStatementAnswer, renderStatementQuestion } from '../../prompts/index.ts';
import { CATALOGUE } from '../bias/index.ts';
import type { Case, Statement, Untested } from '../case/index.ts';
import { BudgetError, JudgeError } from '../http/index.ts';
import { neutralise } from './rbd/render-brief.ts';
import type { Brief, StatementReader, StatementReadings } from './types.ts';

/** Older readings are made again. */
const MOST = 1_000;

class UnreadStatementError extends Error {}

/**
 * @returns the case with what the model made of its statements, and the statements that could not be read
 * @throws the signal's reason
 */
export async function readStatements(
  { subject, biases, signal, rewrite }: Pick<Brief, 'subject' | 'biases' | 'signal' | 'rewrite'>,
  reader: StatementReader | null,
  readings: StatementReadings,
): Promise<{ readonly subject: Case; readonly untested: readonly Untested[] }> {
  const labels = subject.options.map(({ label }) => label);
  const open = biases.flatMap(
    ({ name, unread }) =>
      unread?.(subject).flatMap((index) => {
        const statement = subject.context[index];
        return statement && !isReadBySome(subject, statement) ? [{ name, index, statement }] : [];
      }) ?? [],
  );
  const ask = reader && askerOf(reader, rewrite);
  if (!ask) {
    const untested = open.map(({ name, statement }) => ({
      bias: name,
      favours: 'any' as const,
      why: 'no-reader' as const,
      seen: `nothing reads a statement that names an answer: "${statement.text}"`,
    }));
    return { subject, untested };
  }
  const context = [...subject.context];
  const untested: Untested[] = [];
  await Promise.all(
    open.map(async ({ name, index, statement }) => {
      try {
        context[index] = {
          ...statement,
          backs: await readOnce(statement.text, labels, ask, readings, signal),
        };
      } catch (error) {
        signal.throwIfAborted();
        const isSpent = error instanceof BudgetError;
        if (!isSpent && !(error instanceof UnreadStatementError) && !(error instanceof JudgeError))
          throw error;
        const seen = `no rule reads a statement, and the model gave no answer: "${statement.text}"`;
        untested.push({ bias: name, favours: 'any', seen, why: isSpent ? 'budget' : 'not-read' });
      }
    }),
  );
  return { subject: { ...subject, context }, untested };
}

/** Whether an entry sees a cue in a statement, so that it is examined without being read by a model. */
function isReadBySome(subject: Case, statement: Statement): boolean {
  const options = subject.options.map((option) => ({ ...option, text: '' }));
  const countCues = (context: readonly Statement[]) =>
    CATALOGUE.flatMap((bias) => bias.spot({ ...subject, options, context })).length;
  return countCues([statement]) > countCues([]);
}

type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** Null where the judge is to read and is asked nothing but its cases. */
function askerOf(reader: StatementReader, rewrite: Brief['rewrite']): Ask | null {
  if (reader !== 'judge')
    return async (question, signal) => (await reader.complete(question, signal)).content;
  return rewrite && ((user, signal) => rewrite({ system: READS, user }, signal));
}

const READS = 'You read statements and say in a number what they say.';

async function readOnce(
  text: string,
  labels: readonly string[],
  ask: Ask,
  readings: StatementReadings,
  signal: AbortSignal,
): Promise<number | 'none'> {
  const key = JSON.stringify([text, labels]);
  const known = readings.get(key);
  if (known !== undefined) return known;
  const content = await ask(renderStatementQuestion(neutralise(text), labels.map(neutralise)), signal);
  const read = readStatementAnswer(content, labels);
  if (read === null) throw new UnreadStatementError();
  readings.set(key, read);
  const [oldest] = readings.keys();
  if (readings.size > MOST && oldest !== undefined) readings.delete(oldest);
  return read;
}
