/** Templates in the proxy: the operator's, and learning from a request, a little at a time. */
import {
  COLD,
  createTemplateBook,
  finished,
  type Learning,
  ReadingTooLongError,
  readTemplateFiles,
  type Template,
  type TemplateBook,
  type TemplateShelf,
  unlimited,
} from '../case/index.ts';
import type { Config } from './config.ts';
import type { NotLearnedReason } from './metrics.ts';
import type { Ports } from './proxy-ports.ts';

/**
 * @param shelf where the pipelines are that are learned
 * @throws InputError where one of the operator's templates is none
 */
export function templatesFor(config: Config, id: () => string, shelf: TemplateShelf): TemplateBook {
  return createTemplateBook({ templates: operatorTemplates(config), learn: config.REMAND_LEARN, id, shelf });
}

/** @throws InputError where one of them is none */
export function operatorTemplates({ REMAND_TEMPLATES: files }: Config): Template[] {
  return readTemplateFiles(files, 'REMAND_TEMPLATES');
}

/** A step after which the thread looks at other things, as a share of the time that a reading may take. */
const LONG_STEP = 0.5;
/** How many times as long as a reading all the steps of one learning may take together. */
const MOST_READINGS = 10;
/** After a learning that took longer than a reading may, so many times as long nothing is learned. */
const REST = 4;
/** Requests of one tenant that wait to be learned from. */
const MOST_WAITING = 8;

/**
 * Learns from one request after the other. No step takes longer than reading a request may (REMAND_READ_MS), between two
 * steps others are served, and long texts take at most a fifth of the thread. What takes longer is not learned, and told.
 *
 * @returns what learns from a request of a tenant, and tells the pipeline's id; it never rejects for the time that it takes
 */
export function createLearner(
  { cpu, clock, metrics, log }: Pick<Ports, 'cpu' | 'clock' | 'metrics' | 'log'>,
  { REMAND_READ_MS: limit }: Pick<Config, 'REMAND_READ_MS'>,
): (learning: Learning, tenant: string | null, path: string) => Promise<string | null> {
  const waiting = new Map<string, number>();
  let before: Promise<void> = Promise.resolve();
  let learnings = 0;
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.alarm(ms, resolve));

  /** @returns milliseconds of CPU time that it took, how many a reading may take now, and the pipeline's id */
  async function learn(
    learning: Learning,
    cpu: () => number,
  ): Promise<readonly [ms: number, most: number, id: string | null]> {
    const most = learnings++ < COLD.readings ? limit * COLD.factor : limit;
    let [took, began] = [0, cpu()];
    const spent = () => cpu() - began;
    const checkpoint = () => {
      const ms = spent();
      if (ms > most || took + ms > MOST_READINGS * most)
        throw new ReadingTooLongError(`learning took ${Math.round(took + ms)} ms of CPU time`);
    };
    const steps = learning(checkpoint);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return [took + spent(), most, value];
      if (spent() < LONG_STEP * limit) continue;
      checkpoint();
      took += spent();
      await pause(0);
      began = cpu();
    }
  }

  function notLearned(reason: NotLearnedReason, path: string, who: string | null): null {
    metrics.notLearned(reason);
    log({ level: 'warn', event: 'not-learned', path, who, reason });
    return null;
  }

  return async (learning, tenant, path) => {
    if (!cpu) return finished(learning(unlimited));
    const who = tenant ?? '';
    const ahead = waiting.get(who) ?? 0;
    if (ahead >= MOST_WAITING) return notLearned('busy', path, tenant);
    waiting.set(who, ahead + 1);
    const { promise: rested, resolve: rest } = Promise.withResolvers<void>();
    const turn = before;
    before = rested;
    await turn;
    const used = cpu();
    try {
      const [took, most, id] = await learn(learning, cpu);
      if (took > most) void pause(REST * took).then(rest);
      else rest();
      return id;
    } catch (error) {
      void pause(REST * Math.min(cpu() - used, MOST_READINGS * limit)).then(rest);
      if (!(error instanceof ReadingTooLongError)) throw error;
      return notLearned('over-time', path, tenant);
    } finally {
      const left = (waiting.get(who) ?? 1) - 1;
      if (left > 0) waiting.set(who, left);
      else waiting.delete(who);
    }
  };
}
