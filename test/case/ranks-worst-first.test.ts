/** Orders that have several texts ranked from the worst to the best: who is named first is the last then. */
import { expect, test } from 'vitest';
import { ranksWorstFirst } from '../../src/case/vocabulary.ts';

test.each([
  'Order the three answers from worst to best.',
  'Rank them, the worst first.',
  'List them in worst-to-best order.',
  'Order them from least helpful to most helpful.',
  'Sort them from lowest to highest quality.',
  'The weakest comes first.',
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
  'Rate each from 1 (worst) to 5 (best). Then rank, best first.',
  'Rank all answers, the best one first and the worst one last.',
  'Give the lowest rank to the best answer.',
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
