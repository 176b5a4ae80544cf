/** What a layout of training data is: how it is written, and how its consumer reads it. */
import * as z from 'zod';
import { readJsonl, writeJsonl } from '../../records/node.ts';
import type { ExportSurvey } from './survey-examples.ts';
import type { ExampleSplit, TrainingExample } from './training-example.ts';

/** A record as its consumer reads it. */
export interface ConsumerRecord {
  readonly record: object;
  readonly prompt: string;
  readonly completion: string;
}

export interface Format {
  /** Where a split stands in the format's folder. */
  file(split: ExampleSplit): string;
  /** What is to be found again for an example, whole. */
  record(example: TrainingExample): object;
  /** @returns how many were written */
  write(path: string, examples: AsyncIterable<TrainingExample>): Promise<number>;
  /** @throws InputError for what the consumer would refuse */
  read(path: string): AsyncGenerator<ConsumerRecord>;
  /** Files the consumer needs beside the splits: name to text. */
  beside?(survey: ExportSurvey): Readonly<Record<string, string>>;
}

/** A text with something in it: trainers fail on, or silently drop, an empty turn. */
export const nonBlankText = z.string().refine((text) => text.trim() !== '', 'must not be empty');

/** A format of one JSON object a line. */
export function createJsonlFormat<T extends object>(
  schema: z.ZodType<T>,
  record: (example: TrainingExample) => T,
  told: (record: T) => Omit<ConsumerRecord, 'record'>,
  beside?: Format['beside'],
): Format {
  return {
    file: (split) => `${split}.jsonl`,
    record,
    write: (path, examples) => writeJsonl(path, mapAsync(examples, record)),
    async *read(path) {
      for await (const one of readJsonl(path, schema)) yield { record: one, ...told(one) };
    },
    ...(beside && { beside }),
  };
}

export async function* mapAsync<T, R>(all: AsyncIterable<T>, change: (one: T) => R): AsyncGenerator<R> {
  for await (const one of all) yield change(one);
}
