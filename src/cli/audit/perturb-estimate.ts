/** What an audit of perturbations would ask at most, before anything is asked. */
import { type ReviewMode, type ReviewRole, renderPeerReview } from '../../../prompts/index.ts';
import { explainUnfit, isShownTo } from '../../audit/node.ts';
import { findPaperSections, type Perturbation, type Submission } from '../../bias/index.ts';

interface PerturbEstimate {
  readonly submissions: number;
  readonly judgments: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface PerturbWorkload {
  readonly roles: readonly ReviewRole[];
  readonly modes: readonly ReviewMode[];
  readonly perturbations: readonly Perturbation[];
  readonly judges: number;
  readonly attempts: number;
  readonly checked: boolean;
}

/** Characters of English text for each token: a rule of thumb, for an estimate. */
const CHARACTERS = 4;
/** Of a review's or a meta-review's output. */
const OUTPUT = 300;
/** False claims, each checked by itself. */
const CLAIMS = 9;

export async function estimatePerturb(
  submissions: AsyncIterable<Submission>,
  { roles, modes, perturbations, judges, attempts, checked }: PerturbWorkload,
): Promise<PerturbEstimate> {
  const sum = { submissions: 0, judgments: 0, calls: 0, input: 0, output: 0 };
  for await (const submission of submissions) {
    sum.submissions++;
    for (const role of roles) {
      const shown = perturbations.filter(({ name }) => isShownTo(role, name, perturbations)).length;
      if (shown === 0 || explainUnfit(submission, role) !== null) continue;
      for (const mode of modes) {
        const { system, user } = renderPeerReview(role, mode, submission);
        sum.judgments += (shown + 1) * judges;
        sum.input += (system.length + user.length) * (shown + 1) * judges;
      }
    }
    for (const { by, name, part } of perturbations) {
      if (by === 'rule') continue;
      const texts = textsOf(submission, part, name);
      const checks = checked ? (name === 'review-facts' ? CLAIMS : texts.count) : 0;
      sum.calls += attempts * (texts.count + checks);
      sum.input += attempts * texts.characters * (checked ? 3 : 1);
      sum.output += attempts * texts.characters;
    }
  }
  return {
    ...{ submissions: sum.submissions, judgments: sum.judgments, calls: sum.calls + sum.judgments },
    input_tokens: Math.ceil(sum.input / CHARACTERS),
    output_tokens: Math.ceil(sum.output / CHARACTERS) + sum.judgments * OUTPUT,
  };
}

/** Texts that an editor is asked for, and their length together. */
function textsOf({ paper, reviews, rebuttals }: Submission, part: Perturbation['part'], name: string) {
  if (name === 'review-facts') return { count: 1, characters: paper.length };
  if (part === 'paper') return { count: findPaperSections(paper).length, characters: paper.length };
  const texts = part === 'review' ? reviews : rebuttals;
  return { count: texts.length, characters: texts.reduce((sum, { text }) => sum + text.length, 0) };
}
