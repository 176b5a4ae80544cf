/** What the verdict's form is read from. */
export interface FormSource {
  /** The judge's orders: the prompt without instruction, options, statements and delimiters. */
  readonly orders: string;
  /** The options' labels, in order. */
  readonly labels: readonly string[];
  /** What the prompt calls an option. */
  readonly noun: string;
  /** How verdicts are written in this layout where nothing else says so; `{}` stands for the key. */
  readonly usual: string | null;
  /** The reply's JSON schema, as sent; null where there is none. */
  readonly schema: unknown;
}
