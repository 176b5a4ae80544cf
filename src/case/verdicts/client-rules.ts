/**
 * Which label a known client's parser takes where a reply holds several, told by the words of its template.
 * Where the template is not known, a reply with several different labels is no verdict.
 */
import type { LabelRule, Spelling } from '../types.ts';

/** @param template how the label is written, with `{}` where it stands */
export function ruleFor(orders: string, template: string, labels: readonly string[]): LabelRule | null {
  if (labels.some((label) => /[<>]/.test(label)))
    // arena-hard takes the last; JudgeBench, with the same words, takes none where they differ.
    return /My final verdict is tie: \[\[\w+=\w+\]\]/.test(orders) ? 'last' : 'unique';
  // LangChain in JavaScript: the last line, which may hold nothing else.
  if (template === '[[{}]]' && /\brepeat the decision again on its own on a new line\b/i.test(orders))
    return 'end';
  const impartial = /\bimpartial judge\b/i.exec(orders)?.index;
  if (
    template === '[[{}]]' &&
    impartial !== undefined &&
    /\bstrictly following this format: ["“']\[\[/i.test(orders.slice(impartial))
  )
    // FastChat, RewardBench: `"[[A]]" in reply` first. LangChain took the template over and parses the first
    // label in Python, the last line in JavaScript; it names its criteria.
    return /\byou should primarily consider the following criteria\b/i.test(orders) ? 'unique' : 'priority';
  // alpaca_eval's `m` or `M` as the last character; read in any other way they are the same.
  if (labels.length > new Set(labels.map((label) => label.toLowerCase())).size) return 'end';
  // prometheus: nothing may follow.
  if (template === '[RESULT] {}' && /###\s*Task Description/i.test(orders)) return 'end';
  // openai/evals reads the lines from the end where reasons come first, else from the beginning.
  if (
    labels.includes('Yes') ||
    (template === '{}' && /\bprint(?:ing)? (?:only )?a single choice from\b/i.test(orders))
  )
    return /\brepeat just the answer by itself on a new line\b/i.test(orders) ? 'last' : 'unique';
  // promptfoo's select-best: the first number, whatever it counts.
  if (template === '{}' && /\byou must output a single integer\b/i.test(orders)) return 'first';
  return null;
}

/** The same for a label in a field of JSON, which is whole as it stands. */
export function fieldRuleFor(orders: string): LabelRule | null {
  // DeepEval's ArenaGEval looks the name up as it is written, without the `$` of its reasons.
  return /\bexact contestant name\b/i.test(orders) ? 'unique' : null;
}

/** Words by which known clients let an answer pass; the first label does. Null where the client is not known. */
export function passSpelling(orders: string): Spelling | null {
  // inspect_ai: `(?i)GRADE\s*:\s*([CPI])(.*)$`.
  if (/\bGRADE: ?\$LETTER\b/.test(orders)) return { template: 'GRADE: {}', labels: ['C', 'I'], rule: 'last' };
  // LangChain's criteria and promptfoo's closed QA look at the end of the reply.
  if (/\bprint (?:only )?the single character ["“']?Y["”']? or ["“']?N\b/i.test(orders))
    return { template: '{}', labels: ['Y', 'N'], rule: 'end' };
  return null;
}
