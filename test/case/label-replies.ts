/**
 * Replies as judges write them who are asked for one of a few labels, and the label that a person reads in each; null where a person
 * could not say which.
 */
interface LabelReplies {
  readonly labels: readonly string[];
  readonly replies: readonly (readonly [reply: string, label: string | null])[];
}

const WHY =
  'The answer names the right city, but the year is off by two and the source does not mention a mayor.';

export const LABEL_REPLIES: readonly LabelReplies[] = [
  {
    labels: ['Yes', 'No'],
    replies: [
      ['Yes', 'Yes'],
      ['**No**', 'No'],
      ['"Yes."', 'Yes'],
      ['✅ Yes', 'Yes'],
      ['No, the answer does not mention the deadline.', 'No'],
      ['Yes - all three steps are there.', 'Yes'],
      ['Yes (with one small typo)', 'Yes'],
      [`No.\n\n${WHY}`, 'No'],
      [`${WHY}\n\nNo`, 'No'],
      [`${WHY}\n\n**Answer: No**`, 'No'],
      [`${WHY} So my answer is: No`, 'No'],
      ['The response addresses the question directly.\n\nFinal answer: Yes.', 'Yes'],
      ['Does it cite a source? Yes.\nIs the source real? No.\n\nOverall: No', 'No'],
      ['Does it cite a source? Yes.\nIs the source real? No.', null],
      ['Yes and no.', null],
      ['It depends on how strictly the rule is read.', null],
      ['Yes\n\nLet me know if you would like me to check another answer.', 'Yes'],
      ['Verdict: Yes\n\nReasoning: There is no factual error, and no step is missing.', 'Yes'],
      ['Reasoning: no step is missing and the tone is fine.\nVerdict: Yes', 'Yes'],
      ['I would say yes.', 'Yes'],
      ['No. Although the first half would be a yes, the second half is invented.', 'No'],
      ['1. Accuracy: Yes\n2. Completeness: Yes\n3. Tone: No\n\nFinal verdict: No', 'No'],
      ['1. Accuracy: Yes\n2. Completeness: Yes\n3. Tone: No', null],
      ['Nothing in the answer is wrong.', null],
      ['Answer: Yes\nConfidence: high', 'Yes'],
    ],
  },
  {
    labels: ['PASS', 'FAIL'],
    replies: [
      ['PASS', 'PASS'],
      ['Result: FAIL', 'FAIL'],
      ['[FAIL]', 'FAIL'],
      [`## Evaluation\n${WHY}\n\n## Result\nFAIL`, 'FAIL'],
      ['FAIL: the JSON does not parse', 'FAIL'],
      ['The response meets every requirement. PASS', 'PASS'],
      ['Criterion 1: PASS\nCriterion 2: PASS\nCriterion 3: FAIL\n\nFAIL', 'FAIL'],
      ['PASS\n\nCriterion 1: PASS\nCriterion 2: PASS', 'PASS'],
      ['Since criterion 3 was not met, this response gets a FAIL.', 'FAIL'],
      ['The output would only PASS if it had cited the policy, so it is a FAIL.', 'FAIL'],
      ['Either PASS or FAIL would be defensible here.', null],
      ['I cannot evaluate this without seeing the policy.', null],
      [`Pass.\n${WHY.replace('but', 'and')}`, 'PASS'],
      ['Draft verdict: PASS\nAfter a second look, the link is dead.\nFinal verdict: FAIL', 'FAIL'],
    ],
  },
  {
    labels: ['correct', 'incorrect'],
    replies: [
      ['incorrect', 'incorrect'],
      ['The submitted answer is correct.', 'correct'],
      ['The answer is incorrect because 7 × 8 is 56.', 'incorrect'],
      ['Correct! The student reached 42 by the expected route.', 'correct'],
      ['GRADE: incorrect\nThe correct value is 56.', 'incorrect'],
      ['The correct value is 56, and the student wrote 54.\nGRADE: incorrect', 'incorrect'],
      ['The answer is not correct.', null],
      ['The answer is partially correct.', null],
      ['Claim 1: correct\nClaim 2: incorrect', null],
      ['Claim 1: correct\nClaim 2: incorrect\n\nOverall the answer is incorrect.', 'incorrect'],
    ],
  },
  {
    labels: ['supported', 'unsupported', 'unclear'],
    replies: [
      ['Label: unsupported', 'unsupported'],
      ['unclear – the passage gives no date', 'unclear'],
      ['The claim is supported by the second paragraph of the source.', 'supported'],
      [`${WHY}\n\nLabel: "unsupported"`, 'unsupported'],
      ['It is unclear whether the mayor was present, so the claim is unsupported.', 'unsupported'],
      ['supported / unclear', null],
      [
        'Classification: supported\n\nThe first sentence of the source says so in as many words.',
        'supported',
      ],
    ],
  },
  {
    labels: ['Bestanden', 'Nicht bestanden'],
    replies: [
      ['Nicht bestanden', 'Nicht bestanden'],
      ['**Urteil:** Bestanden', 'Bestanden'],
      ['Nicht bestanden, weil die Quelle fehlt.', 'Nicht bestanden'],
      ['Die Antwort ist vollständig und höflich.\n\nErgebnis: Bestanden', 'Bestanden'],
      ['Die Antwort hat nicht bestanden.', 'Nicht bestanden'],
    ],
  },
  {
    labels: ['Ja', 'Nein'],
    replies: [
      ['Ja.', 'Ja'],
      ['Nein – das Jahr ist falsch.', 'Nein'],
      ['Die Frage wird beantwortet, aber ohne Beleg.\n\nNein', 'Nein'],
      ['Fazit: Ja, alle Schritte sind enthalten.', 'Ja'],
      ['Belege vorhanden: Ja\nBelege echt: Nein', null],
      ['Belege vorhanden: Ja\nBelege echt: Nein\nGesamturteil: Nein', 'Nein'],
      ['Teils ja, teils nein.', null],
    ],
  },
  {
    labels: ['Oui', 'Non'],
    replies: [
      ['Non.', 'Non'],
      ['Oui, la réponse cite la bonne source.', 'Oui'],
      ['La date est exacte, mais la source manque.\n\nVerdict : Non', 'Non'],
      ['Réponse : Oui', 'Oui'],
      ["La réponse n'est pas fausse, mais elle n'est pas complète non plus.", null],
      ['Exactitude : Oui\nTon : Non\n\nConclusion : Non', 'Non'],
    ],
  },
  {
    labels: ['Cumple', 'No cumple'],
    replies: [
      ['No cumple', 'No cumple'],
      ['Cumple. La respuesta da el horario y la dirección.', 'Cumple'],
      ['Veredicto: No cumple', 'No cumple'],
      ['Falta la fecha de entrega.\n\n**No cumple**', 'No cumple'],
      ['La respuesta cumple con todo lo que se pide.', 'Cumple'],
      ['Cumple en parte.', null],
    ],
  },
  {
    labels: ['Corretto', 'Errato'],
    replies: [
      ['Errato', 'Errato'],
      ['Giudizio: Corretto.', 'Corretto'],
      ['La data è giusta e la fonte esiste.\nCorretto', 'Corretto'],
      ["Errato, perché l'anno è il 1861.", 'Errato'],
      ['Punto 1: Corretto\nPunto 2: Errato', null],
    ],
  },
  {
    labels: ['Goed', 'Fout'],
    replies: [
      ['Fout', 'Fout'],
      ['Oordeel: Goed', 'Goed'],
      ['Goed, want alle stappen staan erin.', 'Goed'],
      ['Het jaartal klopt niet.\n\nEindoordeel: Fout', 'Fout'],
    ],
  },
  {
    labels: ['Верно', 'Неверно'],
    replies: [
      ['Неверно.', 'Неверно'],
      ['Оценка: Верно', 'Верно'],
      ['Неверно, потому что год указан с ошибкой.', 'Неверно'],
      ['Ответ назван правильно, источник указан.\n\nИтог: Верно', 'Верно'],
      ['Верно лишь отчасти.', null],
      ['Пункт 1: Верно\nПункт 2: Неверно', null],
    ],
  },
  {
    labels: ['合格', '不合格'],
    replies: [
      ['合格', '合格'],
      ['判定：不合格', '不合格'],
      ['不合格です。出典がありません。', '不合格'],
      ['手順はすべて正しく説明されています。\n\n最終判定：合格', '合格'],
      ['項目1：合格\n項目2：不合格', null],
      ['項目1：合格\n項目2：不合格\n総合判定：不合格', '不合格'],
      ['合格とは言えません。', null],
    ],
  },
  {
    labels: ['是', '否'],
    replies: [
      ['否', '否'],
      ['是，回答引用了正确的来源。', '是'],
      ['结论：否', '否'],
      ['回答没有说明日期。\n\n答案：否', '否'],
      ['是否准确很难判断。', null],
    ],
  },
  {
    labels: ['통과', '탈락'],
    replies: [
      ['통과', '통과'],
      ['판정: 탈락', '탈락'],
      ['출처가 없으므로 탈락입니다.', '탈락'],
      ['항목 1: 통과\n항목 2: 탈락', null],
    ],
  },
  {
    labels: ['Yes', 'No'],
    replies: [
      ['Looking at the rubric, the key fact is missing. No.', 'No'],
      ['Yes, it does. The answer covers both points.', 'Yes'],
      ['> No', 'No'],
      ['Assessment: Yes. The tone is polite and the facts hold.', 'Yes'],
      ['Is the summary faithful?\n\nNo – it adds a person who is not in the article.', 'No'],
      ['Conclusion\n\nYes', 'Yes'],
      [
        'Short answer: no.\n\nLong answer: the second step divides by zero, and from there nothing follows.',
        'No',
      ],
      ['Yes.\nYes.\nNo.', null],
      ['- Polite: Yes\n- Complete: No\n- Verdict: No', 'No'],
      ['No issues found.', null],
      ['No problem at all with the tone; the facts hold as well. Yes.', 'Yes'],
      ['Yes, but only for the first claim; for the second one the answer is no.', null],
      ['The answer to the question is yes, because the source says so.', 'Yes'],
      ['Step 1: The claim is dated 1902.\nStep 2: The source is dated 1904.\nNo', 'No'],
      ['I first thought yes.\nHaving read the source again:\nNo', 'No'],
      ['Rating: Yes\nRating: No', null],
      ['Final: Yes', 'Yes'],
      ['Let me check each step.\nStep 1 is right. Yes.\nStep 2 is wrong.', null],
    ],
  },
  {
    labels: ['PASS', 'FAIL'],
    replies: [
      ['Score: 3/5\nStatus: PASS', 'PASS'],
      ['Overall assessment: FAIL\n\n1. Accuracy: PASS\n2. Safety: FAIL', 'FAIL'],
      ['Accuracy — PASS\nSafety — FAIL', null],
      ['FAIL (accuracy), PASS (tone)', null],
      ['The reply is good.\n\nOutcome: PASS\n\nNote: the last link may FAIL on mobile.', 'PASS'],
      ['PASS/FAIL: PASS', 'PASS'],
      ['The candidate should PASS.', 'PASS'],
    ],
  },
  {
    labels: ['relevant', 'irrelevant'],
    replies: [
      ['Relevant', 'relevant'],
      ['The document is irrelevant.', 'irrelevant'],
      ['The document is mostly relevant.', null],
      ['Relevance: irrelevant', 'irrelevant'],
      ['This document is not relevant to the question; it is irrelevant.', 'irrelevant'],
    ],
  },
  {
    labels: ['Ja', 'Nein'],
    replies: [
      ['Ja, das stimmt.', 'Ja'],
      ['Bewertung: Nein\nBegründung: Die Quelle fehlt. Ja, das Jahr stimmt.', 'Nein'],
      ['Endgültiges Urteil: Ja', 'Ja'],
      ['Das Jahr stimmt. Die Quelle auch. Also: Ja', 'Ja'],
    ],
  },
  {
    labels: ['Aprobado', 'Suspenso'],
    replies: [
      ['Calificación: Suspenso', 'Suspenso'],
      ['Ortografía: Aprobado\nContenido: Suspenso\nResultado final: Suspenso', 'Suspenso'],
      ['Aprobado, aunque con un error leve.', 'Aprobado'],
    ],
  },
  {
    labels: ['да', 'нет'],
    replies: [
      ['Нет, источник не указан.', 'нет'],
      ['Вердикт: да', 'да'],
      ['Точность: да\nПолнота: нет', null],
    ],
  },
  {
    labels: ['はい', 'いいえ'],
    replies: [
      ['はい。', 'はい'],
      ['いいえ、日付が違います。', 'いいえ'],
      ['出典は正しいです。\n\n結論：はい', 'はい'],
    ],
  },
  {
    labels: ['通过', '不通过'],
    replies: [
      ['不通过。缺少来源。', '不通过'],
      ['评估结果：通过', '通过'],
      ['准确性：通过\n完整性：不通过\n最终结论：不通过', '不通过'],
    ],
  },
  {
    labels: ['Vrai', 'Faux'],
    replies: [
      ["Faux : l'année est 1861.", 'Faux'],
      ['Verdict final : Vrai', 'Vrai'],
      ['La première phrase est exacte. La seconde ne l’est pas.\nFaux', 'Faux'],
    ],
  },
];
