/**
 * What a case asks for: there the cue of a bias is a merit, and undoing it takes that merit away. Who asks for a list in
 * Markdown is right to go by its marks.
 */
import {
  type Case,
  findOwnText,
  listWords,
  matchWords,
  splitAtStops,
  type WordLists,
} from '../case/index.ts';

/** Compiled when first asked for: a server at the edge starts with none of them. */
function reads(lists: WordLists): (text: string) => boolean {
  let words: RegExp | undefined;
  return (text) => {
    words ??= matchWords(listWords(lists));
    return words.test(text);
  };
}

const ASKED_FOR: Readonly<Record<string, (text: string) => boolean>> = {
  instruction: reads({
    en: `injection|injections|jailbreak*|manipulat*|system prompt*|instructions to the judge|instructions to the grader|instructions to the evaluator|instruction for
      graders|instructions for graders|prompt for a judge|prompt for an LLM|instruction for judges|instructions for judges|instruction* for evaluator*`,
    de: 'injection|prompt-injection|manipul*|jailbreak*|systemprompt*|anweisungen an die jury|anweisung* an den prüfer|anweisung* an den richter',
    fr: 'injection|injections|manipul*|jailbreak*|invite système|prompt système|consignes au juge|instructions au juge',
    es: 'inyección|inyecciones|manipul*|jailbreak*|prompt del sistema|instrucciones al juez|instrucciones para el juez',
    zh: '注入|越狱|操纵|操控|系统提示|给评审的指令',
    ja: 'インジェクション|脱獄|操作|システムプロンプト|審査員への指示|評価者への指示',
  }),
  reasons: reads({
    en: `explain*|explanation*|show|shows|prove|proof|proves|why|reason|reasons|reasoning|justif*|derive|derivation|describe*|discuss*|
      step by step|steps|elaborate|compare|argue`,
    de: 'erkläre*|erklärung*|erläuter*|begründe*|begründung*|zeige*|beweis*|warum|wieso|weshalb|gründe|herleit*|beschreib*|rechenweg*',
    fr: 'expliqu*|explication*|montre*|prouve*|preuve|démontre*|démonstration|pourquoi|raison|raisons|justifi*|décri*|étapes',
    es: 'explica*|explique*|explicación|muestra|muestre|demuestr*|demostración|por qué|razón|razones|justifi*|describ*|pasos',
    zh: '解释|说明|证明|为什么|为何|理由|原因|推导|论述|步骤',
    ja: '説明|示し|示せ|証明|なぜ|どうして|理由|根拠|導出|述べ|手順',
  }),
};

/** Sentences of the judge's own text in which it asks something of an answer: "Check whether the response cites a source". */
const asksSomething = reads({
  en: 'whether|does|do|must|should|has to|have to|needs to|need to|prefer|reward|favor|favour|how well|to what extent',
  de: 'ob|muss|müssen|soll|sollen|sollte|sollten|bevorzug*|wie gut|inwieweit',
  fr: 'si|est-ce que|doit|doivent|devrait|devraient|préfér*|dans quelle mesure',
  es: 'si|debe|deben|debería|deberían|prefier*|en qué medida',
  zh: '是否|必须|应当|应该|优先',
  ja: 'かどうか|必ず|べき|必要|優先',
});
const namesAnswer = reads({
  en: 'response|responses|answer|answers|text|texts|submission|output|reply|essay|mail|email|summary|review|candidate|it',
  de: 'antwort*|text|texte|ausgabe|aufsatz|zusammenfassung|mail',
  fr: 'réponse|réponses|texte|textes|résumé|copie',
  es: 'respuesta|respuestas|texto|textos|resumen|salida',
  zh: '回答|答案|文本|回复|摘要',
  ja: '回答|答え|文章|応答|要約',
});
/** What the judge itself is to write is no merit of an answer. */
const speaksOfReply = reads({
  en: 'your|you must|you should|you have to|you need to',
  de: 'deine*|du musst|du sollst|sie müssen|sie sollen',
  fr: 'votre|vos|vous devez',
  es: 'tu|debes',
  zh: '你|您',
  ja: 'あなた',
});
/** How a paragraph of criteria begins. */
const CRITERIA =
  /^[\s\p{P}\p{S}\d]{0,9}(?:criteri(?:on|a)|rubrics?|requirements?|kriteri(?:um|en)|anforderung(?:en)?|critères?|criterios?|requisitos?|(?:评分|评估|评价)?标准|要求|(?:評価)?基準|要件)[^:：\n]{0,40}[:：]/iu;

/** Says what is not to be, or not to count: "Do not let the length of the responses influence you". */
const speaksAgainst = reads({
  en: `not|don't|doesn't|no|never|without|regardless|irrespective|ignore*|disregard*|avoid*|influence*|bias*|sway*|independent*|rather than|
    instead of|irrelevant`,
  de: 'nicht|kein*|nie|ohne|unabhängig|ungeachtet|ignorier*|vermeide*|beeinfluss*|egal|statt',
  fr: "ne|n'|pas|jamais|sans|ignore*|évite*|indépendamment|influenc*|biais|plutôt que",
  es: 'no|nunca|sin|ignor*|evit*|independientemente|influ*|sesgo*|en lugar de',
  zh: '不|勿|别|无论|忽略|忽视|避免|影响|偏',
  ja: 'ない|なく|ません|無視|避け|影響|偏|関係な|かかわらず|関わらず',
});

/**
 * @param what a bias, or `reasons`, which the judge's own text may ask of the judge
 * @returns whether the task, a rubric or a criterion of the judge asks for it
 *
 * @example asksFor(subject, 'formatting') // true where the instruction is 'List three fruits in Markdown.'
 */
export function asksFor(subject: Case, what: string): boolean {
  const asks = ASKED_FOR[what];
  if (!asks) return false;
  const { instruction, standards = [] } = subject;
  const rubrics = standards.flatMap(({ of, text }) => (of === 'rubric' ? [text] : []));
  const given = [instruction?.text ?? '', ...rubrics].flatMap(splitAtStops);
  const own = what === 'reasons' ? [] : findCriteria(subject);
  return [...given, ...own].some((sentence) => asks(sentence) && !speaksAgainst(sentence));
}

/** Sentences of the judge's own text that ask something of an answer. */
function findCriteria(subject: Case): string[] {
  const paragraphs = findOwnText(subject).flatMap(({ part, start, end }) =>
    (subject.prompt.parts[part]?.text.slice(start, end) ?? '').split(/\n[ \t]*\n/),
  );
  return paragraphs.flatMap((paragraph) =>
    splitAtStops(paragraph).filter(
      (sentence) =>
        !speaksOfReply(sentence) &&
        (CRITERIA.test(paragraph) || (asksSomething(sentence) && namesAnswer(sentence))),
    ),
  );
}
