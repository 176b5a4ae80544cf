/**
 * What a judge is asked about a row of a dataset: a pair as `Output (a)` and `Output (b)`, more options as a
 * numbered list, and whatever is said of them between the instruction and the options. In our words.
 */
export interface JudgedOptions {
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
