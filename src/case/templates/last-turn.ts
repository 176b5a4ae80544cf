/**
 * A judge that gets its earlier judgments with each request: a user turn, its reply, the next user turn, as examples or as a history
 * that grows. Every user turn is written with one template, and what is judged stands in the last one.
 */
import type { Checkpoint } from '../checkpoint.ts';
import { isModels } from '../own-text.ts';
import type { Case, Prompt, PromptPart } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import { LEAST_TELLING, piecesOf, sharedBy } from './one-prompt.ts';
import { isSameCase, lettersIn } from './pipeline.ts';

export interface LastTurn {
  /** What stands in front of all turns, and the last user turn: the request as it would come without the earlier ones. */
  readonly prompt: Prompt;
  /** The case as it stands in the whole request. */
  readonly inWhole: (subject: Case) => Case;
  /** Whether an earlier turn holds its texts, as where one case is judged by several criteria: they would have to be exchanged there, too. */
  readonly isJudgedBefore: (subject: Case) => boolean;
  /** Whether an earlier turn was answered with a verdict. Where none was, all of them are turns of one case, and what each option says stands in all. */
  readonly wereJudged: (subject: Case) => boolean;
}

/**
 * Takes time linear in the prompt.
 *
 * @returns null where the request has no earlier turns, one of them does not begin as the last one does and share its words, or one
 *   is the same case: its texts would have to be exchanged, too
 */
export function lastTurnOf({ parts }: Prompt, checkpoint: Checkpoint): LastTurn | null {
  const head = parts.findIndex(({ role }) => role === 'user');
  const [last, ...earlier] = userTurns(parts.slice(Math.max(0, head))).toReversed();
  if (!last || earlier.length === 0 || isModels(parts.at(-1)?.role ?? '')) return null;
  const own = piecesOf({ parts: last });
  const [first = ''] = own.keys();
  const isAlike = (turn: readonly PromptPart[]) => {
    checkpoint();
    const pieces = piecesOf({ parts: turn });
    return (
      turn.length === last.length &&
      pieces.has(first) &&
      sharedBy(pieces, own) >= LEAST_TELLING &&
      !isSameCase({ parts: turn }, { parts: last })
    );
  };
  if (!earlier.every(isAlike)) return null;
  const from = parts.length - last.length;
  const whole = parts.map((part, n) => (n < head || n >= from ? part : { ...part, earlier: true as const }));
  return {
    prompt: { parts: [...parts.slice(0, head), ...last] },
    isJudgedBefore({ options, instruction }) {
      const texts = [...options, ...(instruction ? [instruction] : [])].map(({ text }) => text.trim());
      // A line of an earlier answer may hold short ones by chance, or on purpose.
      if (lettersIn(texts.join('')) < LEAST_TELLING) return false;
      return earlier.some((turn) => {
        checkpoint();
        const said = turn.map(({ text }) => text).join('\n');
        return texts.every((text) => said.includes(text));
      });
    },
    wereJudged: ({ form, options }) =>
      parts
        .slice(head, from)
        .some(({ role, text }) => isModels(role) && readVerdict(text, form, options).kind !== 'none'),
    inWhole: ({ prompt: _, ...subject }) => ({
      ...moved(subject, (part) => (part < head ? part : part + from - head)),
      prompt: { parts: whole },
    }),
  };
}

/** The messages of the user between those of the model; none where others stand among them. */
function userTurns(parts: readonly PromptPart[]): readonly (readonly PromptPart[])[] {
  const turns: PromptPart[][] = [];
  for (const [n, part] of parts.entries()) {
    if (isModels(part.role)) continue;
    if (part.role !== 'user') return [];
    if (n === 0 || isModels(parts[n - 1]?.role ?? '')) turns.push([]);
    turns.at(-1)?.push(part);
  }
  return turns;
}

/** A value with every place in it in another part. */
function moved<T>(value: T, partOf: (part: number) => number): T;
function moved(value: unknown, partOf: (part: number) => number): unknown {
  if (Array.isArray(value)) return value.map((one) => moved(one, partOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'part' && typeof one === 'number' ? partOf(one) : moved(one, partOf),
    ]),
  );
}
