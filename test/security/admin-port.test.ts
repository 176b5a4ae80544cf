/** Pages on a port of their own: what clients reach shows nothing, and what shows traces passes nothing on. */
import { expect, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { createProxy } from '../../src/proxy/embedded.ts';
import { startServer } from '../../src/proxy/server.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, keyOf, startProxy, startUpstream } from '../proxy/servers.ts';

const CHAT = '/v1/chat/completions';
const PAGES = ['', '/traces', '/metrics', '/ready', '/keys', '/labels', '/audits', '/style.css', '/keys.js'];

async function divided() {
  const admin = await keyOf('admin', ['admin']);
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_ADMIN_PORT: '0',
    REMAND_KEYS: JSON.stringify([admin.record]),
  });
  const headers = { 'x-remand-key': admin.key };
  return { upstream, proxy, status: async (url: string) => (await exchange(url, { headers })).status };
}

test('on the port for clients there is no page but health, whatever the key', async () => {
  const { upstream, proxy, status } = await divided();
  for (const page of PAGES) expect([page, await status(`${proxy.url}/remand${page}`)]).toEqual([page, 404]);
  expect(await status(`${proxy.url}/remand/health`)).toBe(200);
  expect(upstream.received).toEqual([]);
});

test('on the port for pages there are all of them, and nothing goes on to the judge', async () => {
  const { upstream, proxy, status } = await divided();
  expect(proxy.pagesUrl).not.toBe(proxy.url);
  for (const page of PAGES)
    expect([page, await status(`${proxy.pagesUrl}/remand${page}`)]).toEqual([page, 200]);
  for (const path of [CHAT, '/v1/models', '/']) expect(await status(proxy.pagesUrl + path)).toBe(404);
  expect(upstream.received).toEqual([]);
});

test('what the one port judges, the other shows', async () => {
  const { proxy } = await divided();
  const judged = await exchange(proxy.url + CHAT, { method: 'POST', body: pairwise(RIGHT, WRONG) });
  const id = judged.headers['x-remand-trace'];
  const { body } = await exchange(`${proxy.pagesUrl}/remand/traces/${id}`);
  expect(JSON.parse(body.toString())).toMatchObject({ id });
});

test('both ports close, and a reload leaves them where they are', async () => {
  const config = readConfig({ PORT: '0', REMAND_ADMIN_PORT: '0', REMAND_TRACES: ':memory:' });
  const server = await startServer(config, () => undefined);
  await server.reload(readConfig({ REMAND_TRACES: ':memory:' }));
  expect((await exchange(`${server.pagesUrl}/remand/traces`)).status).toBe(200);
  expect((await exchange(`${server.url}/remand/traces`)).status).toBe(404);
  await server.close(100);
  for (const url of [server.url, server.pagesUrl])
    await expect(exchange(`${url}/remand/health`)).rejects.toThrow('ECONNREFUSED');
});

test('a port that is taken is told, and the other one is given back', async () => {
  const upstream = await startUpstream((_received, response) => void response.end());
  const taken = new URL(upstream.url).port;
  const config = readConfig({ PORT: '0', REMAND_ADMIN_PORT: taken, REMAND_TRACES: ':memory:' });
  await expect(startServer(config, () => undefined)).rejects.toThrow('the port is in use');
});

test('without a server on Node there is no port to listen on', () => {
  expect(() => createProxy({ REMAND_ADMIN_PORT: '8788' })).toThrow('REMAND_ADMIN_PORT');
  expect(() => readConfig({ PORT: '8787', REMAND_ADMIN_PORT: '8787' })).toThrow('another port');
});
