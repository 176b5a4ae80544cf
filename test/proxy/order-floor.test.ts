/** Over HTTP: the other order is asked for only where the verdict could depend on it. */
import { expect, test } from 'vitest';
import { fair, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

test('a judge that agrees with itself is asked once for most cases, and the client is told', async () => {
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_ORDER_FLOOR: '0.1',
  });
  const judge = async (n: number) =>
    exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: pairwise(`${RIGHT} (${n})`, WRONG),
    });
  const orders: unknown[] = [];
  for (let n = 0; n < 260; n++) {
    const { headers } = await judge(n);
    expect(headers['x-remand-status']).toBe('unchanged');
    orders.push(headers['x-remand-order']);
  }
  expect(orders.slice(0, 200).every((order) => order === 'checked')).toBe(true);
  const skipped = orders.filter((order) => order === 'skipped').length;
  expect(skipped).toBeGreaterThan(40);
  expect(upstream.received).toHaveLength(2 * 260 - skipped);
  const last = await judge(300);
  const trace = await exchange(`${proxy.url}/remand/traces/${last.headers['x-remand-trace']}`);
  expect(JSON.parse(trace.body.toString()).order.share).toBeLessThan(1);
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  expect(metrics).toContain('remand_order_checks_total{result="skipped"}');
});
