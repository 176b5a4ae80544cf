/** The detectors that are set up, by the names of `x-remand-detector`. */
import {
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  type DetectorModel,
  findDetector,
  meterDetectorModel,
  type StatementReadings,
} from '../detect/index.ts';
import type { Fetch } from '../ports.ts';
import type { Config } from './config.ts';
import { withLane } from './limits/breaker.ts';
import type { Ports } from './proxy-ports.ts';

/**
 * @param fetch the way to the detector model's endpoint, which is not the judge's
 *
 * @example createDetectorFactory(readConfig({}), fetch)
 */
export function createDetectorFactory(config: Config, fetch: Fetch): Ports['detector'] {
  const modelFor = detectorModel(config, fetch);
  const wording = config.RBD_TEMPLATE === undefined ? {} : { template: config.RBD_TEMPLATE };
  /** By who asks: what one client's statements say is no other's to know. */
  const readingsOf = new Map<string | null, StatementReadings>();
  return (name, ledger, who) => {
    const entry = findDetector(name);
    if (entry?.needsModel) {
      const readings = readingsOf.get(who) ?? new Map();
      readingsOf.set(who, readings);
      return modelFor && entry.create(meterDetectorModel(modelFor(who), ledger), { ...wording, readings });
    }
    return entry?.create() ?? null;
  };
}

function detectorModel(config: Config, fetch: Fetch): ((who: string | null) => DetectorModel) | null {
  const { RBD_BASE_URL: baseURL, RBD_MODEL: model, RBD_API_KEY: apiKey = null, HF_TOKEN: token } = config;
  if (model === undefined) return null;
  const maxWaitMs = config.REMAND_DEADLINE_MS;
  const fetchFor = (who: string | null, upstream: string) => withLane(fetch, { upstream, model, who });
  if (baseURL !== undefined)
    return (who) =>
      createOpenAiDetectorModel({ baseURL, model, apiKey, fetch: fetchFor(who, baseURL), maxWaitMs });
  if (token === undefined) return null;
  return (who) =>
    createHuggingFaceDetectorModel({ model, token, fetch: fetchFor(who, 'huggingface'), maxWaitMs });
}
