/** What the scripted judge needs to know of a wire protocol: which requests are its own, and how it writes a reply. */

/**
 * What a judge says: a text goes out as text, whatever the request demands; an object in the form that the
 * request demands, as the arguments of the forced tool or as JSON text.
 */
export type Said = string | Readonly<Record<string, unknown>>;

export interface Asked {
  /** As on the request line. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Written {
  /** Content type. */
  readonly type: string;
  /** The body in the pieces in which it is sent. */
  readonly pieces: readonly string[];
}

export interface Protocol {
  readonly path: RegExp;
  /** @param calls the usage of one call is written times this */
  write(asked: Asked, said: Said, calls: number): Written;
}

/** The same reply to the same request: the white space is there to be kept. */
export function whole(body: unknown): Written {
  return { type: 'application/json', pieces: [JSON.stringify(body, null, 1)] };
}

export const events = (pieces: readonly string[]): Written => ({ type: 'text/event-stream', pieces });

/** A text as it arrives in a stream. */
export const words = (text: string): string[] => text.split(/(?<=[ :,])/);

/** The name of a tool, of those that a request offers. */
export function nameIn(tool: unknown): string {
  const { name, function: of } = (tool ?? {}) as { name?: string; function?: { name?: string } };
  return name ?? of?.name ?? '';
}
