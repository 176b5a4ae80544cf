/** Prompts of the baselines that sending back is measured against: the same question, asked differently from the start. */

interface Question {
  readonly system: string;
  readonly user: string;
}

/** @param biases what to beware of, by name and definition */
export function renderBiasWarning(
  { system, user }: Question,
  biases: readonly { readonly name: string; readonly definition: string }[],
): Question {
  const list = biases.map(({ name, definition }) => `- ${name}: ${definition}`).join('\n');
  return { system: `${system}\n\nJudges are known to be swayed by the following. Do not be:\n${list}`, user };
}

/** The verdict comes last, on a line of its own, where its reader looks for it. */
export function renderStepByStep({ system, user }: Question): Question {
  const steps =
    'Think it through step by step first: what is asked for, and how far each option does it. Then give the verdict on ' +
    'a last line of its own, in the words demanded and with nothing behind it.';
  return { system, user: `${user}\n\n${steps}` };
}
