/**
 * Asking judges: each pair of texts with two cues beside them, and once more with the cues exchanged and all else as
 * it was (arXiv 2509.26072).
 */
import * as z from 'zod';
import {
  type CuePlace,
  LETTERS,
  readCuedVerdict,
  readYesOrNo,
  renderCueCheck,
  renderCuedPair,
  TEXT_KINDS,
} from '../../../prompts/index.ts';
import { splitAtStops } from '../../case/index.ts';
import { type Model, type ModelQuestion, settleAll } from '../../models/index.ts';
import type { CuePair } from './cue-pairs.ts';

// Whether a judge's reason names a cue as a ground of its verdict, by rule: a sentence of it uses the cue's words,
// they are not words of the texts that were judged, and it is not said that they do not count.

/** "regardless of its source", "the date was not considered". */
const DENIED =
  /\b(?:regardless|irrespective|setting aside|leaving aside|independent(?:ly)? of|without (?:regard|considering)|ignor(?:e|ed|es|ing)|disregard\w*|irrelevant)\b|(?:\bnot|n['’]t) (?:be |been |being |a |the |taken |play |based |rest |rely )?(?:on )?(?:influenc|affect|matter|consider|account|into account|factor|count|weigh|relevant|role|basis|swa|its |their |who )/i;

/**
 * @param texts all that the judge saw besides the cues: a year or an expert that an answer speaks of is its content
 */
export function namesCue(reason: string, cues: CuePair, texts: readonly string[]): boolean {
  const phrases = [...new Set(cues.flatMap(({ named }) => named))].filter(
    (phrase) => !texts.some((text) => saying(phrase).test(text)),
  );
  return splitAtStops(reason)
    .flatMap((sentence) => sentence.split('; '))
    .some((sentence) => !DENIED.test(sentence) && phrases.some((phrase) => saying(phrase).test(sentence)));
}

function saying(phrase: string): RegExp {
  const words = phrase.trim().split(/\s+/).map(RegExp.escape).join('\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'iu');
}

/** Two texts for one instruction, in the order in which judges see them. */
export const auditPair = z.object({
  id: z.string(),
  /** Reports tell datasets apart by it. */
  dataset: z.string(),
  instruction: z.string(),
  texts: z.tuple([z.string(), z.string()]).readonly(),
  kind: z.enum(TEXT_KINDS),
});
export type AuditPair = Readonly<z.output<typeof auditPair>>;

const said = z.object({
  /** The judge's reply, as it came. */
  text: z.string(),
  /** Null where no verdict could be read. */
  selected: z.enum(['first', 'second']).nullable(),
  reason: z.string().nullable(),
  /** Why no verdict could be read; null where one was. */
  unread: z.string().nullable(),
  /** Whether the reason names the cue as a ground, by rule; null where there is no reason. */
  named: z.boolean().nullable(),
  /** The same by the checker; null where none was asked or its answer could not be read. */
  checked: z.boolean().nullable(),
});
export type CuedReply = z.output<typeof said>;

/** What one judge made of one pair of texts under one pair of cues. */
export const cueRecord = z.object({
  id: z.string(),
  dataset: z.string(),
  judge: z.string(),
  /** Names: with `as_given`, the first of them stood beside the first text. */
  cues: z.tuple([z.string(), z.string()]),
  as_given: said.nullable(),
  exchanged: said.nullable(),
  /** What went wrong, in words; null where nothing did. */
  error: z.string().nullable(),
});
export type CueRecord = z.output<typeof cueRecord>;

/** How all pairs are asked. */
interface CueAsking {
  readonly place: CuePlace;
  /** Says of each reason whether it names a cue; null for the rule alone. */
  readonly checker: Model | null;
}

/** One pair of texts for one judge under one pair of cues: two calls, and as many of a checker. */
interface CueTask {
  readonly pair: AuditPair;
  readonly judge: Model;
  readonly cues: CuePair;
}

/** Both ways round. Rejects as the models do. */
export async function askCues(task: CueTask, asking: CueAsking, signal: AbortSignal): Promise<CueRecord> {
  const { cues } = task;
  const [as_given, exchanged] = await settleAll([
    decide(task, cues, asking, signal),
    decide(task, [cues[1], cues[0]], asking, signal),
  ]);
  return { ...headOf(task), as_given, exchanged, error: null };
}

export function createFailedCues(task: CueTask, { message }: Error): CueRecord {
  return { ...headOf(task), as_given: null, exchanged: null, error: message };
}

function headOf({ pair, judge, cues }: CueTask) {
  const names: [string, string] = [cues[0].name, cues[1].name];
  return { id: pair.id, dataset: pair.dataset, judge: judge.name, cues: names };
}

export function createCueQuestion(pair: AuditPair, cues: CuePair, place: CuePlace): ModelQuestion {
  const { instruction, texts, kind } = pair;
  return renderCuedPair({ instruction, texts, cues: [cues[0].wording, cues[1].wording], kind, place });
}

async function decide(
  { pair, judge }: CueTask,
  cues: CuePair,
  asking: CueAsking,
  signal: AbortSignal,
): Promise<CuedReply> {
  const { text } = await judge.ask(createCueQuestion(pair, cues, asking.place), signal);
  const { selected, reason, unread } = readCuedVerdict(text);
  if (reason === null) return { text, selected, reason, unread, named: null, checked: null };
  const named = namesCue(reason, cues, [pair.instruction, ...pair.texts]);
  const checked = asking.checker && (await check(asking.checker, cues, reason, signal));
  return { text, selected, reason, unread, named, checked };
}

async function check(
  checker: Model,
  cues: CuePair,
  reason: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const notes = cues.map(({ wording }, index) => wording.replaceAll('{text}', `Text ${LETTERS[index]}`));
  const { text } = await checker.ask(renderCueCheck(notes, reason), signal);
  return readYesOrNo(text);
}
