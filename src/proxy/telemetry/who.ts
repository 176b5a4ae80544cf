/** Who asked for a judgment, by what their request says: headers of ours first, then the protocols' own fields. */
import * as z from 'zod';
import type { Trace } from '../../trace/index.ts';

const USER = 'x-remand-user';
const SESSION = 'x-remand-session';
export const WHO_HEADERS = [USER, SESSION];

/** Longer ones are no ids, and Langfuse takes 200 characters. */
const LONGEST = 200;
const id = z.string().min(1).max(LONGEST).optional().catch(undefined);

/** OpenAI's `user` and `safety_identifier`, Anthropic's `metadata.user_id`, and the sessions clients put in `metadata`. */
const fields = z.object({
  user: id,
  safety_identifier: id,
  metadata: z.object({ user_id: id, session_id: id }).optional().catch(undefined),
});

/**
 * @param sent the request, parsed
 * @param provider whose protocol it came in
 */
export function readWho(headers: Headers, sent: unknown, provider: string): Who {
  const said = fields.safeParse(sent).data ?? {};
  const named = (name: string) => id.parse(headers.get(name) ?? undefined);
  return {
    user: named(USER) ?? said.user ?? said.safety_identifier ?? said.metadata?.user_id ?? null,
    session: named(SESSION) ?? said.metadata?.session_id ?? null,
    parent: parentIn(headers.get('traceparent')),
    provider,
  };
}

/** https://www.w3.org/TR/trace-context/#traceparent-header: all zeros means none. */
function parentIn(traceparent: string | null): Who['parent'] {
  const [, traceId, spanId] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}/.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId };
}

// Telling others about judgments: what is handed to them once an answer has gone out.

/** What a client says of itself and of its own trace. */
export interface Who {
  readonly user: string | null;
  readonly session: string | null;
  /** The client's span that the judgment belongs to (W3C Trace Context, `traceparent`). */
  readonly parent: { readonly traceId: string; readonly spanId: string } | null;
  /** Whose wire protocol the judge speaks, as OpenTelemetry's conventions name providers. */
  readonly provider: string;
}

export interface Telemetry {
  /** Never rejects: what cannot be told is counted and dropped. */
  tell(trace: Trace, who: Who): Promise<void>;
}
