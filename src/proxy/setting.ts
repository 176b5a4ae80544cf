/** What is to be said of a setting. */
import * as z from 'zod';

export interface OperatorSetting<S extends z.ZodType = z.ZodType> {
  /** How it is written, and its default. */
  readonly schema: S;
  /** What it is for, in plain sentences. */
  readonly about: string;
  /** A value to show where the default shows nothing. */
  readonly example?: string;
  /**
   * Whether a verdict depends on it: a cached answer is only given again under the same value. It has no default, since
   * a forgotten one would serve stale verdicts.
   */
  readonly verdicts: boolean;
  /** The secrets in its value, which are taken out of whatever is shown. */
  secretsIn?(value: z.output<S>): readonly (string | undefined)[];
}

/** @example setting(z.string().default('127.0.0.1'), { about: 'Where the server listens.', verdicts: false }) */
export const setting = <S extends z.ZodType>(
  schema: S,
  more: Omit<OperatorSetting<S>, 'schema'>,
): OperatorSetting<S> => ({
  schema,
  ...more,
});

type Shape<T extends Readonly<Record<string, OperatorSetting>>> = { readonly [K in keyof T]: T[K]['schema'] };

/** The values of several settings. */
export type ValuesOf<T extends Readonly<Record<string, OperatorSetting>>> = z.output<z.ZodObject<Shape<T>>>;

/** One schema of several settings. */
export const createSettingsSchema = <T extends Readonly<Record<string, OperatorSetting>>>(
  settings: T,
): z.ZodObject<Shape<T>> =>
  z.object(
    Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as Shape<T>,
  );
