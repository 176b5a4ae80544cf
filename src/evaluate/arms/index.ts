/** The arms by name. */
import { findBias } from '../../bias/index.ts';
import {
  BASELINE_DETECTOR,
  createRbdDetector,
  DETECTOR_NAMES,
  type Detector,
  type DetectorModel,
  type DetectorName,
  findDetector,
} from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import type { Model } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';
import { toDetectorModel } from '../prompted-detector.ts';
import type { Arm } from './arm.ts';
import { createLoopArm } from './loop.ts';
import { bewareArm, createMajorityArm, plainArm, stepByStepArm, swapAndTieArm } from './prompt-arms.ts';

const OTHERS = [
  'label-only',
  'placebo',
  'reflection',
  'swap-and-tie',
  'majority-3',
  'majority-5',
  'beware',
  'step-by-step',
] as const;

export type ArmName = 'none' | DetectorName | (typeof OTHERS)[number];

/** The judge alone, the loop with each detector, and what else might do as much. */
export const ARMS: readonly ArmName[] = [
  'none',
  ...DETECTOR_NAMES.filter((name) => name !== BASELINE_DETECTOR.name),
  ...OTHERS,
];

export interface ArmTools {
  readonly rounds: number;
  readonly clock: Clock;
  /** The detector model, for the detectors that need one and for `label-only`; null where there is none. */
  readonly detector: Model | null;
  /** The judge at a temperature above 0, for `majority-…`; null where there is none. */
  readonly sampling: Model | null;
}

/** @throws InputError where the arm needs a model that was not given */
export function createArm(name: ArmName, tools: ArmTools): Arm {
  const { rounds, clock } = tools;
  const loop = (detector: (model: DetectorModel) => Detector) => {
    const model = needed(tools.detector, name, '--detector-model');
    return createLoopArm(name, {
      rounds,
      clock,
      detector: (counted) => detector(toDetectorModel(counted(model))),
    });
  };
  const entry = findDetector(name);
  if (entry?.needsModel) return loop((model) => entry.create(model));
  if (entry) return createLoopArm(name, { rounds, clock, detector: () => entry.create() });
  switch (name as Exclude<ArmName, DetectorName>) {
    case 'none':
      return plainArm;
    case 'label-only':
      return loop((model) => withoutReasons(createRbdDetector(model)));
    case 'placebo':
      return createLoopArm(name, { rounds, clock, detector: () => placebo });
    case 'reflection':
      return createLoopArm(name, { rounds: 1, clock, detector: () => reflection });
    case 'swap-and-tie':
      return swapAndTieArm;
    case 'majority-3':
    case 'majority-5':
      return createMajorityArm(Number(name.slice(-1)), needed(tools.sampling, name, '--temperature'));
    case 'beware':
      return bewareArm;
    case 'step-by-step':
      return stepByStepArm;
  }
}

function needed(model: Model | null, arm: string, option: string): Model {
  if (!model) throw new InputError(option, `is needed by the arm ${arm}`);
  return model;
}

/** The judge is told that it is biased and by what, but not why (the label-only ablation of arXiv 2505.17100 §4). */
function withoutReasons(detector: Detector): Detector {
  return {
    name: 'label-only',
    analyse: async (brief) => ({ ...(await detector.analyse(brief)), reasoning: '' }),
  };
}

/** Everything is sent back without a word of what was found: what asking again does by itself. */
const placebo: Detector = {
  name: 'placebo',
  analyse: async () => ({ biased: true, biases: [], reasoning: '', evidence: [] }),
};

/** Everything is sent back with the biases to look for; whether there was any is for the judge to say. */
const reflection: Detector = {
  name: 'reflection',
  analyse: async ({ biases }) => ({
    biased: true,
    biases: biases.flatMap(({ name }) => (findBias(name) ? [name] : [])),
    reasoning: '',
    evidence: [],
  }),
};
