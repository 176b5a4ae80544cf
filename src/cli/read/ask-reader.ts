/** Has a model name what is open in learned templates: one call for each, its answer checked as in the proxy. */
import {
  openPoints,
  type Pipeline,
  questionOf,
  shapeOf,
  type TemplateBook,
  withAnswer,
} from '../../case/index.ts';
import { type Model, runAll } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';

interface ReaderOptions {
  readonly clock: Clock;
  /** Whether the model may see beginnings of the requests' texts and endings of replies. */
  readonly texts: boolean;
  readonly signal: AbortSignal;
  /** The templates that are asked about, of those in which something is open. */
  readonly chosen: (open: readonly Pipeline[]) => readonly Pipeline[];
  /** What a call threw, and what it was to name stays open. What this throws ends the asking. */
  readonly failed: (error: unknown) => void;
}

/** Templates that are asked about at a time. */
const AT_A_TIME = 8;

/** @returns how many templates a model was asked about */
export async function askReader(
  book: TemplateBook,
  model: Model,
  { clock, texts, signal, chosen, failed }: ReaderOptions,
): Promise<number> {
  // A file of requests may hold no replies: what the model says is then checked against the requests alone.
  const open = chosen(
    book.pipelines().filter((pipeline) => openPoints(pipeline, { leastReplies: 0, texts }).length > 0),
  );
  const answers = runAll(
    open,
    async (pipeline, until) => ({ ...(await model.ask(questionOf(pipeline, { texts }), until)), pipeline }),
    { concurrency: AT_A_TIME, signal, fatal: () => false },
  );
  for await (const answer of answers) {
    if ('error' in answer) {
      failed(answer.error);
      continue;
    }
    const { pipeline, text, tokens } = answer.value;
    const of = pipeline.template ? shapeOf(pipeline.template) : '';
    book.put(withAnswer(pipeline, of, text, { model: model.name, asked: clock.now(), tokens }));
  }
  return open.length;
}
