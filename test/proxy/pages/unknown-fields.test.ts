/** What a page is asked for in its address and does not know is an error with the nearest name: never a view that looks filtered. */
import { expect, test } from 'vitest';
import { exchange, startProxy } from '../servers.ts';

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
