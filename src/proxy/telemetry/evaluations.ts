/**
 * What a judge decided and what was found against it, as events of OpenTelemetry's conventions for generative AI
 * (`gen_ai.evaluation.result`, https://github.com/open-telemetry/semantic-conventions-genai). They are log records: events on
 * spans are deprecated. Each belongs to the judgment's span.
 */
import type { Attributes } from '@opentelemetry/api';
import type { JsonLogsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { describeTraced } from '../../case/index.ts';
import type { Trace } from '../../trace/index.ts';
import { readTraceDecision } from '../labels/trace-records.ts';
import { createSpans } from './spans.ts';
import type { Who } from './types.ts';

export type LogRecords = Parameters<(typeof JsonLogsSerializer)['serializeRequest']>[0];

/** @returns the verdict; and, where it was examined, whether it is biased */
export function createEvaluationEvents(trace: Trace, who: Who, resource: Resource): LogRecords {
  const [span] = createSpans(trace, who, { prices: {}, resource });
  if (!span) return [];
  // One object for all: the serializer groups by it.
  const instrumentationScope = { name: 'remand' };
  return [verdictEvent(trace), ...biasEvent(trace)].map((attributes) => ({
    hrTime: span.endTime,
    hrTimeObserved: span.endTime,
    spanContext: span.spanContext(),
    eventName: 'gen_ai.evaluation.result',
    attributes: { ...attributes, 'gen_ai.request.model': trace.judge, 'remand.trace': trace.id },
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
  }));
}

function verdictEvent(trace: Trace): Attributes {
  const { final } = trace;
  const name = { 'gen_ai.evaluation.name': 'verdict' };
  if (final.none !== undefined) return { ...name, 'error.type': `no_verdict_${final.none}` };
  const decided = readTraceDecision(trace, final);
  const value = typeof decided === 'boolean' ? Number(decided) : final.score;
  return {
    ...name,
    ...(typeof value === 'number' && { 'gen_ai.evaluation.score.value': value }),
    'gen_ai.evaluation.score.label':
      typeof decided === 'boolean' ? (decided ? 'pass' : 'fail') : describeTraced(final),
    ...(final.text !== '' && { 'gen_ai.evaluation.explanation': final.text }),
  };
}

function biasEvent({ analyses, biases }: Trace): Attributes[] {
  if (analyses.length === 0) return [];
  const found = analyses.find(({ biased }) => biased === true);
  const [told = analyses[0]] = found ? [found] : [];
  return [
    {
      'gen_ai.evaluation.name': 'bias',
      'gen_ai.evaluation.score.value': found ? 1 : 0,
      'gen_ai.evaluation.score.label': found ? 'biased' : 'unbiased',
      ...(told && told.reasoning !== '' && { 'gen_ai.evaluation.explanation': told.reasoning }),
      ...(biases.length > 0 && { 'remand.biases': [...biases] }),
    },
  ];
}
