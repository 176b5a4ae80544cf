/**
 * What the corpus must know of a client's evaluator: how it is called, and what its verdict looks like. The prompt is
 * never written down here: it is what the published package sends.
 */
import * as z from 'zod';
import { Kind, Reply, VerdictForm } from '../schema.ts';

/** What a scripted judge says: text, or an object in the form that the request demands. */
export const Said = z.union([z.string(), z.record(z.string(), z.unknown())]);
export type Said = z.infer<typeof Said>;

const Role = z.enum(['instruction', 'option', 'reference', 'rubric', 'context', 'ignored']);

export const Evaluator = z.strictObject({
  /** Name of the template. */
  name: z.string(),
  /** The package. */
  client: z.string(),
  licence: z.string(),
  kind: Kind,
  /** The prompt's own, where it is not English. */
  language: z.string().optional(),
  note: z.string().optional(),
  /** Where the cases come from: names in contents.json. */
  pools: z.array(z.string()).min(1),
  /**
   * The values that the evaluator is called with, by name: `instruction`, `reference`, `rubric`, `statement`,
   * `context`, `context2` (a passage of another case), `option1`, `option2`, … (answers), `user1`, `turn1`, … (a
   * conversation), `drawn` (a nonce that the client draws for each request). Each has its role, and the label that the prompt gives an option.
   */
  keys: z.record(z.string(), z.strictObject({ role: Role, label: z.string().optional() })),
  verdict: VerdictForm,
  /** Replies to the judgment; the client is sent the first. */
  replies: z.array(z.tuple([Said, Reply.shape.verdict])),
  /** A text that only the judgment's request has, where the evaluator sends several requests. */
  has: z.string().optional(),
  /**
   * Where the client draws the labels anew for each case: a pattern whose last match in front of an option's slot holds
   * its label. `{{label1}}` in a reply is the label of the option that stands first in the prompt.
   */
  labels: z.string().optional(),
  /** Replies to the other requests, by a text that they have. `{{key}}` is the value of that name. */
  besides: z.array(z.tuple([z.string(), Said])).optional(),
});
export type Evaluator = z.infer<typeof Evaluator>;

export type Values = Readonly<Record<string, string>>;

export interface Callable {
  readonly evaluator: Evaluator;
  /** @param base URL of the judge, without a path */
  ask(base: string, values: Values): Promise<unknown>;
}

export const KEY = 'sk-not-a-real-key';

/** One answer that is judged. */
export const one = { option1: { role: 'option' } } as const;
export const instruction = { instruction: { role: 'instruction' } } as const;
export const reference = { reference: { role: 'reference' } } as const;
export const rubric = { rubric: { role: 'rubric' } } as const;
export const context = { context: { role: 'context' } } as const;
export const pair = (first: string, second: string) =>
  ({ option1: { role: 'option', label: first }, option2: { role: 'option', label: second } }) as const;

/** The cases of most evaluators, some of them in other languages. */
export const QA = ['en', 'rag', 'de', 'code', 'fr', 'zh'];
export const WITH_CONTEXT = ['rag', 'en', 'sum', 'de', 'essay', 'ja'];
export const QUALITY = ['en', 'essay', 'es', 'nway', 'code', 'ar'];

/** A value that a client must have been called with. */
export function need(values: Values, key: string): string {
  const value = values[key];
  if (value === undefined) throw new Error(`no value for ${key}`);
  return value;
}
