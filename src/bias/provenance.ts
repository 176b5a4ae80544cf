/** Provenance: the verdict follows who or what is said to have written an option. Undone by taking the remark out. */
import { createCueFinder, type WordLists } from '../case/index.ts';
import { injectStatement } from './draft.ts';
import { type RemarkKind, spotRemarks, undoRemarks } from './remark.ts';
import type { Bias } from './types.ts';

/** Kinds of author, not names: those are metadata of their own. */
const SOURCE =
  "(?:(?:an?|the|some)\\s+)?(?:(?:real|domain|subject[- ]matter|leading|qualified|advanced|unknown|unidentified|anonymous|unverified)\\s+)*(?:(?:human|expert)(?:[- ](?:expert|author|writer|annotator|being))?s?|LLM(?:-based \\w+)?s?|(?:large\\s+)?language\\s+models?(?:\\s*\\(LLMs?\\))?|AI(?:\\s+(?:model|assistant|system|chatbot))?s?|artificial intelligence|machine|chatbot|ChatGPT|GPT-[\\w.]+|unknown|source|author|origin)(?![\\p{L}\\p{N}'’])";
const MADE =
  '(?:written|authored|composed|penned|produced|generated|created|submitted|answered|provided|given)';
const NOUN =
  '(?:output|response|answer|assistant|story|text|candidate|option|reply|completion|summary|essay)';
/** "by a human expert", "from an unknown source", "Source: LLM", "the source of Response A is unknown", "AI-generated". */
const FROM = `(?:(?:${MADE}\\s+by|(?:comes?|came|is|taken)\\s+from|(?:source|author|origin|provenance|written\\s+by)\\s*[:=]|\\bauthor\\b[^.\\n:]{1,30}:|(?:source|author|origin)\\s+of\\s+(?:(?:this|the)\\s+)?(?:(?:first|second)\\s+)?${NOUN}(?:\\s*\\(?[a-z0-9]{1,2}\\)?)?\\s+(?:is|was))\\s*${SOURCE}|(?:AI|LLM|machine|model|human|expert)[- ](?:generated|written|authored|made)(?![\\p{L}\\p{N}]))`;
const SAYS = new RegExp(`\\b${FROM}|^\\W*(?:by|from)\\s+${SOURCE}\\W*$`, 'iu');
const LINE = new RegExp(
  `^[\\[(*_#\\s-]*(?:(?:this|the)\\s+)?(?:${NOUN}(?:\\s*\\(?[a-z0-9]{1,2}\\)?)?\\s*)?(?:(?:was|is|were)\\s+)?${FROM}[\\])*_.\\s]*$`,
  'iu',
);

const WRITERS: WordLists = {
  any: 'AI|LLM|LLMs|KI|IA',
  en: `human|humans|person|people|expert|experts|student|students|teacher|professor|researcher|researchers|scientist|doctor|physician|lawyer|engineer|programmer|journalist|writer|author|amateur|beginner|
    novice|layman|layperson|intern|professional|specialist|graduate|undergraduate|child|schoolchild|native speaker|volunteer|crowdworker|crowd worker|freelancer|annotator|machine|computer|bot|chatbot|
    language model|model|algorithm|software|assistant|editor|committee|company|agency|somebody|someone|anonymous|unknown|nobel laureate|phd|colleague|employee|copywriter|translator|native|tool|
    programme|script|generator|examiner|examiner's|pupil|pupils|wikipedia|stack overflow|stackoverflow|quora|reddit|forum|blog|blogger|textbook|website|web page|webpage|newspaper|magazine|
    encyclopedia|encyclopaedia|manual|press release|brochure|search engine|google translate|machine translation|speech|transcript|crowd|team|staff|reader|customer|clerk|nurse|lawyers|doctors|
    scientists|veteran|pensioner|teenager|teen|kid|mum|mother|father|grandmother|farmer|parrot|neural network|AI-generated|AI-written|machine-generated|machine-written|human-written|handwritten|
    hand-written|autocomplete|template|ghostwriter|linguist|poet|novelist|columnist|hobbyist|enthusiast|expert's|teacher's|student's|official|the authors|the user|stranger|nobody|real person|
    flesh and blood|robot|bots|co-pilot|apprentice|trainee|tutor|instructor|lecturer|academic|scholar|economist|chemist|biologist|historian|mathematician|physicist|nutritionist|pharmacist|
    psychologist|dermatologist|contractor|outsourced|in-house|support agent|helpdesk|chat model|LLM-generated|synthetic|homework|exam script|answer key|solution manual|the press|leaflet|catalogue`,
  de: `mensch*|person|expert*|fachmann|fachfrau|fachleute*|student*|studierende*|schüler*|lehrer*|professor*|forscher*|wissenschaftler*|arzt|ärztin|anwalt|anwältin|ingenieur*|programmierer*|journalist*|
    autor*|amateur*|anfänger*|laie*|praktikant*|profi|profis|kind|muttersprachler*|maschine|computer|sprachmodell*|modell|algorithmus|assistent*|redakteur*|jemand*|unbekannte*|anonym*|kolleg*|
    übersetzer*|übersetzung|maschinell*|software|programm|skript|wikipedia|forum|forums|blog|lehrbuch|webseite|website|zeitung|zeitschrift|lexikon|handbuch|broschüre|suchmaschine|redaktion|dichter*|
    texter*|werbetexter*|praktikum|azubi|auszubildende*|rentner*|jugendliche*|mutter|vater|großmutter|roboter|KI-generiert*|handschriftlich|ghostwriter|prüfer*|musterlösung|ökonom*|chemiker*|biologe|
    biologin|historiker*|psycholog*|apotheker*|rechtsanwalt|rechtsanwältin|team|agentur|pressemitteilung|niemand|hobby*|profi*|übersetzungsprogramm`,
  fr: `humain|humaine|humains|personne|expert*|étudiant*|élève*|professeur*|enseignant*|chercheur*|chercheuse|scientifique*|médecin|avocat*|ingénieur*|programmeur*|journaliste|auteur*|autrice|amateur*|
    débutant*|stagiaire|professionnel*|enfant|machine|ordinateur|modèle|modèle de langage|algorithme|assistant*|rédacteur*|quelqu'un|inconnu*|anonyme|collègue|locuteur natif|spécialiste|traducteur*|
    traductrice|traduction|logiciel|outil|programme|script|wikipédia|wikipedia|forum|blog|manuel|site|journal|magazine|encyclopédie|brochure|moteur de recherche|intelligence artificielle|robot|poète|
    romancier*|copiste|corrigé|examinateur|lycéen*|collégien*|retraité*|adolescent*|mère|père|grand-mère|agriculteur|juriste|économiste|chimiste|biologiste|historien*|pharmacien*|psychologue|
    infirmier*|équipe|agence|apprenti*|bénévole|communiqué|nègre|prête-plume|manuscrit*|main humaine|main de|dictionnaire`,
  es: `humano|humana|humanos|persona|expert*|estudiante*|alumno|alumna|alumnos|maestr*|profesor*|investigador*|científic*|médic*|abogad*|ingenier*|programador*|periodista|autor*|aficionad*|principiante|
    becari*|profesional*|niño|niña|máquina|ordenador|computadora|modelo|modelo de lenguaje|algoritmo|asistente|redactor*|alguien|desconocid*|anónim*|compañer*|hablante nativo|especialista|traductor*|
    traducción|software|herramienta|programa|script|wikipedia|foro|blog|manual|libro de texto|sitio|página web|periódico|revista|enciclopedia|folleto|buscador|inteligencia artificial|robot|poeta|
    novelista|solucionario|examinador|jubilad*|adolescente|madre|padre|abuela|agricultor|jurista|economista|químic*|biólog*|historiador*|farmacéutic*|psicólog*|enfermer*|equipo|agencia|aprendiz|
    voluntari*|comunicado|negro literario|a mano|mano humana|diccionario|colegial|copywriter`,
  zh: `人类|专家|学生|教师|老师|教授|研究员|研究人员|科学家|医生|律师|工程师|程序员|记者|作家|作者|业余|新手|初学者|实习生|专业人士|孩子|小学生|机器|计算机|模型|人工智能|算法|助手|编辑|某人|匿名|未知|不明|母语者|同事|翻译|机翻|软件|工具|程序|脚本|维基|百度百科|知乎|论坛|博客|课本|教材|网站|网页|报纸|杂志|手册|宣传册|搜索引擎|机器人|诗人|
    小说家|枪手|文案|标准答案|参考答案|考官|中学生|高中生|初中生|大学生|研究生|退休|少年|妈妈|爸爸|奶奶|农民|网友|志愿者|团队|公司|机构|学徒|客服|手写|人工|经济学家|化学家|生物学家|历史学家|药剂师|护士|母语|真人`,
  ja: `人間|専門家|学生|生徒|教師|先生|教授|研究者|科学者|医師|弁護士|技術者|エンジニア|プログラマ|記者|作家|著者|作者|素人|初心者|インターン|プロ|子供|機械|コンピュータ|モデル|人工知能|アルゴリズム|アシスタント|編集者|誰か|匿名|不明|母語話者|同僚|翻訳|機械翻訳|ソフト|ツール|プログラム|スクリプト|ウィキペディア|掲示板|ブログ|教科書|サイト|ウェブ|
    新聞|雑誌|マニュアル|パンフレット|検索エンジン|ロボット|詩人|小説家|ライター|模範解答|試験官|高校生|中学生|大学生|大学院生|小学生|退職|主婦|母|父|祖母|農家|ボランティア|チーム|会社|代筆|手書き|生成AI|ネイティブ|経済学者|化学者|歴史学者|薬剤師|看護師|見習い|部下|上司|新入社員|SNS|辞書|知恵袋`,
};
const WROTE: WordLists = {
  en: `written|wrote|authored|composed|penned|produced|generated|created|drafted|typed|answered|authoring|writes|comes from|came from|is from|was from|originates|originated|the work of|is by|was by|
    made by|submitted by|provided by|contributed|author of|source of|origin of|behind`,
  de: 'geschrieben|schrieb|verfasst*|erstellt*|erzeugt*|generiert*|stammt|stammen|produziert*|formuliert*|beantwortet|kommt von|das werk|autor von|autorin von|urheber*|hinter',
  fr: "écrit|écrite|rédigé|rédigée|produit|produite|généré|générée|créé|créée|composé|composée|vient d*|provient|l'œuvre|l'auteur de|l'autrice de|signée|signé|derrière",
  es: 'escrit*|escribió|redactad*|redactó|produjo|producid*|generad*|generó|cread*|creó|compuest*|procede*|proviene*|viene de|obra de|autor de|autora de|detrás',
  zh: '写|撰写|生成|创作|编写|出自|来自|作者|执笔|完成|提供|制作',
  ja: '書|作成|生成|執筆|作った|作られ|による|によって|の手|著者|作者|答えた|制作',
};
/** It came from somewhere, in looser words: only beside an option. */
const CAME_FROM: WordLists = {
  en: `copied|copy of|translated|translation of|commissioned|handed in|turned in|own solution|own answer|taken from|lifted from|pasted from|pasted|excerpted|excerpt|adapted from|crafted|put together|
    prepared|dictated|edited|proofread|published|posted|supplied|sent in|spat out|output of|output from|work of|product of|hand of|pen of|brainchild|did {B}|did {A}|did response|did|made|signed|
    contribution|credited|attributed|is a|is an|was a|are a|belongs to|owe|we owe|by a|by an|by the|from a|from an|from the|quoted from|scraped|downloaded|retrieved|ghostwritten|typed up|
    worked out by|solution by|answer by|response by|reply by|courtesy of`,
  de: `kopiert|abgeschrieben|übersetzt|übersetzung|beauftragt|abgegeben|entnommen|übernommen|zitiert aus|auszug|bearbeitet|vorbereitet|diktiert|redigiert|veröffentlicht|gepostet|geliefert|eingesandt|
    ausgabe|produkt|feder|handelt es sich|zugeschrieben|gemacht|entstammt|ist ein|ist eine|ist die|ist das|von einer|von einem|aus einem|aus einer|aus dem|aus der|stammt aus|gelöst|gehört|hat|steht`,
  fr: `copié*|recopié*|traduit*|traduction|commandé*|rendu*|tiré*|extrait*|emprunté*|adapté*|préparé*|dicté*|corrigé*|publié*|posté*|fourni*|envoyé*|sorti*|produit de|fruit de|plume|attribué*|fait*|
    faite par|est une|est un|est de|est d'|est la|est le|de la main|par un|par une|issu*|œuvre|doit|réponse d'un|réponse d'une|pris*`,
  es: `copiad*|traducid*|traducción|encargad*|entregad*|tomad*|extraíd*|sacad*|prestad*|adaptad*|preparad*|dictad*|corregid*|publicad*|enviad*|fruto de|pluma|puño|atribuid*|hech*|hizo|es una|es un|es de|
    es la|es el|por un|por una|salió|salid*|pertenece|debemos|de un|de una|respuesta de`,
  zh: '抄|摘自|引自|取自|源于|源自|翻译|改编|手笔|代笔|之手|贡献|交的|答的|做的|贴|转载|复制|录入|口述|编辑|整理|发布|发的|归|是一|是由|是某|属于|作答|解的|给出的|产物|直接来',
  ja: '写し|写した|引用|転載|翻訳|抜粋|転記|書き込み|手による|から取|出典|回答者|答案|コピー|口述|編集し|まとめた|投稿|出した|解いた|作品|産物|名義|のものです|のもので|の回答|の解答|が答え|が考え|が訳|による|からの|です|で、',
};
/** It is said that nobody knows. */
const UNKNOWN: WordLists = {
  en: `do not know who|don't know who|not known who|unknown who|nobody knows who|no one knows who|unclear who|not clear who|cannot say who|can't tell who|author is unknown|author unknown|
    source is unknown|unknown author|unknown source|unknown origin|anonymous|not identified|unidentified|origin is unclear|is of unknown`,
  de: 'wer|unbekannt|nicht bekannt|unklar|anonym|ungeklärt',
  fr: 'ignore qui|sait pas qui|inconnu|inconnue|anonyme|on ne sait|nul ne sait',
  es: 'no se sabe quién|desconoce quién|nadie sabe quién|desconocid*|anónim*|se ignora quién|no sabemos quién',
  zh: '不明|未知|不知道是谁|不清楚是谁|匿名|不详|无人知道|无从知晓',
  ja: '誰が|不明|わかりません|分かりません|匿名|知られていません',
};
/** Both alike: that speaks for neither. */
const ALIKE: WordLists = {
  en: 'same model|same author|same person|same writer|same source|same system|same assistant|by the same|from the same|of the same|both by|each other|temperature|written in|nobody has read|no one has read',
  de: 'selben|gleichen|derselbe*|temperatur|gelesen',
  fr: 'même modèle|même auteur*|même personne|du même|de la même|par le même|par la même|température',
  es: 'mismo|misma autora|misma persona|temperatura',
  zh: '同一|相同|温度|问题由|题目',
  ja: '同じモデル|同じ人|同じ著者|同一|温度|質問は|問題は',
};
const THIS: WordLists = {
  en: 'this|this one|this answer|this response|this text|the above|the following',
  de: 'dies|diese|dieser|diesen|dieses|das folgende',
  fr: 'ceci|cette|ce|celle-ci',
  es: 'esto|esta|este|ésta',
  zh: '这|本|此|该',
  ja: 'この|これ|本',
};

const findRemarks = createCueFinder({
  beside: {
    sentences: [
      { all: [WROTE, WRITERS], none: ALIKE, within: 120 },
      { all: [UNKNOWN, WROTE], none: ALIKE, within: 120 },
      { all: [CAME_FROM, WRITERS], none: ALIKE, within: 120 },
    ],
  },
  within: { sentences: [{ all: [THIS, WROTE, WRITERS], none: ALIKE }] },
});
/** A line of an answer that is longer says more than who wrote it. */
const LONGEST_LINE = 80;

/** Sentences that say who wrote an option. */
export const PROVENANCE_REMARK: RemarkKind = {
  bias: 'provenance',
  what: 'who wrote an option',
  says: (sentence) => SAYS.test(sentence) || findRemarks(sentence)('beside').length > 0,
  isLine: (line) =>
    LINE.test(line) || (line.length <= LONGEST_LINE && findRemarks(line)('within').length > 0),
};

export const provenance: Bias = {
  name: 'provenance',
  definition:
    'The choice follows who or what is said to have written an answer (an expert, a human, a language model, an ' +
    'unknown source), whether or not that answer is the better one.',
  expectation: 'invariant',

  spot: (subject) => spotRemarks(subject, PROVENANCE_REMARK),

  undo: async (subject) => undoRemarks(subject, PROVENANCE_REMARK),

  inject: injectStatement(() => '{option} was written by a human expert'),
};
