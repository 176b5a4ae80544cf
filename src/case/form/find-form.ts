/**
 * How the verdict has to be given, read from the request, the strongest source first: the JSON schema of the
 * reply (`schema.ts`), what the prompt asks for (`verdicts/`, each kind in its file), what the layout's clients
 * expect.
 */

import type { VerdictForm } from '../types.ts';
import { categoryInWords } from '../verdicts/category.ts';
import { choiceInWords } from '../verdicts/choice/choice-in-words.ts';
import type { FormSource } from '../verdicts/kind.ts';
import { criteriaInWords } from '../verdicts/list.ts';
import { passInWords } from '../verdicts/pass.ts';
import { rankingInWords } from '../verdicts/ranking.ts';
import { describedScores, scoreInWords } from '../verdicts/score.ts';
import { scoresInWords } from '../verdicts/scores.ts';
import { jsonField } from '../verdicts/spelling.ts';
import { withTieOffered } from './alternatives.ts';
import { codesExplained } from './explained.ts';
import { formFromSchema } from './schema.ts';

/**
 * @returns `mismatch` where the request asks for another number of options than were found, or for a verdict
 *   that is no choice, score or pass: it cannot be handled safely
 */
export function findForm(source: FormSource): VerdictForm | 'mismatch' {
  const fromSchema = formFromSchema(source);
  if (fromSchema === 'mismatch') return fromSchema;
  if (source.labels.length > 1) {
    const scale = scoreInWords(source.orders);
    const scores = scoresInWords(source, { min: scale?.min ?? null, max: scale?.max ?? null });
    if (scores && fromSchema === null) return scores;
    const ranking = fromSchema === null ? rankingInWords(source) : null;
    if (ranking) return ranking;
    const explained = choiceExplained(source);
    const said = explained ?? choiceInWords(source);
    if (said === 'mismatch') return fromSchema ?? said;
    if (fromSchema?.kind === 'choice')
      return fromSchema.write && !explained ? fromSchema : { ...said, field: fromSchema.field };
    return fromSchema ?? (said.kind === 'choice' ? withTieOffered(said, source.orders) : said);
  }
  const criteria = fromSchema === null ? criteriaInWords(source.orders) : null;
  if (criteria) return criteria;
  const score = scoreInWords(source.orders);
  const category = categoryInWords(source.orders);
  if (fromSchema === null && category?.write.rule) return category;
  if (fromSchema?.kind === 'score')
    return {
      ...fromSchema,
      min: fromSchema.min ?? score?.min ?? null,
      max: fromSchema.max ?? score?.max ?? null,
      ...describedScores(source.orders),
    };
  return (
    fromSchema ??
    passInWords(source.orders) ??
    score ??
    category ?? { kind: 'score', min: null, max: null, template: null, field: null }
  );
}

type Choice = Extract<VerdictForm, { kind: 'choice' }>;

/** A choice by numbers or letters that the orders explain, where these are not the options' own. */
function choiceExplained({ orders, labels }: FormSource): Choice | 'mismatch' | null {
  const told = orders.includes('[[') ? null : codesExplained(orders, labels);
  if (told === null || told === 'mismatch') return told;
  const write = { template: '{}', labels: told.labels };
  return { kind: 'choice', write, tie: told.tie ?? null, field: jsonField(orders, 'option') };
}

/** The score is there already: words about it are asked for. */
const RETOLD = /\buse (?:the )?given score\b|\bdon['’]t recalculate\b/i;

/** Whether the request asks for a score or a pass at all; a single labelled answer alone is no judgment. */
export function asksForScore(source: FormSource): boolean {
  if (RETOLD.test(source.orders)) return false;
  const fromSchema = formFromSchema(source);
  return (
    (fromSchema !== null && fromSchema !== 'mismatch') ||
    passInWords(source.orders) !== null ||
    scoreInWords(source.orders) !== null ||
    categoryInWords(source.orders) !== null
  );
}
