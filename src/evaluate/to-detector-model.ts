/** A model of an offline run as the model behind a detector: through the call store, within the budget. */
import type { DetectorModel } from '../detect/index.ts';
import type { Model } from '../models/index.ts';

export function toDetectorModel(model: Model): DetectorModel {
  return {
    name: model.name,
    async complete(prompt, signal) {
      const { text, reasoning, finish, tokens } = await model.ask({ system: null, user: prompt }, signal);
      return { content: text, reasoning, finish, tokens };
    },
  };
}
