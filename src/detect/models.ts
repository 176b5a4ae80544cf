/** Detector models behind an endpoint, for `rbd` and `panel`: `remand/detector-models`. */

export {
  type Attempts,
  type DetectorModel,
  type DetectorReply,
  meterDetectorModel,
  retryDetectorModel,
} from './rbd/detector-model.ts';
export {
  createHuggingFaceDetectorModel,
  type HuggingFaceDetectorOptions,
} from './rbd/huggingface-model.ts';
export { createOpenAiDetectorModel, type OpenAiDetectorOptions } from './rbd/openai-model.ts';
