/**
 * Judgments told to Langfuse: the spans over its OpenTelemetry endpoint, and three scores beside them, which that
 * endpoint does not take (https://langfuse.com/docs/api). Two requests a judgment, both after the answer.
 */
import type { IngestionEvent, ScoreBody } from '@langfuse/core';
import type { Prices } from '../../judge/prices.ts';
import type { Trace } from '../../trace.ts';
import { otlpTelemetry } from './otlp.ts';
import type { Post } from './post.ts';
import { otelTraceId } from './spans.ts';
import type { Telemetry, Who } from './types.ts';

export interface LangfuseSetting {
  /** `https://cloud.langfuse.com`, without a slash at its end. */
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Where Langfuse files the traces: `production`, `staging`. */
  readonly environment: string | null;
  readonly prices: Prices;
}

export function langfuseTelemetry(post: Post, setting: LangfuseSetting): Telemetry {
  const { url, publicKey, secretKey, environment, prices } = setting;
  const headers = new Headers({
    authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}`,
    // Without it a trace may show up ten minutes late.
    'x-langfuse-ingestion-version': '4',
  });
  const spans = otlpTelemetry(post, {
    url: `${url}/api/public/otel/v1/traces`,
    headers,
    prices,
    attributes: environment === null ? {} : { 'langfuse.environment': environment },
  });
  return {
    async tell(trace, who) {
      const batch = scoresOf(trace, who, environment);
      const scores = post(`${url}/api/public/ingestion`, headers, JSON.stringify({ batch }));
      await Promise.all([spans.tell(trace, who), scores]);
    },
  };
}

/** Ids follow from the trace's, so that a batch sent twice scores once. */
function scoresOf(trace: Trace, who: Who, environment: string | null): IngestionEvent[] {
  const { analyses, status, biases, time } = trace;
  const found = analyses.map(({ biased }) => biased);
  const scores = {
    // Of a verdict that nobody examined it is not known whether it is biased.
    ...(found.length > 0 && { biased: found.includes(true) }),
    revised: status === 'revised',
    insisted: status === 'insisted',
  };
  return Object.entries(scores).map(([name, holds]) => {
    const body: ScoreBody = {
      id: `${trace.id}-${name}`,
      traceId: otelTraceId(trace, who),
      name,
      value: holds ? 1 : 0,
      dataType: 'BOOLEAN',
      ...(name === 'biased' && biases.length > 0 && { comment: biases.join(', ') }),
      ...(environment !== null && { environment }),
    };
    return { type: 'score-create', id: `${trace.id}-${name}-event`, timestamp: time, body };
  });
}
