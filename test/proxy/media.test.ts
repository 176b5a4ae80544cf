/** A judge that looks at pictures, behind the proxy in every protocol that has them. */
import { expect, test } from 'vitest';
import { exchange, startProxy, startUpstream } from './servers.ts';

const TEXTS = [
  'Which output is better for the instruction? Reply with "Output (a)" or "Output (b)" only.\n\n# Instruction:\nDraw a cat on a red sofa.\n\n# Output (a):\nA cat on a red sofa, drawn by hand.',
  '\n\n# Output (b):\nThe cat sits there, painted in oil.',
  '\n\n# Which is better, Output (a) or Output (b)? Your response should be either "Output (a)" or "Output (b)":',
];
const ask = (type: string, picture: object) => (pictured: boolean) => {
  const text = (one: string) => (type ? { type, text: one } : { text: one });
  const [above = '', middle = '', below = ''] = TEXTS;
  return pictured
    ? [text(above), picture, text(middle), picture, text(below)]
    : [picture, text(above + middle + below)];
};
const chat = ask('text', { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } });
const block = ask('text', {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
});
const items = ask('input_text', { type: 'input_image', image_url: 'data:image/png;base64,AAAA' });
const parts = ask('', { inlineData: { mimeType: 'image/png', data: 'AAAA' } });

test.each<[string, (pictured: boolean) => object]>([
  ['/v1/chat/completions', (p) => ({ model: 'm', messages: [{ role: 'user', content: chat(p) }] })],
  ['/v1/messages', (p) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: block(p) }] })],
  ['/v1/responses', (p) => ({ model: 'm', input: [{ role: 'user', content: items(p) }] })],
  ['/v1beta/models/m:generateContent', (p) => ({ contents: [{ role: 'user', parts: parts(p) }] })],
])('%s: answers with pictures are judged once, as they were sent', async (path, body) => {
  const upstream = await startUpstream((_, response) => void response.end('{"judge": "as it likes"}'));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const send = (sent: string) => exchange(url + path, { method: 'POST', body: sent });

  const sent = JSON.stringify(body(true));
  const { headers } = await send(sent);
  expect(headers).toMatchObject({ 'x-remand-status': 'no-verdict', 'x-remand-reason': 'media-between' });
  expect(upstream.received.map((one) => one.body.toString())).toEqual([sent]);

  // A picture of the question's own stays where it is in every order.
  const plain = await send(JSON.stringify(body(false)));
  expect(plain.headers['x-remand-reason']).not.toBe('media-between');
});

test('with REMAND_FAIL=closed they are refused', async () => {
  const upstream = await startUpstream((_, response) => void response.end('{}'));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_FAIL: 'closed' });
  const { status, headers } = await exchange(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: chat(true) }] }),
  });
  expect([status, headers['x-remand-reason']]).toEqual([503, 'media-between']);
  expect(upstream.received).toEqual([]);
});
