/** What a page is asked for in its address and does not know is an error with the nearest name: never a view that looks filtered. */
import { expect, test } from 'vitest';
import { createProxy } from '../../../src/proxy/embedded.ts';
import { foundBias } from '../../../src/proxy/options.ts';
import { exchange, keyOf, startProxy } from '../servers.ts';

test.each([
  ['?statuss=revised', 'statuss', 'status'],
  ['?jugde=x', 'jugde', 'judge'],
  ['/traces?limt=3', 'limt', 'limit'],
  ['/templates?ofset=3', 'ofset', 'offset'],
  ['/queue?fro=unsure', 'fro', 'for'],
  ['/records?verdict=last', 'verdict', 'verdicts'],
  ['/numbers?fromat=csv', 'fromat', 'format'],
])('/remand%s', async (path, wrong, meant) => {
  const { url } = await startProxy({});
  const { status, body } = await exchange(`${url}/remand${path}`);
  expect([status, JSON.parse(body.toString()).error.message]).toEqual([
    400,
    `no such field "${wrong}"; did you mean "${meant}"?`,
  ]);
});

/** Those of audits are there only where audits can be run. */
const ROUTES = createProxy({}, { log: () => {} }).routes.filter(
  ({ method, path }) => path.startsWith('/remand') && method !== 'ALL' && !path.endsWith('*'),
);

test('every route of every method refuses a field that it does not know', async () => {
  const { key, record } = await keyOf('admin', ['admin', 'traces']);
  const proxy = createProxy({ REMAND_KEYS: JSON.stringify([record]) }, { log: () => {} });
  const asked = [...new Set(ROUTES.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`))];
  expect(asked.length).toBeGreaterThan(20);
  for (const route of asked) {
    const [method = '', path = ''] = route.split(' ');
    const response = await proxy.request(`${path.replace(':id', 'x')}?nonsense=1`, {
      method,
      headers: { 'x-remand-key': key, origin: 'http://localhost' },
    });
    expect([route, response.status, await response.text()]).toEqual([
      route,
      400,
      expect.stringContaining('no such field \\"nonsense\\"'),
    ]);
  }
});

test.each(['bandwagon%2Bverbosity', 'bandwagon+verbosity', 'verbosity%2Bbandwagon'])(
  '?bias=%s asks for what was only undone together',
  async (bias) => {
    const proxy = createProxy({}, { log: () => {} });
    expect((await proxy.request(`/remand/traces?bias=${bias}`)).status).toBe(200);
    expect((await proxy.request(`/remand?bias=${bias}`)).status).toBe(200);
    expect(foundBias.parse(new URLSearchParams(`bias=${bias}`).get('bias'))).toBe('bandwagon+verbosity');
  },
);

test.each([
  ['/remand?bias=verbositi', 'bias: there is no bias "verbositi"; did you mean "verbosity"?'],
  ['/remand/traces?bias=bandwagn', 'bias: there is no bias "bandwagn"; did you mean "bandwagon"?'],
  ['/remand/traces?status=revisd', 'status: must be unchanged, revised'],
])('%s names what there is', async (path, told) => {
  const proxy = createProxy({}, { log: () => {} });
  const json = await proxy.request(path);
  expect([json.status, (await json.json()).error.message]).toEqual([400, expect.stringContaining(told)]);
  const page = await proxy.request(path, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([
    400,
    expect.stringContaining('<h1>This cannot be asked</h1>'),
  ]);
});
