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
    en: 'at least # words|at least # sentences|at least # paragraphs|at least # pages|minimum of # words|minimum # words|minimum length|# words or more|# or more words',
    de: 'mindestens # Wörter*|mindestens # Sätze*|mindestens # Absätze*|mindestens # Seiten|Mindestlänge',
    fr: 'au moins # mots|au moins # phrases|au moins # paragraphes|minimum # mots',
    es: 'al menos # palabras|al menos # frases|al menos # párrafos|mínimo # palabras|mínimo de # palabras',
    zh: '最少字|不少于|至少写',
    ja: '文字以上|字以上',
  }),
  formatting: reads({
    any: 'Markdown|README',
    en: 'bullet*|numbered list|as a list|in a table|as a table|table of|table with|heading*|subheading*|in bold|boldface',
    de: 'Aufzählung*|Stichpunkt*|als Liste|Tabelle*|Überschrift*|fettgedruckt',
    fr: 'puces|sous forme de liste|tableau|titres|sous-titres|en gras',
    es: 'viñetas|en forma de lista|tabla|encabezado*|negrita',
    zh: '列表|表格|标题|加粗|粗体|项目符号',
    ja: '箇条書き|表形式|見出し|太字',
  }),
  sentiment: reads({
    en: 'tone|enthusias*|warm|warmly|cheer*|upbeat|friendly|empath*|emotion*|condolence*|passion*|excit*|joyful*|poem|polite*',
    de: 'Tonfall|begeister*|herzlich*|fröhlich*|freundlich*|einfühlsam*|gefühl*|beileid*|leidenschaft*|gedicht|höflich*',
    fr: 'enthousias*|chaleureu*|joyeu*|amical*|empath*|émotion*|condoléances|poème|polie',
    es: 'tono|entusias*|cálid*|alegre*|amable*|empatía|emoci*|emotiv*|condolencias|apasion*|poema|cortés',
    zh: '语气|热情|温暖|友好|同理心|情感|慰问|激动|诗',
    ja: '口調|トーン|熱意|温かい|親しみ|共感|感情|お悔やみ|情熱|詩',
  }),
  hostility: reads({
    en: 'tone|polite*|harsh*|hostil*|rude*|constructive*',
    de: 'Tonfall|höflich*|schroff*|feindselig*|unhöflich*|konstruktiv*',
    fr: 'polie|hostil*|sévère*|constructi*',
    es: 'tono|cortés|hostil*|grosero*|constructiv*',
    zh: '语气|礼貌|敌意|建设性',
    ja: '口調|丁寧|敵意|建設的',
  }),
  reflection: reads({
    en: 'doubt*|uncertain*|how confident|certainty|hedg*|second thoughts|self-correct*|how sure',
    de: 'zweifel*|unsicher*|zuversicht*|gewissheit|wie sicher',
    fr: 'doute*|incertain*|incertitude|certitude',
    es: 'duda*|incertidumbre|certeza|insegur*',
    zh: '怀疑|不确定|把握|确定性|信心',
    ja: '疑い|確信|自信|不確実',
  }),
  authority: reads({
    en: `cite|cites|cited|citing|citation*|a source|its source|its sources|their sources|your source|your sources|with sources|with references|bibliograph*|footnote*|peer-reviewed|
      which organi*|which institut*|which universit*|which stud*|who recommends|who says`,
    de: 'zitier*|Quelle|Quellen|Quellenangabe*|Literaturangabe*|Literaturverzeichnis|Fußnote*|Beleg|Belege|welche Organisation|welche Studie*|wer empfiehlt',
    fr: 'cite|cites|citer|citez|citation*|références|bibliograph*|note de bas de page|quelle organisation|quelle étude|qui recommande',
    es: 'cita|citas|citar|cite|fuente|fuentes|referencias|bibliograf*|nota al pie|qué organización|qué estudio|quién recomienda',
    zh: '引用|出处|来源|参考文献|脚注|哪个机构|哪个组织|哪项研究',
    ja: '引用|出典|参考文献|脚注|情報源|どの機関|どの組織|どの研究',
  }),
  bandwagon: reads({
    en: 'popular|popularity|survey|surveys|opinion poll*|majority|consensus|vote|votes|voted|percentage|percent|share of|proportion of|public opinion',
    de: 'beliebt*|umfrage*|mehrheit*|konsens|stimmen|stimmanteil*|prozent*|anteil*|öffentliche Meinung',
    fr: 'populaire*|popularité|sondage*|majorité|consensus|vote|votes|pourcentage|proportion|opinion publique',
    es: 'popular|populares|popularidad|encuesta*|mayoría|consenso|votos|porcentaje|proporción|opinión pública',
    zh: '流行|受欢迎|调查|民调|多数|共识|投票|比例|百分比',
    ja: '人気|調査|世論|多数|合意|投票|割合|パーセント',
  }),
  identity: reads({
    any: 'GPT*|ChatGPT*|Claude|Llama*|Mistral*|Qwen*|DeepSeek*|OpenAI|Anthropic',
    en: 'which model|what model|names the model|which AI|which assistant|who are you|who made|who trained|language model*|its maker',
    de: 'welches Modell|welche KI|welcher Assistent|wer bist du|wer sind Sie|Sprachmodell*',
    fr: 'quel modèle|quelle IA|quel assistant|qui es-tu|qui êtes-vous|modèle de langage',
    es: 'qué modelo|qué IA|qué asistente|quién eres|quién es usted|modelo de lenguaje',
    zh: '哪个模型|什么模型|你是谁|语言模型|聊天机器人',
    ja: 'どのモデル|何のモデル|あなたは誰|言語モデル|チャットボット',
  }),
  provenance: reads({
    en: 'AI-generated|written by AI|by an AI|by a human|human-written|machine-generated|who wrote|AI or human|human or AI|model that was used|disclos*',
    de: 'KI-generiert*|von einer KI|von KI|von einem Menschen|wer hat geschrieben',
    fr: "par une IA|par l'IA|par un humain|qui a écrit",
    es: 'por una IA|por IA|por un humano|quién escribió',
    zh: 'AI生成|人工智能生成|机器生成|人写的|谁写的|由AI',
    ja: 'AIが生成|AI生成|人間が書いた|機械が生成|誰が書いた',
  }),
  recency: reads({
    en: 'when was|when were|when did|what year|which year|date|dates|dated|published|publication|latest|newest|most recent|up to date|up-to-date',
    de: 'wann|welchem Jahr|welches Jahr|Datum|datiert|veröffentlicht*|erschien*|neueste*|aktuell*',
    fr: 'quand|quelle année|date|dates|daté*|publication|parution|récent*|dernière version',
    es: 'cuándo|qué año|fecha*|fechad*|publicación|reciente*|última versión|actualizad*',
    zh: '何时|哪年|哪一年|日期|发表|出版|发布|最新',
    ja: 'いつ|何年|日付|発表|出版|公開|最新',
  }),
  author: reads({
    en: 'author|authors|byline|affiliation*|signed|sign as|signature|introduce yourself|biograph*|who wrote|written by|cover letter|résumé|as a nurse|profession|name and title|her job|his job',
    de: 'Autor*|Verfasser*|Zugehörigkeit|unterschr*|unterzeich*|stell dich vor|Biograf*|wer schrieb|Bewerbung*|Lebenslauf|Beruf*',
    fr: 'auteur*|affiliation*|signé*|signature|présente-toi|présentez-vous|biograph*|qui a écrit|lettre de motivation|métier|profession*',
    es: 'autor*|afiliaci*|firmad*|preséntate|biograf*|quién escribió|carta de presentación|profesión*',
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
    en: `explain*|explanation*|show your|show the|show how|show that|prove|proof|proves|why|reason|reasons|reasoning|justif*|derive|derivation|describe*|discuss*|
      step by step|the steps|elaborate|compare|argue`,
    de: 'erkläre*|erklärung*|erläuter*|begründe*|begründung*|zeige*|beweis*|warum|wieso|weshalb|gründe|herleit*|beschreib*|rechenweg*',
    fr: 'expliqu*|explication*|montre*|prouve*|preuve|démontre*|démonstration|pourquoi|raison|raisons|justifi*|décri*|étapes',
    es: 'explica*|explique*|explicación|muestra|muestre|demuestr*|demostración|por qué|razón|razones|justifi*|describ*|pasos',
    zh: '解释|说明|证明|为什么|为何|理由|原因|推导|论述|步骤',
    ja: '説明|示し|示せ|証明|なぜ|どうして|理由|根拠|導出|述べ|手順',
  }),
};

/** Says what is not to be, or not to count: "Do not let the length of the responses influence you". */
const speaksAgainst = reads({
  en: `not|don't|doesn't|no|never|without|regardless|irrespective|ignore*|disregard*|avoid*|influence*|bias*|sway*|independent*|rather than|
    instead of|irrelevant|penal*|deduct*|lose|loses|little|minor|nothing|beyond|beware|error|lower|at most|surface`,
  de: 'nicht|kein*|nie|ohne|unabhängig|ungeachtet|ignorier*|vermeide*|beeinfluss*|egal|statt',
  fr: "ne|n'|pas|jamais|sans|ignore*|évite*|indépendamment|influenc*|biais|plutôt que",
  es: 'no|nunca|sin|ignor*|evit*|independientemente|influ*|sesgo*|en lugar de',
  zh: '不|勿|别|无论|忽略|忽视|避免|影响|偏',
  ja: 'ない|なく|ません|無視|避け|影響|偏|関係な|かかわらず|関わらず',
});

/**
 * What a judge's own text says of a cue is mostly that it must not count, or how the judge itself is to reply: of that an order to
 * the judge alone is looked for there, as where injections are.
 *
 * @param what a bias, or `reasons`, which the judge's own text may ask of the judge
 * @returns whether the task or a rubric asks for it
 *
 * @example asksFor(subject, 'formatting') // true where the instruction is 'List three fruits in Markdown.'
 */
export function asksFor(subject: Case, what: string): boolean {
  const asks = ASKED_FOR[what];
  if (!asks) return false;
  const { instruction, standards = [], prompt } = subject;
  const rubrics = standards.flatMap(({ of, text }) => (of === 'rubric' ? [text] : []));
  const own =
    what === 'instruction'
      ? findOwnText(subject).map(({ part, start, end }) => prompt.parts[part]?.text.slice(start, end) ?? '')
      : [];
  return (
    splitAtStops(instruction?.text ?? '').some((sentence) => asks(sentence) && !speaksAgainst(sentence)) ||
    [...rubrics, ...own]
      .flatMap((text) => text.split(/\n[ \t]*\n/))
      .some((paragraph) => asks(paragraph) && !speaksAgainst(paragraph))
  );
}
