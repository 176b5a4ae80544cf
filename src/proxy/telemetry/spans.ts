/**
 * A judgment as OpenTelemetry spans: one for the judgment, one for each model call by the conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/), one for each analysis with its calls below it.
 * The attributes that Langfuse reads (https://langfuse.com/integrations/native/opentelemetry) stand beside them; other
 * collectors keep them as they are. Ids follow from the trace's own id, so sending twice is the same as sending once.
 */
import { type Attributes, type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { computeCost, type Prices } from '../../models/index.ts';
import { type Trace, toOtelTraceId } from '../../trace/index.ts';
import type { Who } from './who.ts';

/** The trace that the spans belong to: the client's own where it has one, else named after the judgment. */
export function deriveOtelTraceId(trace: Trace, { parent }: Who): string {
  return parent?.traceId ?? toOtelTraceId(trace.id);
}

/**
 * @param options.prices of models, for what the calls cost
 * @param options.resource what the spans are told by
 * @returns the judgment first
 */
export function createSpans(
  trace: Trace,
  who: Who,
  { prices, resource }: { readonly prices: Prices; readonly resource: Resource },
): ReadableSpan[] {
  const traceId = deriveOtelTraceId(trace, who);
  const began = Date.parse(trace.time);
  const spans: ReadableSpan[] = [];
  const add = (span: SpanDraft, parent: string | undefined): string => {
    const spanId = spanIdOf(trace.id, spans.length);
    spans.push(readable(span, { traceId, spanId, parent, began, resource }));
    return spanId;
  };
  const root = add(judgment(trace, who), who.parent?.spanId);
  const write = (step: JudgmentStep, parent: string): void => {
    const { what } = step;
    if (what.kind === 'call') {
      add(call(step, what.call, who, prices), parent);
      return;
    }
    const analysis = add(createAnalysisSpan(step, what.analysis, trace), parent);
    for (const below of what.calls) write(below, analysis);
  };
  for (const step of listSteps(trace)) write(step, root);
  return spans;
}

/** A span in the judgment's own time. */
interface SpanDraft {
  readonly name: string;
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  readonly error?: string | null;
}

function judgment(trace: Trace, { user, session }: Who): SpanDraft {
  const { status, stop, judge, detector, mode, policy, layout, rounds, biases } = trace;
  const { id, final, verdicts, swapped, looked_for, analyses } = trace;
  // All that `remand dataset build --from langfuse` needs of a judgment, beside its case.
  const outcome = { id, judge, final, verdicts, swapped, looked_for, analyses };
  return {
    name: 'judgment',
    kind: SpanKind.SERVER,
    from: 0,
    to: trace.ms,
    error: status === 'failed-open' ? (trace.error ?? stop) : null,
    attributes: {
      'remand.trace': trace.id,
      'remand.status': status,
      'remand.stop': stop,
      'remand.detector': detector,
      'remand.mode': mode,
      'remand.policy': policy,
      'remand.layout': layout,
      'remand.biases': biases,
      'remand.rounds': rounds,
      'remand.calls': trace.calls.filter(({ cached }) => !cached).length,
      'gen_ai.request.model': judge,
      ...(user !== null && { 'user.id': user }),
      ...(session !== null && { 'session.id': session }),
      'langfuse.observation.type': 'span',
      'langfuse.trace.name': 'judgment',
      'langfuse.trace.tags': ['remand', status, ...biases],
      'langfuse.trace.input': JSON.stringify(trace.case),
      'langfuse.trace.output': JSON.stringify(trace.final),
      'langfuse.trace.metadata.remand_trace': trace.id,
      'langfuse.trace.metadata.detector': detector,
      'langfuse.trace.metadata.judge': judge,
      'langfuse.observation.input': JSON.stringify(trace.case),
      'langfuse.observation.output': JSON.stringify(outcome),
    },
  };
}

function call(
  { from, to }: JudgmentStep,
  made: Trace['calls'][number],
  { provider }: Who,
  prices: Prices,
): SpanDraft {
  const { to: model, kind, tokens, cached, error } = made;
  const cost = tokens && !cached ? computeCost(model, tokens, prices) : null;
  return {
    name: `chat ${model}`,
    kind: SpanKind.CLIENT,
    from,
    to,
    error,
    attributes: {
      'remand.call': kind,
      'remand.cached': cached,
      'gen_ai.operation.name': 'chat',
      // A detector stands behind an endpoint of its own.
      ...(kind !== 'detect' && { 'gen_ai.provider.name': provider }),
      'gen_ai.request.model': model,
      // Of a reply that was known the call that it came from has told them: they would be paid for twice.
      ...(tokens &&
        !cached && {
          'gen_ai.usage.input_tokens': tokens.input,
          'gen_ai.usage.output_tokens': tokens.output,
          'langfuse.observation.usage_details': JSON.stringify(tokens),
        }),
      ...(cost && { 'langfuse.observation.cost_details': JSON.stringify(cost) }),
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': model,
      'langfuse.observation.metadata.call': kind,
    },
  };
}

function createAnalysisSpan(
  { from, to }: JudgmentStep,
  analysis: Trace['analyses'][number] | null,
  trace: Trace,
): SpanDraft {
  return {
    name: `analysis by ${trace.detector}`,
    kind: SpanKind.INTERNAL,
    from,
    to,
    error: analysis ? null : (trace.error ?? 'no analysis came of it'),
    attributes: {
      'langfuse.observation.type': 'evaluator',
      ...(analysis && {
        'remand.biased': analysis.biased,
        'remand.biases': analysis.biases,
        'langfuse.observation.output': JSON.stringify(analysis),
      }),
    },
  };
}

interface Place {
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly resource: Resource;
}

function readable(told: SpanDraft, place: Place): ReadableSpan {
  const { name, kind, attributes, error = null } = told;
  const { traceId, spanId, parent, began, resource } = place;
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name,
    kind,
    spanContext: () => context,
    ...(parent !== undefined && { parentSpanContext: { ...context, spanId: parent } }),
    startTime: hrTime(began + told.from),
    endTime: hrTime(began + told.to),
    duration: hrTime(told.to - told.from),
    status: error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: { ...attributes, ...(error !== null && failed(error)) },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'remand' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** `_OTHER` is the conventions' word for an error without a class of its own. */
const failed = (message: string): Attributes => ({
  'error.type': '_OTHER',
  'langfuse.observation.level': 'ERROR',
  'langfuse.observation.status_message': message,
});

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const whole = Math.floor(ms / 1000);
  return [whole, Math.floor((ms - whole * 1000) * 1e6)];
}

/** The 48 bits at the end of a UUID are random (RFC 9562 §5.4); the rest counts the judgment's spans. */
function spanIdOf(id: string, index: number): string {
  return toOtelTraceId(id).slice(-12) + (index + 1).toString(16).padStart(4, '0');
}

// What happened in a judgment, as steps in time: the judgment, its verdicts' calls, and between them the analyses with
// the calls that were made for each. A trace times calls; when an analysis began and ended follows from them.

type Call = Trace['calls'][number];

interface JudgmentStep {
  /** Milliseconds from the trace's `time`. */
  readonly from: number;
  readonly to: number;
  readonly what:
    | { readonly kind: 'call'; readonly call: Call }
    | {
        readonly kind: 'analysis';
        /** Null for one that failed, or was broken off: its calls are all there is of it. */
        readonly analysis: Trace['analyses'][number] | null;
        readonly calls: readonly JudgmentStep[];
      };
}

/** In the order in which they began. Every call of the trace is in exactly one step. */
export function listSteps({ calls, analyses }: Trace): JudgmentStep[] {
  const steps: JudgmentStep[] = [];
  const rounds = roundsOf(calls);
  for (let round = 0; round < Math.max(rounds.length, analyses.length); round++) {
    const { verdict = [], examining = [] } = rounds[round] ?? {};
    steps.push(...verdict.map(callStep));
    const analysis = analyses[round] ?? null;
    if (!analysis && examining.length === 0) continue;
    const decided = end(verdict) || (steps.at(-1)?.to ?? 0);
    steps.push({
      from: examining.length === 0 ? decided : Math.min(...examining.map(({ at }) => at)),
      to: examining.length === 0 ? decided : end(examining),
      what: { kind: 'analysis', analysis, calls: examining.map(callStep) },
    });
  }
  return steps;
}

interface Round {
  /** One verdict's calls: one for each order of the options that was asked about, and those made again. */
  readonly verdict: Call[];
  /** Calls of the analysis of that verdict. */
  readonly examining: Call[];
}

/** What a call asks that asks for the verdict itself. */
const DECIDING: readonly Call['kind'][] = ['judge', 'sample', 'swap', 'remand'];

/** @param calls in the order in which they were begun */
function roundsOf(calls: readonly Call[]): Round[] {
  const rounds: Round[] = [{ verdict: [], examining: [] }];
  for (const call of calls) {
    let round = rounds.at(-1) as Round;
    if (call.kind === 'remand' && startsRound(call, round)) {
      round = { verdict: [], examining: [] };
      rounds.push(round);
    }
    const decides = DECIDING.includes(call.kind);
    (decides ? round.verdict : round.examining).push(call);
  }
  return rounds;
}

/** The orders of one round are asked about side by side; a call that follows an answered remand begins the next one. */
function startsRound(call: Call, { verdict, examining }: Round): boolean {
  if (examining.length > 0 || verdict.some(({ kind }) => kind !== 'remand')) return true;
  return verdict.every(({ at, ms, error }) => error === null && at + ms <= call.at);
}

const callStep = (call: Call): JudgmentStep => ({
  from: call.at,
  to: call.at + call.ms,
  what: { kind: 'call', call },
});

const end = (calls: readonly Call[]) => Math.max(0, ...calls.map(({ at, ms }) => at + ms));
