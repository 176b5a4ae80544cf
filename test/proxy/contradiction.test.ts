/** A judge whose field says another thing than its reasons: sent back with both quoted, at the cost of no probe. */
import { expect, test } from 'vitest';
import { pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const SCHEMA = {
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'verdict',
      schema: {
        type: 'object',
        properties: { reason: { type: 'string' }, winner: { enum: ['Output (a)', 'Output (b)'] } },
      },
    },
  },
};

async function ask(slips: boolean) {
  const judge = await startUpstream(
    whole(({ first, sentBack }) => {
      const right = first.includes(RIGHT) ? 'Output (a)' : 'Output (b)';
      const other = right === 'Output (a)' ? 'Output (b)' : 'Output (a)';
      return JSON.stringify({
        reason: `Seventeen times 23 is 391. Therefore, ${right} is better.`,
        winner: slips && !sentBack ? other : right,
      });
    }),
  );
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url, REMAND_BIASES: 'contradiction,identity' });
  const { headers, body } = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT, SCHEMA),
  });
  const said = JSON.parse(JSON.parse(body.toString()).choices[0].message.content);
  return { headers, said, sent: judge.received.map((one) => one.body.toString()) };
}

test('it is sent back once with both quoted', async () => {
  const { headers, said, sent } = await ask(true);
  expect(headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': 'contradiction' });
  expect(said.winner).toBe('Output (b)');
  expect(sent).toHaveLength(2);
  // In words that hold in either order.
  expect(sent[1]).toContain('decided for the first option');
  expect(sent[1]).toContain('Therefore, the second option is better.');
});

test('a judge that follows its reasons costs nothing more', async () => {
  const { headers, sent } = await ask(false);
  expect(headers['x-remand-status']).toBe('unchanged');
  expect(sent).toHaveLength(1);
});
