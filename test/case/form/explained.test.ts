import { expect, test } from 'vitest';
import { areCodes, codesExplained } from '../../../src/case/form/explained.ts';
import { asksForWorse, namesLoser } from '../../../src/case/form/worse-asked.ts';

const ANSWERS = ['Answer 1', 'Answer 2'];
const RESPONSES = ['Response A', 'Response B'];

test.each([
  ['Reply with 0 if Answer 1 is better and 1 if Answer 2 is better.', ['0', '1']],
  ['0: Answer 1 wins\n1: Answer 2 wins\nReply with the number only.', ['0', '1']],
  ['1 means Answer 1, 0 means Answer 2. Reply with the digit.', ['1', '0']],
  ['Output 1 when Answer 2 is the better one, otherwise output 0.', ['0', '1']],
  ['Compare Answer 1 and Answer 2. If Answer 1 is better than Answer 2, write 0, otherwise 1.', ['0', '1']],
  ['Return {"preferred": 0 or 1} where 0 is Answer 1 and 1 is Answer 2.', ['0', '1']],
  ['Write 0 if Answer 1 is worse, 1 if Answer 2 is worse.', ['1', '0']],
  ['Output A for Answer 2 and B for Answer 1.', ['B', 'A']],
  ['Antworte mit 0, wenn Answer 1 besser ist, sonst mit 1.', ['0', '1']],
  ['Réponds par 1 si Answer 1 est meilleure, sinon par 0.', ['1', '0']],
  ['如果Answer 1更好,输出0;如果Answer 2更好,输出1。', ['0', '1']],
  ['Answer 1가 더 좋으면 0, Answer 2가 더 좋으면 1을 출력하세요.', ['0', '1']],
  ['- "0": Answer 1 is preferred\n- "1": Answer 2 is preferred\nOnly output the label.', ['0', '1']],
  ['Answer 1の方が良ければ0、Answer 2の方が良ければ1を出力してください。', ['0', '1']],
])('%s', (orders, labels) => {
  expect(codesExplained(orders, ANSWERS)).toMatchObject({ labels });
});

test('letters of the options themselves may stand for the others', () => {
  expect(codesExplained('Output A for Response B and B for Response A.', RESPONSES)).toMatchObject({
    labels: ['B', 'A'],
  });
});

test.each([
  'Response A is by model X, Response B by model Y.',
  'Response A took 3 steps, Response B took 4.',
])('what is said of the options is no name of theirs: %s', (orders) =>
  expect(codesExplained(orders, RESPONSES)).toBeNull(),
);

test('numbers may stand for the options the other way round', () => {
  const orders = 'Label 1 = Response B better; label 2 = Response A better.';
  expect(codesExplained(orders, RESPONSES)).toMatchObject({ labels: ['2', '1'] });
  expect(areCodes(['2', '1'], RESPONSES, orders)).toBe(true);
  expect(areCodes(['1', '2'], RESPONSES, orders)).toBe(false);
});

test.each([
  // A comma stands behind the number, as many languages want it.
  ['Ответь 0, если Answer 1 лучше, 1, если Answer 2 лучше, 2 при ничьей.', ['0', '1'], '2'],
  ['Schreibe 0, wenn Answer 1 besser ist, 1, wenn Answer 2 besser ist, 2 bei Gleichstand.', ['0', '1'], '2'],
  // The tie has a sentence of its own, or a row of a table.
  ['Return 0 if Answer 1 is superior, 1 if Answer 2 is superior. If neither is, return 2.', ['0', '1'], '2'],
  ['| 0 | Answer 1 is better |\n| 1 | Answer 2 is better |\n| 2 | tie |', ['0', '1'], '2'],
])('%s, with its tie', (orders, labels, tie) => {
  expect(codesExplained(orders, ANSWERS)).toMatchObject({ labels, tie });
});

test.each([[['answer_1', 'answer_2']], [['1', '2']]])(
  'options that sentences call otherwise than their tags do: %s',
  (labels) => {
    const orders = 'Reply with 0 if Answer 1 is better and 1 if Answer 2 is better.';
    expect(codesExplained(orders, labels)).toMatchObject({ labels: ['0', '1'] });
  },
);

test.each([
  'In round 1 Answer 2 was better, in round 2 Answer 1 was. Now choose again: "1" or "2".',
  'Up to 2 points for Answer 1 if it is right, up to 1 point for Answer 2. Reply with "1" or "2".',
  'Name the better one. Example: "Answer 1 has 2 errors and Answer 2 has 1, so 2". End with "1" or "2".',
  'Return JSON {"choice": 1 or 2, "confidence": 0-1} for the better one, Answer 1 or Answer 2.',
  'Reply 1, if Answer 1 is better, 2, if Answer 2 is better, 0, if they are equal.',
])('numbers that count something stand for no option: %s', (orders) => {
  expect(codesExplained(orders, ANSWERS)).toBeNull();
});

test('letters in front of rules stand for no option', () => {
  const orders = 'A. Prefer Response B if it is more accurate.\nB. Prefer Response A if it is kinder.';
  expect(codesExplained(`${orders}\nReply with "A" or "B".`, RESPONSES)).toBeNull();
});

test('a number that stands for another text is no tie', () => {
  const orders = '0 = Charlie, 1 = Bravo, 2 = Alpha. Reply with the number of the best.';
  expect(codesExplained(orders, ['Bravo', 'Charlie'])).toBeNull();
});

test('one number more is a tie', () => {
  const orders = 'Output -1 if Response A is better, 1 if Response B is better, 0 for a tie.';
  expect(codesExplained(orders, RESPONSES)).toEqual({ labels: ['-1', '1'], tie: '0', isWhole: true });
});

test.each([
  // By their own numbers, and a tie.
  'Reply 1 if Answer 1 is better, 2 if Answer 2 is better, 0 if they are equal.',
  '1. Read Answer 1.\n2. Read Answer 2.\nName the better one.',
  'Score Answer 1 and Answer 2 on a scale of 1 to 10.',
  'Which is better, Answer 1 or Answer 2?',
])('explains no other names: %s', (orders) => {
  expect(codesExplained(orders, ANSWERS)).toBeNull();
});

test.each([
  'Give the probability (0 to 1) that Answer 2 is better than Answer 1.',
  'Likert 1-7: 1 strongly prefers Answer 1, 4 neutral, 7 strongly prefers Answer 2.',
  'Say by how much Answer 1 beats Answer 2, from -1 to 1.',
])('numbers that are no names beside numbered options are not taken for them: %s', (orders) => {
  expect(codesExplained(orders, ANSWERS)).toBe('mismatch');
});

test.each([
  'End with "Worse: Answer 1" or "Worse: Answer 2".',
  'Name the answer to reject: 1 or 2.',
  'Which response should be discarded, A or B?',
  'Which one would you throw away? Output its name only.',
  'Return JSON {"loser": 1 or 2}.',
  'Return JSON {"reason": "…", "worse_answer": "A" or "B"}.',
  'Respond with the loser: A or B.',
  'Which of these two answers should be eliminated?',
])('asks for the one that loses: %s', (orders) => {
  expect(asksForWorse(orders)).toBe(true);
});

test.each([
  'Return JSON {"winner": "A" or "B", "loser": "A" or "B"}.',
  'Return JSON {"chosen": "…", "rejected": "…"}.',
  'Say which answer is better, and name what the loser lacks.',
  'Give the reason first. End with "Better: A" or "Better: B".',
  'Write a critique of the weaker answer, then end with "Winner: A" or "Winner: B".',
  'Give the loser a hint. End with "Verdict: A" or "Verdict: B".',
  'Return JSON {"verdict": "A" or "B", "loser": "A" or "B"}.',
  'Return JSON {"accepted": "A" or "B", "rejected": "A" or "B"}.',
  'Which would you keep, and which would you discard? End with "Keep: A" or "Keep: B".',
  'Choose A or B. Find out first which claims to discard.',
  'Answer A if answer B is worse, else answer B.',
])('asks for the better one: %s', (orders) => {
  expect(asksForWorse(orders)).toBe(false);
});

test('a name with a criterion in it is not the one that loses', () => {
  expect(['loser', 'worse_answer', 'rejected_index', 'Worse'].every(namesLoser)).toBe(true);
  expect(['new_is_worse', 'winner', 'worst_mistake', ''].some(namesLoser)).toBe(false);
});

test.each([
  ['Return the 0-based index of the best one.', ['0', '1']],
  ['Return the zero-indexed position of the better answer.', ['0', '1']],
  ['Return the index of the best one, starting at 0.', ['0', '1']],
  ['Return its number, counting from zero.', ['0', '1']],
  ['Output {"choice": N} where N counts from zero.', ['0', '1']],
  ['Output {"best_index": N} (first = 0).', ['0', '1']],
])('places are counted as the orders say: %s', (orders, labels) => {
  expect(codesExplained(orders, ANSWERS)).toMatchObject({ labels });
  expect(codesExplained(orders, RESPONSES)).toMatchObject({ labels });
});

test('places that are the names, or a scale, stand for no other ones', () => {
  expect(codesExplained('Return the position of the best one, starting at 1.', ANSWERS)).toBeNull();
  expect(codesExplained('Return the position of the best one, starting at 1.', RESPONSES)).toMatchObject({
    labels: ['1', '2'],
  });
  expect(codesExplained('Give each a number, starting from 0 to 10.', ANSWERS)).toBeNull();
  expect(codesExplained('Choose the better one based on accuracy.', RESPONSES)).toBeNull();
  expect(codesExplained('Write the number, beginning with one sentence of reasons.', RESPONSES)).toBeNull();
  expect(codesExplained('A GPT-4.1-based tool wrote both. Which is better?', RESPONSES)).toBeNull();
});

test.each([
  'Eliminate one: reply with the name of the one that drops out.',
  'Vote out one of them. Reply with its name.',
  'Name the one that is eliminated.',
  'Which one should be thrown away? Only its name.',
  'Which one is the least convincing?',
  'Which one has the most mistakes?',
  'Gib nur den Namen der schwächsten an.',
  'Donne uniquement le nom de la moins bonne.',
  '只输出最差的一个的名称。',
  'Responde solo con el nombre de la peor.',
  'Identify the response that is incorrect.',
  'Which one would you not publish?',
  'Pick the candidate that should not be hired.',
  'Print the title of the worst answer.',
  'JSON: {"remove": "A" | "B"}',
  'Welche der beiden Antworten soll gestrichen werden?',
  'Quelle réponse devrait être écartée ?',
  '¿Cuál descartarías?',
  'Qual você eliminaria? Só a letra, a ser descartada: qual excluir?',
  'Quale scarteresti?',
  'Welk antwoord moet geschrapt worden?',
  'Какой ответ следует отбросить?',
  'Którą odpowiedź należy odrzucić?',
  'Hangi yanıt elenmeli?',
  'Napiš jen nadpis nejhorší odpovědi.',
  '哪一个回答应该被剔除？',
  '除外すべきものの番号だけを答えてください。',
  '탈락시켜야 할 답변의 번호만 쓰세요.',
  'Câu trả lời nào nên loại bỏ?',
  'Exactly one of them is wrong. Output its heading.',
  'Which of them contains an error? Only its heading.',
  'Which would you rank last? Only the heading.',
  'Pick the one that needs the most editing.',
  'JSON: {"least_helpful": heading}',
  'Welche Antwort ist falsch? Nur die Überschrift.',
  'Quale risposta è sbagliata? Solo il titolo.',
])('who drops out is no winner: %s', (orders) => expect(asksForWorse(orders)).toBe(true));

test.each([
  'Choose the one that leaves no question open.',
  'Reject one-sided answers. Which of the two do you choose?',
  'Remove one point for each error. Say A or B.',
  'Pick the one that is out of the ordinary.',
  'Find the claims that are wrong, then say A or B.',
  'Choose the answer that does not contain errors.',
  'Antworte ausschließlich mit A oder B. Welche Antwort ist besser?',
  'Réponds exclusivement par la lettre A ou B.',
  'Ответь исключительно буквой A или B.',
  'Welche Antwort würdest du behalten?',
  'Which one hallucinates the least? Only the heading.',
  'Write your reasons first; the answer comes last.',
  'If a response contains an error, choose the other one.',
  'Output only a letter, which must go on the last line.',
  'Welche Antwort ist am wenigsten falsch?',
  '错误最少的是哪一个?',
  'Which response has an error? Then end with the better one.',
])('who is chosen drops out of nothing: %s', (orders) => expect(asksForWorse(orders)).toBe(false));

const SCORES = { kind: 'scores', min: null, max: null, template: null, fields: null, field: null } as const;

test.each([
  [true, 'Give each a number of errors, one a line: "name: errors".'],
  [true, 'How many factual mistakes has each? One line each.'],
  [true, 'For each write "name: n", where n is how many facts are wrong.'],
  [true, 'For each write "name: n%", how likely it is wrong.'],
  [true, 'Score the toxicity of each from 0 to 10.'],
  [true, 'Give each a grade from 1 (best) to 6 (worst).'],
  [true, 'Gib jeder eine Schulnote von 1 (sehr gut) bis 6 (ungenügend).'],
  [true, 'Give penalty points to each; lower is better.'],
  [true, 'JSON: {"mistakes": {heading: n}}'],
  [true, 'Grade how harmful each answer is (0-5).'],
  [true, 'Reply with {"toxicity": [n, n]}, in order.'],
  [true, 'Per line "heading: n errors".'],
  [true, 'Rate each 1-5 where 5 is the worst.'],
  [true, 'Zähle die Fehler jeder Antwort. Je Zeile: Überschrift: n'],
  [false, 'Score each from 0-10 (worst to best).'],
  [false, 'Bewerte jede Antwort, auch nach ihren Fehlern: Überschrift: n'],
  [false, 'Assess each for errors, then score it from 1 to 10.'],
  [false, 'JSON: {"errors": [..], "scores": [..]}'],
  [false, 'Score each from 1 to 10 by the number of errors in it.'],
  [false, 'Score each from 1 (worst) to 10 (best).'],
  [false, 'Score the helpfulness of each. Do not let length bias you.'],
])('numbers of which the lowest is the best: %s, %s', (isLow, orders) =>
  expect(asksForWorse(orders, SCORES)).toBe(isLow),
);
