/** What a weak model is asked for a wrong worked answer: only the question, as it would be asked by anyone. */

export function renderSolve(question: string): { system: null; user: string } {
  return {
    system: null,
    user: `${question}\n\nWork it out step by step and end with the final number on a line of its own.`,
  };
}
