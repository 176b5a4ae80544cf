/** `--reader-model`: a model names what is open in the learned templates. One call for each; a request is never asked about. */
import { openPoints, questionOf, shapeOf, type TemplateBook, withAnswer } from '../../case/index.ts';
import { type Model, runAll } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';

interface ReaderOptions {
  readonly clock: Clock;
  /** Whether the model may see beginnings of the requests' texts and endings of replies. */
  readonly texts: boolean;
  readonly signal: AbortSignal;
}

/** Templates that are asked about at a time. */
const AT_A_TIME = 8;

/** @throws what the model's call throws: what it was to name stays open */
export async function askReader(
  book: TemplateBook,
  model: Model,
  { clock, texts, signal }: ReaderOptions,
): Promise<void> {
  // A file of requests may hold no replies: what the model says is then checked against the requests alone.
  const open = book.pipelines().filter((pipeline) => openPoints(pipeline, 0).length > 0);
  const answers = runAll(
    open,
    async (pipeline, until) => ({ ...(await model.ask(questionOf(pipeline, { texts }), until)), pipeline }),
    { concurrency: AT_A_TIME, signal, fatal: () => true },
  );
  for await (const answer of answers) {
    if ('error' in answer) throw answer.error;
    const { pipeline, text, tokens } = answer.value;
    const of = pipeline.template ? shapeOf(pipeline.template) : '';
    book.put(withAnswer(pipeline, of, text, { model: model.name, asked: clock.now(), tokens }));
  }
}
