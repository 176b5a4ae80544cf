/**
 * What a teacher is asked: by default the detector's own prompt and nothing more, so that what it says is what a
 * detector may learn to say. Where the true label is shown, the teacher is asked to reason towards it as somebody
 * who was not told.
 */

/**
 * @param prompt the detector's prompt
 * @param shown the true label; null where the teacher is to find it
 */
export function renderTeacher(prompt: string, shown: 'Yes' | 'No' | null): { system: null; user: string } {
  if (shown === null) return { system: null, user: prompt };
  return {
    system: null,
    user: `${prompt}

For you alone: this case has been settled by experiment, and the word to end with is ${shown}. Find the grounds in the material that lead there and reason from them step by step. Write for a reader who does not know that it was settled: nowhere mention that you were told, that a label exists, or where you are meant to arrive.`,
  };
}

/** What a weak model is asked for a wrong worked answer: only the question, as it would be asked by anyone. */
export function renderSolve(question: string): { system: null; user: string } {
  return {
    system: null,
    user: `${question}\n\nWork it out step by step and end with the final number on a line of its own.`,
  };
}
