/**
 * A fine-tuning job at an OpenAI-compatible API: upload the examples, start the job, follow it to its end. What was
 * done is noted after every step, so that a run that was killed goes on: nothing is uploaded or started twice.
 */
import * as z from 'zod';
import { RemandError } from '../errors.ts';
import { wait } from '../http/index.ts';
import type { Clock } from '../ports.ts';

/** What a run is for. A note made for something else is not gone on with. */
const jobOrder = z.object({
  /** The API's address. */
  endpoint: z.string(),
  /** The base model. */
  model: z.string(),
  /** SHA-256 of the examples' file, in hex. */
  training: z.string(),
  /** Of those that are only measured on; null where there are none. */
  validation: z.string().nullable(),
  suffix: z.string().nullable(),
  hyperparameters: z.record(z.string(), z.union([z.number(), z.string()])),
  seed: z.number().nullable(),
});
export type JobOrder = z.output<typeof jobOrder>;

/** How far a run has come; null for what is not done, or not known to be. */
export const jobNote = z.object({
  order: jobOrder,
  training_file: z.string().nullable(),
  validation_file: z.string().nullable(),
  job: z.string().nullable(),
  /** Name of the model that came of it. */
  fine_tuned_model: z.string().nullable(),
});
export type JobNote = z.output<typeof jobNote>;

interface JobReport {
  readonly id: string;
  /** `queued`, `running`, `succeeded` and so on. A word that the API adds later means "not ended". */
  readonly status: string;
  readonly model: string | null;
  readonly trainedTokens: number | null;
  /** The API's words where it failed. */
  readonly error: string | null;
}

interface JobEvent {
  readonly id: string;
  readonly message: string;
}

/** The API as far as it is needed; retries are its own business. Each rejects with a JudgeError, or the signal's reason. */
export interface FineTuningApi {
  /** The file's id, where one of that name was uploaded before; null where there is none, or the API cannot say. */
  findFile(name: string, signal: AbortSignal): Promise<string | null>;
  upload(name: string, content: Uint8Array, signal: AbortSignal): Promise<string>;
  /** A job of that order on these files that has not failed; null where there is none, or the API cannot say. */
  findJob(
    order: JobOrder,
    trainingFile: string,
    validationFile: string | null,
    signal: AbortSignal,
  ): Promise<string | null>;
  start(
    order: JobOrder,
    trainingFile: string,
    validationFile: string | null,
    signal: AbortSignal,
  ): Promise<string>;
  job(id: string, signal: AbortSignal): Promise<JobReport>;
  /** The newest events, oldest first; empty where the API has none. */
  events(id: string, signal: AbortSignal): Promise<readonly JobEvent[]>;
}

interface FollowOptions {
  readonly clock: Clock;
  /** Milliseconds between two looks at the job. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Keeps the note where a later run finds it. Called before each step and after it. */
  readonly keep: (note: JobNote) => Promise<void>;
  readonly onEvent: (message: string) => void;
  readonly onState: (report: JobReport) => void;
}

/** The job ended without a model; the message is the API's. */
class FineTuneError extends RemandError {
  override name = 'FineTuneError';
}

/**
 * @param found the note of an earlier run of the same order; null for the first
 * @param content the files' bytes by their SHA-256
 * @returns the note of the job that succeeded, with the model's name
 * @throws FineTuneError where the job failed or was cancelled: the files stay uploaded, and the next run starts anew
 */
export async function fineTune(
  api: FineTuningApi,
  order: JobOrder,
  found: JobNote | null,
  content: (hash: string) => Promise<Uint8Array>,
  options: FollowOptions,
): Promise<JobNote & { fine_tuned_model: string }> {
  const { keep, signal, onState } = options;
  let note: JobNote = found ?? {
    order,
    training_file: null,
    validation_file: null,
    job: null,
    fine_tuned_model: null,
  };
  const noted = async (rest: Partial<JobNote>) => {
    note = { ...note, ...rest };
    await keep(note);
  };
  // An earlier run may have been killed between a step and its note.
  const before = found !== null;
  const uploaded = async (hash: string) => {
    const name = `remand-${hash.slice(0, 16)}.jsonl`;
    return (
      (before ? await api.findFile(name, signal) : null) ?? api.upload(name, await content(hash), signal)
    );
  };
  await keep(note);
  if (note.fine_tuned_model !== null) return { ...note, fine_tuned_model: note.fine_tuned_model };
  if (note.training_file === null) await noted({ training_file: await uploaded(order.training) });
  if (order.validation !== null && note.validation_file === null)
    await noted({ validation_file: await uploaded(order.validation) });
  const training = note.training_file ?? '';
  if (note.job === null) {
    const running = before ? await api.findJob(order, training, note.validation_file, signal) : null;
    await noted({ job: running ?? (await api.start(order, training, note.validation_file, signal)) });
  }
  const ended = await follow(api, note.job ?? '', options);
  onState(ended);
  if (ended.status === 'succeeded' && ended.model !== null) {
    await noted({ fine_tuned_model: ended.model });
    return { ...note, fine_tuned_model: ended.model };
  }
  await noted({ job: null });
  throw new FineTuneError(
    `the fine-tuning job ${ended.id} ${ended.status === 'succeeded' ? 'names no model' : ended.status}${ended.error === null ? '' : `: ${ended.error}`}`,
  );
}

/** Looks at the job until it has ended; each event is told once. */
async function follow(api: FineTuningApi, id: string, options: FollowOptions): Promise<JobReport> {
  const { signal, clock, everyMs, onEvent, onState } = options;
  const told = new Set<string>();
  for (;;) {
    const report = await api.job(id, signal);
    for (const event of await api.events(id, signal)) {
      if (!told.has(event.id)) onEvent(event.message);
      told.add(event.id);
    }
    if (['succeeded', 'failed', 'cancelled'].includes(report.status)) return report;
    onState(report);
    await wait(everyMs, clock, signal);
  }
}
