/** Texts within JSON strings: what they say, and how they are written there. */

/**
 * @param written between the quotes, escaped so often
 * @returns null where that is no content of a JSON string
 */
export function unescaped(written: string, levels: number): string | null {
  let text = written;
  for (let level = 0; level < levels; level++) {
    try {
      const value: unknown = JSON.parse(`"${text}"`);
      if (typeof value !== 'string') return null;
      text = value;
    } catch (cause) {
      if (cause instanceof SyntaxError) return null;
      throw cause;
    }
  }
  return text;
}

/** @returns undefined where the text is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** The content of a JSON string that says `text`, so many levels deep. */
export function escaped(text: string, levels: number): string {
  let written = text;
  for (let level = 0; level < levels; level++) written = JSON.stringify(written).slice(1, -1);
  return written;
}
