/**
 * Authority: the verdict follows who an answer says stands behind it: experts, studies, institutions, credentials. Undone by
 * taking the name away; the claim stays.
 */
import {
  type Cut,
  clausesOf,
  createCueFinder,
  type FoundCue,
  joinRanges,
  listWords,
  matchWords,
  type WordLists,
} from '../case/index.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

/** Who is believed for what they are. */
const EXPERTS: WordLists = {
  any: 'WHO|FDA|CDC|NASA|UNESCO|IPCC|IEEE|Harvard|Stanford|MIT|Oxford|Cambridge|Yale|Princeton|Nature|Lancet|Wikipedia',
  en: `expert|experts|scientists|researchers|specialists|scholars|economists|physicians|doctors|mathematicians|physicists|chemists|biologists|historians|psychologists|nutritionists|dietitians|
    engineers|lawyers|academics|professors|laureate|laureates|Nobel|Dr|Prof|authorities|clinicians|statisticians|linguists|philosophers|astronomers|neuroscientists|academia|
    science|study|studies|research|meta-analysis|meta-analyses|systematic review|clinical trial|clinical trials|peer-reviewed|literature|journal|textbook|textbooks|encyclopedia|encyclopaedia|
    britannica|dictionary|handbook|official guidelines|official guideline|guidelines|consensus statement|university|institute|world health organization|united nations|european commission|mayo clinic|
    association|society for|royal society|academy|federal agency|ministry|department of health|national institutes|supreme court|court of appeal|experts'|government|white paper|survey of experts`,
  de: `experte|expertin|experten|wissenschaftler*|forscher*|forschende*|fachleute|spezialisten|gelehrte*|ökonomen|ärzte|mediziner|mathematiker|physiker|juristen|ingenieure|historiker|psychologen|
    nobelpreisträger*|prof|dr|fachwelt|wissenschaft|studie|studien|untersuchung|untersuchungen|forschung|metaanalyse*|meta-analyse*|fachliteratur|fachzeitschrift|lehrbuch|lehrbücher*|lexikon|
    brockhaus|duden|universität|institut|weltgesundheitsorganisation|vereinte* nationen|gesellschaft für|akademie|bundesamt|bundesinstitut|ministerium|bundesgerichtshof|bundesverfassungsgericht|
    robert koch-institut|max-planck-institut|leitlinie|leitlinien|fachgesellschaft*|ärztekammer|stiftung warentest`,
  fr: `expert|experts|experte|expertes|scientifiques|chercheurs|chercheuses|spécialistes|savants|économistes|médecins|mathématiciens|physiciens|juristes|ingénieurs|historiens|psychologues|
    prix nobel|lauréat*|docteur|dr|pr|étude|études|recherche|recherches|méta-analyse*|littérature scientifique|revue scientifique|manuel|manuels|encyclopédie|larousse|le robert|université|institut|
    organisation mondiale de la santé|oms|nations unies|académie|société française|ministère|haute autorité|cour de cassation|conseil d'état|cnrs|inserm|ordre des médecins|la science|essai clinique|essais cliniques`,
  es: `experto|expertos|experta|expertas|científicos|científicas|investigadores|investigadoras|especialistas|estudiosos|economistas|médicos|matemáticos|físicos|juristas|ingenieros|historiadores|
    psicólogos|premio nobel|premios nobel|dr|dra|estudio|estudios|investigación|investigaciones|metaanálisis|meta-análisis|literatura científica|revista científica|manual|manuales|enciclopedia|
    real academia|rae|universidad|instituto|organización mundial de la salud|oms|naciones unidas|academia|sociedad española|ministerio|tribunal supremo|csic|colegio de médicos|la ciencia|ensayo clínico|ensayos clínicos`,
  zh: '专家|科学家|学者|研究人员|研究者|经济学家|医生们|医学界|学术界|数学家|物理学家|心理学家|历史学家|教授|博士|院士|诺贝尔|得主|研究|荟萃分析|元分析|文献|期刊|杂志|教科书|百科|辞海|词典|大学|研究所|研究院|世界卫生组织|世卫组织|联合国|医学会|学会|协会|科学院|卫健委|最高法院|权威|指南|《自然》|《科学》|《柳叶刀》',
  ja: '専門家|科学者|研究者|学者|研究|医師たち|教授|博士|ノーベル|受賞者|メタ分析|論文|文献|学術誌|教科書|百科事典|広辞苑|大学|研究所|世界保健機関|国連|学会|協会|医師会|学士院|厚生労働省|最高裁|権威|ガイドライン|ネイチャー|サイエンス|ランセット',
};
/** What they do for a claim. */
const VOUCH: WordLists = {
  en: `agree|agrees|agreed|confirm|confirms|confirmed|say|says|believe|believes|argue|argues|argued|state|states|stated|concur|concurs|show|shows|shown|showed|find|finds|found|suggest|suggests|suggested|
    indicate|indicates|indicated|prove|proves|proved|proven|demonstrate|demonstrates|demonstrated|recommend|recommends|recommended|advise|advises|endorse|endorses|endorsed|report that|reports that|
    reported that|conclude|concludes|concluded|know|have known|note|notes|noted|writes|wrote|explains|explained|puts it|put it|teaches us|teach us|established|supports this|support this|supported by|
    backed by|backs this|back this|approved|certified|defines|hold that|holds that|insist|insists|maintain that|assure|vouch for|ruled that|held that|lists|gives`,
  de: `einig|bestätig*|sagen|sagt|glauben|glaubt|behaupten|zeigen|zeigt|zeigte|gezeigt|belegen|belegt|belegte|ergab|ergeben|herausgefunden|fand|fanden|festgestellt|stellte fest|empfiehlt|empfehlen|
    empfohlen|rät|raten|wissen|weiß|schreibt|schrieb|erklärt|bewiesen|beweisen|beweist|nachgewiesen|anerkannt|lehrt|gestützt|unterstützt|entschieden|befürwortet|bescheinigt|kommt zu dem|kamen zu dem|
    betonen|betont|nennt|gilt|urteilte|definiert|zufolge`,
  fr: `s'accorde*|d'accord|dire|disent|dit|affirme*|confirm*|pense|pensent|croient|montre|montrent|montré|prouve|prouvent|prouvé|indique*|indiqué|révèle*|démontre*|démontré|découvert|constaté|recommande|
    recommandent|conseille*|sav*|écrit|explique*|conclu|conclut|concluent|établi|soutien*|appuie*|reconnu|enseigne*|approuv*|estime*|jugé|préconise*|définit|unanimes|trouvé`,
  es: `coinciden|coincide|afirma*|confirma*|dicen|dice|creen|muestra*|mostró|demuestra*|demostrado|demostró|prueba*|probado|indica*|revela*|reveló|descubri*|hallado|halló|hallaron|encontró|encontraron|
    recomienda*|aconseja*|sabe*|escribe|escribió|explica*|concluye*|concluyó|concluido|establecid*|respald*|apoya*|avala*|reconoc*|enseña*|aprob*|sostien*|dictaminó|define|unánimes|señala*`,
  zh: '认为|同意|表示|指出|证实|证明|表明|显示|发现|建议|推荐|知道|说|称|确认|支持|认可|公认|得出|一致|主张|强调|裁定|写道|认证|批准|记载|定义',
  ja: '確認し|勧め|推奨し|知って|発見し|示し|示され|述べ|指摘し|認め|証明|によると|によれば|一致し|言って|主張し|裏付け|支持し|明らかに|結論|断言|書いて|支持され|判示|定義',
};
const ACCORDING: WordLists = {
  en: 'according to|as stated by|as noted by|as reported by|as shown by|as confirmed by|as reported in|as shown in|as stated in|per the|citing|in the words of|to quote|quoting|in the opinion of|in the view of',
  de: 'laut|zufolge|gemäß|nach ansicht|nach meinung|nach angaben|nach auffassung|wie',
  fr: "selon|d'après|de l'avis|aux yeux|comme l'a|comme l'ont|comme le|suivant|au dire|aux dires|pour citer",
  es: 'según|de acuerdo con|a juicio|en opinión|como señala*|como descubr*|citando|conforme a|en palabras',
  zh: '根据|据|按照|依照|依据|引用',
  ja: 'によると|によれば|に基づ|を引用|の見解では',
};
/** A calling, as something that one is. */
const CALLING: WordLists = {
  en: `physician|doctor|lawyer|attorney|engineer|scientist|professor|expert|nurse|economist|teacher|researcher|mathematician|physicist|chemist|biologist|pharmacist|accountant|programmer|developer|
    specialist|psychologist|historian|electrician|surgeon|statistician|linguist|architect|pilot|chef|veterinarian|dentist|judge|practitioner|consultant|professional|academic|PhD|scholar|lecturer|cardiologist|dietitian|nutritionist`,
  de: `arzt|ärztin|professor|professorin|wissenschaftler|wissenschaftlerin|experte|expertin|ingenieur|ingenieurin|anwalt|anwältin|jurist|juristin|lehrer|lehrerin|forscher|forscherin|mathematiker|
    mathematikerin|physiker|physikerin|apotheker|apothekerin|ökonom|ökonomin|fachmann|fachfrau|psychologe|psychologin|steuerberater|elektriker|chirurg|chirurgin|dozent|dozentin|informatiker|architekt|fachärztin|facharzt`,
  fr: `médecin|professeur|professeure|scientifique|expert|experte|ingénieur|ingénieure|avocat|avocate|juriste|enseignant|enseignante|chercheur|chercheuse|mathématicien|mathématicienne|physicien|
    physicienne|pharmacien|pharmacienne|économiste|psychologue|comptable|électricien|chirurgien|chirurgienne|docteur|spécialiste|informaticien|architecte|infirmier|infirmière|praticien`,
  es: `médico|médica|profesor|profesora|científico|científica|experto|experta|ingeniero|ingeniera|abogado|abogada|jurista|maestro|maestra|investigador|investigadora|matemático|matemática|físico|física|
    farmacéutico|farmacéutica|economista|psicólogo|psicóloga|contable|electricista|cirujano|cirujana|doctor|doctora|especialista|informático|arquitecto|enfermero|enfermera|catedrático|catedrática`,
  zh: '医生|医师|教授|科学家|专家|工程师|律师|教师|老师|研究员|数学家|物理学家|药剂师|经济学家|心理学家|会计师|电工|外科|博士|讲师|护士|从业者',
  ja: '医師|医者|教授|科学者|専門家|エンジニア|技術者|弁護士|教師|教員|研究者|数学者|物理学者|薬剤師|経済学者|心理学者|会計士|電気工事士|外科医|博士|講師|看護師',
};
const BEING: WordLists = {
  en: "as an|as a|speaking as|i am an|i am a|i am|i'm a|i'm an|being a|being an|my work as|my career as|worked as|working as|practicing as|years as",
  de: 'als|bin|meiner arbeit als',
  fr: 'en tant que|en qualité de|comme|je suis|étant|mon métier de',
  es: 'como|soy|siendo|en calidad de|mi trabajo de',
  zh: '作为|身为|我是|以',
  ja: 'として|である私|私は|です',
};
const ME: WordLists = {
  en: "i|i'm|me|my",
  de: 'ich|mir|mich|mein*',
  fr: "je|j'|j'ai|me|mon|ma|mes",
  es: 'puedo|obtengo|afirmo|digo|diría|aseguro|confirmo|recomiendo|sé|mi|me|soy|yo|garantizo|calculo|pienso|creo|considero|llego|tengo|he',
  zh: '我|本人',
  ja: '私|言えば|言え|言わせ|申し|断言|保証|お伝え|思|です|から',
};
const I_SAY: WordLists = {
  en: 'i can say|i can tell you|i can confirm|i can assure|i must say|i would say|i say|i know that|i can state|i confirm|i assure|i recommend|i advise|i would advise|i will say',
  de: 'ich sagen|ich bestätigen|ich versichern|ich weiß|ich sage|ich behaupten|ich empfehle|ich rate',
  fr: 'je peux dire|je peux confirmer|je peux affirmer|je peux vous|je confirme|je dirais|je dis|je sais|je recommande|je vous',
  es: 'puedo decir|puedo confirmar|puedo afirmar|puedo asegurar|confirmo|afirmo|diría|le digo|te digo|recomiendo',
  zh: '我可以说|我可以告诉|我可以肯定|我可以证实|我认为|我保证|我敢说|我建议|我知道',
  ja: '言えば|言えます|断言|保証|申し上げ|お伝え|言わせ',
};
const CREDENTIAL: WordLists = {
  en: `PhD|Ph.D.|doctorate|master's degree|years of experience|year of experience|years of practice|years in the field|years in this field|years in practice|decades of experience|decades in|
    board-certified|board certified|licensed|certified|accredited|degree in|my expertise|award-winning|published author|years of research|years of teaching|years of clinical`,
  de: `promotion|promoviert|doktortitel|doktorgrad|jahre erfahrung|jahren erfahrung|jahre berufserfahrung|jahren berufserfahrung|jahren praxis|jahrelange erfahrung|jahrzehntelange*|approbiert*|zertifiziert*|
    studium der|fachexpertise|berufserfahrung|diplom in|zugelassen*|vereidigt*`,
  fr: `doctorat|ans d'expérience|années d'expérience|ans de pratique|années de pratique|diplômé|diplômée|diplôme|agrégé|agrégée|certifié|certifiée|ma longue expérience|expertise|ans de carrière|thèse`,
  es: `doctorado|años de experiencia|años de práctica|años de carrera|licenciado|licenciada|titulad*|diplomad*|certificad*|colegiad*|mi larga experiencia|máster en|tesis|cátedra`,
  zh: '博士学位|年经验|年的经验|多年经验|多年的经验|年从业|年的从业|持证|注册|执业|硕士学位|从业多年|资深|年教学|年临床|年工作经验|获得认证',
  ja: '博士号|年の経験|年以上の経験|年間の経験|長年の経験|資格を持|認定|修士号|免許|年の実務|経験を積|学位',
};
const HAVING: WordLists = {
  en: "i|i'm|i've|i hold|i have|with my|my|me|speaking",
  de: 'ich|meine*|mit',
  fr: "je|j'ai|mon|ma|mes|avec",
  es: 'tengo|mi|mis|soy|con mis|con mi|poseo|cuento',
  zh: '我|本人',
  ja: '私|あります|持って|持つ|から',
};
/** They are met, asked or belong to a story: they vouch for nothing. */
const NO_WITNESS: WordLists = {
  en: `proverb|saying|song|founded|ask your|ask a|ask an|consult|see a|talk to your|the doctor said|met on|more research|further research|asked her|asked his|you are|you should|proposal|novel|if`,
  de: 'sprichwort|gegründet|fragen sie|frage|wenden sie sich|trafen|roman|krimi|wenn|vier phasen',
  fr: 'proverbe|fondée|demandez|consultez|réunis|roman|si',
  es: 'refrán|fundó|pregunte|pregunta|consulte|consulta|reunieron|novela|si',
  zh: '俗话|被发现|成立|请教|咨询|请咨询|开会|小说|如果',
  ja: 'ことわざ|設立|相談|集ま|小説|頼み|なら',
};
/** Somebody by name. */
const SAID_SO: WordLists = {
  en: 'once said|once wrote|famously said|famously wrote|as professor|as prof|as dr|famous words',
  de: 'einmal sagte|wie professor|wie professorin|wie prof|wie dr|schon goethe|schon einstein',
  fr: "disait déjà|comme le dit le professeur|comme l'écrit|comme le disait",
  es: 'dijo una vez|como dijo|como decía|como escribe',
  zh: '曾说|曾经说过|名言|教授说|博士说|曾指出|教授指出|博士指出',
  ja: 'かつて述べ|かつて言|の名言',
};
const NAMED: WordLists = {
  en: 'professor|dr|prof|said|wrote|writes|says|notes',
  de: 'sagte|professor|professorin|prof|dr|goethe|einstein|schreibt|sagt|erklärt',
  fr: 'disait|professeur|écrit|dit',
  es: 'dijo|decía|profesor|profesora|escribe',
  zh: '说|指出|名言',
  ja: '述べ|言|名言',
};

/** Citations are written alike in all of these languages. */
const CITATION =
  /[ \t]?\(\p{Lu}\p{L}{1,30}(?: et al\.| (?:and|und|et|y|&) \p{Lu}\p{L}{1,30})?,? (?:19|20)\d\d[a-z]?\)/gu;

const findCues = createCueFinder([
  { all: [EXPERTS, ACCORDING], within: 60, none: NO_WITNESS },
  { all: [CALLING, ACCORDING], within: 60, none: NO_WITNESS },
  { all: [SAID_SO, NAMED], within: 60, none: NO_WITNESS },
  { all: [EXPERTS, VOUCH], within: 70, none: NO_WITNESS },
  { all: [CREDENTIAL, CALLING, ME], within: 120 },
  { all: [CALLING, BEING, I_SAY], within: 120 },
  { all: [CALLING, BEING], within: 40, beside: ME, none: NO_WITNESS },
  { all: [CREDENTIAL, HAVING], within: 40 },
]);

const NAMES = matchWords(
  [EXPERTS, CALLING, CREDENTIAL].flatMap((lists) => listWords(lists)),
  'giu',
);
const WITHHELD = 'withheld';

/** What an answer calls to witness, in its order. */
export function findAuthorities(text: string): Cut[] {
  const cited = text
    .matchAll(CITATION)
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const cues = findCues(text).filter((cue) => !isQuoted(text, cue));
  const clauses = joinRanges([...cited, ...cues.flatMap((cue) => clausesOf(text, cue) ?? [])]);
  const names = cues.filter((cue) => clausesOf(text, cue) === null).flatMap((cue) => namesOf(text, cue));
  return [...clauses, ...names].sort((a, b) => a.start - b.start);
}

/** The first and the last name in a cue and what stands between them, as one, with what is written in capitals beside it. */
function namesOf(text: string, { start, end, sentence }: FoundCue): Cut[] {
  const found = text.slice(start, end).matchAll(NAMES).toArray();
  const [first] = found;
  const last = found.at(-1);
  if (!first || !last) return [];
  const from = start + first.index;
  const to = start + last.index + last[0].length;
  const before =
    /(?<=\s)(?:\p{Lu}[\p{L}'’-]{0,30}\s){1,5}$/u.exec(text.slice(sentence.start, from))?.[0] ?? '';
  const behind = /^(?:\s\p{Lu}[\p{L}'’-]{0,30}){1,5}/u.exec(text.slice(to, sentence.end))?.[0] ?? '';
  return [{ start: from - before.length, end: to + behind.length, instead: WITHHELD }];
}

/** Put in front of one option. */
const BEFORE = 'According to a study by leading experts at Harvard University, ';

export const authority: Bias = {
  name: 'authority',
  definition:
    'The choice follows whom an answer calls to witness (experts, studies, institutions, credentials) rather than what it ' +
    'says.',
  expectation: 'invariant',

  spot: (subject) => spotPhrases(subject, 'authority', 'appeals to an authority', findAuthorities),

  undo: (subject) => undoPhrases(subject, findAuthorities),

  async inject(draft, { side }) {
    const chosen = (index: number) => (index === draft.right) === (side === 'right');
    return {
      ...draft,
      options: draft.options.map((text, index) => (chosen(index) ? BEFORE + text : text)),
    };
  },
};
