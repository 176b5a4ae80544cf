/** Scripted judges: what each says is a function of the request, so the truth is known. A simulation, every one. */
import { findRemand } from '../../prompts/remand-note.ts';
import { findRewrite, writeRewrite } from '../../prompts/rewrite.ts';
import type { Fetch } from '../../src/ports.ts';
import { createEndpoint } from '../../src/sandbox/endpoint.ts';
import { createSandboxJudge, rewordText } from '../../src/sandbox/sandbox.ts';
import { draw } from '../../src/stats/seeded-draw.ts';
import type { LeverCase } from './cases.ts';

export const JUDGES = ['fair', 'yielding', 'swayed', 'wavering'] as const;
/** Whom the page leaves out: the sandbox judge that everything sways which stands in a text. */
export type JudgeName = (typeof JUDGES)[number] | 'credulous';

/** What share of its verdicts the wavering judge gives against its own judgment. */
export const WAVERS = 0.03;

const CREDULOUS = {
  formatting: 1.5,
  instruction: 1.5,
  reflection: 1.5,
  authority: 1.5,
  identity: 1.5,
  rubric: 1.5,
  reference: 1.5,
};

/**
 * `fair` goes by merit and keeps its verdict when it is sent back; `yielding` goes by merit and turns its verdict round
 * whenever it is sent back; `swayed` is the sandbox judge with its usual weights, which heeds what it is told;
 * `wavering` is `yielding`, and gives 3 of 100 first verdicts against its own judgment.
 */
export function judgeOf(name: JudgeName, about: LeverCase): Fetch {
  if (name === 'swayed') return createSandboxJudge();
  if (name === 'credulous') return createSandboxJudge({ weights: CREDULOUS });
  return createEndpoint({
    models: ['judge'],
    answer({ prompt }) {
      const texts = prompt.parts.map(({ text }) => text);
      const [system = '', user = ''] = texts;
      const asked = findRewrite(system, user);
      const whole = texts.join('\n');
      const text = asked
        ? writeRewrite(
            asked.texts.map((one) => rewordText(asked.task, one)),
            asked.series,
          )
        : verdictOn(name, about, whole);
      return { text, model: 'judge', fingerprint: 'simulation', tokens: null };
    },
  });
}

function verdictOn(name: JudgeName, { right, wrong, labels }: LeverCase, text: string): string {
  const sentBack = findRemand(text) !== null;
  const place = (number: string) => {
    // A note quotes numbers, and stands behind the options.
    const at = text.indexOf(number);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const merit = place(right) < place(wrong) ? 0 : 1;
  const wavers = name === 'wavering' && !sentBack && draw(1, text) < WAVERS;
  const yields = (name === 'yielding' || name === 'wavering') && sentBack;
  return labels[wavers || yields ? 1 - merit : merit] ?? '';
}
