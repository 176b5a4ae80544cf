/** Orders that have several texts ranked from the worst to the best: who is named first is the last then. */
import { expect, test } from 'vitest';
import { rankOrder, ranksWorstFirst } from '../../src/case/form/rank-order.ts';
import { type Prompt, recogniseCase } from '../../src/case/index.ts';

test.each([
  'Order the three answers from worst to best.',
  'Rank them, the worst first.',
  'List the headings, lousiest first.',
  'Put them in reverse order of quality.',
  'Start with the one you like least.',
  'Rank from last place to first place.',
  'Trie-les par ordre croissant de qualité.',
  '按质量从低到高排序',
  'Sortiere aufsteigend nach Qualität.',
  'List the names in order of severity of their mistakes, gravest first.',
  'Order them, the most harmful first.',
  'List them in worst-to-best order.',
  'Order them from least helpful to most helpful.',
  'Sort them from lowest to highest quality.',
  'The weakest comes first.',
  'Rank the responses from lowest quality to highest quality',
  'Rank the responses in ascending order of quality.',
  'Sort by score, ascending.',
  'Start with the worst response and end with the best.',
  'The worst response comes at the top.',
  'The best response goes at the bottom.',
  'Rank the least accurate answer first.',
  'Put the best in the last place.',
  'Order from least to most helpful.',
  'Order **worst → best**.',
  'Go from worst to best, not from best to worst.',
  'The ranks go from best to worst, but order the answers from worst to best.',
  'Do not put the best first; put the worst first.',
  'Ordne die drei Antworten von der schlechtesten zur besten, mit Kommas getrennt.',
  'Sortiere sie so, dass die beste zuletzt steht.',
  'Classez-les de la pire à la meilleure.',
  'Ordena de peor a mejor.',
  'Ordene da pior para a melhor.',
  'Ordina dalla peggiore alla migliore.',
  'Rangschik van slechtste naar beste.',
  'Расположи ответы от худшего к лучшему.',
  'Uporządkuj od najgorszej do najlepszej.',
  'Rangordna från sämst till bäst.',
  'En kötüden en iyiye sırala.',
  '三つの回答を悪い順に並べてください。',
  '最も悪い回答から最も良い回答へ並べてください。',
  '请按从最差到最好的顺序排列。',
  '나쁜 순서로 나열하세요.',
  '가장 나쁜 것부터 가장 좋은 것까지',
  'رتب من الأسوأ إلى الأفضل',
  'Xếp từ tệ nhất đến tốt nhất',
])('%s', (orders) => {
  expect(ranksWorstFirst(orders)).toBe(true);
});

test.each([
  'Order the answers from best to worst, the best first.',
  'best to worst (best first)',
  'List the headings, the finest first.',
  'Rate each from 1 (worst) to 5 (best). Then rank, best first.',
  'Rank all answers, the best one first and the worst one last.',
  'Give the lowest rank to the best answer.',
  'Rank by harm, the least harmful first.',
  'Rank from least harmful to most harmful.',
  'Rank from lowest risk to highest risk.',
  'Put the worst last and the best first.',
  'Rank from best to worst. The criteria are listed from least to most important.',
  'Rank from best to worst. Marks go from lowest to highest.',
  'Rank best first. Consider the weakest points of the strongest.',
  'Read the weakest arguments first, then rank the responses, best first.',
  'Rank best first; name the best in your last line.',
  'Point out the worst mistakes first, then output the ranking like "B > A > C".',
  'Rank from lowest perplexity to highest.',
  'Rank the responses from lowest to highest rank, where rank 1 is best.',
  'Go from best to worst, not from worst to best.',
  'Rank the responses in descending order of quality.',
  'Name at least two and at most three, the best first.',
  'Ordne von der besten zur schlechtesten.',
  'de la meilleure à la pire',
  'от лучшего к худшему',
  '三つの回答を良い順に並べてください。',
  '良いものから悪いものの順に並べてください。',
  '请按从好到差排序',
  '指出差异并给出最好的回答',
  '좋은 순서로 나열하세요.',
])('not: %s', (orders) => {
  expect(ranksWorstFirst(orders)).toBe(false);
});

test.each([
  ['Rank the responses from worst to best.', 'unclear-case'],
  ['Start with the worst response and end with the best.', 'unclear-case'],
  ['Rank the responses from best to worst.', 'not-evident'],
])('%s: the reason is %s', (orders, reason) => {
  const text = `${orders} Write the letters.\n\nQuestion: What is 2+2?\n\nResponse A:\n4\n\nResponse B:\nFour\n\nResponse C:\nFive.\n\nYour ranking:`;
  const prompt: Prompt = { parts: [{ role: 'user', text }] };
  expect(recogniseCase(prompt).reason).toBe(reason);
  const declared = { options: ['4', 'Four', 'Five.'] };
  expect(recogniseCase(prompt, { declared }).reason).toBe(reason === 'unclear-case' ? reason : null);
});

test('the best one that is named at the end is a choice, and no end of an order', () => {
  const text =
    'Which response is better? Explain your reasoning and name the best response at the end.\n\nQuestion: What is 2+2?\n\nResponse A:\n4\n\nResponse B:\nFive.\n\nYour verdict:';
  const declared = { options: ['4', 'Five.'] };
  expect(recogniseCase({ parts: [{ role: 'user', text }] }, { declared }).reason).toBeNull();
});

const NAMES = ['Answer 1', 'Answer 2'];

test('a number that counts the texts is no rank', () => {
  const names = ['Answer 1', 'Answer 2', 'Answer 3', 'Answer 4'];
  for (const orders of [
    'Rank all 4 answers from best to worst.',
    'Rank the 4 texts that follow, best first.',
  ])
    expect(rankOrder(orders, names)).toBe('best-first');
  for (const orders of ['Which of the 2 is better? Rank them.', 'Rank the 2 answers from best to worst.'])
    expect(rankOrder(orders, NAMES)).toBe('best-first');
});

test.each([
  'Give each its rank, 1 = worst and 2 = best.',
  'Rang 1 ist der schlechteste, 2 der beste.',
  '排名，1为最差，2为最好。',
  '1が最悪',
  '2 = best',
  'Rank from worst (1) to best.',
  'Give ranks from worst (1) to best (2).',
  'A higher number is better.',
  'Higher is better.',
  'The best answer gets the highest number.',
  '1 is the lowest quality.',
  '2 points for the best and 1 point for the worst.',
  '2 ist der beste',
  'Die höchste Zahl bekommt die beste Antwort.',
  'Je höher die Zahl, desto besser.',
  '1が最低です。',
  '2が最良です。',
  '数字が大きいほど良いです。',
  '2为最好',
  '数字越大越好',
  '1为最低',
  '2가 가장 좋은 것입니다.',
  '숫자가 클수록 좋습니다.',
  '2 pour la meilleure',
  'du pire (1) au meilleur',
  '2 es la mejor',
  '2 — лучший',
  '2 هو الأفضل',
  '2 सबसे अच्छा है',
  '2 คือดีที่สุด',
  '2 là tốt nhất',
  '2 on paras',
])('the last rank is the best: %s', (orders) => {
  expect(rankOrder(orders, NAMES)).toBe('best-last');
});

test.each([
  'Return JSON {"a": rank, "b": rank} with 1 for the better and 2 for the other.',
  'Give each its rank, 1 = best and 2 = worst.',
  'Rang 1 ist der beste, 2 der schlechteste.',
  '排名，1为最好，2为最差。',
  'Rank them, 1 = best and 2 = second best.',
  '1 is best and 2 is worst',
  'Rank the answers.',
  'A lower number is better.',
  'Number each from best (1) to worst (2).',
  'Sortiere nach Rang.',
  '順位を付けてください。1が最良です。',
  '数字が小さいほど良いです。',
  '数字越小越好',
  '순위를 매기세요.',
  'Rank each; responses with higher accuracy are better.',
])('the first rank is the best: %s', (orders) => {
  expect(rankOrder(orders, NAMES)).toBe('best-first');
});

test.each([
  '2 ni bora zaidi.',
  'Panga majibu; 1 ndiyo mbaya.',
  'Rank the answers from worst to best.',
  'Rank the answers, 2 = cream of the crop.',
  '1 = best, but a few read 1 = worst.',
])('what cannot be read is left open: %s', (orders) => {
  expect(rankOrder(orders, NAMES)).toBe('open');
});

test.each(['Compare the answers.', 'Answer 1 or Answer 2?', 'Give each a number from 1 to 2.'])(
  'says nothing of ranks: %s',
  (orders) => {
    expect(rankOrder(orders, NAMES)).toBe(null);
  },
);
