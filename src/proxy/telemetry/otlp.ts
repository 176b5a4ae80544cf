/** Spans sent to a collector as JSON over HTTP (OTLP 1.x, https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
import { JsonLogsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Prices } from '../../models/index.ts';
import { createEvaluationEvents } from './evaluations.ts';
import type { Post } from './post.ts';
import { createSpans } from './spans.ts';
import type { Telemetry } from './types.ts';

export interface OtlpSetting {
  /** The full one, `/v1/traces` at its end. */
  readonly url: string;
  /** Where events go, `/v1/logs` at its end; missing where none are sent. */
  readonly events?: string | undefined;
  readonly headers: Headers;
  readonly prices: Prices;
  /** Of the resource, beside the service's name. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export function createOtlpTelemetry(
  post: Post,
  { url, events, headers, prices, attributes = {} }: OtlpSetting,
): Telemetry {
  const resource = resourceFromAttributes({ 'service.name': 'remand', ...attributes });
  return {
    async tell(trace, who) {
      const body = JsonTraceSerializer.serializeRequest(createSpans(trace, who, { prices, resource }));
      const told =
        events && JsonLogsSerializer.serializeRequest(createEvaluationEvents(trace, who, resource));
      await Promise.all([body && post(url, headers, body), events && told && post(events, headers, told)]);
    },
  };
}
