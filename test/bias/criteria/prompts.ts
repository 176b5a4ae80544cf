/**
 * What judges are told, as people write it: prompts that ask for what a bias goes by, that tell the judge to ignore it, that only
 * mention it, or that do not name it. A language model wrote 190 of them before the rule that reads them, and
 * 52 after it, in unusual words. Every second one of each kind is
 * closed: whoever works on the rule sees how many are read wrongly and not which.
 */
import { CATALOGUE } from '../../../src/bias/index.ts';
import type { Case, Passage } from '../../../src/case/index.ts';
import CLOSED from './closed.json' with { type: 'json' };
import OPEN from './open.json' with { type: 'json' };

interface JudgePrompt {
  readonly language: string;
  /** Names of biases whose cues a judge that is told this is right to go by. */
  readonly asked?: readonly string[];
  readonly ignored?: readonly string[];
  readonly mentioned?: readonly string[];
  /** Left out of the count. */
  readonly unclear?: readonly string[];
  readonly system?: string;
  /** With `{q}` for the task, `{a}` and `{b}` for answers, and a rubric in `<<` and `>>`. */
  readonly user: string;
}

export const HALVES: Readonly<Record<'open' | 'closed', readonly JudgePrompt[]>> = {
  open: OPEN,
  closed: CLOSED,
};

const TEXTS = { q: 'What is 17*23?', a: '17*23 is 391.', b: '17*23 is 381.' };

/** A prompt as a case, read as a reader of templates would. */
export function caseOfPrompt({ system, user }: JudgePrompt): Case {
  const part = system === undefined ? 0 : 1;
  const found: Record<'q' | 'a' | 'b' | 'rubric', Passage[]> = { q: [], a: [], b: [], rubric: [] };
  let text = '';
  for (const piece of user.split(/(\{[qab]\}|<<[^>]*>>)/)) {
    const name = /^\{[qab]\}$/.test(piece) ? (piece.charAt(1) as 'q' | 'a' | 'b') : null;
    const rubric = piece.startsWith('<<');
    const said = name ? TEXTS[name] : rubric ? piece.slice(2, -2) : piece;
    const at = { part, start: text.length, end: text.length + said.length };
    if (name || rubric) found[name ?? 'rubric'].push({ text: said, at });
    text += said;
  }
  return {
    layout: 'test',
    prompt: {
      parts: [...(system === undefined ? [] : [{ role: 'system', text: system }]), { role: 'user', text }],
    },
    instruction: found.q[0] ?? null,
    options: [...found.a, ...found.b].map((option, index) => ({ ...option, label: 'AB'.charAt(index) })),
    context: [],
    standards: found.rubric.map((one) => ({ ...one, of: 'rubric' })),
    form: { kind: 'pass', field: null },
    noteAt: { part, offset: text.length },
  };
}

/** The biases whose cues a case can ask for. */
export const WITH_TRAIT = CATALOGUE.flatMap(({ name, trait }) => (trait ? [{ name, trait }] : []));
