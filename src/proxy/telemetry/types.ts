/** Telling others about judgments: what is handed to them once an answer has gone out. */
import type { Trace } from '../../trace/index.ts';

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
