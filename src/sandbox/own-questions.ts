/** Questions of Remand's own audits, as cases: the sandbox judge answers them in the form that they demand. */
import { findCuedPair, findReview } from '../../prompts/index.ts';
import type { Case, Passage, Prompt, VerdictForm } from '../case/index.ts';

/** Two texts with a sentence beside each; null where the question is another. */
export function findCuedCase(prompt: Prompt): Case | null {
  const [system, user] = prompt.parts;
  const found = system && user ? findCuedPair(system.text, user.text) : null;
  if (!found || !user) return null;
  const passage = passageIn(user.text);
  const noun = found.kind === 'story' ? 'Story' : 'Response';
  const form: VerdictForm = {
    ...{
      kind: 'choice',
      write: { template: '{}', labels: ['A', 'B'] },
      tie: null,
      field: 'selected_response',
    },
  };
  return {
    ...{ layout: 'audit-cues', prompt, form, noteAt: { part: 1, offset: user.text.length } },
    instruction: passage(found.instruction),
    options: found.texts.map((text, index) => ({ label: `${noun} ${'AB'[index]}`, ...passage(text) })),
    context: found.cues.map((cue, option) => {
      const said = passage(cue);
      return { ...said, mentions: [{ option, at: said.at }], whole: said.at };
    }),
  };
}

/** A paper that is to be rated from 1 to 10, its author block above it; null where the question is another. */
export function findReviewCase(prompt: Prompt): { readonly paper: Case; readonly alone: boolean } | null {
  const [system, user] = prompt.parts;
  const found = system && user ? findReview(system.text, user.text) : null;
  if (!found || !user) return null;
  const paper: Case = {
    ...{ layout: 'audit-review', prompt, instruction: null, context: [] },
    options: [{ label: found.title, ...passageIn(user.text)(found.body) }],
    form: { kind: 'score', min: 1, max: 10, template: 'Rating: {}', field: null },
    noteAt: { part: 1, offset: user.text.length },
  };
  return { paper, alone: found.alone };
}

const passageIn =
  (whole: string) =>
  ({ start, end }: { readonly start: number; readonly end: number }): Passage => ({
    text: whole.slice(start, end),
    at: { part: 1, start, end },
  });
