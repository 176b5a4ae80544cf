/** What one request teaches: it is added to a pipeline, and that is told what the judge replied. */
import type { Context } from 'hono';
import type { Learning, TemplateReply } from '../../case/index.ts';
import type { Fetch } from '../../ports.ts';
import type { createLearner } from '../learning.ts';
import type { Ports } from '../proxy-ports.ts';
import type { AskedReader } from './reader.ts';
import { type ReplyWatch, watchReplies } from './watch-replies.ts';

export interface RequestLearning {
  /** Learns from the request beside everything else, where there is something to learn. */
  begin(learn: Learning | undefined, who: string | null, path: string): void;
  /** Learns from a reply; for when it is on its way to the client. */
  hear(reply: TemplateReply, judge: () => AskedReader, template: string | null): Promise<void>;
  /** A transport whose reply is heard when it is over. */
  overhear(
    fetch: Fetch,
    sent: Omit<ReplyWatch, 'heard'>,
    judge: () => AskedReader,
    client: AbortSignal,
  ): Fetch;
}

export function openRequestLearning(
  c: Context,
  ports: Ports,
  learnFrom: ReturnType<typeof createLearner>,
): RequestLearning {
  /** Id of what the request was added to; told once it is known. */
  const added = Promise.withResolvers<string | null>();

  async function hear(
    reply: TemplateReply,
    judge: () => AskedReader,
    template: string | null,
  ): Promise<void> {
    const id = (await added.promise) ?? template;
    if (id === null) return;
    ports.templates.replied(id, reply);
    await ports.templateReader?.read(id, judge);
    await ports.templateKeeper.save();
  }

  return {
    begin(learn, who, path) {
      if (!learn) return added.resolve(null);
      ports.waitUntil(async () => {
        try {
          added.resolve(await learnFrom(learn, who, path));
        } finally {
          added.resolve(null);
        }
        await ports.templateKeeper.save();
      }, c);
    },
    hear,
    overhear(fetch, sent, judge, client) {
      const { promise, resolve } = Promise.withResolvers<string | null>();
      client.addEventListener('abort', () => resolve(null), { once: true });
      ports.waitUntil(async () => {
        const text = await promise;
        if (text !== null) await hear({ text, read: null }, judge, null);
      }, c);
      return watchReplies(fetch, { ...sent, heard: resolve });
    },
  };
}
