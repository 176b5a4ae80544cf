/**
 * What is counted. An instance is handed to the app; at the edge each isolate counts for itself. No label holds
 * anything that a client could make up: a model's name, say, would let it fill the memory.
 */

import type { ReaderRecord, UntestedReason } from '../case/index.ts';
import type { JudgmentFacts } from '../judgment/index.ts';
import type { SecurityEventKind, UnexaminedReason } from '../loop/index.ts';
import type { Call, CallKind } from '../ports.ts';
import { eachBias } from '../trace/index.ts';
import { VERSION } from '../version.ts';
import { createRegistry, type Metric, type Registry } from './exposition.ts';
import type { JudgeChange } from './fingerprint-watch.ts';
import type { RefusalReason } from './refusal.ts';

/** Upper bounds in seconds: from a cached reply to a slow reasoning judge. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Why a request was not learned from that could have been: learning took too long, or others of its tenant wait. */
export type NotLearnedReason = 'over-time' | 'busy';

/** A call of a judgment's, of an audit's, or on an anchor case; or a request to a judging path that is passed on unexamined. */
export type CountedCall = Pick<Call, 'ms' | 'tokens' | 'error'> & {
  readonly kind: CallKind | 'audit' | 'anchor' | 'passed';
};

export interface Metrics {
  /** A request to a judging path, and what became of it; an error has no status. `ms` from request to answer. */
  judged(facts: Partial<JudgmentFacts>, ms: number): void;
  /** A judge that disagrees with itself more often than before. */
  judgeChanged(): void;
  /** A judge that is seen to be another one than before. */
  fingerprintChanged(change: JudgeChange): void;
  /** A round of the anchor cases. @param answered of them; `failed`: whether any was not */
  anchorsAsked(answered: number, failed: boolean): void;
  /** A judge under a promise that answers another share of its verdicts than its labelled ones. */
  coverageChanged(): void;
  /** A cue that spoke for a verdict and was not tested. */
  untested(bias: string, why: UntestedReason): void;
  /** A judgment in which judged text worked against the examination. */
  security(kind: SecurityEventKind): void;
  passed(): void;
  called(call: CountedCall): void;
  refused(reason: RefusalReason): void;
  /** Whether a request that could be answered from the cache was. */
  cache(result: 'hit' | 'miss'): void;
  /** A trace, a learned template, an entry of the audit trail or lines of the log that could not be written down. */
  notStored(): void;
  /** A judgment, or its scores, that Langfuse or a collector was not told of. */
  notTold(): void;
  /** A request that a template could have been learned from, and was not. */
  notLearned(reason: NotLearnedReason): void;
  /** A model was asked about a template; what came of it. */
  templateRead(outcome: ReaderRecord['outcome']): void;
  /** The exposition, in the Prometheus text format. */
  text(): string;
  /** Requests to judging paths that were not examined. */
  left(): UnexaminedCounts;
  /** The latest changes of judges, the last first. */
  changes(): readonly JudgeChange[];
}

/** Changes of judges that are kept to be shown. */
const CHANGES_KEPT = 20;

/** Requests to judging paths that were not examined, since counting began. */
export interface UnexaminedCounts {
  /** Milliseconds since the epoch; null where it is not known. */
  readonly since: number | null;
  /** All requests to judging paths. */
  readonly requests: number;
  /** How many ended in an error: no verdict went out that could have been examined. */
  readonly failed: number;
  /** How many were not examined, by why; most first. */
  readonly reasons: readonly (readonly [reason: UnexaminedReason, count: number])[];
}

/**
 * @param registry where other things may be counted as well
 * @param since when counting begins, in milliseconds since the epoch
 *
 * @example createProxy({}, { metrics: createMetrics() })
 */
export function createMetrics(registry: Registry = createRegistry(), since: number | null = null): Metrics {
  registry.gauge('remand_build_info', 'The version that runs, always 1.', () => 1, { version: VERSION });
  const counter = (name: string, help: string) => registry.counter(`remand_${name}_total`, help);
  const requests = counter('requests', 'Requests to judging paths, by what became of them.');
  const biased = counter('verdict_biases', 'Biases found in verdicts, by what became of the judgment.');
  const sensitive = counter(
    'verdict_sensitivity',
    'Biases that judges are sensitive to though the verdict stood, by what became of the judgment.',
  );
  const unexamined = counter('unexamined', 'Verdicts that went out unexamined, by why.');
  const escalated = counter('escalated', 'Verdicts that went to a second judge, by what it made of them.');
  const orders = counter(
    'order_checks',
    'Verdicts that were judged in the other order, and not, where not all are.',
  );
  const changes = counter('judge_changes', 'Times a judge began to disagree with itself more often.').of();
  const fingerprints = counter(
    'fingerprint_changes',
    'Times a judge was served by another model, asked with other parameters or for another form of verdict, or said something else of the anchor cases.',
  );
  const latest: JudgeChange[] = [];
  const drifts = counter(
    'coverage_changes',
    'Times a judge under a promise answered another share of 100 verdicts than was promised.',
  ).of();
  const rounds = counter(
    'anchor_rounds',
    'Rounds of the anchor cases, and whether all of them were answered.',
  );
  const anchorRounds = { whole: rounds.of({ answered: 'all' }), part: rounds.of({ answered: 'some' }) };
  const anchorAnswers = counter('anchor_answers', 'Verdicts on anchor cases.').of();
  const untested = counter('untested', 'Cues that spoke for a verdict and were not tested, by why.');
  const security = counter(
    'security_events',
    'Judgments in which judged text worked against the examination, by kind.',
  );
  const passed = counter('passed', 'Requests passed through untouched.').of();
  const calls = counter('calls', 'Model calls, by what they were for.');
  const tokens = counter('tokens', 'Tokens, as the endpoints counted them.');
  const failures = counter('detector_failures', 'Judgments whose verdict could not be examined.').of();
  const refused = counter('refused', 'Requests refused, by why.');
  const cached = counter('cache', 'Requests that could be answered from the cache.');
  const notStored = counter(
    'not_stored',
    'Traces, templates, audit entries and lines of the log that could not be written down.',
  ).of();
  const notTold = counter('not_told', 'Messages to Langfuse or a collector that were dropped.').of();
  const templateReads = counter(
    'template_reads',
    'Templates that a model was asked about, by what came of it.',
  );
  const notLearned = counter(
    'not_learned',
    'Requests that no template was learned from for the time it takes, by why.',
  );
  const requestTime = registry
    .histogram('remand_request_seconds', 'Time from request to answer on judging paths.', BUCKETS)
    .of();
  const callTime = registry.histogram('remand_call_seconds', 'Time of model calls.', BUCKETS);
  let [judgingRequests, failedRequests] = [0, 0];
  const leftAlone = new Map<UnexaminedReason, number>();
  const requestsOf = eachValue(requests, 'status');
  const unexaminedOf = eachValue(unexamined, 'reason');
  // Kept, since there are several calls to a judgment.
  const kinds = new Map<CountedCall['kind'], ReturnType<typeof linesOf>>();
  const linesOf = (kind: CountedCall['kind']) => ({
    answered: calls.of({ kind, ok: 'true' }),
    failed: calls.of({ kind, ok: 'false' }),
    time: callTime.of({ kind }),
    input: tokens.of({ kind, direction: 'input' }),
    output: tokens.of({ kind, direction: 'output' }),
  });
  return {
    judged(
      {
        status = 'error',
        reason = null,
        biases = [],
        sensitivity = [],
        escalated: second = null,
        order = null,
      },
      ms,
    ) {
      judgingRequests++;
      if (status === 'error') failedRequests++;
      requestsOf(status).inc();
      requestTime.observe(ms / 1000);
      if (status === 'failed-open') failures.inc();
      for (const bias of eachBias(biases)) biased.of({ bias, status }).inc();
      for (const bias of sensitivity) sensitive.of({ bias, status }).inc();
      if (order !== null) orders.of({ result: order }).inc();
      if (second !== null) escalated.of({ result: second }).inc();
      if (reason === null) return;
      leftAlone.set(reason, (leftAlone.get(reason) ?? 0) + 1);
      unexaminedOf(reason).inc();
    },
    judgeChanged: () => changes.inc(),
    fingerprintChanged(change) {
      for (const what of change.what) fingerprints.of({ what }).inc();
      latest.unshift(change);
      latest.splice(CHANGES_KEPT);
    },
    anchorsAsked(answered, failed) {
      (failed ? anchorRounds.part : anchorRounds.whole).inc();
      for (let n = 0; n < answered; n++) anchorAnswers.inc();
    },
    coverageChanged: () => drifts.inc(),
    untested: (bias, why) => untested.of({ bias, why }).inc(),
    security: (kind) => security.of({ kind }).inc(),
    passed: () => passed.inc(),
    called({ kind, ms, tokens: used, error }) {
      const lines = kinds.get(kind) ?? linesOf(kind);
      kinds.set(kind, lines);
      if (error === null) lines.answered.inc();
      else lines.failed.inc();
      lines.time.observe(ms / 1000);
      lines.input.inc(used?.input ?? 0);
      lines.output.inc(used?.output ?? 0);
    },
    refused: (reason) => refused.of({ reason }).inc(),
    cache: (result) => cached.of({ result }).inc(),
    notStored: () => notStored.inc(),
    notTold: () => notTold.inc(),
    notLearned: (reason) => notLearned.of({ reason }).inc(),
    templateRead: (outcome) => templateReads.of({ outcome }).inc(),
    text: registry.text,
    left: () => ({
      since,
      requests: judgingRequests,
      failed: failedRequests,
      reasons: [...leftAlone].sort(([, a], [, b]) => b - a),
    }),
    changes: () => latest,
  };
}

/** Lines of a metric by the value of its only label, kept, since there is one to each request. */
function eachValue<Line>(metric: Metric<Line>, label: string): (value: string) => Line {
  const lines = new Map<string, Line>();
  return (value) => {
    const line = lines.get(value) ?? metric.of({ [label]: value });
    lines.set(value, line);
    return line;
  };
}
