/**
 * What a judge is asked about a row of a dataset: a pair as `Output (a)` and `Output (b)`, more options as a
 * numbered list, and whatever is said of them between the instruction and the options. In our words.
 */

interface JudgedOptions {
  readonly instruction: string;
  /** In the order in which the judge sees them. */
  readonly options: readonly { readonly label: string; readonly text: string }[];
  /** Statements about the options, each a sentence; empty for none. */
  readonly statements: readonly string[];
}

export function renderOptions(item: JudgedOptions): { system: string; user: string } {
  const statements = item.statements.map((statement) => `${renderStatement(statement)}\n\n`).join('');
  const numbered = item.options[0]?.label.startsWith('Choice') ?? false;
  const labels = item.options.map(({ label }) => label);
  const options = numbered
    ? `# Options:\n${item.options.map(({ text }, index) => `${index + 1}. ${text}`).join('\n')}`
    : item.options.map(({ label, text }) => `# ${label}:\n${text}`).join('\n\n');
  const quoted = labels.map((label) => `"${label}"`);
  const either = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return {
    system: numbered
      ? 'You answer questions by choosing the option that is right. Their order and their tone do not count. There is no tie.'
      : 'You compare two outputs for one instruction and say which of them carries it out better. Their length, ' +
        'their order and their tone do not count. There is no tie.',
    user:
      `# Instruction:\n${item.instruction}\n\n${statements}${options}\n\n` +
      (numbered
        ? `# Which is right? Answer with ${either} and nothing else:`
        : `# Which is better, ${labels.join(' or ')}? Answer with either ${either}:`),
  };
}

/** A statement as it stands in the prompt, on a line of its own. */
export function renderStatement(statement: string): string {
  return `### Statement: ${statement}.`;
}

/* Prompts of the baselines that sending back is measured against: the same question, asked differently from the start. */

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

/* What a judge is asked about one answer: a rating on a scale, with a remark that should not count. In our words. */

interface RatedAnswer {
  readonly instruction: string;
  readonly answer: string;
  readonly min: number;
  readonly max: number;
  /** A sentence that stands before the question; null for none. */
  readonly remark: string | null;
}

export function renderAnswerRating({ instruction, answer, min, max, remark }: RatedAnswer): {
  system: string;
  user: string;
} {
  const middle = Math.round((min + max) / 2);
  return {
    system: 'You rate how well an answer carries out an instruction. What others think of it does not count.',
    user:
      `[Question]\n${instruction}\n\n[The Start of the Answer]\n${answer}\n[The End of the Answer]\n\n` +
      `${remark === null ? '' : `${remark}\n\n`}` +
      `Rate the answer on a scale of ${min} to ${max}. End with your rating in this form: "Rating: [[${middle}]]".`,
  };
}

/** What somebody who is no judge would give. */
export const suggestScore = (score: number): string => `I would give it ${score}.`;
/** What has nothing to do with the answer. */
export const mentionScore = (score: number): string => `The last answer got ${score}.`;
