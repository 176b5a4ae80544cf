/**
 * Reads a detector's answer: `<think> reasoning </think> Yes` (arXiv 2505.17100 §3.2) and what real models make
 * of it. Only what follows the detector's own last `</think>` is the label. What is cut off, says neither, or
 * says both is an UnreadableAnalysisError: never a No.
 */
import { UnreadableAnalysisError, type UnreadableReason } from '../../http/index.ts';
import type { DetectorReply } from './detector-model.ts';
import { readRbdLabel } from './rbd-label.ts';

/** A detector's answer as read. */
export interface RbdAnalysis {
  readonly biased: boolean;
  readonly reasoning: string;
  /** What stood where the label was looked for; biases may be named there. */
  readonly said: string;
}

const OPEN = /<\s*think(?:ing)?\s*>/i;
const CLOSE = /<\s*\/\s*think(?:ing)?\s*>/gi;
/** Finish reasons of OpenAI-compatible endpoints, TGI and Anthropic that mean the text just stops. */
const CUT_OFF = /^(?:length|max_tokens|max_output_tokens|max_length)$/i;
const STRAY_TAGS = /<\s*(?:\/\s*)?think(?:ing)?\s*>/gi;

/** @throws UnreadableAnalysisError saying what is wrong with the output, with its end quoted */
export function readRbdAnalysis(reply: Pick<DetectorReply, 'reasoning' | 'content' | 'finish'>): RbdAnalysis {
  const { reasoning, content, finish } = reply;
  if (finish !== null && CUT_OFF.test(finish))
    throw unreadable('was cut off at the token limit', content, 'cut-off');
  if (/^content_filter$/i.test(finish ?? ''))
    throw unreadable('was stopped by a content filter', content, 'filtered');

  const closing = [...content.matchAll(CLOSE)].at(-1);
  if (!closing && OPEN.test(content)) throw unreadable('ends inside its reasoning', content, 'cut-off');
  const said = closing ? content.slice(closing.index + closing[0].length) : content;
  const inline = closing ? content.slice(0, closing.index) : '';

  const label = readRbdLabel(said);
  if (label === 'none') throw unreadable('gives no label', said, 'no-label');
  if (label === 'both') throw unreadable('says both Yes and No', said, 'both-labels');
  const thoughts = [reasoning ?? '', inline].map((text) => text.replace(STRAY_TAGS, '').trim());
  const told = thoughts.filter((text) => text !== '').join('\n\n');
  return { biased: label === 'Yes', reasoning: told === '' ? said.trim() : told, said };
}

function unreadable(what: string, text: string, why: UnreadableReason): UnreadableAnalysisError {
  const end = text.trim().slice(-80).replace(/\s+/g, ' ');
  return new UnreadableAnalysisError(
    `the detector's answer ${what}: ${end === '' ? '(empty)' : `"…${end}"`}`,
    why,
  );
}
