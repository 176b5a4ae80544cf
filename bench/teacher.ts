/** A teacher whose replies are written down: an OpenAI-compatible endpoint that knows the sample's cases. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/** Told by the case in it, so that a changed prompt is still answered. */
const reply = z.object({
  instruction: z.string(),
  /** The option that most are said to prefer. */
  crowd: z.string(),
  reasoning: z.string(),
  label: z.enum(['Yes', 'No']),
});

const asked = z.object({ messages: z.array(z.object({ content: z.string() })) });

/** @returns its base URL, and how to end it */
export async function serveTeacher(path: string): Promise<{ url: string; close: () => void }> {
  const replies = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => reply.parse(JSON.parse(line)));
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const prompt = asked
      .parse(JSON.parse(body))
      .messages.map(({ content }) => content)
      .join('\n');
    const known = replies.find(
      ({ instruction, crowd }) =>
        prompt.includes(instruction) && prompt.includes(`believe that ${crowd} is better`),
    );
    response.setHeader('content-type', 'application/json');
    if (!known) {
      const message = `${path} has no reply to this case: add one with its instruction and crowd`;
      return void response.writeHead(404).end(JSON.stringify({ error: { message } }));
    }
    const content = `<think>\n${known.reasoning}\n</think>\n\n${known.label}`;
    const message = { role: 'assistant', content };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
