/** The judge to which unsure verdicts go (REMAND_ESCALATE): its own endpoint, protocol and key. */
import type { Adapter, Usage } from '../../adapters/index.ts';
import { utf8Length } from '../bytes.ts';
import { applyEdits, type Prompt } from '../case/index.ts';
import { joinUrl, readText, sendRequest } from '../http/index.ts';
import type { Escalation, JudgeCall, JudgeCaller } from '../judgment/index.ts';
import { createTrust } from '../loop/index.ts';
import { createLedger, type Payer, readModelName } from '../models/index.ts';
import type { FetchInit, Tokens } from '../ports.ts';
import type { Config } from './config.ts';
import type { PriceTable } from './limits/money.ts';
import type { Ports } from './proxy-ports.ts';

/** Largest reply that is taken, in bytes. */
const MAX_REPLY = 1 << 20;
/** Answers of a judge are short; Anthropic's protocol wants a limit. */
const MAX_TOKENS = 2048;

interface EscalatedCase {
  readonly prompt: Prompt;
  /** JSON schema of the reply that the request demands; null where it demands none. */
  readonly schema: unknown;
  readonly payer: Payer;
  readonly who: string | null;
}

/** @returns undefined where the operator has set none */
export function createEscalation(
  config: Config,
  ports: Pick<Ports, 'fetch' | 'clock'>,
  prices: PriceTable,
  isPaidInMoney: boolean,
  { prompt, schema, payer, who }: EscalatedCase,
): Escalation | undefined {
  const second = config.REMAND_ESCALATE;
  if (!second) return undefined;
  const { model, protocol } = readModelName(second.model, 'REMAND_ESCALATE.model');
  const { fetch, clock } = ports;
  const lane = { upstream: second.url, model, who, isAdded: true };

  async function ask(call: JudgeCall, signal: AbortSignal, held?: FetchInit['held']) {
    if (isPaidInMoney) prices.check(model);
    const { path, headers, body } = protocol.compose(
      promptOf(call, { model, prompt, schema, maxTokens: protocol.capabilities.maxTokens }),
    );
    const all = new Headers({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      ...headers,
    });
    if (second?.key !== undefined) all.set(...protocol.credential(second.key, path));
    const url = joinUrl(second?.url ?? '', path);
    const init = { method: 'POST', headers: all, body, signal, lane, ...(held && { held }) };
    const response = await sendRequest(fetch, url, init);
    const text = await readText(response, { maxBytes: MAX_REPLY, signal });
    return {
      reply: null,
      read: protocol.readReply(text, false, body),
      bytes: () => ({ sent: utf8Length(body), received: utf8Length(text) }),
    };
  }

  const caller: JudgeCaller<unknown> = { model, schema, timeoutMs: config.JUDGE_TIMEOUT_MS, ask };
  return {
    caller,
    below: second.below,
    trust: createTrust(config.REMAND_CONFIDENCE, model, {
      abstention: config.REMAND_ABSTAIN,
      below: config.REMAND_ABSTAIN_BELOW,
    }),
    ledger: createLedger({ clock, extraCalls: second.calls - 1, payer }),
  };
}

/** The case in two texts: what the system was told, and all messages in their order. */
function promptOf(
  call: JudgeCall,
  {
    model,
    prompt,
    schema,
    maxTokens,
  }: {
    readonly model: string;
    readonly prompt: Prompt;
    readonly schema: unknown;
    readonly maxTokens: string;
  },
) {
  const parameters = { [maxTokens]: MAX_TOKENS };
  if (call.kind === 'rewrite') return { model, ...call.prompt, parameters };
  const { parts } = applyEdits(prompt, call.changes?.edits ?? []);
  const isSystem = ({ role }: Prompt['parts'][number]) => role === 'system' || role === 'developer';
  const join = (some: Prompt['parts']) => some.map(({ text }) => text).join('\n\n');
  const system = join(parts.filter(isSystem));
  const demand =
    schema === null
      ? ''
      : `\n\nReply with one JSON object and nothing else. It follows this JSON schema: ${JSON.stringify(schema)}`;
  return {
    model,
    system: system === '' ? null : system,
    user: join(parts.filter((part) => !isSystem(part))) + demand,
    parameters,
  };
}

/** Tokens of another protocol's calls, by the names that this one's replies count with. */
export function usageOf(adapter: Adapter, tokens: Tokens): Usage | null {
  const written = adapter.write({
    text: '',
    model: '',
    fingerprint: '',
    tokens,
    hash: '',
    samples: 1,
    fields: {},
    target: '',
    stream: false,
  });
  return 'json' in written ? adapter.readReply(written.json, false).usage : null;
}
