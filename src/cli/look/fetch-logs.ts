/** Logs that are not files yet: the model calls of a Langfuse project, by its API. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLangfusePages } from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { runtimeFetch, systemClock } from '../../ports.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { parseWholeNumber, runInterruptible } from '../arguments.ts';
import { readLangfuse, readTime } from '../dataset/from-langfuse.ts';
import { showProgress } from '../progress.ts';

const LANGFUSE = 'langfuse:';

interface FetchedLogs extends AsyncDisposable {
  readonly files: readonly string[];
}

interface FetchArguments {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: string;
}

/** What is fetched lies in a file of its own until the logs have been read. @param named files, and `langfuse:` */
export async function fetchLogs(named: readonly string[], args: FetchArguments): Promise<FetchedLogs> {
  if (!named.includes(LANGFUSE)) {
    for (const option of ['since', 'until'] as const)
      if (args[option] !== undefined) throw new InputError(`--${option}`, 'is for langfuse:');
    return { files: named, [Symbol.asyncDispose]: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'remand-look-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'langfuse.jsonl');
    await fetchGenerations(path, args);
    return { files: named.map((one) => (one === LANGFUSE ? path : one)), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function fetchGenerations(path: string, { since, until, limit }: FetchArguments): Promise<void> {
  const window = {
    since: readTime('--since', since),
    until: readTime('--until', until) ?? new Date(systemClock.now()).toISOString(),
  };
  const most = parseWholeNumber('--limit', limit, 1, 10_000_000);
  const langfuse = await readLangfuse();
  const progress = showProgress('calls from Langfuse', null);
  await runInterruptible((signal) =>
    writeWhole({ path }, async (files) => {
      const pages = createLangfusePages(langfuse, { fetch: runtimeFetch, clock: systemClock, signal });
      let read = 0;
      for (let next: string | null = null; read < most; ) {
        const page = await pages.generations(window, next);
        for (const one of page.items.slice(0, most - read))
          await files.path.write(formatJsonLine({ ...one, type: 'GENERATION', traceId: one.traceId ?? '' }));
        read += page.items.length;
        progress.update(Math.min(read, most));
        next = page.next;
        if (next === null) break;
      }
    }),
  ).finally(() => progress.stop());
}
