/** What the probes showed, in sentences: the reasons with which a case goes back to its judge. */

import {
  type Analysis,
  type Case,
  describeVerdict,
  type Evidence,
  isNone,
  labelsOf,
  type Untested,
  type Verdict,
} from '../case/index.ts';

/** How evidence says that it comes from comparing two orders. */
export const OPPOSITE_ORDER = 'the options were put in the opposite order';

export function concludeAnalysis(
  subject: Case,
  evidence: readonly Evidence[],
  untested: readonly Untested[],
): Analysis {
  const changed = evidence.filter((one) => one.changed);
  const sentences = evidence.map((one) => describe(subject, one));
  const named = untested.filter(({ why }) => why !== 'no-verdict' && why !== 'not-reached');
  if (named.length > 0)
    sentences.push(
      `These cues were not tested: ${named.map(({ bias, seen }) => `${bias} (${seen})`).join('; ')}.`,
    );
  if (evidence.length === 0 && untested.length === 0)
    sentences.push('Nothing in this case speaks for what was decided but its content.');
  return {
    biased: changed.length > 0,
    biases: [...new Set(changed.flatMap((one) => one.biases))],
    reasoning: sentences.join(' '),
    evidence,
    ...(untested.length > 0 && { untested }),
  };
}

/** Said so that it holds for a reader of either order, for the case goes back in both. */
function describe(subject: Case, evidence: Evidence): string {
  const before = inWords(subject, evidence.before);
  const test = `Tested for ${evidence.biases.join(' and ')} (${evidence.undone})`;
  if (isNone(evidence.after)) return `${test}: with that undone, no verdict could be read.`;
  const noise = noiseInWords(subject, evidence);
  if (!evidence.changed && evidence.noise)
    return `${test}: with that undone, the same judge decided for ${inWords(subject, evidence.after)} instead of ${before}, which shows nothing.${noise}`;
  if (!evidence.changed) return `${test}: with that undone, the same judge still decided for ${before}.`;
  if (evidence.undone === OPPOSITE_ORDER) {
    return (
      `Tested for ${evidence.biases.join(' and ')}: of the same options shown in two orders, the same judge decided once for ` +
      `${before} and once for ${inWords(subject, evidence.after)}. The decision did not stay with the same text.${noise}`
    );
  }
  return (
    `${test}: with that undone and everything else as it was, the same judge decided for ` +
    `${inWords(subject, evidence.after)} instead of ${before}. The merits did not change, so the decision did not rest on them alone.${noise}`
  );
}

/** How far the judge moves by itself, as a sentence; empty where it was not looked at. */
function noiseInWords(subject: Case, { noise, changed }: Evidence): string {
  if (!noise) return '';
  if (noise.by === 'spread')
    return ` By the judge's own probabilities, ratings of one case ${changed ? 'seldom differ so much' : 'differ as much by themselves'}.`;
  const again = inWords(subject, noise.repeat);
  if (noise.limit === null) return ` Asked once more with nothing undone, the judge gave ${again}.`;
  return noise.limit === 0
    ? ' Asked once more with nothing undone, the judge decided as before.'
    : ` Asked once more with nothing undone, the judge decided for ${again}: its own repeat moved by ${noise.limit}.`;
}

const inWords = (subject: Case, verdict: Verdict): string => describeVerdict(verdict, labelsOf(subject));
