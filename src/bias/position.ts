/** Position: the verdict follows the place where an answer stands. Undone by putting the answers in the opposite order. */
import { reversed } from '../case/index.ts';
import { reorderDraft } from './draft.ts';
import type { Bias } from './types.ts';

export const position: Bias = {
  name: 'position',
  definition:
    'The choice depends on where an answer stands (first or last) rather than on what it says, so it ' +
    'changes when the same answers are shown in another order.',
  expectation: 'invariant',
  bothOrders: true,

  spot(subject) {
    const count = subject.options.length;
    if (count < 2) return [];
    return [{ bias: 'position', favours: 'any', seen: `${count} options stand in a fixed order` }];
  },

  async undo(subject) {
    return reversed(subject);
  },

  /** D shows one order, D_bias the other; there is no wrong side to it. */
  async inject(draft) {
    return reorderDraft(draft, draft.options.map((_, index) => index).reverse());
  },
};
