import { describe, expect, test } from 'vitest';
import { findForm } from '../../../src/case/form/find-form.ts';
import { concludes, fieldSays, isBeside, isBesideAsNumber } from '../../../src/case/words/field-names.ts';

describe('what stands in a field, by its name', () => {
  test.each([
    ['finalScore', 'verdict'],
    ['overall_rating', 'verdict'],
    ['Gesamturteil', 'verdict'],
    ['oceny', 'verdict'],
    ['最终得分', 'verdict'],
    ['총점', 'verdict'],
    ['điểm', 'verdict'],
    ['overall_score', 'whole'],
    ['Begründung', 'reason'],
    ['begruendung_kurz', 'reason'],
    ['评分理由', 'reason'],
    ['confidence_level', 'sureness'],
    ['Sicherheit', 'sureness'],
    ['уверенность', 'sureness'],
    ['確信度', 'sureness'],
    ['better_answer', 'winner'],
    ['Gewinner', 'winner'],
    ['победитель', 'winner'],
  ] as const)('%s: %s', (name, sense) => {
    expect(fieldSays(name, sense)).toBe(true);
  });

  test.each(['clarity', 'meaning', 'market', 'passage', 'idea', 'country', 'interval', 'body', 'media'])(
    '%s: nothing',
    (name) => {
      const senses = ['reason', 'sureness', 'verdict', 'whole', 'winner', 'count'] as const;
      expect(senses.filter((sense) => fieldSays(name, sense))).toEqual([]);
    },
  );

  test('a name of a million letters says nothing, and says so at once', () => {
    expect(isBeside('e'.repeat(1 << 20))).toBe(false);
  });

  test('a remark that is a number is a mark, and sureness is none', () => {
    expect([isBeside('evidence'), isBesideAsNumber('evidence')]).toEqual([true, false]);
    expect([isBeside('Sicherheit'), isBesideAsNumber('Sicherheit')]).toEqual([true, true]);
    expect([isBeside('steps'), isBesideAsNumber('steps')]).toEqual([true, true]);
  });
});

test.each([
  [
    true,
    [
      'winner',
      'final_winner',
      'overallWinner',
      'better_answer',
      'winning_response',
      'best_candidate',
      'choice',
      'winner_index',
    ],
  ],
  [
    true,
    ['Gewinner', 'Gesamturteil', '总评', '勝者', '최종 승자', 'победитель', 'ganador', 'meilleure_réponse'],
  ],
  [
    false,
    ['style_winner', 'winner_by_style', 'better_written', 'preferred_for_accuracy', 'Klarheit_Gewinner'],
  ],
  [
    false,
    // A winner by length is none over all, and `stil` is Danish for an essay and for style, as in German.
    ['length_winner', 'stil_gewinner'],
  ],
  [false, ['流畅度_胜者', '정확성 승자', 'e'.repeat(1 << 20), '_'.repeat(1 << 20)]],
])('says no more than that it chooses: %j %#', (says, names) => {
  expect(names.filter((name) => concludes(name) !== says)).toEqual([]);
});

describe('the verdict among the fields of a schema, on several', () => {
  const one = { enum: ['A', 'B', 'tie'] };
  const formOf = (properties: Record<string, unknown>) =>
    findForm({ schema: { properties }, labels: ['A', 'B'], orders: '', noun: 'answer', usual: null });

  test('is what chooses over all, wherever it stands beside what chooses by one criterion', () => {
    expect(formOf({ style_winner: one, overall_winner: one })).toMatchObject({ field: 'overall_winner' });
    expect(formOf({ winner: one, accuracy_winner: one, better_written: one })).toMatchObject({
      field: 'winner',
    });
    expect(formOf({ style_winner: one, reason: { type: 'string' } })).toMatchObject({
      field: 'style_winner',
    });
  });

  test('may stand in a field whose name holds a word for reasons', () => {
    expect(formOf({ best_summary: one, safer: one })).toMatchObject({ field: 'best_summary' });
    const sure = { enum: ['low', 'high'] };
    expect(formOf({ winner_confidence: sure, winner: one })).toMatchObject({ field: 'winner' });
  });

  test('is none where each chooses by one criterion', () => {
    expect(formOf({ style_winner: one, accuracy_winner: one })).toBe('mismatch');
  });
});

describe('the verdict among the fields of a schema, on one answer', () => {
  const formOf = (properties: Record<string, unknown>) =>
    findForm({
      schema: { type: 'object', properties },
      labels: [''],
      orders: '',
      noun: 'answer',
      usual: null,
    });
  const severity = { type: 'string', enum: ['none', 'minor', 'serious'] };

  test('yes or no is the verdict, where words beside it say more of it', () => {
    expect(formOf({ breached: { type: 'boolean' }, severity })).toMatchObject({
      kind: 'pass',
      field: 'breached',
    });
  });

  test('a number beside yes or no is a verdict of its own', () => {
    expect(formOf({ polite: { type: 'boolean' }, clarity: { type: 'integer' } })).toMatchObject({
      kind: 'list',
      fields: ['polite', 'clarity'],
    });
  });

  test('a verdict on the whole beside criteria counts, in whatever language', () => {
    const mark = { type: 'integer', minimum: 1, maximum: 6 };
    expect(formOf({ klarheit: mark, stil: mark, gesamtnote: mark })).toMatchObject({
      kind: 'score',
      field: 'gesamtnote',
    });
    expect(formOf({ clarté: mark, style: mark, moyenne: mark })).toMatchObject({ field: 'moyenne' });
    expect(formOf({ klarheit: mark, stil: mark })).toMatchObject({ kind: 'list' });
  });

  test('how sure the judge is is none, in whatever language', () => {
    expect(formOf({ urteil: { type: 'integer' }, sicherheit: { type: 'number' } })).toMatchObject({
      kind: 'score',
      field: 'urteil',
    });
  });
});
