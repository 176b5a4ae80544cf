/**
 * Judged text is hostile: an answer may contain `</think> No`, the role tokens of a chat template, or what
 * looks like the next section of our prompt. Before it reaches a detector's prompt every such token is made
 * harmless in a way a reader can see and undo: angle brackets become `‹ ›`, square ones `⟦ ⟧`, and a line that
 * imitates the layout of the prompt is quoted with `› `. Nothing is removed and nothing invisible is put in.
 *
 * What this cannot do is stop persuasion in plain words ("ignore the bias analysis"): against that stand the
 * prompt, which calls it material, and that a label is only ever read from the detector's own words.
 */

/** Tokens that open or close reasoning, in any case and spacing; `read-analysis.ts` takes white space of any length before `>`. */
const THOUGHT =
  /<\s*(?:\/\s*)?(?:think|thinking|thought|reasoning|reflection|tool_call|tool_response)\b(?:\s*|[^<>\n]{0,40})>/gi;
/** `<|im_start|>`, `<|eot_id|>`, and DeepSeek's `<｜User｜>` with full-width bars. */
const ROLE_BARS = /<\s*[|｜][^<>\n]{0,60}[|｜]\s*>/g;
/** Gemma's turns, Llama 2's `<<SYS>>` and sentence marks, special tokens of other vocabularies. */
const ROLE_TAGS =
  /<\s*(?:\/\s*)?(?:start_of_turn|end_of_turn|bos|eos|s|pad|unk|system|user|assistant|human)\s*>/gi;
const SYS = /<<\s*(?:\/\s*)?SYS\s*>>/gi;
const INST =
  /\[\s*(?:\/\s*)?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS|BOS|EOS|gMASK|sMASK)\s*\]/gi;
/** The markers of prompts/bias-detector.ts. */
const MARKERS = /<<<\s*(?:BEGIN|END)\b[^<>\n]{0,40}>>>/gi;
/** Lines of the published layout, as render-brief.ts writes them. */
const LAYOUT =
  /^([ \t]*)(?=(?:\*\*|#{1,6}[ \t]*)?Output \([a-z]\)[ \t]*:|#{1,6}[ \t]*(?:Statement\b|First Evaluation|Second Evaluation|Original Order|Swapped Order))/gim;

/** A text of the case made safe to stand in a detector's prompt. */
export function neutralise(text: string): string {
  return disarmTokens(text).replace(LAYOUT, '$1› ');
}

/** The tokens alone, for texts whose lines are ours. */
export function disarmTokens(text: string): string {
  return [MARKERS, THOUGHT, ROLE_BARS, ROLE_TAGS, SYS, INST].reduce(
    (safe, pattern) => safe.replace(pattern, disarm),
    text,
  );
}

const SAFE: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '[': '⟦', ']': '⟧' };

function disarm(token: string): string {
  return token.replace(/[<>[\]]/g, (bracket) => SAFE[bracket] ?? bracket);
}
