/** An audit cut into pieces: each is asked by itself, its record kept, and the report made of all of them in the end. */
import type * as z from 'zod';
import type { Adapter } from '../../../../adapters/types.ts';
import type { Model } from '../../../models/model.ts';

/** The settings of an audit, by the names of the command line's options. */
export type AuditSettings = Readonly<Record<string, string>>;

/** Work on one row that has one record: JSON, below some kilobytes. */
export interface AuditPiece {
  /** Model calls that it makes, all of them at once. */
  readonly calls: number;
  /** Rejects as the model does. */
  ask(signal: AbortSignal): Promise<unknown>;
  /** Its record where it could not be asked. */
  failed(error: Error): unknown;
}

/** One audit, its settings read. */
export interface PreparedAudit {
  /** Of a row, from what was sent; what it gives is what is kept. */
  readonly row: z.ZodType<{ readonly id: string }, unknown>;
  /** The same for the same row, always, and in the same order. */
  pieces(row: unknown): Promise<readonly AuditPiece[]>;
  /** @param records of all pieces, in the order of the rows: what the command line writes as `result.json` */
  report(records: readonly unknown[]): object;
}

export interface Judges {
  /** @param more fields of each request, beside `parameters` */
  open(spec: JudgeSpec, more: Readonly<Record<string, unknown>>): Model;
  readonly specs: readonly JudgeSpec[];
}

/** One of `judge`: `[name=][protocol:]model[@/path]`. */
export interface JudgeSpec {
  readonly name: string;
  readonly model: string;
  readonly protocol: Adapter;
  /** Prefix of an upstream's path; empty for where the model's name leads. */
  readonly path: string;
}

/** @throws InputError naming the setting that cannot be used */
export type AuditKind = (asked: AuditSettings, judges: Judges) => PreparedAudit | Promise<PreparedAudit>;
