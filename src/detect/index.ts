/** The detectors. Adding a detector is adding a file and a line here. */
import { panel } from './panel.ts';
import { probe } from './probe.ts';
import { rbd } from './rbd.ts';
import { rules } from './rules.ts';
import type { DetectorEntry } from './types.ts';

export { listSensitivities } from './noise.ts';
export { createPanelDetector, type PanelOptions } from './panel.ts';
export { createProbeDetector, findSuspects } from './probe.ts';
export {
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  type DetectorModel,
  type DetectorReply,
  meterDetectorModel,
} from './rbd/detector-model.ts';
export { readRbdAnalysis } from './rbd/read-analysis.ts';
export { checkTemplate, disarmTokens, layOut, neutralise, renderBrief } from './rbd/render-brief.ts';
export { createRbdDetector, type RbdOptions } from './rbd.ts';
export { createRulesDetector } from './rules.ts';
export type { Brief, Detector, Probe, StatementReader, StatementReadings } from './types.ts';

export const DETECTORS = [probe, rbd, panel, rules] as const satisfies readonly DetectorEntry[];

export type DetectorName = (typeof DETECTORS)[number]['name'];
export const DETECTOR_NAMES: readonly DetectorName[] = DETECTORS.map(({ name }) => name);

/** The one where nobody asks for another. */
export const DEFAULT_DETECTOR = probe;

/** The one to beat: measured beside the others, never an arm of a comparison. */
export const BASELINE_DETECTOR = rules;

export function findDetector(name: string): DetectorEntry | undefined {
  return DETECTORS.find((detector) => detector.name === name);
}

/** The names of those that need a detector model. */
export function listModelDetectors(): DetectorName[] {
  return DETECTORS.flatMap(({ name, needsModel }) => (needsModel ? [name] : []));
}
