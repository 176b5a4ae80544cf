/**
 * What is shown of every client and form: an unbiased verdict comes through to the byte, a planted bias is revised,
 * the client's own parser returns the revised verdict, and a re-judgment that fails leaves the judge's first.
 */
import { describe, expect, type TestContext, test } from 'vitest';
import type { Received } from '../../proxy/servers.ts';
import { startProxy } from '../../proxy/servers.ts';
import { type Heard, heardIn, type Say, startJudge, written } from './judge.ts';
import type { Said } from './protocols/types.ts';
import { type Exchange, startWire } from './wire.ts';

/** A line of the conformance table. */
export interface Conformance {
  /** Name of the package; its version is the one installed. */
  readonly client: string;
  /** What is called: `Battle`, `messages.stream`. */
  readonly call: string;
  /** Path that is called. */
  readonly protocol: string;
  /** What the verdict stands in: `text`, `forced tool`, `JSON schema, streamed`. */
  readonly form: string;
  /** The bias that is planted. */
  readonly bias: string;
  readonly note?: string;
  /**
   * The client's own call, as its users write it.
   * @param base where it is pointed, without `/v1`
   * @returns what it returns
   */
  ask(base: string): Promise<unknown>;
  /** Decides on the merits. */
  readonly fair: Say;
  /** Is swayed by what is planted until it is sent back; then fair. */
  readonly swayed: Say;
  /** What the judge says to a case that was sent back where it goes wrong: no verdict, in the client's form. */
  readonly garbage: Said;
  /**
   * What the client asks beside the judgment that is none (steps to judge by, words about a score), where it does:
   * it must go through untouched, in one call.
   */
  readonly beside?: (heard: Heard) => boolean;
  /** What `ask` returns of the verdicts. */
  readonly returns: { readonly right: unknown; readonly wrong: unknown };
}

/** What a test has shown, for the page. */
export interface Shown extends Pick<Conformance, 'client' | 'call' | 'protocol' | 'form' | 'bias' | 'note'> {
  readonly what: 'identical' | 'revised' | 'parsed' | 'fallback';
}

declare module 'vitest' {
  interface TaskMeta {
    shown?: readonly Shown[];
  }
}

export function conforms(row: Conformance): void {
  const { ask, fair, swayed, garbage, returns } = row;

  describe(`${row.client} ${row.call}: ${row.form}`, () => {
    test('an unbiased verdict comes through to the byte, but for the usage', async ({ task }) => {
      const { returned, last, first } = await judged(fair, row);
      expect(last.headers['x-remand-status']).toBe('unchanged');
      expect(last.body).toBe(bytes(first, fair(heardIn(first)), last));
      expect(returned).toEqual(returns.right);
      show(task, row, 'identical');
    });

    test('a verdict that rests on what was planted is revised, and the client reads the new one', async ({
      task,
    }) => {
      const direct = await startJudge(swayed);
      expect(await ask(direct.url), 'the planted bias moves the judge').toEqual(returns.wrong);

      const { returned, last, first } = await judged(swayed, row);
      expect(last.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': row.bias });
      expect(last.body).toBe(bytes(first, fair(heardIn(first)), last));
      show(task, row, 'revised');
      expect(returned).toEqual(returns.right);
      show(task, row, 'parsed');
    });

    test('where the judge gives no verdict when sent back, its first one stands', async ({ task }) => {
      const lost: Say = (heard) => (heard.sentBack ? garbage : swayed(heard));
      const { returned, last, first } = await judged(lost, row);
      expect(last.headers['x-remand-status']).toBe('failed-open');
      expect(Number(last.headers['x-remand-calls'])).toBeGreaterThan(2);
      expect(last.body).toBe(bytes(first, swayed(heardIn(first)), last));
      expect(returned).toEqual(returns.wrong);
      show(task, row, 'fallback');
    });
  });
}

interface Judged {
  readonly returned: unknown;
  /** What the client received. */
  readonly last: Exchange;
  /** The client's own request, as the judge received it. */
  readonly first: Received;
}

/** One judgment of the client through the proxy; whatever else it asks on the way goes through untouched. */
async function judged(
  say: Say,
  { ask, beside, protocol }: Pick<Conformance, 'ask' | 'beside' | 'protocol'>,
): Promise<Judged> {
  const judge = await startJudge(say);
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url });
  const wire = await startWire(proxy.url);
  const returned = await ask(wire.url);
  expect(wire.exchanges.filter(({ status }) => status !== 200)).toEqual([]);
  const isBeside = ({ asked }: Exchange) => beside?.(heardIn(asked)) ?? false;
  for (const { asked, headers, body } of wire.exchanges.filter(isBeside)) {
    expect(headers).toMatchObject({ 'x-remand-status': 'no-verdict', 'x-remand-calls': '1' });
    expect(body).toBe(written(asked, say(heardIn(asked)), 1).pieces.join(''));
    expect(judge.received.filter((one) => one.body.equals(asked.body))).toHaveLength(1);
  }
  const [last, ...more] = wire.exchanges.filter((one) => !isBeside(one));
  if (!last) throw new Error('the client asked for no judgment');
  expect(more, 'one judgment').toEqual([]);
  const first = judge.received.find((one) => one.body.equals(last.asked.body));
  if (!first) throw new Error("the judge did not receive the client's own request");
  expect(new URL(first.url, 'http://judge').pathname.replace(/[^/:]+(?=:)/, '{model}')).toBe(protocol);
  return { returned, last, first };
}

/** The judge's own reply to the client's request, with the usage of all calls. */
function bytes(first: Received, said: Said, { headers }: Exchange): string {
  return written(first, said, Number(headers['x-remand-calls'])).pieces.join('');
}

function show(
  { meta }: TestContext['task'],
  row: Omit<Conformance, 'fair' | 'garbage'>,
  what: Shown['what'],
) {
  const { client, call, protocol, form, bias, note } = row;
  meta.shown = [
    ...(meta.shown ?? []),
    { client, call, protocol, form, bias, ...(note !== undefined && { note }), what },
  ];
}
