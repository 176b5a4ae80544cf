/** Detector models behind an endpoint, for `rbd` and `panel`: `remand/detector-models`. */

export {
  type Attempts,
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  type DetectorModel,
  type DetectorReply,
  type HuggingFaceDetectorOptions,
  meterDetectorModel,
  type OpenAiDetectorOptions,
  retryDetectorModel,
} from './rbd/detector-model.ts';
