/**
 * A rate as a record of Every Eval Ever (https://github.com/evaleval/every_eval_ever), the shared format in which results of
 * evaluations are published: what the judge alone says and what the labels make of it are two metrics of the same model.
 */
import type { RateEstimate } from '../../report/index.ts';
import type { Interval } from '../../stats/index.ts';

const EVAL_RECORD_VERSION = '0.3.0';

export const EVALUATORS = ['first_party', 'third_party', 'collaborative', 'other'] as const;

/** What the verdicts do not tell, and a reader has to know. */
export interface EvalRecordSource {
  /** Whose answers were judged, as `developer/name`. */
  readonly model: string;
  /** Of the items. */
  readonly dataset: string;
  /** Who publishes the figure, and how it stands to the model's developer. */
  readonly organization: string;
  readonly relationship: (typeof EVALUATORS)[number];
  /** The judge's prompt with its slots. */
  readonly prompt: string;
  /** Of Remand. */
  readonly version: string;
  /** Of a mean score; a share lies in [0, 1]. */
  readonly scale?: Interval | undefined;
  readonly confidence: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const UNKNOWN = { deployment_type: 'unknown', model_availability: 'unknown' };

/** @param estimates of one judge or several; each gives its own rate and, where there is one, the corrected one */
export function toEvalRecord(estimates: readonly RateEstimate[], source: EvalRecordSource) {
  const { model, dataset, organization, relationship, version, now } = source;
  const seconds = String(Math.floor(now / 1000));
  return {
    schema_version: EVAL_RECORD_VERSION,
    evaluation_id: `${dataset}/${model}/${seconds}`,
    retrieved_timestamp: seconds,
    source_metadata: {
      source_name: dataset,
      source_type: 'evaluation_run',
      source_organization_name: organization,
      evaluator_relationship: relationship,
    },
    eval_library: { name: 'remand', version },
    model_info: describeModel(model),
    evaluation_results: estimates.flatMap((one) => resultsOf(one, source)),
  };
}

function describeModel(name: string) {
  const [developer, ...rest] = name.split('/');
  return { name, id: name, ...(rest.length > 0 && { developer }), additional_details: UNKNOWN };
}

interface MetricFigure {
  readonly metric: string;
  readonly how: string;
  readonly value: number;
  readonly interval: Interval;
  readonly standardError?: number;
  /** Items that the interval rests on. */
  readonly samples: number;
}

function resultsOf(one: RateEstimate, source: EvalRecordSource) {
  const { figure, judged, labelled, raw, rawInterval, corrected } = one;
  const alone: MetricFigure = {
    metric: 'judge alone',
    how: 'What the judge says of all items. The interval knows which items were drawn, not what the judge gets wrong.',
    value: raw,
    interval: rawInterval,
    samples: judged,
  };
  if (corrected.value === null) return [tellResult(one, alone, source)];
  const { value, interval, standardError } = corrected;
  const mended: MetricFigure = {
    metric: 'corrected',
    how: `The ${figure} that labels of all items would give, by prediction-powered inference (PPI++, arXiv 2311.01453) from ${judged} verdicts and ${labelled} labels drawn by chance.`,
    value,
    interval,
    standardError,
    samples: labelled,
  };
  return [alone, mended].map((reported) => tellResult(one, reported, source));
}

function tellResult(one: RateEstimate, reported: MetricFigure, source: EvalRecordSource) {
  const { judge, subgroup, figure, labelled, agreement, kappa } = one;
  const { metric, how, value, interval, standardError, samples } = reported;
  const { scale, confidence, dataset, prompt } = source;
  const isScore = figure === 'mean score';
  const name = `${figure}, ${metric}`;
  const limits = isScore ? scale : { low: 0, high: 1 };
  return {
    evaluation_result_id: [dataset, judge, subgroup, metric].filter((part) => part !== null).join('/'),
    evaluation_name: subgroup === null ? name : `${name}, ${subgroup}`,
    source_data: { dataset_name: dataset, source_type: 'other' },
    metric_config: {
      evaluation_description: how,
      metric_name: name,
      metric_kind: figure.replaceAll(' ', '_'),
      metric_unit: isScore ? 'points' : 'proportion',
      lower_is_better: false,
      score_type: 'continuous',
      min_score: limits?.low ?? '-Infinity',
      max_score: limits?.high ?? 'Infinity',
      llm_scoring: {
        judges: [{ model_info: describeModel(judge) }],
        input_prompt: prompt,
        additional_details: {
          labels: String(labelled),
          ...(agreement !== null && { agreement_with_labels: String(agreement) }),
          ...(kappa.value !== null && { kappa: String(kappa.value) }),
        },
      },
    },
    score_details: {
      score: value,
      uncertainty: {
        ...(standardError !== undefined && { standard_error: { value: standardError, method: 'analytic' } }),
        confidence_interval: {
          lower: interval.low,
          upper: interval.high,
          confidence_level: confidence,
          method: 'analytic',
        },
        num_samples: samples,
      },
    },
  };
}
