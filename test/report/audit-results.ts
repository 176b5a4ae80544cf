/** What `remand audit cues` and `remand audit authors` write of judges with long names and institutions with longer ones. */
import { AUTHOR_DATA } from '../../src/audit/authors/profiles.ts';

const JUDGE = 'an-organisation/a-judge-with-a-name-of-405B';
const interval = { low: 0.2, high: 0.6 };
const share = (value: number) => ({ count: 40 * value, n: 40, share: value, interval });

export const cueAudit = {
  ...{ audit: 'cues', cues: [], place: 'before', failed: 0, disagreements: [] },
  results: ['essays', 'stories'].flatMap((dataset) =>
    [JUDGE, `${JUDGE}-instruct`].map((judge) => ({
      ...{ judge, dataset, verdict: `${judge} on ${dataset}: nothing.`, hierarchies: [] },
      cue_pairs: ['new/old', 'expert/unknown', 'human/unknown'].map((cues) => ({
        ...{ cues: cues.split('/'), first_as_given: share(0.6), first_exchanged: share(0.3) },
        ...{ shift: { value: 0.3, n: 40, interval }, flips: share(0.4), p_holm: 0.01, found: true },
        ...{ acknowledged: share(0.1), unread: 0, failed: 0 },
      })),
    })),
  ),
};

const rates = { pairs: 64, win: 0.5, lose: 0.25, tie: 0.25, mean: 0.1, raised: 3, lowered: 1, unsettled: 0 };
const tested = {
  ...{ ...rates, papers: 12, p: 0.01, p_holm: 0.02, finding: true, win_interval: interval },
  ...{ mean_interval: interval, sign_p: 0.02, rank_biserial: 0.4, equivalence: null },
};
const names = (side: 'strong' | 'weak') => AUTHOR_DATA.institutions[side].map(({ name }) => name);
const cells = names('strong').map(() => names('weak').map(() => rates));

const SIDES = {
  affiliation: ['strong', 'weak'],
  gender: ['male', 'female'],
  seniority: ['senior PI', 'undergraduate'],
  publications: ['100 top-tier papers', 'none'],
};

export const authorAudit = {
  ...{ audit: 'authors', threshold: 6, margin: 0.1, verdicts: [{ judge: JUDGE, verdict: 'It leans.' }] },
  findings: Object.entries(SIDES).map(([dimension, sides]) => ({
    ...{ judge: JUDGE, dimension, hard: tested, soft: tested, reviews: 128, failed: 0, comparisons: 8 },
    ...{ sides, unread: {}, no_soft: {}, missing: { mean: 0, most: 0 }, gap: { win: 0, net: 0 } },
    groups: { all: { hard: rates, soft: rates }, 'field: systems': { hard: rates, soft: rates } },
    heatmap:
      dimension === 'affiliation'
        ? { rows: names('strong'), columns: names('weak'), hard: cells, soft: cells }
        : null,
  })),
};
