/** Reading prompts in process: by the templates that were given or learned, as the proxy reads requests. */
import {
  createTemplateBook,
  createTemplateShelf,
  finished,
  isNone,
  type LearnMode,
  type ReadableRequest,
  type Recognition,
  recogniseByTemplates,
  type Template,
  unlimited,
  type Verdict,
} from '../case/index.ts';
import { InputError } from '../errors.ts';

/** A prompt as it was read, once it has been learned from. */
export interface PromptReading {
  readonly found: Recognition | Unread;
  /** Tells the prompt's template what the judge replied first; the verdict is null where none was looked for. */
  readonly hear: (text: string, verdict: Verdict | null) => void;
}

interface Unread {
  readonly subject: null;
  readonly reason: 'reader-failed';
  readonly security: readonly [];
}

/** @throws InputError where a declared case does not stand in the prompt */
export type PromptReader = (request: ReadableRequest) => PromptReading;

/** Templates kept: one process may run all evaluators of a company through one judge. */
const MOST_TEMPLATES = 200;

/** @param templates those that act at once */
export function createPromptReader(templates: readonly Template[], learn: LearnMode): PromptReader {
  let made = 0;
  const book = createTemplateBook({
    templates,
    learn,
    id: () => `learned-${++made}`,
    shelf: createTemplateShelf({ mostOfOneOrigin: MOST_TEMPLATES }),
  });
  return (request) => {
    try {
      const { found, template, learn } = recogniseByTemplates(book, request, { tenant: null, path: '' });
      const pipeline = finished(learn(unlimited)) ?? template;
      return {
        found,
        hear(text, verdict) {
          // Where it was read without a template, it says nothing of how well a template reads.
          const read = template === null || verdict === null ? null : !isNone(verdict);
          if (pipeline !== null) book.replied(pipeline, { text, read });
        },
      };
    } catch (error) {
      if (error instanceof InputError) throw error;
      const found = { subject: null, reason: 'reader-failed', security: [] } as const;
      return { found, hear: () => undefined };
    }
  };
}
