/**
 * A scripted judge on a real port. It answers in whatever form a client's request demands (text, a JSON schema, a
 * forced tool, a stream, in each protocol); what it says is one function of the prompt, so the truth is known.
 */
import { locateRemand } from '../../../prompts/remand-note.ts';
import { type Received, startUpstream, type Upstream } from '../../proxy/servers.ts';
import { anthropicMessages } from './protocols/anthropic-messages.ts';
import { gemini } from './protocols/gemini.ts';
import { huggingface } from './protocols/huggingface.ts';
import { openaiChat } from './protocols/openai-chat.ts';
import { openaiCompletions } from './protocols/openai-completions.ts';
import { openaiResponses } from './protocols/openai-responses.ts';
import type { Protocol, Said, Written } from './protocols/types.ts';

export interface Heard {
  /** All texts of the request but the note it was sent back with. */
  readonly text: string;
  /** Whether a note came with it. */
  readonly sentBack: boolean;
}

export type Say = (heard: Heard) => Said;

const PROTOCOLS: readonly Protocol[] = [
  openaiChat,
  openaiCompletions,
  openaiResponses,
  anthropicMessages,
  gemini,
  huggingface,
];

export async function startJudge(say: Say): Promise<Upstream> {
  return startUpstream((received, response) => {
    const { type, pieces } = written(received, say(heardIn(received)), 1);
    response.setHeader('content-type', type);
    for (const piece of pieces) response.write(piece);
    response.end();
  });
}

/** @param calls how often the usage of one call is counted in the reply */
export function written(received: Pick<Received, 'url' | 'body'>, said: Said, calls: number): Written {
  const { pathname } = new URL(received.url, 'http://judge');
  const protocol = PROTOCOLS.find(({ path }) => path.test(pathname));
  if (!protocol) throw new Error(`the scripted judge speaks no protocol at ${received.url}`);
  return protocol.write({ url: received.url, body: JSON.parse(received.body.toString()) }, said, calls);
}

/** Where the protocols keep the texts that a judge reads. */
const TEXTS = [
  'system',
  'systemInstruction',
  'instructions',
  'messages',
  'input',
  'contents',
  'prompt',
  'inputs',
];

export function heardIn({ body }: Pick<Received, 'body'>): Heard {
  const request: Record<string, unknown> = JSON.parse(body.toString());
  const text = TEXTS.flatMap((name) => stringsIn(request[name])).join('\n');
  const note = locateRemand(text);
  if (!note) return { text, sentBack: false };
  return { text: text.slice(0, note.start) + text.slice(note.end), sentBack: true };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
