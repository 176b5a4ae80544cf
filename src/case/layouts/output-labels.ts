/**
 * `Output (a): …`, `Output (b): …` with or without a heading in front: the layout of LLMBar and of the
 * detector data published with arXiv 2505.17100 (verbosity, bandwagon).
 */
import { families, labelledFindings } from './labelled.ts';
import type { Layout, Mark } from './layout.ts';

const LABEL = /^output ?\([a-z]\)$/i;

export const isOutputLabel = ({ noun, label }: Mark): boolean => noun === 'output' && LABEL.test(label);

export const outputLabels: Layout = {
  name: 'output-labels',
  find: (pages, marks) =>
    labelledFindings(pages, families(marks.filter(isOutputLabel)), marks, {
      layout: 'output-labels',
      usual: 'Output ({})',
      evident: true,
    }),
};
