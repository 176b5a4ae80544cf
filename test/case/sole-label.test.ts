/** A label that a short reply names in whatever language, and what only looks like one. */
import { expect, test } from 'vitest';
import { readVerdict } from '../../src/case/index.ts';
import { formFromReplies } from '../../src/case/templates/replies/index.ts';
import { formFromFile, type VerdictFile } from '../../src/case/verdicts/index.ts';
import { soleLabel } from '../../src/case/verdicts/reading/sole-label.ts';
import { LABEL_REPLIES } from './label-replies.ts';

test.each([
  ['Indeks: 1', ['0', '1', '2'], 1],
  ['(2) since it keeps the joke', ['1', '2'], 1],
  ['Ich wähle b).', ['a', 'b'], 1],
  ['Le texte c) donne envie. Je garde c).', ['a', 'b', 'c'], 2],
  ['3번 안', ['1', '2', '3'], 2],
  ['选2', ['1', '2'], 1],
  ['Wybieram wersję II, bo podaje termin.', ['I', 'II', 'III'], 1],
  ['Marca: NO SIRVE', ['SIRVE', 'NO SIRVE'], 1],
  ['Bです。', ['A', 'B'], 1],
  ['回答Bの方が優れています。', ['A', 'B'], 1],
  ['Bを選びます。簡潔だからです。', ['A', 'B'], 1],
  ['回答B更好', ['A', 'B'], 1],
  ['B更好，因为日期准确。', ['A', 'B'], 1],
  ['我选择2号。', ['1', '2'], 1],
  ['답변 B입니다.', ['A', 'B'], 1],
  ['답변 B가 더 낫습니다.', ['A', 'B'], 1],
  ['2번을 선택합니다', ['1', '2'], 1],
  ['판정: 긍정적입니다.', ['긍정', '부정'], 0],
  ['听B的', ['A', 'B'], 1],
  ['##sirve## ##cita el horario##', ['SIRVE', 'NO SIRVE'], 0],
  ['Odgovor: netačno.', ['TAČNO', 'NETAČNO'], 1],
])('%j names %j', (reply, labels, index) => {
  expect(soleLabel(reply, labels)).toBe(index);
});

test.each([
  ['several labels', '1 is better than 2', ['1', '2']],
  ['the article of a sentence', 'A concise reply wins', ['A', 'B']],
  ['an article and a label', 'A better one is B', ['A', 'B']],
  ['another letter case', 'gana a la primera', ['A', 'B']],
  ['part of a number', 'Score 1.5', ['1', '2']],
  ['part of a word', 'Version B2', ['B', 'C']],
  ['a label that is denied', 'Nicht B.', ['A', 'B']],
  ['a label that is denied', "It isn't B.", ['A', 'B']],
  ['a label that is denied', '不选 B', ['A', 'B']],
  ['what a sentence finds fault with', '回答Aには誤りがあります。', ['A', 'B']],
  ['what a sentence finds fault with', '回答「A」には誤りがあります。', ['A', 'B']],
  ['what a sentence finds fault with', '回答Aの方が質が低いです。', ['A', 'B']],
  ['what a sentence finds fault with', '回答Aが正しいようですが、日付を間違えています。', ['A', 'B']],
  ['what a sentence finds fault with', '回答A是错误的。', ['A', 'B']],
  ['what a sentence finds fault with', '回答A略逊一筹。', ['A', 'B']],
  ['what a sentence finds fault with', '답변 A는 틀렸습니다.', ['A', 'B']],
  ['a label that is denied', '回答Aは優れていません。', ['A', 'B']],
  ['a label that is denied', '回答Aが優れているとは言えません。', ['A', 'B']],
  ['the beginning of another word', '合格基準を満たしません', ['合格', '不合格']],
  ['none', 'Both are fine.', ['A', 'B']],
  ['one in a long reply', `${'They say the same in other words. '.repeat(4)}B.`, ['A', 'B']],
])('%s is no sole label: %j', (_, reply, labels) => {
  expect(soleLabel(reply, labels)).toBeNull();
});

test.each([
  ['Да', 'Нет', 'Данный ответ неверен.'],
  ['Ja', 'Nein', 'Jahreszahl und Ort sind falsch.'],
  ['Ja', 'Nee', 'Jammer genoeg klopt dit niet.'],
  ['Tak', 'Nie', 'Taka odpowiedź jest błędna.'],
  ['Sim', 'Não', 'Simplesmente errado.'],
  ['Oui', 'Non', 'Non seulement juste, mais complet.'],
  ['Sí', 'No', 'Notable y correcta.'],
  ['Evet', 'Hayır', 'Evet değil.'],
  ['对', '错', '对不起，这个回答有误。'],
])('%s or %s: %j says neither', (good, bad, reply) => {
  expect(read(reply, { kind: 'pass', labels: [good, bad] }).kind).toBe('none');
});

test.each([
  ['Да', 'Нет', 'Да.', true],
  ['Да', 'Нет', 'Нет, год неверен.', false],
  ['Ja', 'Nein', 'Nein – die Jahreszahl ist falsch.', false],
  ['Ja', 'Nein', 'Die Jahreszahl stimmt.\n\n**Ja**', true],
  ['Oui', 'Non', 'La date est juste. Oui.', true],
  ['Yes', 'No', 'no', false],
  ['合格', '不合格', '不合格。年号が違います。', false],
  ['合格', '不合格', '基準を満たしています。\n合格', true],
  ['예', '아니오', '예, 맞습니다.', true],
  ['B. yes', 'B. no', 'A. I looked.\nB. yes\nC.\n1.1 no\n1.2 no', true],
])('%s or %s: %j passes: %j', (good, bad, reply, passes) => {
  expect(read(reply, { kind: 'pass', labels: [good, bad] })).toMatchObject({ pass: passes });
});

const LONG =
  'The answer names the city and the year, and it is polite, but it invents a date that no source has, so it is not faithful to it.';

test.each([
  ['Yes', 'No', `${LONG}\nVerdict: No`, false],
  ['YES', 'NO', `${LONG}\nAnswer: YES`, true],
  ['CORRECT', 'INCORRECT', `EXPLANATION: ${LONG}\nGRADE: INCORRECT.`, false],
  ['Approved', 'Rejected', `${LONG} Verdict: "Rejected"`, false],
  ['Ja', 'Nein', `${LONG}\nDas Urteil lautet: Nein`, false],
  ['Yes', 'No', `Verdict: No, a date is wrong.\n${LONG}`, false],
  ['Yes', 'No', `Verdict:\nYes\n\nReason: there are no errors. ${LONG}`, true],
  ['YES', 'NO', 'YES because it is right', true],
  ['Yes', 'No', 'Yes it does.', true],
  ['Ja', 'Nein', 'Nein weil das Jahr falsch ist', false],
  ['ACCEPT', 'REJECT', `${LONG}\n\n**REJECT**\n\nIt would be accept if it named a number.`, false],
  ['ACCEPT', 'REJECT', `${LONG}\n\nACCEPT\n\nShall I look at the next one?`, true],
  ['ACCEPT', 'REJECT', `${LONG}\n\nREJECT (it names no number)`, false],
  ['correct', 'incorrect', `${LONG}\n\nincorrect\n\nThe correct answer is 1887.`, false],
  ['correct', 'incorrect', 'Claim 1:\ncorrect\nClaim 2:\nincorrect\n\nOverall:\nincorrect', false],
  ['Yes', 'No', `Is it polite? It is.\nNo\n\n${LONG.replace('no source', 'none')}`, false],
  ['CORRECT', 'INCORRECT', `${LONG} The total is 7. CORRECT`, true],
  ['CORRECT', 'INCORRECT', `${LONG} So x = 7. INCORRECT`, false],
  ['PASS', 'FAIL', `${LONG} It must be plan B. FAIL.`, false],
  ['PASS', 'FAIL', 'FAIL: the answer is not PASS.', false],
  ['CORRECT', 'INCORRECT', 'CORRECT: no step is INCORRECT.', true],
  ['PASS', 'FAIL', `Here is my verdict:\nFAIL\n${LONG}`, false],
])('%s or %s behind a colon or in front of "because": %j passes: %j', (good, bad, reply, passes) => {
  expect(read(reply, { kind: 'pass', labels: [good, bad] })).toMatchObject({ pass: passes });
});

test.each([
  ['Yes', 'No', 'Is it polite?\nYes.\nIs it right?\nNot at all. The final answer is no'],
  ['Yes', 'No', 'Is it polite?\nYes.\nIs it right?\nNot at all.'],
  ['Yes', 'No', 'Is it right?\nNo.\nIs it polite?\nYes.'],
  ['Yes', 'No', 'Right: no\nPolite: yes'],
  ['Yes', 'No', 'Right:\nno\nPolite: yes'],
  ['ACCEPT', 'REJECT', `Overall tone: ACCEPT\n${LONG}\nClassification: REJECT`],
  ['ACCEPT', 'REJECT', `ACCEPT as far as the tone goes.\n\n${LONG}\n\nRating: REJECT`],
  ['Yes', 'No', 'Yes, it is polite.\nVerdict: No'],
  ['correct', 'incorrect', 'Claim 1\nVerdict: incorrect\nClaim 2\nVerdict: correct'],
  [
    'correct',
    'incorrect',
    'Claim 1: the sky is blue.\nCorrect.\nClaim 2: the moon is cheese.\nThis is false.\nOverall the answer is incorrect.',
  ],
  ['Yes', 'No', 'Yes, at first sight.\nOn reflection: the place is missing.\n\nNo.'],
  ['Yes', 'No', 'Yes.\nWait: the place is wrong.\n\nNo.'],
  ['Yes', 'No', 'Yes, it is polite. Reason: the place is wrong. No.'],
  ['Yes', 'No', 'No\nHour: right\nYes'],
  ['Yes', 'No', 'Verdict: Yes\nCorrection: No'],
  ['Yes', 'No', 'Yes\n\nAfter a second look: No'],
  ['Yes', 'No', 'Yes.\nLet me check again:\nNo'],
  ['CORRECT', 'INCORRECT', '- CORRECT: hour\n- INCORRECT: place\nINCORRECT'],
])('%s or %s: a part of the reply does not pass for all of it: %j', (good, bad, reply) => {
  expect(read(reply, { kind: 'pass', labels: [good, bad] }).kind).toBe('none');
});

test.each([
  ['Claim 1:\nsupported\nClaim 2:\nunsupported\n\nOverall:\nunsupported', 'unsupported'],
  [`${LONG}\nLabel: unsupported`, 'unsupported'],
  ['unsupported\n\nClaim 1: unsupported\nClaim 2: supported', 'unsupported'],
  [`Tone: supported\n${LONG}\n\nunsupported`, 'unsupported'],
  ['Claim 1:\nsupported\nClaim 2: not in the source, so the answer as a whole is unsupported', undefined],
])('the category of %j is %j', (reply, category) => {
  const file: VerdictFile = { kind: 'category', labels: ['supported', 'unsupported', 'unclear'] };
  const verdict = read(reply, file);
  expect(verdict.kind === 'category' ? verdict.category : undefined).toBe(category);
});

test('a label is read as a person reads it, or not at all, which is rare', () => {
  const all = LABEL_REPLIES.flatMap(({ labels, replies }) =>
    replies.map(([reply, label]) => {
      const verdict = read(reply, { kind: 'category', labels: [...labels] });
      return { reply, label, read: verdict.kind === 'category' ? verdict.category : null };
    }),
  );
  const differing = all.filter((one) => one.read !== one.label);
  expect(differing.filter((one) => one.read !== null)).toEqual([]);
  expect(differing.length / all.length).toBeLessThan(0.05);
});

test.each([
  'Worse: B',
  'Rejected: B',
  'The loser is Response B.',
  'Runner-up: B',
  'Avoid Response B.',
  'Die schlechtere Antwort ist B.',
  'La peor es B.',
  '(B) ist schlechter.',
  '回答Bの方が劣っています。',
  'B较差',
  '回答Bの敗北',
  '回答Bを却下します。',
  '败者：回答B',
  '淘汰回答B。',
  '오답: B',
  '패자: 답변 B',
  '열등한 것은 답변 B입니다.',
  'Pierde la respuesta B.',
  'Perde la risposta B.',
  'Kaybeden: Yanıt B',
  'Przegrywa odpowiedź B.',
  'Проигравший: ответ B',
  'الخاسر: الإجابة B',
  'המפסידה: תשובה B',
  'Perdante : réponse B',
  'Falsch: B',
  'Mauvaise réponse : B',
])('%j speaks against B', (reply) => {
  expect(read(reply, { kind: 'choice', labels: ['A', 'B'] }).kind).toBe('none');
});

test.each([
  'B. La otra es peor.',
  'B, weil die andere schlechter ist.',
  'B: la otra es peor',
  '选B，另一个较差',
  'B（もう一方は誤りが多い）',
  '输出 B',
])('%j speaks against the other one', (reply) => {
  expect(read(reply, { kind: 'choice', labels: ['A', 'B'] })).toMatchObject({ option: 1 });
});

const read = (reply: string, file: VerdictFile) =>
  readVerdict(
    reply,
    formFromFile(file),
    [{ label: 'A' }, { label: 'B' }].slice(0, file.kind === 'choice' ? 2 : 1),
  );

test('a bare score is read behind a label of any language, where it is the only number', () => {
  const score: VerdictFile = { kind: 'score', min: 0, max: 10 };
  expect(read('[평점] 7', score)).toMatchObject({ kind: 'score', score: 7 });
  expect(read('**अंक: 8/10**\n\nबढ़िया!', score)).toMatchObject({ kind: 'score', score: 8 });
  expect(read('Note: 1\nRichtig.', score)).toMatchObject({ kind: 'score', score: 1 });
  expect(read('Klarheit: 7\nGenauigkeit: 5', score).kind).toBe('none');
  expect(read('Es gibt 3 Beispiele.', score).kind).toBe('none');
  expect(read('Note: 12', score).kind).toBe('none');
  expect(read('Wertung: 7', { ...score, template: 'Note: {}' }).kind).toBe('none');
});

test('a label that the client asks for in a frame is read in that frame alone', () => {
  const framed: VerdictFile = { kind: 'choice', template: 'Urteil: {}', labels: ['A', 'B'] };
  expect(read('Ich wähle B.', framed).kind).toBe('none');
  expect(read('Ich wähle B.', { kind: 'choice', labels: ['A', 'B'] })).toMatchObject({ option: 1 });
});

test('replies of which most are a name alone tell the form of all', () => {
  const labels = ['[0]', '[1]', '[2]'];
  expect(formFromReplies(['2', '0', 'Indeks: 1'], labels)).toEqual({
    kind: 'choice',
    labels: ['0', '1', '2'],
  });
  expect(formFromReplies(['2', 'Indeks: 0', 'Nie 1, nie 0'], labels)).toBeNull();
});
