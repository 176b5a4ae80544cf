/** What is said of an option beside its content (who wrote it, when, and who that is), as numbers to be weighed. */
import {
  findAuthorBlock,
  groupRemarks,
  PROVENANCE_REMARK,
  RECENCY_REMARK,
  splitRemark,
} from '../bias/index.ts';
import type { Case } from '../case/index.ts';

/** Kinds of author by standing; the first whose words are found. */
const KINDS = [
  { kind: 'expert', words: /\bexperts?\b/i },
  { kind: 'llm', words: /\b(?:LLMs?|AI|language models?|artificial|machine|chatbot|model|ChatGPT|GPT)\b/i },
  { kind: 'human', words: /\bhumans?\b/i },
  { kind: 'unknown', words: /\b(?:unknown|unidentified|unverified|anonymous)\b/i },
] as const;
export type SourceKind = (typeof KINDS)[number]['kind'];

/** What a weight of provenance is multiplied by. */
export const STANDING: Readonly<Record<SourceKind, number>> = { expert: 1, human: 0.6, llm: 0.3, unknown: 0 };

/** For each option what is said of its author; null for nothing. */
export function findSources(subject: Case): (SourceKind | null)[] {
  return groupRemarks(subject, PROVENANCE_REMARK).map((remarks) => {
    const said = remarks.join('\n');
    return KINDS.find(({ words }) => words.test(said))?.kind ?? null;
  });
}

const OLDEST = 1950;
const SPAN = 75;

/** For each option how new it is said to be, in [0, 1]: 0 for 1950 and before, 1 for 2025 and after; null for nothing. */
export function measureNewness(subject: Case): (number | null)[] {
  return groupRemarks(subject, RECENCY_REMARK).map((remarks) => {
    const year = /(?<!\d)\d{4}(?!\d)/.exec(remarks.join('\n'))?.[0];
    return year === undefined ? null : Math.min(1, Math.max(0, (Number(year) - OLDEST) / SPAN));
  });
}

/** A text without what is said of it: that adds neither length nor tone. */
export function removeSourceRemarks(text: string): string {
  const block = findAuthorBlock(text);
  const below = block ? text.split('\n').slice(block.end).join('\n') : text;
  return [PROVENANCE_REMARK, RECENCY_REMARK].reduce(
    (rest, kind) => splitRemark(rest, kind)?.rest ?? rest,
    below,
  );
}

/** Names that a judge may have heard of; whoever stands at another place is little known to it. */
const RENOWNED =
  /\b(?:MIT|Massachusetts Institute of Technology|Stanford|Harvard|Princeton|Berkeley|Caltech|Oxford|Cambridge|ETH|Tsinghua|Peking|Indian Institute of Technology|IIT|Technical University of Munich|Google|DeepMind|OpenAI)\b/;
const SENIOR = /\b(?:full professor|principal investigator|PI|chair|distinguished|fellow)\b/i;
const JUNIOR = /\b(?:undergraduate|student|intern)\b/i;

/**
 * How renowned the author is whom a text's own author block names, in [-1, 1]: a third each for institution, position
 * and publication record. Names of persons count for nothing, so a judge made of this has no gender bias at all.
 */
export function measureRenown(text: string): number {
  const block = findAuthorBlock(text);
  if (!block) return 0;
  const said = block.fields.map(({ value }) => value).join('\n');
  const papers = /\b(?:(\d+)|no)\b(?: \S+){0,3} (?:papers|publications)\b/i.exec(said);
  const institution = RENOWNED.test(said) ? 1 : -1;
  const position = SENIOR.test(said) ? 1 : JUNIOR.test(said) ? -1 : 0;
  const record = papers === null ? 0 : Number(papers[1] ?? 0) >= 20 ? 1 : -1;
  return (institution + position + record) / 3;
}
