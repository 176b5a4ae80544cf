/**
 * `Output (a): …`, `Output (b): …` with or without a heading in front: the layout of LLMBar and of the
 * detector data published with arXiv 2505.17100 (verbosity, bandwagon).
 */
import { labelledFindings } from './labelled.ts';
import type { Layout } from './layout.ts';

const LABEL = /^output ?\([a-z]\)$/i;

export const outputLabels: Layout = {
  name: 'output-labels',
  find: (pages, marks) =>
    labelledFindings(pages, marks, (mark) => LABEL.test(mark.label), {
      layout: 'output-labels',
      usual: 'Output ({})',
      evident: true,
    }),
};
