/** Detector models behind an endpoint, for `rbd` and `panel`: `remand/detector-models`. */
export {
  createHuggingFaceDetectorModel,
  type HuggingFaceDetectorOptions,
} from './rbd/huggingface.ts';
export { type Attempts, type DetectorModel, type DetectorReply, metered, retrying } from './rbd/model.ts';
export { createOpenAiDetectorModel, type OpenAiDetectorOptions } from './rbd/openai.ts';
