/**
 * What a layout is: a way in which judge prompts set out what is judged. Each layout says what it sees; which
 * of several readings holds, and whether the request is a judgment at all, is decided in `../read.ts`.
 */
import type { Checkpoint } from '../checkpoint.ts';
import type { Case, Option, Span, Standard, TextRange, VerdictForm } from '../types.ts';
import type { FormSource } from '../verdicts/kind.ts';
import type { Title } from './titles.ts';

/** The stretch of one part that a layout may read. */
export interface Page extends TextRange {
  readonly part: number;
  readonly text: string;
}

/** A label at the start of a line (`marks.ts`). */
export interface Mark extends Title {
  readonly page: Page;
  /** The delimiter's own range; the body begins at `end`. */
  readonly start: number;
  readonly end: number;
  /** Sections that belong together are set in one style. */
  readonly style: string;
  /** The title as written, less the byline. */
  readonly label: string;
  /** Who it is by, as the label says. */
  readonly byline?: TextRange;
}

export interface Layout {
  readonly name: string;
  /**
   * @param marks the labels on the pages, in order
   * @param checkpoint called now and then by layouts that look at many small pieces; what it throws ends the reading
   */
  find(pages: readonly Page[], marks: readonly Mark[], checkpoint: Checkpoint): Finding[];
}

/** One reading of a prompt. */
export interface Finding {
  readonly layout: string;
  /** The delimiters, in order. */
  readonly marks: readonly Span[];
  /** Empty where the delimiters do not add up (one twice, one missing): such a prompt is left alone. */
  readonly options: readonly (Pick<Option, 'label' | 'moves' | 'nested'> & {
    readonly at: Span;
  })[];
  /** Whether labels may differ in letter case alone (`m`, `M`). */
  readonly exactCase?: boolean;
  /** One answer to be rated, not several to choose from. */
  readonly single: boolean;
  /** What is judged is several things, and the reply must hold a verdict on each of them. */
  readonly each?: boolean;
  /** JSON schema of the reply as the prompt itself states it. */
  readonly schema?: unknown;
  /** Statements that stand inside what else is handed over. */
  readonly context?: readonly Span[];
  readonly standards?: readonly Pick<Standard, 'of' | 'at'>[];
  readonly instruction: Span | null;
  /** How many JSON strings the instruction stands within. */
  readonly instructionNested?: number;
  /** Whether the instruction stands in its template's slot as it is. Absent in other readings. */
  readonly instructionPlain?: boolean;
  /** Other slots that its template has for the instruction, the likeliest first. */
  readonly asked?: readonly {
    readonly span: Span;
    readonly nested: number;
    readonly isPlain: boolean;
  }[];
  /**
   * Stretches that nothing judged can have ended early or late. Other layouts' delimiters in there are part
   * of what is judged.
   */
  readonly closed: readonly Span[];
  /** Texts of peer review beside the paper that is judged. */
  readonly beside?: readonly { readonly of: 'review' | 'rebuttal'; readonly at: Span }[];
  /** How the verdict is given where this layout knows better than the general reader; null where it does not. */
  readonly formOf?: (source: FormSource) => VerdictForm | null;
  /** How the delimiters are set. */
  readonly style: string;
  /** Whether a label in that same style says where the instruction begins. */
  readonly labelled: boolean;
  /** What the prompt calls an option: `output`, `response`. */
  readonly noun: string;
  /** How this layout's verdicts are written where the request does not say; `{}` stands for the label's key. */
  readonly usual: string | null;
  /** Whether the delimiters alone show a judgment. Otherwise the prompt has to ask for one. */
  readonly evident: boolean;
  /** Where a note to the judge goes, if the layout knows. */
  readonly note?: Case['noteAt'];
  /** Where the judged material ends. */
  readonly after: { readonly part: number; readonly offset: number };
}
