/**
 * Judgments told to Langfuse: the spans over its OpenTelemetry endpoint, and up to three scores beside them, which that
 * endpoint does not take (https://langfuse.com/docs/api). Four requests a judgment at most, all after the answer: the
 * endpoint for batches is gone from Langfuse 4 (https://langfuse.com/faq/all/deprecated-api-migration).
 */
import type { CreateScoreRequest } from '@langfuse/core';
import type { Prices } from '../../models/index.ts';
import type { Trace } from '../../trace/index.ts';
import { createOtlpTelemetry } from './otlp.ts';
import type { Post } from './post.ts';
import { deriveOtelTraceId } from './spans.ts';
import type { Telemetry, Who } from './who.ts';

export interface LangfuseSetting {
  /** `https://cloud.langfuse.com`, without a slash at its end. */
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Where Langfuse files the traces: `production`, `staging`. */
  readonly environment: string | null;
  readonly prices: Prices;
}

export function createLangfuseTelemetry(post: Post, setting: LangfuseSetting): Telemetry {
  const { url, publicKey, secretKey, environment, prices } = setting;
  const headers = new Headers({
    authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}`,
    // Without it a trace may show up ten minutes late.
    'x-langfuse-ingestion-version': '4',
  });
  const spans = createOtlpTelemetry(post, {
    url: `${url}/api/public/otel/v1/traces`,
    headers,
    prices,
    attributes: environment === null ? {} : { 'langfuse.environment': environment },
  });
  return {
    async tell(trace, who) {
      const scores = scoresOf(trace, who, environment).map((score) =>
        post(`${url}/api/public/scores`, headers, JSON.stringify(score)),
      );
      await Promise.all([spans.tell(trace, who), ...scores]);
    },
  };
}

/** Ids follow from the trace's, so that what is sent twice scores once. */
function scoresOf(trace: Trace, who: Who, environment: string | null): CreateScoreRequest[] {
  const { analyses, status, biases } = trace;
  const found = analyses.map(({ biased }) => biased);
  const scores = {
    // Of a verdict that nobody examined it is not known whether it is biased.
    ...(found.length > 0 && { biased: found.includes(true) }),
    revised: status === 'revised',
    insisted: status === 'insisted',
  };
  return Object.entries(scores).map(([name, holds]) => ({
    id: `${trace.id}-${name}`,
    traceId: deriveOtelTraceId(trace, who),
    name,
    value: holds ? 1 : 0,
    dataType: 'BOOLEAN',
    ...(name === 'biased' && biases.length > 0 && { comment: biases.join(', ') }),
    ...(environment !== null && { environment }),
  }));
}
