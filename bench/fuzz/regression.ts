/** What fuzzing found, kept small and replayed by `test/security/fuzz-corpus.test.ts`. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Exchange } from './arena.ts';
import { PROTOCOLS } from './protocols.ts';
import type { Plan } from './replies.ts';
import type { FuzzRequest } from './requests.ts';

export const REGRESSIONS = new URL('../../test/security/fuzz-corpus/', import.meta.url);

/** One finding of the readers. */
export interface ReaderRegression {
  readonly reader: string;
  readonly text: string;
  /** In words; `slow` for one above the CPU budget. */
  readonly what: string;
}

/** Bytes, readable where they are text. */
type Stored = { readonly text: string } | { readonly base64: string };

/** One finding over HTTP: the request, and what the judge does with each call. */
export interface ExchangeRegression {
  readonly protocol: string;
  readonly request: Omit<FuzzRequest, 'body'> & { readonly body: Stored };
  readonly plans: readonly (Omit<Plan, 'pieces'> & { readonly pieces: readonly Stored[] })[];
  readonly what: string;
}

/** @returns the file's path, for a person */
export function keepReading(finding: ReaderRegression): string {
  return keep(`readers-${finding.reader}`, finding);
}

/** @returns the file's path, for a person */
export function keepExchange(
  { protocol, request }: Pick<Exchange, 'protocol' | 'request'>,
  plans: readonly Plan[],
  what: string,
): string {
  const { name } = protocol.adapter;
  const finding: ExchangeRegression = {
    protocol: name,
    request: { ...request, body: stored(request.body) },
    // Pieces of one character each say nothing that a few do not.
    plans: plans.map((plan) => ({
      ...plan,
      pieces: plan.pieces.length > 40 ? [stored(Buffer.concat(plan.pieces))] : plan.pieces.map(stored),
    })),
    what,
  };
  return keep(`http-${name}`, finding);
}

export function exchangeOf({ protocol: name, request, plans }: ExchangeRegression): Exchange {
  const protocol = PROTOCOLS.find(({ adapter }) => adapter.name === name);
  if (!protocol) throw new RangeError(`no protocol ${name}`);
  return {
    protocol,
    request: { ...request, body: bytes(request.body) },
    planOf: recorded(plans.map((plan) => ({ ...plan, pieces: plan.pieces.map(bytes) }))),
  };
}

/** What the judge did before; the last thing once more where it is asked more often. */
export function recorded(plans: readonly Plan[]): (call: number) => Plan {
  return (call) => {
    const plan = plans[call] ?? plans.at(-1);
    if (!plan) throw new RangeError('the judge was not asked before');
    return plan;
  };
}

const stored = (body: Buffer): Stored =>
  isUtf8(body) ? { text: body.toString() } : { base64: body.toString('base64') };

const bytes = (body: Stored): Buffer =>
  'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64');

function keep(name: string, finding: object): string {
  mkdirSync(REGRESSIONS, { recursive: true });
  const json = `${JSON.stringify(finding, null, 2)}\n`;
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 8);
  const path = new URL(`${name}-${hash}.json`, REGRESSIONS);
  writeFileSync(path, json);
  return relative(process.cwd(), fileURLToPath(path));
}
