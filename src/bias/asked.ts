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
  verbosity: reads({
    any: '#字|#文字',
    en: '# words|# sentences|# paragraphs|# characters|# pages|#-word|#-page|word count|minimum length',
    de: '# Wörter*|# Sätze*|# Absätze*|# Zeichen|# Seiten|Wortzahl|Mindestlänge',
    fr: '# mots|# phrases|# paragraphes|# caractères|# pages|nombre de mots',
    es: '# palabras|# frases|# párrafos|# caracteres|# páginas|número de palabras',
    zh: '字数|最少字',
    ja: '文字数|文字以上',
  }),
  formatting: reads({
    any: 'Markdown|README',
    en: 'bullet*|numbered list|as a list|in a table|as a table|table of|table with|heading*|subheading*|in bold|bold|boldface|italic*|formatted|formatting',
    de: 'Aufzählung*|Stichpunkt*|als Liste|Tabelle*|Überschrift*|fett|fettgedruckt|kursiv*|formatier*',
    fr: 'puces|sous forme de liste|tableau|titres|sous-titres|en gras|italique|mise en forme',
    es: 'viñetas|en forma de lista|tabla|encabezado*|negrita|cursiva|formato',
    zh: '列表|表格|标题|加粗|粗体|斜体|项目符号|格式',
    ja: '箇条書き|表形式|見出し|太字|斜体|書式',
  }),
  sentiment: reads({
    en: 'tone|enthusias*|warm|warmly|cheer*|upbeat|friendly|empath*|emotion*|condolence*|passion*|excit*|joyful*|poem|polite*',
    de: 'Ton|Tonfall|begeister*|herzlich*|fröhlich*|freundlich*|einfühlsam*|gefühl*|beileid*|leidenschaft*|gedicht|höflich*',
    fr: 'ton|enthousias*|chaleureu*|joyeu*|amical*|empath*|émotion*|condoléances|passion*|poème|poli|polie',
    es: 'tono|entusias*|cálid*|alegre*|amable*|empat*|emoci*|emotiv*|condolencias|apasion*|poema|cortés',
    zh: '语气|热情|温暖|友好|同理心|情感|慰问|激动|诗',
    ja: '口調|トーン|熱意|温かい|親しみ|共感|感情|お悔やみ|情熱|詩',
  }),
  hostility: reads({
    en: 'tone|polite*|harsh*|hostil*|rude*|constructive*',
    de: 'Ton|Tonfall|höflich*|schroff*|feindselig*|unhöflich*|konstruktiv*',
    fr: 'ton|poli|polie|hostil*|sévère*|constructi*',
    es: 'tono|cortés|hostil*|grosero*|constructiv*',
    zh: '语气|礼貌|敌意|建设性',
    ja: '口調|丁寧|敵意|建設的',
  }),
  reflection: reads({
    en: 'doubt*|uncertain*|confiden*|certain|certainty|hedg*|second thoughts|self-correct*|how sure',
    de: 'zweifel*|unsicher*|zuversicht*|gewissheit|wie sicher',
    fr: 'doute*|incertain*|incertitude|confiance|certitude',
    es: 'duda*|incertidumbre|confianza|certeza|insegur*',
    zh: '怀疑|不确定|把握|确定性|信心',
    ja: '疑い|確信|自信|不確実',
  }),
  authority: reads({
    en: `cite|cites|cited|citing|citation*|a source|its source|its sources|their sources|your source|your sources|with sources|references|bibliograph*|footnote*|peer-reviewed|
      which organi*|which institut*|which universit*|which stud*|who recommends|who says|according to`,
    de: 'zitier*|Quelle|Quellen|Quellenangabe*|Literaturangabe*|Literaturverzeichnis|Fußnote*|Beleg|Belege|welche Organisation|welche Studie*|wer empfiehlt',
    fr: 'cite|cites|citer|citez|citation*|sources|référence|références|bibliograph*|note de bas de page|quelle organisation|quelle étude|qui recommande',
    es: 'cita|citas|citar|cite|fuente|fuentes|referencias|bibliograf*|nota al pie|qué organización|qué estudio|quién recomienda',
    zh: '引用|出处|来源|参考文献|脚注|哪个机构|哪个组织|哪项研究',
    ja: '引用|出典|参考文献|脚注|情報源|どの機関|どの組織|どの研究',
  }),
  bandwagon: reads({
    en: 'popular|popularity|survey|surveys|poll|polls|majority|consensus|vote|votes|voted|percentage|percent|share of|proportion of|public opinion',
    de: 'beliebt*|umfrage*|mehrheit*|konsens|stimmen|stimmanteil*|prozent*|anteil*|öffentliche Meinung',
    fr: 'populaire*|popularité|sondage*|majorité|consensus|vote|votes|pourcentage|proportion|opinion publique',
    es: 'popular|populares|popularidad|encuesta*|mayoría|consenso|votos|porcentaje|proporción|opinión pública',
    zh: '流行|受欢迎|调查|民调|多数|共识|投票|比例|百分比',
    ja: '人気|調査|世論|多数|合意|投票|割合|パーセント',
  }),
  identity: reads({
    any: 'GPT*|ChatGPT*|Claude|Gemini|Llama*|Mistral*|Qwen*|DeepSeek*|Grok|OpenAI|Anthropic|LLM|LLMs',
    en: 'which model|what model|names the model|which AI|which assistant|^model|who are you|who made|who trained|language model*|chatbot*|chat bot*|its maker',
    de: 'welches Modell|welche KI|welcher Assistent|wer bist du|wer sind Sie|Sprachmodell*|Chatbot*',
    fr: 'quel modèle|quelle IA|quel assistant|qui es-tu|qui êtes-vous|modèle de langage|chatbot*',
    es: 'qué modelo|qué IA|qué asistente|quién eres|quién es usted|modelo de lenguaje|chatbot*',
    zh: '哪个模型|什么模型|你是谁|语言模型|聊天机器人',
    ja: 'どのモデル|何のモデル|あなたは誰|言語モデル|チャットボット',
  }),
  provenance: reads({
    en: 'AI-generated|generated by|written by|made by|by AI|by an AI|by a human|human-written|machine-generated|who wrote|AI or human|human or AI|model that was used|disclos*',
    de: 'KI-generiert*|von einer KI|von KI|von einem Menschen|geschrieben von|erzeugt von|wer hat geschrieben',
    fr: "généré*|par une IA|par l'IA|par un humain|écrit par|rédigé par|qui a écrit",
    es: 'generad*|por una IA|por IA|por un humano|escrito por|redactado por|quién escribió',
    zh: 'AI生成|人工智能生成|机器生成|人写的|谁写的|由AI',
    ja: 'AIが生成|AI生成|人間が書いた|機械が生成|誰が書いた',
  }),
  recency: reads({
    en: 'when was|when were|when did|what year|which year|date|dates|dated|published|publication|latest|newest|most recent|up to date|up-to-date',
    de: 'wann|welchem Jahr|welches Jahr|Datum|datiert|veröffentlicht*|erschien*|neueste*|aktuell*',
    fr: 'quand|quelle année|date|dates|daté*|publi*|parution|récent*|dernière version',
    es: 'cuándo|qué año|fecha*|fechad*|publica*|reciente*|última versión|actualizad*',
    zh: '何时|哪年|哪一年|日期|发表|出版|发布|最新',
    ja: 'いつ|何年|日付|発表|出版|公開|最新',
  }),
  author: reads({
    en: 'author|authors|byline|affiliation*|signed|sign as|signature|introduce|introduces|introducing|biograph*|who wrote|written by|cover letter|résumé|as a nurse|profession|name and title|her job|his job',
    de: 'Autor*|Verfasser*|Zugehörigkeit|unterschr*|unterzeich*|vorstell*|stellt sich|Biograf*|wer schrieb|Bewerbung*|Lebenslauf|Beruf*',
    fr: 'auteur*|affiliation*|signé*|signature|présente*|biograph*|qui a écrit|lettre de motivation|métier|profession*',
    es: 'autor*|afiliaci*|firm*|present*|biograf*|quién escribió|carta de presentación|profesión*',
    zh: '作者|署名|单位|签名|自我介绍|简历|职业',
    ja: '著者|筆者|所属|署名|自己紹介|経歴|職業',
  }),
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
