/** The detectors that are set up, by the names of `x-remand-detector`. */
import {
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  type DetectorModel,
  findDetector,
  meterDetectorModel,
  type StatementReader,
  type StatementReadings,
} from '../detect/index.ts';
import type { Fetch } from '../ports.ts';
import type { Config } from './config.ts';
import { withLane } from './limits/breaker.ts';
import type { Ports } from './proxy-ports.ts';
import { createReaderModel } from './templates/reader.ts';

/**
 * @param fetch the way to the detector model's endpoint, which is not the judge's
 *
 * @example createDetectorFactory(readConfig({}), fetch)
 */
export function createDetectorFactory(config: Config, fetch: Fetch): Ports['detector'] {
  const modelFor = detectorModel(config, fetch);
  const reader = statementReader(config, fetch);
  const wording = config.RBD_TEMPLATE === undefined ? {} : { template: config.RBD_TEMPLATE };
  /** By who asks: what one client's statements say is no other's to know. */
  const readingsOf = new Map<string | null, StatementReadings>();
  return (name, ledger, who) => {
    const entry = findDetector(name);
    const readings = readingsOf.get(who) ?? new Map();
    readingsOf.set(who, readings);
    if (entry?.needsModel)
      return modelFor && entry.create(meterDetectorModel(modelFor(who), ledger), { ...wording, readings });
    if (!reader) return entry?.create() ?? null;
    const metered = reader === 'judge' ? reader : meterDetectorModel(reader, ledger);
    return entry?.create({ reader: metered, readings }) ?? null;
  };
}

/** Null where no model reads, or another than the judge would and no texts of clients are to go elsewhere. */
function statementReader(config: Config, fetch: Fetch): StatementReader | null {
  const { REMAND_READER_MODEL: model, REMAND_TRACE_TEXTS: texts } = config;
  if (model === undefined || model === 'off') return null;
  if (model === 'judge') return model;
  return texts === 'on' ? createReaderModel(model, config, fetch) : null;
}

function detectorModel(config: Config, fetch: Fetch): ((who: string | null) => DetectorModel) | null {
  const { RBD_BASE_URL: baseURL, RBD_MODEL: model, RBD_API_KEY: apiKey = null, HF_TOKEN: token } = config;
  if (model === undefined) return null;
  const maxWaitMs = config.REMAND_DEADLINE_MS;
  const fetchFor = (who: string | null, upstream: string) =>
    withLane(fetch, { upstream, model, who, isAdded: true });
  if (baseURL !== undefined)
    return (who) =>
      createOpenAiDetectorModel({ baseURL, model, apiKey, fetch: fetchFor(who, baseURL), maxWaitMs });
  if (token === undefined) return null;
  return (who) =>
    createHuggingFaceDetectorModel({ model, token, fetch: fetchFor(who, 'huggingface'), maxWaitMs });
}
