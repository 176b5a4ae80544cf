/** Spans sent to a collector as JSON over HTTP (OTLP 1.x, https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Prices } from '../../models/index.ts';
import type { Post } from './post.ts';
import { createSpans } from './spans.ts';
import type { Telemetry } from './types.ts';

export interface OtlpSetting {
  /** The full one, `/v1/traces` at its end. */
  readonly url: string;
  readonly headers: Headers;
  readonly prices: Prices;
  /** Of the resource, beside the service's name. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export function createOtlpTelemetry(
  post: Post,
  { url, headers, prices, attributes = {} }: OtlpSetting,
): Telemetry {
  const resource = resourceFromAttributes({ 'service.name': 'remand', ...attributes });
  return {
    async tell(trace, who) {
      const body = JsonTraceSerializer.serializeRequest(createSpans(trace, who, { prices, resource }));
      if (body) await post(url, headers, body);
    },
  };
}
