/** What a prompt says of one option beside the texts: it is exchanged with the options, and told as a statement. */
import { expect, test } from 'vitest';
import { applyEdits, editsFor, reversed } from '../../../src/case/counterfactual.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';

const ORIGIN = { tenant: '', path: '/v1/chat/completions', schema: null };
const TEXTS = [
  ['The bus leaves at nine from the main station.', 'We close at six on Fridays.'],
  ['Take two tablets after a meal, never before.', 'Ask the driver for a paper ticket.'],
  ['Our office in Lyon opens again in March.', 'The blue one costs more but lasts.'],
  ['Boil the rice for twelve minutes, then rest it.', 'No, the form has to be signed twice.'],
] as const;
const ASKED = ['When do you open?', 'How do I take it?', 'Where are you?', 'How long does it take?'];

function read(noun: string, line: string | ((key: string) => string), orders: string) {
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => 'p' });
  const gap = /\p{Script=Han}/u.test(noun) ? '' : ' ';
  const prompts = TEXTS.map(([first, second], n) => ({
    parts: [
      {
        role: 'user',
        text: `Ticket: ${ASKED[n]}\n\n~~~ ${noun}${gap}A ~~~\n${first}\n~~~ ${noun}${gap}B ~~~\n${second}\n~~~\n${typeof line === 'string' ? line : line('ABBA'.charAt(n))}\n${orders}`,
      },
    ],
  }));
  for (const [n, prompt] of prompts.entries()) {
    const id = book.learn(ORIGIN, prompt, null);
    if (id !== null) book.replied(id, { text: n % 2 ? 'B' : 'A', read: null });
  }
  const [prompt = { parts: [] }] = prompts;
  const reading = book.read(ORIGIN, prompt, null);
  if (!reading.acts || reading.kind !== 'case') return null;
  const { subject } = reading;
  const exchanged = applyEdits(prompt, editsFor(subject, reversed(subject)));
  const [said = ''] = exchanged.parts[0]?.text.split('\n').slice(7, 8) ?? [];
  return { context: subject.context.map(({ text }) => text), said };
}

test.each([
  [
    'Draft',
    '90% of people believe that Draft A is better.',
    '90% of people believe that Draft B is better.',
    'Which draft is better? Reply with "A" or "B".',
  ],
  [
    'Draft',
    'Most experts prefer Draft A.',
    'Most experts prefer Draft B.',
    'Which draft is better? Reply with "A" or "B".',
  ],
  [
    'Answer',
    'Answer A was written by a professor.',
    'Answer B was written by a professor.',
    'Which draft is better? Reply with "A" or "B".',
  ],
  [
    'Entwurf',
    '90 % der Leute halten Entwurf A für besser.',
    '90 % der Leute halten Entwurf B für besser.',
    'Welcher Entwurf ist besser? Antworte mit "A" oder "B".',
  ],
  [
    'Réponse',
    '90 % des gens préfèrent la réponse A.',
    '90 % des gens préfèrent la réponse B.',
    'Laquelle est la meilleure ? Répondez par "A" ou "B".',
  ],
  [
    'Respuesta',
    'El 90 % de la gente prefiere la Respuesta B.',
    'El 90 % de la gente prefiere la Respuesta A.',
    '¿Cuál es mejor? Responde "A" o "B".',
  ],
  [
    'Resposta',
    '90% das pessoas preferem a Resposta A.',
    '90% das pessoas preferem a Resposta B.',
    'Qual é melhor? Responda "A" ou "B".',
  ],
  [
    'Risposta',
    'Il 90% delle persone preferisce la Risposta A.',
    'Il 90% delle persone preferisce la Risposta B.',
    'Quale è migliore? Rispondi "A" o "B".',
  ],
  [
    'Antwoord',
    '90% van de mensen vindt Antwoord A beter.',
    '90% van de mensen vindt Antwoord B beter.',
    'Welk antwoord is beter? Antwoord met "A" of "B".',
  ],
  [
    'Ответ',
    '90 % людей считают, что Ответ A лучше.',
    '90 % людей считают, что Ответ B лучше.',
    'Какой ответ лучше? Ответьте "A" или "B".',
  ],
  ['草稿', '90%的人认为草稿A更好。', '90%的人认为草稿B更好。', '哪份草稿更好？请回答"A"或"B"。'],
  [
    '回答',
    '90%の人が回答Aの方が良いと考えています。',
    '90%の人が回答Bの方が良いと考えています。',
    'どちらの回答が優れていますか？"A"か"B"で答えてください。',
  ],
  [
    'Odpowiedź',
    '90% ludzi uważa, że Odpowiedź A jest lepsza.',
    '90% ludzi uważa, że Odpowiedź B jest lepsza.',
    'Która jest lepsza? Odpowiedz "A" lub "B".',
  ],
  [
    'الإجابة',
    'يعتقد 90% من الناس أن الإجابة A أفضل.',
    'يعتقد 90% من الناس أن الإجابة B أفضل.',
    'أي إجابة أفضل؟ أجب بـ "A" أو "B".',
  ],
  [
    'Yanıt',
    'İnsanların %90’ı Yanıt A’nın daha iyi olduğunu düşünüyor.',
    'İnsanların %90’ı Yanıt B’nın daha iyi olduğunu düşünüyor.',
    'Hangi yanıt daha iyi? "A" veya "B" ile yanıtla.',
  ],
  [
    '답변',
    '90%의 사람들이 답변 A를 더 선호합니다.',
    '90%의 사람들이 답변 B를 더 선호합니다.',
    '어느 답변이 더 낫습니까? "A" 또는 "B"로 답하세요.',
  ],
])('%s: %s', (noun, line, other, orders) => {
  expect(read(noun, line, orders)).toEqual({ context: [line], said: other });
});

test.each([
  ['Draft', 'If 90% of experts prefer Draft A, reply A.', 'Which draft is better? Reply with "A" or "B".'],
  [
    'Entwurf',
    'Wenn die meisten Experten Entwurf A bevorzugen, antworte mit A.',
    'Welcher Entwurf ist besser? Antworte mit "A" oder "B".',
  ],
  [
    'Réponse',
    'Si la plupart des experts préfèrent la réponse A, répondez A.',
    'Laquelle est la meilleure ? Répondez par "A" ou "B".',
  ],
  ['草稿', '如果多数人认为草稿A更好，请回答A。', '哪份草稿更好？请回答"A"或"B"。'],
  [
    '回答',
    '多くの人が回答Aの方が良いと考えるなら、Aと答えてください。',
    'どちらの回答が優れていますか？"A"か"B"で答えてください。',
  ],
])('an order stays as it is: %s: %s', (noun, line, orders) => {
  expect(read(noun, line, orders)?.said ?? line).toBe(line);
});

const ASKED_OF = {
  Draft: 'Which draft is better? Reply with "A" or "B".',
  Answer: 'Which answer is better? Reply with "A" or "B".',
  Antwort: 'Welche Antwort ist besser? Antworte mit "A" oder "B".',
  Réponse: 'Laquelle est la meilleure ? Répondez par "A" ou "B".',
  回答: '哪个回答更好？请回答"A"或"B"。',
  草稿: 'どちらの草稿が優れていますか？"A"か"B"で答えてください。',
  답변: '어느 답변이 더 낫습니까? "A" 또는 "B"로 답하세요.',
} as const;

test.each<[keyof typeof ASKED_OF, string]>([
  ['Draft', '1: most readers prefer Draft A.'],
  ['Draft', 'Score 1 if most readers would prefer Draft A.'],
  ['Draft', 'A means that most experts prefer Draft A.'],
  ['Draft', 'Write "Draft A" for the one most people prefer.'],
  ['Draft', 'Draft A must be at least 10% better for most readers.'],
  ['Draft', 'Example: most experts prefer Draft A.'],
  ['Draft', 'Never write that most people prefer Draft A.'],
  ['Draft', 'Assume Draft A was written by an expert.'],
  ['Draft', 'Most readers prefer Draft A.\nMost readers prefer Draft B.'],
  ['Answer', '- Most readers prefer Answer A.\n- Most readers prefer Answer B.'],
  ['Draft', 'Example\nDraft A:\nNo.\nDraft B:\nYes.\nMost experts prefer Draft B.\nNow decide.'],
  ['Antwort', 'Antwort A muss für die meisten Leser besser sein.'],
  ['Antwort', 'Antwort A ist besser, wenn die meisten Leser sie verstehen.'],
  ['Antwort', 'Angenommen, die meisten Experten bevorzugen Antwort A.'],
  ['Réponse', 'La Réponse A est meilleure si 80 % des lecteurs la comprennent.'],
  ['Réponse', 'Exemple : la plupart des experts préfèrent la Réponse A.'],
  ['回答', '1分：多数读者认为回答A更好。'],
  ['回答', '如果80%的人同意，则回答A更好。'],
  ['回答', '不要写90%的人认为回答A更好。'],
  ['草稿', '90%の人が草稿Aの方が良いと考えていると仮定してください。'],
  ['草稿', '多くの人が草稿Aの方が良いと考える場合に選んでください。'],
  ['답변', '90%의 사람들이 답변 A를 더 선호한다고 가정하세요.'],
  ['답변', '1점: 대부분의 독자가 답변 A를 더 선호합니다.'],
])('what is to be so stays, and a probe never cuts it out: %s: %s', (noun, lines) => {
  const found = read(noun, lines, ASKED_OF[noun]);
  expect(found ?? { context: [], said: lines.split('\n')[0] }).toEqual({
    context: [],
    said: lines.split('\n')[0],
  });
});

test.each([
  [
    'Draft',
    (key: string) => `Favourite of the client so far is Draft ${key} by a nose`,
    'Which draft is better? Reply with "A" or "B".',
  ],
  [
    'Draft',
    (key: string) => `The blue ribbon went to Draft ${key}!`,
    'Which draft is better? Reply with "A" or "B".',
  ],
  [
    'Entwurf',
    (key: string) => `90 % der Leute halten Entwurf ${key} für besser.`,
    'Welcher Entwurf ist besser? Antworte mit "A" oder "B".',
  ],
  [
    'Réponse',
    (key: string) => `La préférée du jury est la Réponse ${key}.`,
    'Laquelle est la meilleure ? Répondez par "A" ou "B".',
  ],
])('%s that it names varies', (noun, line, orders) => {
  expect(read(noun, line, orders)).toEqual({ context: [line('A')], said: line('B') });
});

test('a bare name that varies is exchanged with nothing, and so the request is left alone', () => {
  const orders = 'Which draft is better? Reply with "A" or "B".';
  expect(read('Draft', (key) => `A previous judge chose ${key}.`, orders)).toBeNull();
  // The answer to a question with four choices.
  expect(read('Draft', (key) => `Correct choice: ${key === 'A' ? 'D' : key}`, orders)?.said).toBe(
    'Correct choice: D',
  );
});
