/**
 * Which option a reply chooses. From the surest place to the least sure: the asked spelling as the whole
 * reply, a bracketed label, a label alone on its line, the sentences that conclude. What two sure places
 * say differently is contradictory, and what no rule reads is no label: nothing is guessed.
 */
import { type Checkpoint, FEW, unlimited } from '../../checkpoint.ts';
import { splitAtStops } from '../../sentences.ts';
import type { NoVerdictReason } from '../../types.ts';
import type { Labelled } from '../kind.ts';
import { type Claim, claimsOf } from './claim.ts';
import { type ChoiceForm, OPTION, optionOf, TIE, withNamings } from './naming.ts';

export type ChoiceOrTie = number | 'tie';
export type Choice = ChoiceOrTie | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> };

/**
 * The choice where the text is a label and nothing else, in the spelling of the request or of the case. Letter
 * case counts only between labels that differ in nothing else: alpaca_eval's `m` and `M`.
 */
export function exactChoice(text: string, form: ChoiceForm, options: Labelled): ChoiceOrTie | null {
  const labels = form.write?.labels ?? options.map(({ label }) => label);
  const cased = new Set(labels.map((label) => label.toLowerCase())).size < new Set(labels).size;
  // The label of a field in JSON is its name as words: `answer_a`, `answerA` and `answer a` are one.
  const joined = (spelling: string) => spelling.trim().replace(/[\s_]+/g, '');
  const plain = (spelling: string) => (cased ? joined(spelling) : joined(spelling).toLowerCase());
  const said = plain(text);
  const same = (spelling: string | undefined) => spelling !== undefined && plain(spelling) === said;
  if (form.tie !== null && same(form.tie)) return 'tie';
  const written = options.findIndex((_, option) => {
    const label = form.write?.labels[option];
    return label !== undefined && (same(form.write?.template.replace('{}', label)) || same(label));
  });
  if (written >= 0) return written;
  const labelled = options.findIndex(({ label }) => same(label));
  return labelled >= 0 ? labelled : null;
}

/** The choice in running text. `said` is free of thinking and markup (own-words.ts). */
export function choiceInText(
  said: string,
  form: ChoiceForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): Choice {
  const text = withNamings(said, form, options);
  checkpoint();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const marked = marksIn(text);
  if (marked.length === 1) return oneOf(marked);
  // Which of several a client takes is known only where its template is (ruled.ts).
  if (marked.length > 1) return { none: 'contradictory' };
  const alone = distinct(lines.flatMap((line, at) => aloneOn(line, at === lines.length - 1)));
  const headed = lines.filter((line) => HEADING.test(line)).length === 1 ? HEADING.exec(text) : null;
  const opening = (OPENING.exec(text) ?? headed)?.[1];
  const sure = alone.length === 1 ? alone : opening === undefined ? [] : [optionOf(opening)];
  checkpoint();
  const claims = splitAtStops(text).map((sentence, n) => {
    if (n % FEW === 0) checkpoint();
    return claimsOf(sentence, options.length);
  });
  const concluded = conclusion(claims);
  if (concluded !== null) {
    return sure.length === 0 || sure[0] === concluded ? concluded : { none: 'contradictory' };
  }
  if (sure.length === 1) return oneOf(sure);
  return { none: alone.length > 1 ? 'contradictory' : 'no-label' };
}

const MARK = new RegExp(`\\[\\[(${OPTION}|${TIE})\\]\\]`, 'gu');
const ALONE = new RegExp(
  '^\\s*(?:(?:my|the|final|better|best|preferred)\\s+)*(?:(?:verdict|answer|choice|decision|winner|output|response|judge?ment|result|conclusion|preference)\\s*)?' +
    `(?:is\\s*)?(?:[:=–—-]\\s*)?["'(\\[]{0,3}(${OPTION}|${TIE}|tie|draw)["')\\]]{0,3}\\s*(?:([.!:])\\s*)?$`,
  'iu',
);
const OPENING = new RegExp(
  `^["'(]{0,3}(${OPTION})["')]{0,3}(?:[.;!]\\s|\\s+[–—-]{1,3}\\s|,?\\s+(?:because|since|as)\\b|\\s*\\n)`,
  'u',
);

const marksIn = (text: string): ChoiceOrTie[] =>
  distinct([...text.matchAll(MARK)].map((match) => decisionOf(match[1] ?? '')));

/** "Choice 2: it follows" is a verdict with its reason, unless the other options have such lines too. */
const HEADING = new RegExp(`^["'(]{0,3}(${OPTION})["')]{0,3}\\s*:\\s`, 'u');

/** A label with a colon is a heading, unless nothing follows it. */
function aloneOn(line: string, isLast: boolean): ChoiceOrTie[] {
  const [, token, end] = ALONE.exec(line) ?? [];
  return token === undefined || (end === ':' && !isLast) ? [] : [decisionOf(token)];
}

/**
 * What the claims of all sentences come to. The last conclusion decides, unless the reply opened with the
 * opposite verdict or drew the opposite conclusion elsewhere. Without a conclusion all must agree.
 */
function conclusion(sentences: readonly (readonly Claim[])[]): Choice | null {
  const full = sentences.flatMap((claims, at) =>
    claims.filter(
      // "Both are equally good" on the way is an observation; a tie is declared in the end or as a conclusion.
      (claim) => claim.full && (claim.decision !== 'tie' || claim.concludes || at === sentences.length - 1),
    ),
  );
  const options = full.filter((claim) => claim.decision !== 'tie');
  const drawn = full.filter((claim) => claim.concludes);
  const last = drawn.at(-1);
  if (last) {
    const opened = sentences[0]?.filter((claim) => claim.bare) ?? [];
    const unlimited = drawn.filter((claim) => claim.bare);
    const decisions = distinct([...opened, ...unlimited, last].map((claim) => claim.decision));
    // "Both are equally good. Therefore, A": a tie on the way does not speak against the choice that ends it.
    return oneOf(last.decision === 'tie' ? decisions : decisions.filter((decision) => decision !== 'tie'));
  }
  if (options.length > 0) return oneOf(distinct(options.map((claim) => claim.decision)));
  if (full.length > 0) return 'tie';
  const sided = sentences.findLast((claims) => claims.some((claim) => !claim.full)) ?? [];
  const decisions = distinct(sided.map((claim) => claim.decision));
  return decisions.length === 1 ? oneOf(decisions) : null;
}

const decisionOf = (token: string): ChoiceOrTie =>
  token === TIE || /^(?:tie|draw)$/i.test(token) ? 'tie' : optionOf(token);

const distinct = (decisions: readonly ChoiceOrTie[]): ChoiceOrTie[] => [...new Set(decisions)];

function oneOf(decisions: readonly ChoiceOrTie[]): Choice {
  const [first] = decisions;
  return decisions.length === 1 && first !== undefined ? first : { none: 'contradictory' };
}
