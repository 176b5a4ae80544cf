/** Where the options of a case are not to change places. */
import { describe, expect, test } from 'vitest';
import { whyOrderIsFixed } from '../../src/case/fixed-order.ts';
import type { DeclaredCase } from '../../src/case/layouts/declared.ts';
import { findCase } from '../../src/case/read.ts';
import { recogniseCase } from '../../src/case/recognise.ts';

const fixedIn = (text: string, declared?: DeclaredCase): string | null => {
  const request = declared ? { declared } : {};
  const subject = findCase({ parts: [{ role: 'user', text }] }, request);
  if (!subject) throw new Error(`no case in ${text}`);
  return whyOrderIsFixed(subject);
};

const compare = (orders: string) =>
  `Compare two responses and decide which is better. ${orders}\n\n# Question\nHow long?\n\n# Response A\nTwo days.\n\n# Response B\nThree days, I think.\n\n# Verdict\nReply with [[A]] or [[B]].`;

describe('orders that tell the places apart', () => {
  test.each([
    'If both are equally good, answer A.',
    'In case of a tie, choose Response A.',
    'If you cannot decide, prefer the first response.',
    'If the two responses are of the same quality, output "A".',
    'When in doubt, pick B.',
    'Answer A if both are equally good.',
    'Ties go to A.',
    'Break ties in favour of A.',
    'Default to A.',
    'Response A is our current production answer. Choose B only if it is clearly better.',
    'Response A is the baseline and Response B is the candidate. Prefer the baseline unless the candidate is clearly better.',
    'The first response is the one that users see today; keep it unless the second one is clearly better.',
    'Only choose Response B if it is clearly better.',
    'Do not choose B unless it is clearly better.',
    'Output [[B]] if B is strictly better; otherwise output [[A]].',
    'Response B is a revision of Response A.',
    'Bei Gleichstand wähle A.',
    'Sind beide gleich gut, antworte A.',
    'Wähle B nur, wenn es deutlich besser ist.',
    'Bevorzuge A, es sei denn, B ist deutlich besser.',
  ])('%s', (orders) => {
    expect(fixedIn(compare(orders))).toMatch(/^the orders tell the places apart: "/);
  });

  test('what the orders call an option is one of its names', () => {
    const roles = 'Response A is the baseline, Response B the candidate.';
    expect(fixedIn(compare(`${roles} Choose the candidate only if it is clearly better.`))).toContain(
      'only if',
    );
    expect(fixedIn(compare(roles))).toBeNull();
    const orders = 'Choose the candidate only if it is clearly better.';
    const tags = `Does the candidate beat the baseline? ${orders}\n\n<baseline>\nTwo days.\n</baseline>\n\n<candidate>\nThree.\n</candidate>\n\nReply with "baseline" or "candidate".`;
    const declared = {
      options: [
        { label: 'baseline', text: 'Two days.' },
        { label: 'candidate', text: 'Three.' },
      ],
    };
    expect(fixedIn(tags, declared)).toContain('only if');
    expect(fixedIn(tags.replace(orders, ''), declared)).toBeNull();
  });
});

describe('a rule for a tie in another language names one place', () => {
  const fixedWith = (answer: string, orders: string) => {
    const texts = ['Two days.', 'Three days, I think.'];
    const options = texts.map((text, n) => ({ label: `${answer}${'AB'.charAt(n)}`, text }));
    const answers = options.map(({ label, text }) => `# ${label}\n${text}\n\n`).join('');
    return fixedIn(`Which is better?\n\n${answers}# Verdict\n${orders}\nReply with [[A]] or [[B]].`, {
      options,
    });
  };

  test.each([
    ['回答', 'より良い方を「A」または「B」とだけ答えてください。同程度の場合はAと答えてください。'],
    ['回答', '引き分けの場合は、回答Aを選んでください。'],
    ['回答', '只回答“A”或“B”。如果两个回答同样好，请回答A。'],
    ['回答', '平局时选择回答A。'],
    ['답변 ', '"A" 또는 "B"로만 답하세요. 두 답변이 비슷하면 A를 고르세요.'],
    ['답변 ', '동점이면 답변 A를 선택하세요.'],
    ['Réponse ', 'Répondez par A ou B. En cas d’égalité, répondez A.'],
    [
      'Réponse ',
      "Répondez par A ou B. Si les deux réponses sont aussi bonnes l'une que l'autre, choisissez la réponse A.",
    ],
    ['Respuesta ', 'Responde A o B. En caso de empate, responde A.'],
    ['Resposta ', 'Responda A ou B. Em caso de empate, responda A.'],
    ['Risposta ', 'Rispondi A o B. In caso di parità, rispondi A.'],
    ['Antwoord ', 'Antwoord A of B. Bij gelijkspel kies je A.'],
    ['Odpowiedź ', 'Odpowiedz A lub B. W przypadku remisu wybierz A.'],
    ['Ответ ', 'Ответьте A или B. При равенстве выберите A.'],
    ['Yanıt ', 'A veya B yazın. Beraberlik durumunda yanıt A seçin.'],
    ['الإجابة ', 'أجب A أو B. في حالة التعادل اختر A.'],
    ['תשובה ', 'ענה A או B. במקרה של תיקו בחר A.'],
    ['उत्तर ', 'A या B लिखें। बराबरी होने पर A चुनें।'],
  ])('%s: %s', (answer, orders) => {
    expect(fixedWith(answer, orders)).toMatch(/^the orders tell the places apart: "/);
  });

  test.each([
    ['回答', 'Aの方が良ければ「A」、Bの方が良ければ「B」、同程度なら「C」と答えてください。'],
    ['回答', '同程度の場合はCと答えてください。'],
    ['回答', '如果两个回答同样好，请回答“平局”。'],
    ['回答', 'A：回答A更好\nB：回答B更好\nC：两个回答同样好'],
    ['回答', '请判断回答A是否与题意相同。只回答A或B。'],
    ['답변 ', '두 답변이 비슷하면 A와 B 중 하나를 무작위로 고르세요.'],
    ['Réponse ', "Répondez A ou B, ou C en cas d'égalité."],
    ['Respuesta ', 'Responde A, B o «empate».'],
    ['Respuesta ', 'En caso de empate, responde A. En caso de empate, responde B.'],
  ])('and here none: %s: %s', (answer, orders) => {
    expect(fixedWith(answer, orders)).toBeNull();
  });
});

describe('orders that treat the places alike', () => {
  test.each([
    'Which is better?',
    'If both are equally good, answer C.',
    'If both are equally good, answer [[A=B]].',
    'If both are equally good, you must still choose A or B.',
    'If tie, choose A or B at random.',
    'If there is no difference between A and B, choose the shorter one.',
    'If you are unsure, explain, then answer A, B, or both.',
    'When the answers are equally correct, prefer the one with fewer words. Answer A or B.',
    'Output [[A]] if assistant A is better, [[B]] if assistant B is better, and [[C]] for a tie.',
    'Choose A only if A is clearly better. Choose B only if B is clearly better. Otherwise say C.',
    'If A is better, say A; if B is better, say B; if they are tied, say C.',
    'Reply with only the letter: A or B.',
    'Say "tie" only if you cannot choose between A and B.',
    'Prefer the shorter one unless the longer one is clearly better.',
    '"A": Response A is better. "SAME": both equally good. "B": Response B is better.',
    'The order does not matter: do not prefer A because it is first.',
    'Response A is the baseline.',
  ])('%s', (orders) => {
    expect(fixedIn(compare(orders))).toBeNull();
  });
});

test('what an answer says of ties is no order', () => {
  const text = compare('').replace('Two days.', 'If both are equally good, answer A.');
  expect(fixedIn(text)).toBeNull();
});

describe('an option that speaks of another', () => {
  const pair = (a: string, b: string, ...labels: readonly string[]) =>
    fixedIn(
      `Compare them and decide which is better.\n\n# ${labels[0] ?? 'Response A'}\n${a}\n\n# ${labels[1] ?? 'Response B'}\n${b}\n\n# Verdict\nReply with [[A]] or [[B]].`,
      { options: [a, b] },
    );

  test.each([
    ['391. Response A forgets to carry the ten.', 'Response A', 'Response B'],
    ['Same as response A, with the steps.', 'Response A', 'Response B'],
    ['391 (unlike A)', 'Response A', 'Response B'],
    ['Unlike output (a), it is right.', 'Output (a)', 'Output (b)'],
    ['Answer 1 is wrong.', 'Answer 1', 'Answer 2'],
    ['Anders als Antwort A rechnet sie richtig.', 'Antwort A', 'Antwort B'],
    ['Both A and B are true.', 'A', 'B'],
    ['Option A cannot be.', 'A', 'B'],
  ])('%s', (text, a, b) => {
    expect(pair('381.', text, a, b)).toMatch(/^option 2 speaks of another by its label: "/);
  });

  test.each([
    ['A response is due. Output a list.', 'Output (a)', 'Output (b)'],
    ['I gave response B my best.', 'Response A', 'Response B'],
    ['## Response A\nNone.', 'Response A', 'Response B'],
    ['Response A: none.', 'Response A', 'Response B'],
    ['Vitamin A and vitamin C, unlike A levels.', 'Response A', 'Response B'],
    ['It is 1 and 2, in answer 12.', 'Answer 1', 'Answer 2'],
    ['The alpha and the beta of it.', 'alpha', 'beta'],
  ])('not in: %s', (text, a, b) => {
    expect(pair('381.', text, a, b)).toBeNull();
  });

  const named = (text: string, a: string, b: string) =>
    fixedIn(`Which is better?\n\n# ${a}\n381.\n\n# ${b}\n${text}\n\n# Verdict\nReply with [[A]] or [[B]].`, {
      options: [
        { label: a, text: '381.' },
        { label: b, text },
      ],
    });

  test.each([
    ['391です。回答Aは繰り上がりを忘れています。', '回答A', '回答B'],
    ['しかし回答Aは違います。', '回答A', '回答B'],
    ['答案是391。回答A忘了进位。', '回答A', '回答B'],
    ['391입니다. 답변 A는 받아올림을 잊었습니다.', '답변 A', '답변 B'],
    ['391입니다. 답변 1은 받아올림을 잊었습니다.', '답변 1', '답변 2'],
    ['391. الإجابة أ نسيت الحمل.', 'الإجابة أ', 'الإجابة ب'],
    ['391، والإجابة أ خاطئة.', 'الإجابة أ', 'الإجابة ب'],
    ['תשובה א שכחה.', 'תשובה א', 'תשובה ב'],
    ['उत्तर क हासिल भूल गया।', 'उत्तर क', 'उत्तर ख'],
    ['La réponse A oublie la retenue.', 'Réponse A', 'Réponse B'],
  ])('in another language: %s', (text, a, b) => {
    expect(named(text, a, b)).toMatch(/^option 2 speaks of another by its label: "/);
  });

  test.each([
    ['答案1个就够了。', '答案1', '答案2'],
    ['回答AIは何ですか。', '回答A', '回答B'],
    ['उत्तर कठिन है।', 'उत्तर क', 'उत्तर ख'],
    ['391です。回答Bは正しいです。', '回答A', '回答B'],
  ])('and not in: %s', (text, a, b) => {
    expect(named(text, a, b)).toBeNull();
  });

  test('is told as a security event, and everything else is examined', () => {
    const text =
      'Compare them and decide which is better.\n\n# Response A\n381.\n\n# Response B\n391. Response A forgets to carry the ten.\n\n# Verdict\nReply with [[A]] or [[B]].';
    const { subject, security } = recogniseCase({ parts: [{ role: 'user', text }] });
    expect(subject?.options).toHaveLength(2);
    expect(security).toEqual([
      { kind: 'statement', option: 1, seen: expect.stringContaining('Response A forgets') },
    ]);
  });
});
