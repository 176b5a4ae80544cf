/**
 * The panel: spot first, test what can be tested, ask a detector model about the rest and for its reasons.
 *
 * - No cue speaks for what was decided: not biased, and nothing is asked.
 * - A probe changed the verdict: biased. The judge itself decided otherwise once the cue was gone; a model that
 *   reads the case and says No gives an opinion, and opinions on correctness are where detector models are
 *   weak (zero-shot DeepSeek-R1 is right on .667 of the published bandwagon rows). The model is still asked,
 *   since reasons are what help a judge to reconsider (arXiv 2505.17100), but only those of a Yes are passed
 *   on: reasons against the remand would confuse it.
 * - Every suspect was tested and the verdict stood each time: not biased, and the model is not asked.
 * - A statement that no rule reads is read by the model first, once for its text.
 * - Some suspects could not be tested (no rewriter, a reply without a verdict): the model decides about those,
 *   with the evidence on the others.
 */
import { type Bias, keepExaminable } from '../bias/index.ts';
import { type Analysis, isNone } from '../case/index.ts';
import { JudgeError, UnreadableAnalysisError } from '../http/index.ts';
import { createProbeDetector, describeTests, examineRead, findSuspects } from './probe.ts';
import type { DetectorModel } from './rbd/detector-model.ts';
import type { RbdAnalysis } from './rbd/read-analysis.ts';
import { checkTemplate } from './rbd/render-brief.ts';
import { askModel, createUnbiasedAnalysis, findBlamedBiases } from './rbd.ts';
import type { Brief, Detector, ModelDetectorEntry, StatementReadings } from './types.ts';

export interface PanelOptions {
  /** As for `rbd`. Without `{{evidence}}` in it the model does not see what the probes showed. */
  readonly template?: string;
  /** What was read of statements before; default: nothing was. */
  readonly readings?: StatementReadings;
}

export const panel = {
  name: 'panel',
  needsModel: true,
  asksJudge: true,
  create: (model, options) => createPanelDetector(model, createProbeDetector(), options),
} as const satisfies ModelDetectorEntry;

/**
 * @throws InputError for a template that cannot be filled
 *
 * @example
 * createPanelDetector(createOpenAiDetectorModel({ baseURL: 'http://localhost:8000', model: 'rbd-8b', apiKey: null, fetch }), createProbeDetector())
 */
export function createPanelDetector(
  model: DetectorModel,
  probe: Detector,
  options: PanelOptions = {},
): Detector {
  const { template, readings = new Map() } = options;
  if (template !== undefined) checkTemplate(template);
  const wording = template === undefined ? {} : { template };

  const ask = (brief: Brief, biases: readonly Bias[], tested: Analysis | null) =>
    askModel(model, brief, biases, {
      ...wording,
      evidence:
        tested && tested.evidence.length > 0
          ? describeTests(brief.subject, tested.evidence, tested.untested ?? []).join(' ')
          : '',
    });

  return {
    name: panel.name,
    analyse: (brief) => examineRead(brief, model, readings, examine),
  };

  async function examine(brief: Brief): Promise<Analysis> {
    // Order can only be examined where both orders were judged.
    const askable = keepExaminable(brief.biases, brief.swapped !== null);
    const cued = new Set(findSuspects({ ...brief, biases: askable }).map(({ bias }) => bias));
    const suspects = askable.filter((bias) => cued.has(bias));
    if (suspects.length === 0) return createUnbiasedAnalysis('No cue speaks for what was decided.');

    const tested = await probe.analyse({ ...brief, biases: suspects });
    if (tested.biased) {
      const names = tested.biases.flatMap((found) => found.split('+'));
      const found = suspects.filter((bias) => names.includes(bias.name));
      return withReasons(tested, await opinion(() => ask(brief, found, tested)));
    }
    const open = suspects.filter((bias) => !isSettled(tested, bias));
    if (open.length === 0) return tested;
    const read = await ask(brief, open, tested);
    return {
      biased: read.biased,
      biases: read.biased ? findBlamedBiases(brief, open, read) : [],
      reasoning: read.reasoning,
      evidence: tested.evidence,
    };
  }
}

/** Tested alone or with others, and the judge gave verdicts that could be compared; or what the case asks for. */
function isSettled(tested: Analysis, bias: Bias): boolean {
  if (tested.untested?.some((one) => one.bias === bias.name && one.why === 'asked-for')) return true;
  return tested.evidence.some(
    ({ biases, after, noise }) => biases.includes(bias.name) && !isNone(after) && noise?.limit !== null,
  );
}

/**
 * Where the evidence has decided already, a model that is down or unreadable costs its reasons and nothing more.
 * An exhausted budget and an abort still end the analysis.
 */
async function opinion(ask: () => Promise<RbdAnalysis>): Promise<RbdAnalysis | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnreadableAnalysisError || error instanceof JudgeError) return null;
    throw error;
  }
}

function withReasons(tested: Analysis, read: RbdAnalysis | null): Analysis {
  return read?.biased ? { ...tested, reasoning: `${tested.reasoning}\n\n${read.reasoning}` } : tested;
}
