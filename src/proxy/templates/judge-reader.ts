/** The judge of a request as the model that is asked about its template. */
import type { Adapter, JudgeRequest } from '../../../adapters/index.ts';
import type { Caller } from '../access/door.ts';
import { askPlainly, type JudgeEndpoint } from '../http-caller.ts';
import { createPayer, type PriceTable } from '../limits/money.ts';
import type { Ports } from '../proxy-ports.ts';
import type { AskedReader } from './reader.ts';

interface JudgeOfRequest {
  readonly adapter: Adapter;
  readonly request: JudgeRequest;
  readonly endpoint: JudgeEndpoint;
  /** Who pays. */
  readonly caller: Caller;
  readonly prices: PriceTable;
  readonly redact: (text: string) => string;
}

export function createJudgeReader(
  { adapter, request, endpoint, caller, prices, redact }: JudgeOfRequest,
  limits: Ports['limits'],
): AskedReader {
  return {
    model: request.model,
    isJudge: true,
    redact,
    async pay(signal) {
      const paying = await limits.open(caller, 1, signal);
      try {
        if (paying.money) prices.check(request.model);
      } catch (error) {
        await paying.close();
        throw error;
      }
      return { payer: createPayer(paying, prices), close: paying.close };
    },
    complete: (prompt, signal) => askPlainly(adapter, request, endpoint, prompt, signal),
  };
}
