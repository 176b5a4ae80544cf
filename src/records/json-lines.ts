/** JSONL that is in memory already, and one line of any JSONL. */
import type * as z from 'zod';
import { RemandError } from '../errors.ts';
import { dropByteOrderMark } from '../parse-json.ts';
import { describeIssues, explainIssue } from '../strict-fields.ts';

/** A line is no JSON, or no record. */
export class RecordError extends RemandError {
  override name = 'RecordError';
  /** From 1. */
  readonly line: number;
  /** The first field that is wrong: `texts.1`; null for the line as a whole. */
  readonly field: string | null;

  constructor(line: number, field: string | null, message: string) {
    super(message);
    this.line = line;
    this.field = field;
  }
}

interface NumberedRecord<T> {
  readonly line: number;
  /** As it was sent. */
  readonly value: unknown;
  readonly record: T;
}

/**
 * Empty lines are passed over.
 *
 * @throws RecordError for the first line that is wrong
 */
export function* parseJsonLines<T>(text: string, schema: z.ZodType<T>): Generator<NumberedRecord<T>> {
  for (const [index, one] of dropByteOrderMark(text).split('\n').entries())
    if (one.trim() !== '') yield parseRecord(one, schema, index + 1);
}

/** @throws RecordError whose message names all fields that are wrong */
export function parseRecord<T>(text: string, schema: z.ZodType<T>, line: number): NumberedRecord<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new RecordError(line, null, `not valid JSON: ${cause.message}`);
  }
  const read = schema.safeParse(value, { error: explainIssue });
  if (read.success) return { line, value, record: read.data };
  const [first] = read.error.issues;
  throw new RecordError(line, first?.path.join('.') || null, describeIssues(read.error));
}

/** @throws RecordError for bytes that are no UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new RecordError(1, null, 'this and all that follows must be UTF-8 text');
  }
}
