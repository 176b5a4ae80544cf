/** `remand dataset build --from langfuse`: labelled rows out of the judgments that the proxy told Langfuse of. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  createLangfusePages,
  LABEL_SOURCES,
  type Langfuse,
  listDatasetFiles,
  type PullResult,
  pull,
} from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { runtimeFetch, systemClock } from '../../ports.ts';
import { runInterruptible } from '../arguments.ts';
import { asOneOf, type OptionValues, onlyWith, optional, usual } from '../command.ts';
import { loadConfig } from '../load-config.ts';
import { showProgress } from '../progress.ts';

/** What `--from` is for it. */
export const LANGFUSE = 'langfuse';

/** Options that only `--from langfuse` has. */
export const langfuseOptions = {
  ...onlyWith('from langfuse', {
    labels: usual(
      asOneOf(LABEL_SOURCES),
      'people',
      'people, or evidence: where nobody has said, what the probe showed',
    ),
    since: optional(asTime, 'judgments from this time on, ISO 8601'),
    until: optional(asTime, 'judgments before this time'),
  }),
};

type LangfuseBuildArguments = OptionValues<typeof langfuseOptions> & {
  readonly out: string;
  readonly limit: number;
  readonly bias: readonly string[] | undefined;
};

export async function buildFromLangfuse(
  args: LangfuseBuildArguments,
  print: (result: object, words: () => string) => void,
): Promise<void> {
  const { labels, since = null, until = null, limit } = args;
  if (args.bias !== undefined)
    throw new InputError(
      '--bias',
      'is for D and D_bias; judgments from use have the biases that were looked for',
    );
  if (since !== null && until !== null && since >= until)
    throw new InputError('--until', 'must be later than --since');
  const langfuse = await readLangfuse();
  const { labels: rows, unlabelled } = listDatasetFiles(args.out);
  const files = { labels: rows, unlabelled, spool: join(args.out, 'langfuse.sqlite') };
  // The secret key is no part of it: a new one may be used to go on.
  const { url, publicKey, environment } = langfuse;
  const source = createHash('sha256')
    .update(JSON.stringify([url, publicKey, environment]))
    .digest('hex');
  const progress = showProgress('judgments', null);
  const pulled = await runInterruptible((signal) =>
    pull(
      createLangfusePages(langfuse, { fetch: runtimeFetch, clock: systemClock, signal }),
      files,
      { labels, since, until, limit, source },
      { now: systemClock.now(), signal, onRead: (judgments) => progress.update(judgments) },
    ),
  ).finally(() => progress.stop());
  // As where nothing could be built: there is nothing to train on.
  if (pulled.rows === 0) process.exitCode = 1;
  print(pulled, () => inWords(pulled, args.out));
}

function inWords({ rows, judgments, labels, by, left_out }: PullResult, out: string): string {
  const gone = Object.entries(left_out).map(([reason, count]) => `\n  ${count} left out: ${reason}`);
  return (
    `${rows} rows of ${judgments} judgments in ${out}: ${labels.Yes} biased, ${labels.No} not; ` +
    `${by.people} labelled by people, ${by.evidence} by evidence${gone.join('')}\n`
  );
}

export async function readLangfuse(): Promise<Langfuse> {
  const settings = await loadConfig(process.env);
  const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = settings;
  if (publicKey === undefined || secretKey === undefined)
    throw new InputError(
      'LANGFUSE_PUBLIC_KEY',
      'must be set, and LANGFUSE_SECRET_KEY: those of the project to read',
    );
  const environment = settings.LANGFUSE_TRACING_ENVIRONMENT ?? null;
  return { url: settings.LANGFUSE_BASE_URL, publicKey, secretKey, environment };
}

/** @returns ISO 8601, UTC */
export function asTime(text: string, option: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new InputError(option, `must be a time such as 2026-11-01 or 2026-11-01T12:00:00Z, not "${text}"`);
  return time.toISOString();
}
