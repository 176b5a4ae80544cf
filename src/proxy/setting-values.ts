/** How settings are written: in the environment as text, in `remand.config.json` as JSON. */
import * as z from 'zod';
import { baseUrl, httpUrl } from '../http/index.ts';
import { parseJson } from '../parse-json.ts';
import { strictFields } from '../strict-fields.ts';
import { keyRecord } from './access/key.ts';
import { createWholeNumber, plainName } from './options.ts';
import { mayForward } from './reply-headers.ts';

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

export const judgeUrl = baseUrl(
  /^(https?:\/\/[^\s?#]+|recorded:\S+)$/,
  'must be an http(s) URL without query or fragment (or recorded:<path>)',
);

export const milliseconds = (min: number) => createWholeNumber(min, 24 * 3_600_000);

/** @param form of the text where it is given as text */
const numberOrText = (form: RegExp, error: string) =>
  z.union([z.number(), z.string().regex(form).transform(Number)], { error });

export const probability = numberOrText(/^(?:0?\.\d+|1(?:\.0+)?)$/, 'must be a number from 0.5 to 1').pipe(
  z.number().min(0.5, { error: 'must be at least 0.5' }).max(1, { error: 'must be at most 1' }),
);

export const share = numberOrText(/^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/, 'must be a number from 0 to 1').pipe(
  z.number().min(0).max(1, { error: 'must be a number from 0 to 1' }),
);

/**
 * A key as a header can hold it (RFC 9110 §5.5). A file or a secret often ends in a line break: a header goes out without
 * it, and a reply that quotes the key has to be searched for what went out.
 */
export const operatorKey = z
  .string()
  .refine((key) => key === '' || /^[\x20-\x7e]+$/.test(key.trim()), {
    error: 'must be a key in one line of ASCII characters, as a header can hold it',
  })
  .transform((key) => key.trim() || undefined);

/** A bare word is nobody's path but may be another word for "off": texts would be kept by whoever meant to keep none. */
export const sqliteFile = z.string().regex(/[./\\:]/, {
  error: 'must be the path of a file, such as state.sqlite or ./state',
});
export const offOrSqliteFile = z.string().regex(/^off$|[./\\:]/, {
  error: 'must be off, or the path of a file, such as traces.sqlite or ./traces',
});

const upstream = strictFields({
  path: z
    .string()
    .regex(/^(?:\/[\w.-]+)+$/, { error: 'must be a path such as /anthropic' })
    .optional(),
  model: plainName.min(1).optional(),
  url: httpUrl,
  key: operatorKey.optional(),
});

/** A value in remand.config.json; the same as JSON text in the environment. */
export const jsonOr = <T extends z.ZodType>(what: string, inner: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    const parsed = parseJson(value);
    if (parsed !== undefined) return parsed;
    context.issues.push({ code: 'custom', message: `must be ${what}`, input: value });
    return z.NEVER;
  }, inner);

export const keyRecords = jsonOr('a JSON list', z.array(keyRecord));

/** A list, or a text with commas between its parts. */
const listOf = <T extends z.ZodType>(part: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
    z.array(part),
  );

/** As browsers send them: scheme, host, and a port where it is not the scheme's. */
export const origins = listOf(
  z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
    error: 'must be origins such as https://example.com, with commas between them',
  }),
);

/** Names in lower case, `*` at the end for any ending. */
export const replyHeaders = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim().toLowerCase()) : value),
  z.array(
    z
      .string()
      .regex(/^[a-z0-9-]+\*?$/, {
        error: 'must be names of headers such as x-served-by or x-served-*, with commas between them',
      })
      .refine(mayForward, {
        error:
          'must not name what acts on the client or its browser (set-cookie, location, …) or is ours (x-remand-*)',
      }),
  ),
);

/** A method and a path, each with `*` for any run of characters. */
export const passPaths = listOf(
  z.string().regex(/^(?:\*|[A-Z]+) [/*]\S*$/, {
    error: 'must be methods and paths such as POST /v1/embeddings, with commas between them',
  }),
);

/** A request that is asked again and again; the path is that of OpenAI's chat unless another is named. */
export const anchorRequest = strictFields({
  path: z.string().startsWith('/').default('/v1/chat/completions'),
  body: z.record(z.string(), z.unknown()),
});
export const anchorList = z.array(anchorRequest).max(1000);

/** The judge to which unsure verdicts go. */
export const secondJudge = jsonOr(
  'a JSON object',
  strictFields({
    /** `[protocol:]model`. */
    model: plainName.min(1),
    url: httpUrl,
    key: operatorKey.optional(),
    below: share.default(0),
    calls: createWholeNumber(1, 100).default(9),
  }),
);

export const upstreamList = jsonOr(
  'a JSON list',
  z.array(upstream.refine(({ path, model }) => path ?? model, { error: 'needs a path or a model' })),
);
