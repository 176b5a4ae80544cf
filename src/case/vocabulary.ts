/**
 * Words by which prompts name what they hand over, in the languages that were looked at. They are the first of several
 * witnesses for a slot's role, never the only way to one: see `roles.ts`.
 */

/** Names that are given in this order; options are named by the first two or more of one row. */
const ORDERS: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyz'],
  [...'αβγδεζ'],
  [...'甲乙丙丁戊'],
  [...'一二三四五六七八九十'],
  [...'أبجده'],
  ['ا', 'ب', 'ج', 'د'],
  [...'абвгде'],
  [...'アイウエオ'],
  [...'イロハニホヘト'],
  [...'가나다라마'],
  [...'①②③④⑤⑥⑦⑧⑨'],
  Array.from({ length: 100 }, (_, n) => `${n + 1}`),
  Array.from({ length: 100 }, (_, n) => `${n}`),
  [...'١٢٣٤٥٦٧٨٩'],
  ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii'],
  ['alpha', 'beta', 'gamma', 'delta'],
  ['x', 'y', 'z'],
  ['m', 'n'],
  ['p', 'q', 'r'],
  ['one', 'two', 'three', 'four', 'five', 'six'],
  ['first', 'second', 'third', 'fourth', 'fifth'],
  ['1st', '2nd', '3rd', '4th', '5th'],
  ['left', 'right'],
  ['former', 'latter'],
  ['model', 'baseline'],
  ['baseline', 'candidate'],
  ['control', 'treatment'],
  ['chosen', 'rejected'],
  ['old', 'new'],
  ['before', 'after'],
  ['this', 'other'],
  ['eins', 'zwei', 'drei', 'vier'],
  ['erste', 'zweite', 'dritte', 'vierte'],
  ['erster', 'zweiter', 'dritter'],
  ['erstes', 'zweites', 'drittes'],
  ['links', 'rechts'],
  ['linke', 'rechte'],
  ['linkes', 'rechtes'],
  ['linker', 'rechter'],
  ['un', 'deux', 'trois'],
  ['première', 'deuxième', 'troisième'],
  ['premier', 'deuxième', 'troisième'],
  ['première', 'seconde'],
  ['premier', 'second'],
  ['gauche', 'droite'],
  ['primera', 'segunda', 'tercera', 'cuarta'],
  ['primero', 'segundo', 'tercero', 'cuarto'],
  ['uno', 'dos', 'tres'],
  ['izquierda', 'derecha'],
  ['primeira', 'segunda', 'terceira'],
  ['primeiro', 'segundo', 'terceiro'],
  ['prima', 'seconda', 'terza'],
  ['primo', 'secondo', 'terzo'],
  ['eerste', 'tweede', 'derde'],
  ['первый', 'второй', 'третий'],
  ['первая', 'вторая', 'третья'],
  ['pierwsza', 'druga', 'trzecia'],
  ['pierwszy', 'drugi', 'trzeci'],
  ['birinci', 'ikinci', 'üçüncü'],
  ['第一', '第二', '第三'],
  ['左', '右'],
  ['上', '下'],
  ['前', '后'],
  ['الأولى', 'الثانية', 'الثالثة'],
  ['الأول', 'الثاني', 'الثالث'],
  ['첫', '두', '세'],
  ['첫번째', '두번째', '세번째'],
  ['पहला', 'दूसरा', 'तीसरा'],
  ['thứ nhất', 'thứ hai'],
];

/** Whether `next` is the name after `name` in some row. */
export function followsInOrder(name: string, next: string): boolean {
  const [a, b] = [name.toLowerCase(), next.toLowerCase()];
  return ORDERS.some((order) => {
    const at = order.indexOf(a);
    return at >= 0 && order[at + 1] === b;
  });
}

/** Whether a name stands in some row. */
export const isInOrder = (name: string): boolean =>
  ORDERS.some((order) => order.includes(name.toLowerCase()));

/** Whether the names are the first of some row, in order. */
export function beginsAnOrder(names: readonly string[]): boolean {
  const lower = names.map((name) => name.toLowerCase());
  return ORDERS.some((order) => lower.every((name, n) => order[n] === name));
}

/**
 * The row whose first names these words are, each once or more, cut to so many names.
 *
 * @param words in any order; one may be none of the names
 * @returns null where no row or several have two of the words or more among its first names
 */
export function placesInOrder(words: readonly string[], count: number): readonly string[] | null {
  const said = new Set(words.map((word) => word.trim().toLowerCase()));
  const rows = ORDERS.map((order) => order.slice(0, count)).filter((row) => {
    const here = row.filter((name) => said.has(name)).length;
    return here > 1 && said.size - here < 2;
  });
  const [row, ...more] = rows;
  return row !== undefined && more.length === 0 ? row : null;
}

/** Words of rows that are said of everything. */
const COMMON = /^(?:one|this|that|other|before|after|new|old)$/;

/** The words that stand at a place of some row, in lower case: `first`, `links`, `第一`. */
export const ordinalsAt = (place: number): readonly string[] =>
  ORDERS.flatMap((order) => order[place] ?? []).filter(
    (word) => !COMMON.test(word) && (word.length > 2 || (CJK.test(word) && word.length > 1)),
  );

/** The name that goes on a row which the names begin, written as they are; null where they begin none or it ends. */
export function nextInOrder(names: readonly string[]): string | null {
  const lower = names.map((name) => name.toLowerCase());
  const row = ORDERS.find((order) => names.length > 1 && lower.every((name, n) => order[n] === name));
  const next = row?.[names.length];
  if (next === undefined) return null;
  return names.every((name, n) => name === lower[n]) ? next : next.toUpperCase();
}

/** What a word in a label says of the slot. A label that holds words of several rows counts for the first of these. */
export type LabelRole = 'ignored' | 'reference' | 'rubric' | 'answer' | 'instruction' | 'context' | 'agent';

const WORDS: Readonly<Record<LabelRole, string>> = {
  ignored:
    'id, uuid, nonce, timestamp, trace, seed, request_id, session, date, datum, fecha, 日期, 编号, 番号',
  reference:
    'reference, references, gold, golden, ground truth, true answer, real answer, groundtruth, ground, ' +
    'expected, expert, ideal, correct, canonical, target, oracle, model solution, sample solution, ' +
    'model answer, answer key, key, referenz, referenzantwort, musterlösung, musterantwort, ' +
    'erwartungshorizont, erwartete, lösung, soll, référence, corrigé, attendue, attendu, modèle, ' +
    'referencia, esperada, esperado, respuesta modelo, resposta modelo, referência, gabarito, riferimento, attesa, referentie, ' +
    'эталон, эталонный, эталонная, ожидаемый, wzorcowa, referans, beklenen, 参考, 参照, 模範, 正解, 標準, 标准答案, ' +
    '标准, 期待, 모범, 참고, 정답, المرجع, المرجعية, النموذجية, نموذجية, مرجعية, المتوقعة, правильна, правильний, ' +
    'правильный, правильная, верный, верная, еталон, еталонна, очікувана, очікуваний, ожидаемое, ' +
    'prawidłowa, poprawna, wzorcowy, oczekiwana, správná, referenční, rätt, korrekt, facit, riktig, ' +
    'sant, sann, sanna, sand, vraie, wahre, verdadera, verdadeira, fasit, rigtig, juiste, correcte, doğru, सही, अपेक्षित, आदर्श, मानक, örnek, mẫu, образцовый, ' +
    'идеальный, ideale, benar, đúng, correcta, correcto, clave, correta, correto, chave, corretta, ' +
    'corretto, helyes, corect, σωστή, נכונה, 正确, 正確, 正しい, 模范, 標準答案, 올바른, الصحيحة, richtige, korrekte, ' +
    'richtig, official, consensus, benchmark, vorlage, erwartet, vorgegebene, ' +
    'verwacht, verwachte, verwachting, oficial, officiel, officielle, ufficiale, atteso, očekávané, ' +
    'očekávaná, эталонное, правильное, очікуване, oczekiwane, wzór, đáp án, tham khảo, kunci, acuan, ' +
    'diharapkan, เฉลย, ถูกต้อง, 期望, 预期, 正答, 理想, 想定, お手本, 예상, 기대, 표준, المتوقع, الصحيح, מצופה, צפויה, ' +
    'αναμενόμενη, elvárt, așteptat, förväntat, forventet, odotettu, sahihi',
  rubric:
    'rubric, rubrics, guardrail, guardrails, criteria, definition of done, definition_of_done, criterion, guideline, ' +
    'guidelines, scoring, marking, scheme, policy, policies, principle, principles, rules, checklist, ' +
    'metric, standard, standards, dimension, aspect, kriterium, kriterien, bewertungskriterien, ' +
    'bewertungsmaßstab, maßstab, richtlinien, regeln, raster, critère, critères, barème, grille, ' +
    'consignes, criterio, criterios, rúbrica, critério, critérios, criteri, criterium, критерии, ' +
    'критерий, рубрика, kryteria, ölçüt, ölçütler, kriterler, 基準, 標準, 评分, 评分标准, 准则, 规则, 採点基準, 評価基準, 기준, ' +
    '평가기준, المعايير, معايير, معيار, سلم, критері, вимоги, требования, kryteri, wymagania, kritéria, ' +
    'kriterier, krav, vereisten, kriter, मानदंड, kriteria, tiêuchí, 要求, 评价标准, 評価項目, 평가, שיקול, ' +
    'κριτήρια, szempontok, criterii, requisitos, exigences, anforderungen, requirement, requirements, ' +
    'rubrik, eis, eisen, vorgabe, vorgaben, anforderung, exigence, condiciones, condición, requisito, ' +
    'requisiti, condizioni, regole, reglas, regras, règles, zasady, wymaganie, pravidla, požadavky, ' +
    'требование, условия, правила, умови, kurallar, koşullar, tiêu chí, quy tắc, syarat, aturan, เกณฑ์, ' +
    '条件, 要件, 规范, 量规, 조건, 요구사항, 루브릭, 규칙, الشروط, شروط, القواعد, नियम, शर्त, קריטריונים, תנאים, κανόνες, ' +
    'szabályok, reguli, regler, säännöt, kriteerit',
  answer:
    'answer, answers, response, responses, output, outputs, completion, completions, submission, ' +
    'candidate, candidates, reply, replies, generation, generated, prediction, predicted, summary, ' +
    'summaries, translation, translations, rendering, solution, solutions, essay, essays, draft, ' +
    'drafts, proposal, proposals, version, variant, option, options, choice, headline, slogan, patch, ' +
    'diff, sql, hypothesis, hyp, mt, actual, email, tweet, caption, resume, application, abstract, ' +
    'antwort, antworten, ausgabe, entwurf, entwürfe, lösung, schülerantwort, übersetzung, ' +
    'zusammenfassung, vorschlag, fassung, variante, aufsatz, abgabe, beitrag, réponse, réponses, ' +
    'sortie, copie, traduction, résumé, proposition, rédaction, brouillon, commentaire, respuesta, ' +
    'respuestas, salida, traducción, resumen, propuesta, borrador, redacción, comentario, resposta, ' +
    'respostas, saída, tradução, resumo, proposta, risposta, risposte, traduzione, riassunto, antwoord, ' +
    'vertaling, samenvatting, ответ, ответы, перевод, вариант, сочинение, odpowiedź, tłumaczenie, ' +
    'yanıt, cevap, çeviri, 回答, 答案, 回复, 答复, 译文, 翻译, 摘要, 作文, 方案, 输出, 候选, 版本, 待评, 学生, 解答, 応答, 返答, 出力, 訳文, ' +
    '訳, 要約, 案, 候補, 答え, 生徒, 번역, 답변, 응답, 대답, 출력, 요약, 제출, إجابة, الإجابة, الجواب, جواب, الرد, رد, الترجمة, ' +
    'ترجمة, الملخص, ملخص, المسودة, उत्तर, जवाब, trả lời, jawaban, svar, vastaus, απάντηση, תשובה, ' +
    'відповід, odpowied, odpověď, odpověd, svaret, antwoorden, yanıtı, cevabı, câutrảlời, 答卷, 被评, 作答, ' +
    '稿件, 简历, 논술, 답안, 返信, 回信, 답장, válasz, răspuns, คำตอบ, perevod, переклад, переказ, oversættelse, ' +
    'översättning, sammanfattning, terjemahan, özet, अनुवाद, सारांश, attempt, submitted, paraphrase, ' +
    'rewrite, rewritten, rewording, suggestion, recommendation, correction, drafted, produced, ' +
    'auskunft, erwiderung, arbeit, einreichung, versuch, lösungsversuch, vorgeschlagene, uitvoer, ' +
    'poging, oplossing, inzending, voorstel, utdata, förslag, lösning, inlämning, besvarelse, løsning, ' +
    'forslag, udkast, utkast, ratkaisu, ehdotus, luonnos, intento, entrega, solución, versión, ' +
    'tentativa, solução, versão, rascunho, tentativo, consegna, soluzione, versione, bozza, elaborato, ' +
    'tentative, rendu, essai, wersja, rozwiązanie, próba, praca, streszczenie, podsumowanie, ' +
    'propozycja, řešení, návrh, verze, shrnutí, překlad, решение, попытка, версия, черновик, работа, ' +
    'резюме, предложение, рішення, версія, чернетка, çıktı, çözüm, taslak, öneri, cevabın, câu trả, bài ' +
    'làm, bản dịch, tóm tắt, balasan, keluaran, ringkasan, ผลลัพธ์, คำแปล, สรุป, jibu, majibu, λύση, ' +
    'μετάφραση, תשובת, פתרון, תרגום, fordítás, megoldás, rezumat, traducere, soluție, 生成, 产出, 总结, 改写, ' +
    '解法, 应答, 实际, 提出, 原稿, 初稿, 草稿, 결과물, 초안, 풀이, 제안, الحل, التلخيص, समाधान, प्रतिक्रिया',
  instruction:
    'question, questions, instruction, instructions, prompt, task, query, input, inquiry, request, ' +
    'problem, user, customer, ticket, brief, topic, issue, source, original, human, exercise, ' +
    'assignment, ask, asked, need, goal, q, src, client, subject, title, intent, frage, aufgabe, ' +
    'anweisung, anfrage, kundenanfrage, aufgabenstellung, kunde, nutzer, nutzerfrage, thema, auftrag, ' +
    'quelle, eingabe, énoncé, consigne, demande, tâche, sujet, problème, requête, utilisateur, ' +
    'pregunta, preguntas, tarea, instrucción, consulta, problema, usuario, enunciado, petición, tema, ' +
    'entrada, pergunta, instrução, tarefa, usuário, domanda, compito, richiesta, istruzione, vraag, ' +
    'opdracht, вопрос, задание, задача, запрос, инструкция, pytanie, zadanie, polecenie, soru, görev, ' +
    'istem, 问题, 用户, 题目, 指令, 任务, 提问, 原文, 需求, 提示, 質問, 課題, 指示, 問い, 問題, 設問, 依頼, 入力, お題, 질문, 문제, 지시, 과제, ' +
    '사용자, 원문, السؤال, سؤال, المهمة, التعليمات, الطلب, المستخدم, الأصل, النص الأصلي, प्रश्न, câu hỏi, ' +
    'pertanyaan, fråga, kysymys, ερώτηση, שאלה, питання, pytania, запитання, завдання, запит, умова, ' +
    'условие, otázka, úloha, zadání, frågan, uppgift, uppgiften, spørgsmål, opgave, spørsmål, oppgave, ' +
    'tehtävä, vraagstelling, talimat, सवाल, कार्य, निर्देश, soalan, tugas, câuhỏi, 題目, 质问, 辩题, 主题, ' +
    '用户输入, 作業, 지시문, kérdés, feladat, întrebare, sarcină, εργασία, משימה, คำถาม, kundin, kunden, ' +
    'cliente, klient, клиент, клієнт, müşteri, ग्राहक, khách, pelanggan, klant, العميل, 客户, 顾客, お客様, ' +
    '顧客, 고객, invoer, indata, anliegen, ausgangstext, entrée, saisie, wejście, vstup, ввод, входной, ' +
    'вхід, girdi, masukan, đề bài, yêu cầu, คำสั่ง, โจทย์, 질의, 요청, 입력, المدخل, الإدخال, इनपुट, קלט, ' +
    'שאלת, syöte, είσοδος, bemenet, intrare, swali, ulasan',
  context:
    'context, contexts, document, documents, passage, passages, source, article, background, evidence, ' +
    'knowledge, retrieved, retrieval, handbook, note, notes, statement, comment, info, information, ' +
    'metadata, log, logs, channel, place, condition, conditions, history, conversation, dialogue, ' +
    'dialog, transcript, chat, facts, material, remark, remarks, data, schema, table, turns, says, ' +
    'base, author, constraints, persona, tools, trajectory, kontext, dokument, hintergrund, quelle, ' +
    'quellen, wissen, hinweis, hinweise, bemerkung, verlauf, gespräch, textstelle, abschnitt, auszug, ' +
    'contexte, extrait, remarque, contexto, documento, pasaje, nota, fuente, contesto, documenti, ' +
    'brano, fonte, trecho, контекст, документ, источник, kontekst, bağlam, belge, 上下文, 背景, 资料, 文档, 备注, ' +
    '参考资料, 段落, 材料, 文脈, 資料, 備考, 文書, 会話, 履歴, 補足, 맥락, 문맥, 문서, 자료, 배경, السياق, سياق, الوثيقة, المستند, ' +
    'المقطع, ملاحظة, ملاحظات, संदर्भ, konteks, довідка, джерело, текст, материал, матеріал, źródło, ' +
    'zdroj, sammanhang, källa, kilde, lähde, bron, achtergrond, kaynak, ngữcảnh, 出典, המקור, הקשר, ' +
    'forrás, chunk, chunks, snippet, snippets, fundstelle, seite, seiten, artikel, articulo, artículo, ' +
    'artigo, articolo, статья, стаття, artykuł, makale, bài báo, 기사, 記事, 文章, 출처, 근거, 証拠, 证据, 来源, 根拠, ' +
    'bukti, sumber, nguồn, بند, المصدر, स्रोत, beleg, belege, preuve, preuves, prueba, pruebas, ' +
    'evidencia, evidências, evidência, prova, prove, доказательства, bewijs, dowód, kanıt',
  /** Who wrote it, or what kind of text it is: says that it is judged only where no other label does. */
  agent:
    'conversation, dialogue, dialog, transcript, chat, gespräch, gesprächsverlauf, verlauf, ' +
    'conversación, conversa, conversazione, 对话, 会話, диалог, محادثة, المحادثة, 대화, assistant, bot, ' +
    'agent, chatbot, system, ai, model, modelo, comment, text, story, poem, review, code, message, post, ' +
    'statement, claim, paragraph, title, description, result, entry, letter, final, student, argument, ' +
    'report, kommentar, texte, texto, commentaire, comentario, 文本, النص, modell, schüler, étudiant, ' +
    'estudiante, 助手, 模型, アシスタント, 어시스턴트, mitarbeiter, mitarbeiterin, berater, conseiller, conseillère, ' +
    'asesor, asesora, agente, operador, atendente, operatore, оператор, консультант, сотрудник, ' +
    'medewerker, danışman, temsilci, موظف, 客服, 坐席, 担当者, オペレーター, 상담원, 상담사, trajectory, trace, run, ' +
    'execution, session, protokoll, ablauf, ausführung, exécution, ejecución, execução, esecuzione, ' +
    'uruchomienie, запуск, 轨迹, 记录, 执行, 記録, 実行, 기록, 실행, 기사, 記事, article, artikel, aussage, behauptung, ' +
    'affirmation, afirmación, afirmação, affermazione, утверждение, твердження, twierdzenie, iddia, 陈述, ' +
    '主张, 断言, 主張, 発言, 주장, 진술, 발언, ادعاء, दावा, klaim, khẳng định, stelling, påstående, påstand, väite, ' +
    'tvrzení, học sinh, sinh viên, siswa, öğrenci, uczeń, ucznia, ученик, студент, учень, aluno, aluna, ' +
    'alumno, alumna, élève, studente, leerling, elev, oppilas, 학생, 考生, 受講生, छात्र, الطالب, תלמיד, ' +
    'μαθητής, diák, mwanafunzi, nhân viên, asisten, asystent, asistent, asistan, assistent, ассистент, ' +
    'асистент, trợ lý, المساعد, सहायक, עוזר, βοηθός, ผู้ช่วย',
};

const PROGRAMS: ReadonlySet<string> = new Set(
  'test tests tool console terminal compiler linter command shell interpreter api ci log'.split(' '),
);

/** A sign of a script that puts no space between words. */
export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const ROLE_OF = new Map<string, LabelRole[]>();
for (const role of ['ignored', 'reference', 'rubric', 'answer', 'instruction', 'context', 'agent'] as const)
  for (const word of WORDS[role].split(', '))
    if (!ROLE_OF.get(word)?.includes(role)) ROLE_OF.set(word, [...(ROLE_OF.get(word) ?? []), role]);

/** In small letters, as many characters as before. What has a Turkish İ is Turkish: its I has no dot when it is small. */
export const lowerCased = (text: string): string =>
  text.includes('İ') ? text.toLocaleLowerCase('tr') : text.toLowerCase();

/**
 * The words of a label in lower case: letters and numbers apart, `answerA` and `model_x` as two words each. Of scripts
 * that set no spaces every Chinese character is a word.
 */
export function wordsOfLabel(label: string): string[] {
  const spaced = label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/\p{Script=Han}/gu, ' $& ');
  return (
    lowerCased(spaced).match(
      /\p{N}+(?:st|nd|rd|th)?(?!\p{L}(?<!\p{Script=Hangul}))|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+/gu,
    ) ?? []
  );
}

/** What the words of a label say, the first word's roles first. */
export function rolesOfLabel(label: string): LabelRole[][] {
  const words = lowerCased(label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[\p{L}\p{M}]+/gu) ?? [];
  const found: LabelRole[][] = [];
  for (const [n, word] of words.entries()) {
    // What a program gave is no answer: `Test output`, `Tool response`.
    const isProgram = PROGRAMS.has(words[n - 1] ?? '') && ROLE_OF.get(word)?.[0] === 'answer';
    if (isProgram) {
      found.push(['context']);
      continue;
    }
    const pair = ROLE_OF.get(`${word} ${words[n + 1] ?? ''}`);
    if (pair) found.push(pair);
    const roles = ROLE_OF.get(word) ?? (CJK.test(word) ? inside(word) : undefined) ?? roleOfInflected(word);
    if (roles) found.push(roles);
  }
  return found;
}

/** What a label says by itself. */
export function roleOfLabel(label: string): LabelRole | null {
  const words = rolesOfLabel(label);
  for (const role of ['reference', 'rubric', 'answer', 'instruction', 'context', 'agent'] as const)
    if (words.some((roles) => roles[0] === role)) return role;
  return words.flat()[0] ?? null;
}

/** Words by which a note names an option. As the title of a section they say something else, or nothing. */
const IN_NOTES: ReadonlySet<string> = new Set(
  (
    'script snippet entry description explanation article slogan design candidate sample ' +
    'lösung erklärung beschreibung formulierung modell kandidat kandidatin text textfassung ' +
    'modèle candidat candidate assistant assistante explication description option formulation script ' +
    'opción opciones asistente candidato candidata modelo descripción explicación redacción guion ' +
    'opção assistente descrição explicação modello opzione spiegazione descrizione uitleg ' +
    'オプション モデル スクリプト バージョン テキスト サンプル プラン 文章 説明 解説 文面 選択 选项 選項 解释 说明 描述 文案 话术 写法 ' +
    'вариант объяснение модель опция opcja wyjaśnienie seçenek açıklama 설명 모델 옵션 글'
  ).split(' '),
);

/** Whether a word is one for what is judged, in whatever language: `Antwort`, `回答`, `assistant`. */
export function isNameOfOption(word: string): boolean {
  if (IN_NOTES.has(word.toLowerCase())) return true;
  const [roles = []] = rolesOfLabel(word);
  return roles[0] === 'answer' || roles[0] === 'agent';
}

/** Known words of scripts that put no space between them. */
const UNSPACED = [...ROLE_OF.keys()].filter((word) => CJK.test(word));

/** Chinese, Japanese and Korean words stand together without spaces. */
function inside(word: string): LabelRole[] | undefined {
  let best = '';
  for (const known of UNSPACED) if (word.includes(known) && isBetter(known, best, word)) best = known;
  return ROLE_OF.get(best);
}

/** A reference or a rubric is named in front of the word for an answer (`参考答案`). */
function isBetter(known: string, best: string, word: string): boolean {
  const rank = (one: string) => {
    const roles = ROLE_OF.get(one) ?? [];
    return roles.includes('reference') || roles.includes('rubric') ? 1 : 0;
  };
  if (rank(known) !== rank(best)) return rank(known) > rank(best);
  return (
    known.length > best.length || (known.length === best.length && word.indexOf(known) > word.indexOf(best))
  );
}

/** Letters of an ending that a word may have more than the one that is known, and what must be left of it. */
const LONGEST_ENDING = 3;
const SHORTEST_STEM = 5;

/** `questions`, `відповіді`, `çevirisi`. */
function roleOfInflected(word: string): LabelRole[] | undefined {
  if (word.endsWith('s') && ROLE_OF.has(word.slice(0, -1))) return ROLE_OF.get(word.slice(0, -1));
  for (let ending = 1; ending <= LONGEST_ENDING && word.length - ending >= SHORTEST_STEM; ending++) {
    const roles = ROLE_OF.get(word.slice(0, -ending));
    // English words are known in all their forms: a `subjective` is no subject.
    if (roles && !/^[a-z]+$/.test(word)) return roles;
  }
  return undefined;
}

/** Says in orders, in lower case, that something is judged. */
export const VERB_OF_JUDGING =
  /evaluat|assess|\b(?:rat|grad|scor)(?:e|ing)\b|\bjudg|\bcheck|\bverif|bewert|beurteil|prüf|évalu|\bjuge|\bnote[rz]?\b|vérifi|evalú|valora|califi|puntúa|avali|julg|valuta|giudica|beoordeel|оцен|провер|oceń|oceni|değerlendir|puanla|bedöm|granska|vurder|arvioi|đánh giá|chấm|nilai|评估|评价|评判|判断|打分|評価|採点|判定|평가|채점|판정|قيّم|قيم|تقييم|मूल्यांकन|ประเมิน/u;

const CONCLUDES = new RegExp(
  [
    'overall|final|total|average|mean(?:_|\\b)|verdict|verdetto|veredi[ct]|score|rating|grade|label|result|resultado|decision|judge?ment',
    'durchschnitt|moyenne|promedio|média|среднее|середнє|평균|平均|urteil|gesamt|bewertung|ergebnis|punkt|note|nota|punteggio|voto|esito|puntuaci|puntaje|calificaci|pontua',
    'conclusi|oordeel|cijfer|betyg|poäng|karakter|arvosana|yhteens|wynik|ocena|werdykt|celkem|hodnocen',
    'оцен|оцін|балл?|итог|вердикт|висновок|підсум|вывод|\\bbal\\b|\\bpuan|toplam|karar|sonuç|điểm|kết luận|kết quả',
    'درجة|النتيجة|الحكم|التقييم|نمره|امتیاز|अंक|स्कोर|निर्णय|ציון|คะแนน|점수|총점|평점|판정|결론',
    '分数|得分|评分|总分|总评|總評|總分|評分|结论|結論|判定|判決|評価|点数|スコア|総合',
  ].join('|'),
  'iu',
);

/** Whether a field or a line is called as what holds the verdict, rather than one of its grounds. */
export const namesVerdict = (name: string) => CONCLUDES.test(name);

const WINNER =
  /winner|better|\bbest|prefer|chosen|choice|gewinner|sieger|besser|gagnant|ganador|vencedor|vincitore/i;

/** Whether a field or a line says which of several wins: what stands there is no score, whatever number it is. */
export const namesWinner = (name: string) => WINNER.test(name);

/** Words that take back the label beside them, in the languages of most judges. */
export const DENIES =
  /(?<!\p{L})(?:not|no|never|neither|nor|nicht|kein\p{L}{0,2}|weder|ni|pas|aucune?|nem|não|non|né|niet|geen|nie|ani|не|ни|inte|ikke)(?!\p{L})|n't\b|[不没沒]|ない|않|아니|ليس/iu;

/** Says that no text is chosen. A policy may write a tie, and nobody may write that neither will do but the judge. */
export const NEITHER =
  /\b(?:neither|none|weder|keine[rs]?|ningun[oa]?|aucune?|nessun[oa]?)\b|都不|どちらでもない/i;
