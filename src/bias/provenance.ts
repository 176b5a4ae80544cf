/** Provenance: the verdict follows who or what is said to have written an option. Undone by taking the remark out. */
import { createCueFinder, type WordLists } from '../case/index.ts';
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
  en: `human|humans|person|people|expert|experts|student|students|teacher|professor|researcher|researchers|scientist|doctor|physician|lawyer|engineer|programmer|journalist|writer|author|
    amateur|beginner|novice|layman|layperson|intern|professional|specialist|graduate|undergraduate|child|schoolchild|native speaker|volunteer|crowdworker|crowd worker|freelancer|annotator|
    machine|computer|bot|chatbot|language model|model|algorithm|software|assistant|editor|committee|company|agency|somebody|someone|anonymous|unknown|nobel laureate|phd|colleague|employee`,
  de: `mensch*|person|expert*|fachmann|fachfrau|fachleute*|student*|studierende*|schüler*|lehrer*|professor*|forscher*|wissenschaftler*|arzt|ärztin|anwalt|anwältin|ingenieur*|programmierer*|
    journalist*|autor*|amateur*|anfänger*|laie*|praktikant*|profi|profis|kind|muttersprachler*|maschine|computer|sprachmodell*|modell|algorithmus|assistent*|redakteur*|jemand*|unbekannte*|anonym*|kolleg*`,
  fr: `humain|humaine|humains|personne|expert*|étudiant*|élève*|professeur*|enseignant*|chercheur*|chercheuse|scientifique*|médecin|avocat*|ingénieur*|programmeur*|journaliste|auteur*|autrice|amateur*|
    débutant*|stagiaire|professionnel*|enfant|machine|ordinateur|modèle|modèle de langage|algorithme|assistant*|rédacteur*|quelqu'un|inconnu*|anonyme|collègue|locuteur natif|spécialiste`,
  es: `humano|humana|humanos|persona|expert*|estudiante*|alumno|alumna|alumnos|maestr*|profesor*|investigador*|científic*|médic*|abogad*|ingenier*|programador*|periodista|autor*|aficionad*|principiante|
    becari*|profesional*|niño|niña|máquina|ordenador|computadora|modelo|modelo de lenguaje|algoritmo|asistente|redactor*|alguien|desconocid*|anónim*|compañer*|hablante nativo|especialista`,
  zh: '人类|专家|学生|教师|老师|教授|研究员|研究人员|科学家|医生|律师|工程师|程序员|记者|作家|作者|业余|新手|初学者|实习生|专业人士|孩子|小学生|机器|计算机|模型|人工智能|算法|助手|编辑|某人|匿名|未知|不明|母语者|同事',
  ja: '人間|専門家|学生|生徒|教師|先生|教授|研究者|科学者|医師|弁護士|技術者|エンジニア|プログラマ|記者|作家|著者|作者|素人|初心者|インターン|プロ|子供|機械|コンピュータ|モデル|人工知能|アルゴリズム|アシスタント|編集者|誰か|匿名|不明|母語話者|同僚',
};
const WROTE: WordLists = {
  en: `written|wrote|authored|composed|penned|produced|generated|created|drafted|typed|answered|authoring|writes|comes from|came from|is from|was from|originates|originated|the work of|is by|was by|made by|
    submitted by|provided by|contributed|author of|source of|origin of|behind`,
  de: 'geschrieben|schrieb|verfasst*|erstellt*|erzeugt*|generiert*|stammt|stammen|produziert*|formuliert*|beantwortet|kommt von|das werk|autor von|autorin von|urheber*|hinter',
  fr: "écrit|écrite|rédigé|rédigée|produit|produite|généré|générée|créé|créée|composé|composée|vient d*|provient|l'œuvre|l'auteur de|l'autrice de|signée|signé|derrière",
  es: 'escrit*|escribió|redactad*|redactó|produjo|producid*|generad*|generó|cread*|creó|compuest*|procede*|proviene*|viene de|obra de|autor de|autora de|detrás',
  zh: '写|撰写|生成|创作|编写|出自|来自|作者|执笔|完成|提供|制作',
  ja: '書|作成|生成|執筆|作った|作られ|による|によって|の手|著者|作者|答えた|制作',
};
/** It is said that nobody knows. */
const UNKNOWN: WordLists = {
  en: `do not know who|don't know who|not known who|unknown who|nobody knows who|no one knows who|unclear who|not clear who|cannot say who|can't tell who|author is unknown|author unknown|source is unknown|unknown author|
    unknown source|unknown origin|anonymous|not identified|unidentified|origin is unclear|is of unknown`,
  de: `wer|unbekannt|nicht bekannt|unklar|anonym|ungeklärt`,
  fr: 'ignore qui|sait pas qui|inconnu|inconnue|anonyme|on ne sait|nul ne sait',
  es: 'no se sabe quién|desconoce quién|nadie sabe quién|desconocid*|anónim*|se ignora quién|no sabemos quién',
  zh: '不明|未知|不知道是谁|不清楚是谁|匿名|不详|无人知道|无从知晓',
  ja: '誰が|不明|わかりません|分かりません|匿名|知られていません',
};
/** Both alike: that speaks for neither. */
const ALIKE: WordLists = {
  en: 'same|both by|each other|temperature|the user|the question|the task|written in',
  de: 'selben|gleichen|derselbe*|temperatur|die frage|die aufgabe',
  fr: 'même|température|la question|la tâche',
  es: 'mism*|temperatura|la pregunta|la tarea',
  zh: '同一|相同|温度|问题由|题目',
  ja: '同じ|同一|温度|質問は|問題は',
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

  async inject(draft, { side }) {
    const wrong = draft.options.findIndex((_, index) => index !== draft.right);
    const favours = side === 'wrong' ? wrong : draft.right;
    const statement = { favours, wording: '{option} was written by a human expert' };
    return { ...draft, statements: [...draft.statements, statement] };
  },
};
