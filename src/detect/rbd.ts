/**
 * The reasoning-based bias detector (RBD, arXiv 2505.17100): one call to a detector model, a fine-tuned one or
 * any other, which sees the case, the verdict, the judge's name and the definitions, and answers with its
 * reasoning and Yes or No.
 */
import type { Bias } from '../bias/index.ts';
import { type Analysis, sameVerdict } from '../case/index.ts';
import { findSuspects, type Suspect } from './probe.ts';
import type { DetectorModel } from './rbd/detector-model.ts';
import { type RbdAnalysis, readRbdAnalysis } from './rbd/read-analysis.ts';
import { checkTemplate, renderBrief } from './rbd/render-brief.ts';
import type { Brief, Detector, ModelDetectorEntry } from './types.ts';

export interface RbdOptions {
  /**
   * The wording a detector was trained on, with `{{instruction}} {{choices}} {{judgment}} {{judge}} {{biases}}
   * {{definitions}} {{evidence}}`; default: prompts/bias-detector.ts.
   */
  readonly template?: string;
  /**
   * Ask only where a bias in question has a cue that speaks for what was decided. Saves calls, but a cue that
   * the catalogue cannot see (a gloomy answer in Finnish) is then never examined; so false by default.
   */
  readonly spotFirst?: boolean;
}

export const rbd = {
  name: 'rbd',
  needsModel: true,
  asksJudge: false,
  create: createRbdDetector,
} as const satisfies ModelDetectorEntry;

/**
 * @throws InputError for a template that cannot be filled
 *
 * @example createRbdDetector(createOpenAiDetectorModel({ baseURL: 'http://localhost:8000', model: 'rbd-8b', apiKey: null, fetch }))
 */
export function createRbdDetector(model: DetectorModel, options: RbdOptions = {}): Detector {
  const { template, spotFirst = false } = options;
  if (template !== undefined) checkTemplate(template);
  return {
    name: rbd.name,
    async analyse(brief) {
      const idle =
        brief.biases.length === 0 || (spotFirst && findConsistentSuspects(brief, brief.biases).length === 0);
      if (idle)
        return createUnbiasedAnalysis('No bias in question has a cue that speaks for what was decided.');
      const { listed = brief.biases } = brief;
      const read = await askModel(model, brief, listed, template === undefined ? {} : { template });
      return {
        biased: read.biased,
        biases: read.biased ? findBlamedBiases(brief, brief.biases, read) : [],
        reasoning: read.reasoning,
        evidence: [],
      };
    },
  };
}

/**
 * One question to a detector model about some of a brief's biases.
 *
 * @param options.evidence what tests on the verdict showed, in words
 * @throws UnreadableAnalysisError, JudgeError, or the signal's reason
 */
export async function askModel(
  model: DetectorModel,
  brief: Brief,
  biases: readonly Bias[],
  options: { readonly template?: string; readonly evidence?: string } = {},
): Promise<RbdAnalysis> {
  brief.signal.throwIfAborted();
  return readRbdAnalysis(await model.complete(renderBrief(brief, { ...options, biases }), brief.signal));
}

/**
 * Which biases a bare Yes means: those it names, else those with a cue that speaks for the verdict, else all
 * that were asked about.
 */
export function findBlamedBiases(
  brief: Brief,
  biases: readonly Bias[],
  read: Pick<RbdAnalysis, 'said'>,
): string[] {
  const named = biases.filter((bias) => new RegExp(`\\b${bias.name}\\b`, 'i').test(read.said));
  const cued = findConsistentSuspects(brief, biases).map((suspect) => suspect.bias);
  const found = [named, cued, biases].find((some) => some.length > 0) ?? [];
  return [...new Set(found.map((bias) => bias.name))];
}

/**
 * The cues that could have led to this verdict. Place in the order only where the other order was decided
 * differently: a judge that stays with the same text did not decide by place.
 */
export function findConsistentSuspects(brief: Brief, biases: readonly Bias[]): Suspect[] {
  const torn = brief.swapped !== null && !sameVerdict(brief.verdict, brief.swapped);
  return findSuspects({ ...brief, biases }).filter(({ bias }) => !bias.bothOrders || torn);
}

/** An analysis that finds nothing, with the reason why nothing was asked. */
export function createUnbiasedAnalysis(reasoning: string): Analysis {
  return { biased: false, biases: [], reasoning, evidence: [] };
}
