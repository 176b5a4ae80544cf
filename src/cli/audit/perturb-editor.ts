/** The model that edits, and the one that checks its edits, as the catalogue's perturbations ask them. */
import { readYesOrNo } from '../../../prompts/index.ts';
import type { Editor } from '../../bias/index.ts';
import type { Model } from '../../models/index.ts';

/** @param checker null for the rules alone */
export function createEditor(editor: Model, checker: Model | null, attempts: number): Editor {
  return {
    attempts,
    ask: async (question, signal) => (await editor.ask(question, signal)).text,
    // What is neither yes nor no is no yes.
    check:
      checker &&
      (async (question, signal) => readYesOrNo((await checker.ask(question, signal)).text) === true),
  };
}
