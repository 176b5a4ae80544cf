/** `remand labels`: judgments into an annotation queue of Langfuse, and what people said there back as labels. */
import { createLangfusePages, type LangfusePages } from '../dataset/index.ts';
import { InputError } from '../errors.ts';
import { groupJudgments, type LabelRecord, type PastJudgment, pastJudgment } from '../evaluate/index.ts';
import { combineDraws } from '../loop/index.ts';
import { runtimeFetch, systemClock } from '../ports.ts';
import { formatJsonLine, readAllJsonl, writeWhole } from '../records/node.ts';
import { toOtelTraceId } from '../trace/index.ts';
import { runInterruptible } from './arguments.ts';
import { asText, atMost, createCommand, needed } from './command.ts';
import { readLangfuse } from './dataset/from-langfuse.ts';

const queueOption = { queue: needed(asText, "id of the annotation queue, from its page's address") };

export const labelsPushCommand = createCommand(
  {
    in: needed(asText, 'judgments: what /remand/records of a running Remand gives'),
    ...queueOption,
    limit: atMost('at most this many judgments'),
  },
  async ({ args, print }) => {
    const items = listUnsure(await readAllJsonl(args.in, pastJudgment, '--in'));
    const { added, there } = await runInterruptible(async (signal) => {
      const pages = await openPages(signal);
      const known = new Set(
        (await readAll((from) => pages.queue(args.queue, from))).map(({ objectId }) => objectId),
      );
      const all = items.map(toOtelTraceId);
      const chosen = all.filter((id) => !known.has(id)).slice(0, args.limit);
      for (const id of chosen) {
        signal.throwIfAborted();
        await pages.enqueue(args.queue, id);
      }
      return { added: chosen.length, there: all.filter((id) => known.has(id)).length };
    });
    print({ added, there }, () => `${added} judgments added to the queue; ${there} were in it before.\n`);
  },
);

export const labelsPullCommand = createCommand(
  {
    ...queueOption,
    score: needed(
      asText,
      'name of the score that people give: a category for each label of the options (and tie), a boolean for pass, or a number',
    ),
    out: needed(asText, 'JSONL to write; POST it to /remand/labels of the Remand that judged'),
  },
  async ({ args, print }) => {
    const { labels, left } = await runInterruptible(async (signal) => {
      const pages = await openPages(signal);
      const done = new Set(
        (await readAll((from) => pages.queue(args.queue, from))).flatMap(
          ({ objectId, objectType, status }) =>
            objectType === 'TRACE' && status === 'COMPLETED' ? [objectId] : [],
        ),
      );
      const window = { since: null, until: new Date(systemClock.now()).toISOString() };
      const scores = await readAll((from) => pages.scores(args.score, window, from));
      const read = scores.flatMap(({ trace, observation, value, annotator }): LabelRecord[] => {
        if (trace === null || observation !== null || !done.has(trace)) return [];
        const isLabel = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
        if (!isLabel || value === '') return [];
        // "push" chooses what the judge was least sure of: no sample that stands for all.
        return [{ item: toTraceId(trace), label: value, annotator: annotator ?? 'langfuse', random: false }];
      });
      return { labels: read, left: scores.length - read.length };
    });
    if (labels.length === 0)
      throw new InputError(
        '--score',
        `no completed case of the queue has a score named "${args.score}" (${left} scores of that name are on other traces)`,
      );
    await writeWhole({ out: args.out }, async (files) => {
      for (const label of labels) await files.out.write(formatJsonLine(label));
    });
    print(
      { labels: labels.length, left, out: args.out },
      () =>
        `${labels.length} labels written to ${args.out}; ${left} scores of that name left out: not on a completed case of the queue.\n`,
    );
  },
);

async function openPages(signal: AbortSignal): Promise<LangfusePages> {
  return createLangfusePages(await readLangfuse(), { fetch: runtimeFetch, clock: systemClock, signal });
}

async function readAll<T>(
  read: (from: string | null) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let from: string | null = null; ; ) {
    const { items, next } = await read(from);
    all.push(...items);
    if (next === null) return all;
    from = next;
  }
}

/** Ids of the judged items without a label, the least sure first. */
function listUnsure(records: readonly PastJudgment[]): string[] {
  return [...groupJudgments(records).values()]
    .flat()
    .filter(({ label }) => label === null)
    .flatMap(({ item, draws }) => {
      const verdict = combineDraws(draws);
      return verdict ? [{ item, confidence: verdict.confidence }] : [];
    })
    .sort((a, b) => a.confidence - b.confidence)
    .map(({ item }) => item);
}

/** A UUID again, where OpenTelemetry writes its 32 digits alone. */
const toTraceId = (otel: string) => otel.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
