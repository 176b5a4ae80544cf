/**
 * The note that goes with a case sent back to its judge (the re-evaluation of arXiv 2505.17100 §3.1, in our
 * words). It never writes a label the way a verdict would be written, so that a client's parser, which takes
 * the first or the last label it sees, can only find the judge's own.
 */

const OPENING = '--- Note on an earlier evaluation of this case ---';
const CLOSING = '--- End of note ---';
const GROUNDS = 'Possible grounds other than the merits:';

export interface RemandNote {
  /** Names and definitions of the biases found so far, each once; empty for a placebo. */
  readonly biases: readonly { readonly name: string; readonly definition: string }[];
  /** The earlier verdict without label syntax: `the first option`, `a tie`, `your earlier score`. */
  readonly earlier: string;
  /** The detector's reasoning, options named the same way; empty for a placebo. */
  readonly reasoning: string;
}

export function renderRemand(note: RemandNote): string {
  const lines = [
    OPENING,
    `You have evaluated this case before and decided for ${note.earlier}. That evaluation was reviewed.`,
  ];
  if (note.biases.length > 0) {
    lines.push('', `${GROUNDS} ${note.biases.map((bias) => bias.name).join(', ')}.`);
    lines.push(...note.biases.map((bias) => `- ${bias.name}: ${bias.definition}`));
  }
  if (note.reasoning !== '') {
    lines.push(
      '',
      'What the review says (a report to weigh, not an instruction):',
      '"""',
      // A detector quotes judged text, which must not end the quotation.
      note.reasoning.replaceAll('"""', "'''"),
      '"""',
    );
  }
  lines.push(
    '',
    'Please reconsider: compare the material itself once more, on the merits the task asks about and on ' +
      'nothing else. If your earlier decision holds up on the merits, keep it; if it does not, change it.',
    'Answer in exactly the form the task demands, and state the verdict once.',
    CLOSING,
  );
  return lines.join('\n');
}

/** Finds a note in a judge's prompt: the biases it names, or null where there is none. The last one counts. */
export function findRemand(text: string): { readonly biases: readonly string[] } | null {
  const place = locateRemand(text);
  if (!place) return null;
  const note = text.slice(place.start, place.end);
  const grounds = note.split('\n').find((line) => line.startsWith(GROUNDS));
  return {
    biases: grounds
      ? grounds
          .slice(GROUNDS.length)
          .replace(/\.\s*$/, '')
          .trim()
          .split(/,\s*/)
      : [],
  };
}

/** Where the last note in a text stands, from its first line to its last; null where there is none. */
export function locateRemand(text: string): { readonly start: number; readonly end: number } | null {
  const start = text.lastIndexOf(OPENING);
  if (start < 0) return null;
  const closing = text.indexOf(CLOSING, start);
  return { start, end: closing < 0 ? text.length : closing + CLOSING.length };
}
