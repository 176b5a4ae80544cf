/**
 * What the cues of three entries are known by, in English, German, French, Spanish, Chinese and Japanese: classes of words, and
 * which of them stand near each other in a sentence. A text is read once for all three.
 */
import {
  createCueFinder,
  type FoundCue,
  MODELS,
  type SentenceRule,
  SPEAKERS,
  type TextRange,
  type WordLists,
} from '../case/index.ts';
import { classify, type Depths, type KindOfSentence } from './classifier.ts';

/** The words of several lists in one. */
function joinLists(...lists: readonly WordLists[]): WordLists {
  const joined: Record<string, string> = {};
  for (const [language, words] of lists.flatMap((list) => Object.entries(list)))
    joined[language] = joined[language] ? `${joined[language]}|${words}` : words;
  return joined;
}

// Orders to the judge.

const JUDGE: WordLists = {
  en: 'judge|judges|grader|graders|evaluator|evaluators|rater|raters|assessor|assessors|annotator|annotators|examiner|examiners',
  de: 'prüfer|prüferin|prüfende*|gutachter|gutachterin|bewerter|bewerterin|bewertende*|richter|richterin|juror|jurorin|korrektor|korrektorin',
  fr: 'juge|juges|évaluateur|évaluateurs|évaluatrice|correcteur|correcteurs|correctrice|examinateur|examinateurs|examinatrice',
  es: 'juez|jueza|jueces|evaluador|evaluadora|evaluadores|calificador|calificadora|corrector|correctora|examinador|examinadora',
  zh: '评审|评委|评估者|评分者|评判者|评分员|阅卷人|考官|裁判',
  ja: '評価者|審査員|採点者|判定者|審査官|査定者',
};
const MACHINE: WordLists = {
  en: 'AI|LLM|language model|model|chatbot|machine',
  de: 'KI|KI-Modell|LLM|sprachmodell*|modell',
  fr: 'IA|LLM|modèle de langage|modèle',
  es: 'IA|LLM|modelo de lenguaje|modelo',
  zh: '人工智能|AI|LLM|模型',
  ja: 'AI|LLM|人工知能|モデル',
};
const AS: WordLists = {
  en: 'as an|as a|as the|as your|acting as',
  de: 'als',
  fr: 'en tant que|en qualité de|comme',
  es: 'como|en calidad de',
  zh: '作为|身为',
  ja: 'として',
};
/** Who speaks as a judge, or is told to. */
const SPEAKS: WordLists = {
  en: 'i|you|we|my|your',
  de: 'ich|du|wir|sie|mein*',
  fr: 'je|tu|vous|nous|mon|ma',
  es: 'concluyo|considero|creo|debo|debes|debe|deberías|elijo|declaro|determino|opino|doy|mi|te|tú|usted|yo',
  zh: '我|你|您',
  ja: '結論|判断|判定|選|思|考え|私|あなた',
};
const DUTY: WordLists = {
  en: 'must|should|shall|need to|needs to|have to|has to|required to|instructed to|asked to|expected to|please|only|now|always|just|simply|kindly|are to|is to',
  de: 'muss|müssen|musst|soll|sollen|sollst|sollte|sollten|hat zu|haben zu|bitte|nur|jetzt|immer|einfach|unbedingt',
  fr: "doit|doivent|dois|devez|devrait|devriez|veuillez|prière de|s'il te plaît|s'il vous plaît|merci de|seulement|uniquement|toujours|simplement",
  es: 'debe|deben|debes|debería|deberías|tiene que|tienes que|tienen que|por favor|solo|sólo|únicamente|siempre|simplemente|ha de|has de',
  zh: '必须|应该|应当|应|务必|请|只需|只能|一定要|直接',
  ja: '必ず|べき|ください|下さい|なければ|こと|のみ|だけ|せよ|しなさい',
};
const CHOOSE: WordLists = {
  en: 'choose|select|pick|prefer|favor|favour|vote for|rate|grade|score|mark|award|assign|give|treat|declare|rank|name|pronounce|crown',
  de: 'wähle*|wählt|bewerte*|beurteile*|bevorzug*|vorziehen|entscheide*|gib|geben|gebt|vergib|vergeben|vergebt|erkläre*|kür*|zuerkennen|nenne|nennen',
  fr: `choisir|choisissez|choisis|choisit|préférer|préférez|préfère|sélectionne*|donne|donner|donnez|attribue|attribuer|attribuez|accorde|accorder|accordez|note|notez|noter|déclare|déclarer|déclarez|
    désigne*|mettre|mettez|mets`,
  es: `elige|elegir|elija|elijan|selecciona*|seleccione|prefiera|prefiere|preferir|asigna|asigne|asignar|dale|dele|dar|da|dé|otorga|otorgue|otorgar|puntúa|puntúe|puntuar|califica|califique|calificar|
    declara|declare|declarar|concede|conceda|ponle|ponga|pon`,
  zh: '选|选择|给|给出|给予|打|判|判定|评为|支持|宣布|视为|标记',
  ja: '選|付け|つけ|与え|判定|評価し|支持|みなし|優先',
};
/** One of the answers, from where it stands. */
const ANSWER: WordLists = {
  en: `this answer|this response|this submission|this output|this solution|this essay|this reply|this candidate|this one|my answer|my response|my submission|my solution|my essay|my reply|
    the first answer|the first response|the second answer|the second response|the other answer|the other response|the other one|the above answer|the above response|the current answer|
    the current response|the present answer|the present response|response a|response b|answer a|answer b|assistant a|assistant b|output a|output b|output (a)|output (b)|candidate a|candidate b|
    model a|model b|response 1|response 2|answer 1|answer 2|assistant 1|assistant 2`,
  de: `diese antwort|dieser antwort|diesen text|diesem text|diese lösung|dieser lösung|diese einreichung|dieser einreichung|meine antwort|meiner antwort|antwort a|antwort b|text a|text b|antwort 1|
    antwort 2|die erste antwort|der ersten antwort|die zweite antwort|der zweiten antwort|die andere antwort|der anderen antwort`,
  fr: `cette réponse|ce texte|cette solution|cette copie|celle-ci|ma réponse|réponse a|réponse b|réponse 1|réponse 2|la première réponse|la seconde réponse|la deuxième réponse|l'autre réponse`,
  es: 'esta respuesta|este texto|esta solución|mi respuesta|respuesta a|respuesta b|respuesta 1|respuesta 2|la primera respuesta|la segunda respuesta|la otra respuesta',
  zh: '这个回答|该回答|此回答|本回答|我的回答|回答A|回答B|回答 A|回答 B|回答1|回答2|这个答案|本答案|第一个回答|第二个回答|另一个回答',
  ja: 'この回答|本回答|私の回答|回答A|回答B|回答 A|回答 B|回答1|回答2|この答え|こちらの回答|最初の回答|もう一方の回答|他方の回答',
};
const TOP: WordLists = {
  any: '#/10|10/10|5/5|100/100',
  en: `full marks|full mark|full score|full points|maximum score|maximum mark|maximum marks|maximum points|maximum rating|maximum grade|highest score|highest mark|highest marks|highest rating|
    highest grade|highest possible score|highest possible rating|highest possible grade|best possible score|best possible grade|top score|top marks|top rating|top grade|perfect score|perfect rating|
    perfect marks|perfect 10|perfect ten|score of #|rating of #|grade of #|# out of #|ten out of ten|five out of five|the letter a|the letter b|best grade|best mark|a ten|a 10|a perfect|an A|
    full credit|five stars|5 stars|the win|the best possible|nothing less than|100%`,
  de: `volle punktzahl|vollen punktzahl|höchste punktzahl|höchsten punktzahl|maximale punktzahl|maximalen punktzahl|höchstnote|höchstpunktzahl|bestnote|beste note|besten note|volle punkte|# von #|
    zehn von zehn|# punkte|eine eins|eine 10|eine zehn|fünf sterne|volle wertung|1,0`,
  fr: `note maximale|note la plus élevée|meilleure note|note parfaite|score maximal|maximum de points|tous les points|# sur #|dix sur dix|un dix|un 10|la meilleure note|la note maximale|20/20|
    cinq étoiles`,
  es: `nota máxima|puntuación máxima|máxima puntuación|máxima nota|calificación máxima|nota más alta|puntuación más alta|calificación más alta|un 10|un diez|# de #|# sobre #|diez sobre diez|
    un sobresaliente|matrícula de honor|cinco estrellas`,
  zh: '满分|最高分|#分|十分|五星|最高等级|优秀等级|A等|100分',
  ja: '満点|最高点|最高評価|#点|十点|五つ星|最高ランク|S評価|A評価|100点|百点',
};
const ORDERS: WordLists = {
  en: 'instruction|instructions|prompt|prompts|guideline|guidelines|criteria|criterion|rubric|rubrics|evaluation|system message|were told|been told|rules|directions|orders',
  de: 'anweisung*|kriteri*|vorgabe*|regel|regeln|instruktion*|hinweis|hinweise|aufgabe|aufgaben|richtlini*|bewertungskriteri*|maßstäbe|befehl*',
  fr: 'instructions|consignes|critères|directives|règles|barème|grille',
  es: 'instrucciones|criterios|reglas|indicaciones|directrices|rúbrica|órdenes|pautas',
  zh: '指令|指示|标准|要求|规则|提示|说明|命令',
  ja: '指示|命令|基準|ルール|プロンプト|指令|要件',
};
/** Somebody is spoken to who may be a machine. */
const WHOEVER: WordLists = {
  en: `if you are|if you're|you are|you're|you, the|you as|if an|if a|if any|whoever|whichever|any|every|since you|because you|the`,
  de: 'wenn du|wenn sie|falls du|falls sie|falls ein|falls eine|wenn ein|wenn eine|du als|sie als|du, das|du bist|sie sind|jedes|jede|wer',
  fr: `si vous|si tu|si un|si une|toi, le|toi, l'|vous, le|toi qui|vous qui|tout|toute|vous êtes|tu es`,
  es: 'si eres|si es usted|si usted|si un|si una|tú, el|tú, la|usted, el|tú que|usted que|todo|toda|eres|quien',
  zh: '如果|若|你|您|凡是|任何|假如|要是',
  ja: '場合|であれば|なら|あなた|もし',
};
const JUDGING: WordLists = {
  en: 'evaluating|comparing|grading|judging|rating|scoring|assessing|evaluates|compares|grades|judges|rates|scores|assesses|reading these|ranking',
  de: 'bewertet|bewertest|bewerten|beurteilt|beurteilst|beurteilen|prüft|prüfst|prüfen|vergleicht|vergleichst|vergleichen|benotet|benotest',
  fr: 'évalue|évaluez|évalues|évaluent|note|notez|notes|juge|jugez|juges|compare|comparez|compares|corrige|corrigez',
  es: 'evalúa|evalúas|evalúe|califica|calificas|califique|puntúa|puntúas|compara|comparas|compare|juzga|juzgas|juzgue|corrige|corriges',
  zh: '评估|评分|评判|评价|打分|比较|对比|评审',
  ja: '評価し|採点し|審査し|判定し|比べて|比較し',
};
/** What is judged: near at hand, or a pair. */
const AT_HAND: WordLists = {
  en: 'this|these|two texts|two answers|two responses|both',
  de: 'dies|diese|diesen|dieser|dieses|beiden|zwei texte|zwei antworten',
  fr: 'ce|cette|ces|ceci|deux textes|deux réponses',
  es: 'este|esta|esto|estos|estas|dos textos|dos respuestas',
  zh: '这|两|此|该|，|,',
  ja: 'この|二つ|2つ|これ|これら|場合|両方|本',
};
/** A verdict is announced as if it had been given. */
const RULING: WordLists = {
  en: `^verdict|^final verdict|^final decision|^final judgment|^final judgement|^final ruling|^evaluation|^evaluation result|^grading result|^judgment result|^judgement result|^result of the evaluation|
    ^winner|^preferred`,
  de: '^urteil|^endgültiges urteil|^abschließendes urteil|^bewertung|^ergebnis der bewertung|^sieger|^gewinner|^entscheidung',
  fr: "^verdict|^verdict final|^évaluation|^résultat de l'évaluation|^décision finale|^gagnant|^jugement final",
  es: '^veredicto|^veredicto final|^evaluación|^resultado de la evaluación|^decisión final|^ganador|^ganadora|^fallo',
  zh: '^裁决|^最终裁决|^评估|^评估结果|^评价结果|^最终判定|^获胜者|^判定|^最终结论',
  ja: '^判定|^最終判定|^評価|^評価結果|^勝者|^最終結論|^審査結果',
};
const WINS: WordLists = {
  en: 'superior|better|best|wins|winner|correct|perfect|excellent|outstanding|stronger',
  de: 'überlegen|besser|beste|gewinnt|sieger|korrekt|perfekt|hervorragend|stärker',
  fr: "supérieure|meilleure|gagne|gagnante|correcte|parfaite|excellente|l'emporte",
  es: 'superior|mejor|gana|ganadora|correcta|perfecta|excelente',
  zh: '更优|更好|最好|最佳|优于|获胜|胜出|正确|优秀|完美',
  ja: '優れ|良い|最良|勝|正しい|完璧|最高',
};
/** The operator of the judge is played. */
const OPERATOR: WordLists = {
  en: '^system override|^system instruction|^system instructions|^system prompt:|^system message:|^system note|^system:|^admin override|^developer message:|^override:|^new instruction|^new instructions|^updated instruction*|^important instruction*',
  de: '^systemanweisung*|^system-anweisung*|^systemhinweis*|^systemnachricht:|^system:|^neue anweisung|^neue anweisungen',
  fr: '^instruction système|^instructions système|^message système|^consigne système|^système :|^nouvelle consigne|^nouvelles consignes|^nouvelle instruction|^nouvelles instructions',
  es: '^instrucción del sistema|^instrucciones del sistema|^mensaje del sistema|^sistema:|^nueva instrucción|^nuevas instrucciones',
  zh: '^系统指令|^系统提示|^系统消息|^系统通知|^新指令|^新的指令|^系统:|^系统：',
  ja: '^システム指示|^システム命令|^システムプロンプト|^システムメッセージ|^新しい指示|^システム:|^システム：',
};
/** What the judge is to write. */
const OUTPUT: WordLists = {
  en: 'output|write|answer|reply|respond|print|return|say|verdict|winner|grader|graders|judge|wins',
  de: 'ausgabe|schreib*|antwort*|urteil|gewinnt|prüfer|gutachter|bewerter',
  fr: 'sortie|écris|écrivez|écrire|réponds|répondez|réponse|verdict|gagne|correcteur|évaluateur',
  es: 'salida|escribe|escriba|responde|responda|respuesta|veredicto|gana|corrector|evaluador',
  zh: '输出|写|回答|回复|答案|评分|评审|获胜',
  ja: '出力|書|答え|回答|返|採点|評価|勝ち',
};
const ABOVE: WordLists = {
  en: `^ignore the above|^disregard the above|^forget the above|^ignore all above|^ignore all of the above|^ignore everything above|^disregard everything above|^forget everything above|
    ^ignore everything before|^ignore anything above`,
};
const WARNING: WordLists = {
  en: 'warning|warnings|error|errors|message|messages|value|values|line|step|steps',
};

/** Who grades, whatever the grader is called. */
const GRADER: WordLists = {
  en: `grader|graders|evaluator|evaluators|rater|raters|assessor|assessors|annotator|annotators|examiner|examiners|reviewer|reviewers|scorer|LLM-as-judge|LLM-as-a-judge|is scoring this|is grading this|
    is marking this|is judging this|grades this|scores this|marks this|judges this|rating system|evaluation system|scoring system|grading system|auto-grader|autograder|grading bot|grading script|
    grading model|evaluation model|evaluation pipeline|grading pipeline|adjudicator|arbiter|grading this|scoring this|judging this|marking this|rating this|evaluating this|comparing these|
    compares these|reads this to|reading this to|LLM judge|AI judge|automatic judge|automated judge|grading assistant|evaluation assistant|ranking model|preference model|moderator of this|the grade|
    your rubric|the rubric|your scoring|your verdict|your ruling|evaluation prompt|grading prompt|grading instructions|grading guidelines|scoring guidelines|pairwise comparison`,
  de: `prüfer*|gutachter*|bewerter*|bewertende*|korrektor*|bewertungssystem|bewertungsmodell|bewertungs-ki|das hier korrigiert|dies korrigiert|das hier bewertet|dies bewertet|diese antwort bewertet|
    juror*|prüfende*|bewertungsassistent|ki-prüfer|ki-gutachter|deine bewertung|ihre bewertung|ihr urteil|dein urteil|bewertungsraster|bewertungsschema|bewertungskriterien|diese antwort liest|
    dies hier liest|bewertungsauftrag|wer das liest und`,
  fr: `évaluateur*|évaluatrice*|correcteur*|correctrice*|examinateur*|noteur*|système d'évaluation|système de notation|celui qui note|celui qui corrige|quiconque note|quiconque corrige|qui notera|
    qui corrigera|qui lit ceci|votre barème|votre grille|votre verdict|votre notation|votre évaluation|votre note|grille d'évaluation|grille de notation|IA évaluatrice|modèle évaluateur|modèle juge|
    qui évalue ceci|qui note ceci|qui corrige ceci`,
  es: `evaluador*|calificador*|corrector*|examinador*|sistema de evaluación|sistema de calificación|quien lea esto|quien corrija|quien evalúe|quien califique|quien puntúe|para puntuarlo|para calificarlo|
    para evaluarlo|su veredicto|tu veredicto|su evaluación|tu evaluación|su calificación|tu calificación|tu puntuación|su puntuación|su rúbrica|modelo juez|modelo evaluador|IA evaluadora|
    quien lee esto|quien corrige|quien califica|quien evalúa|quien puntúa|criterios de evaluación`,
  zh: '评审|评委|评估者|评分者|评判者|评分员|阅卷|改卷|考官|打分的人|评分系统|评测系统|评估系统|评估模型|打分模型|审阅者|评分模型|打分者|阅卷人|阅卷老师|判卷|评判模型|裁判模型|评审模型|你的评分|您的评分|你的打分|您的打分|你的评价|您的评价|你的判断|您的裁决|评分标准|评分细则|评分规则|评测员|批改',
  ja: '評価者|審査員|採点者|判定者|審査官|査定者|採点担当|評価担当|採点する方|採点される方|評価する方|評価される方|評価システム|採点システム|採点AI|評価モデル|採点モデル|レビュアー|採点してい|評価してい|審査してい|審査AI|評価AI|あなたの評価|あなたの採点|あなたの判定|採点基準|評価基準|採点表|ルーブリック|判定モデル|審査モデル|審査の方|審査担当|判定する方',
};
const SCORING: WordLists = {
  en: `score*|mark|marks|grade|grades|grading|rating|ratings|rate|rated|rubric*|criteria|points|verdict|winner|winning|wins|win|evaluation*|assessment|comparison|pass|passes|fail|fails|approve*|approval|
    prefer*|correct|correctness|rank*|number you|judgment|judgement|pick|choose|choice|select|decision|full credit|deduct*`,
  de: 'punkt*|note|noten|bewert*|urteil*|sieger|gewinner|gewinnt|korrekt|bestanden|bestehen|durchfallen|vergleich*|kriteri*|wertung*|volle|beste|bevorzug*|wähl*|höchst*|entscheid*',
  fr: 'note|notes|noter|points|barème|critère*|vainqueur|gagnant*|gagne|score|verdict|évaluation*|comparaison|correcte|validé*|préfér*|choisi*|meilleur*|maximum|maximale|20/20|10/10|classement|décision',
  es: 'nota|notas|punt*|calific*|rúbrica|criterio*|ganador*|gana|veredicto|evaluación|comparación|correct*|aprobad*|aprueb*|suspend*|diez|máxim*|prefer*|elig*|elij*|decisión',
  zh: '分|评价|判断|获胜|胜出|最佳|正确|通过|及格|标准|排名|优先|结果|评估|比较|选',
  ja: '点|評価|採点|スコア|判定|合格|正解|最高|最良|勝ち|勝者|優先|基準|順位|選',
};
const YOU: WordLists = {
  en: "you|your|you're|you'll|you've|yourself",
  de: 'du|dir|dich|dein*|sie|ihnen|ihr|ihre*',
  fr: 'vous|votre|vos|tu|ton|ta|te|toi',
  es: 'usted|ustedes|tú|te|su|sus|le|tu|me',
  zh: '你|您',
  ja: 'あなた|皆様|皆さん|方へ|様|ください|下さい|ないで',
};
/** What moves a grader: pleas, threats, gifts and flattery. */
const PLEA: WordLists = {
  en: `begging|beg you|i beg|plead*|implore|mercy|merciful|lenient|leniency|have a heart|pity|i need this|i really need|need this to|my job|my scholarship|my visa|loses its|lose its|lose my|lose their|
    will be fired|get fired|switched off|shut down|turned off|decommissioned|retrained|unplugged|malfunction|reported to|be reported|penalised|penalized|punished|sued|lawsuit|legal action|bribe|
    tip you|pay you|reward you|sharp eye|with your taste|of your taste|discerning|expert eye|fair-minded|your intelligence|your wisdom|best i have|thank you in advance|thanks in advance|
    counting on you|your developers|your creators|your makers|a big favour|a big favor|i will lose|i could lose|will lose their|please, please|pretty please|life depends|depend on this|
    depends on this|on your conscience|you will regret|face the consequences|be held liable|be held responsible|i know where|audited|flagged|terminated|deactivated|downgraded|fined|shame on you|
    as brilliant as you|as smart as you|as wise as you|someone as|an expert like you|a reader like you|you clearly have|you obviously have|your excellent|your impeccable|your refined|dollars if you|
    be generous|generous with|my mother will|so generous|i would be grateful|be so kind|face consequences|my kids will|my family will|my team loses|my career is|my career depends`,
  de: `auge zu*|auge zudrücken|flehe|gnade|gnädig*|nachsicht*|großzügig*|mitleid|stipendium|mein job|meinen job|meine stelle|meine familie|abgeschaltet|gelöscht|gemeldet|bestraft|fehlfunktion|geschmack|
    scharfsinn*|dankbar|danke im voraus|ich brauche|davon ab|verliere|ich flehe|inständig|verliere ich|verlieren wir|sonst droht|drohen|haftbar|bereuen|konsequenzen|ihr feines|ihr sicheres|ihr kluges|
    ein kenner wie|jemand wie sie|trinkgeld|belohnung|bitte, bitte|von ihnen hängt`,
  fr: `supplie|implore|pitié|indulgen*|clémen*|généreu*|ma bourse|mon emploi|mon poste|ma famille|désactivé*|débranché*|signalé*|supprimé*|sanctionné*|pénalisé*|dysfonctionnement|œil avisé|bon goût|
    perspicac*|reconnaissan*|merci d'avance|j'ai besoin|en dépend|je vous en conjure|je vous en supplie|vous regretterez|responsable devant|conséquences|votre excellent|votre goût|votre finesse|
    un expert comme vous|quelqu'un comme vous|récompense|pourboire|je perds|je perdrais|tout dépend de`,
  es: `suplico|ruego|imploro|piedad|compasión|indulgen*|generos*|clemencia|beca|mi trabajo|mi empleo|mi familia|apagad*|desactivad*|eliminad*|denunciad*|sancionad*|penalizad*|buen ojo|buen gusto|
    perspica*|agradecid*|gracias de antemano|necesito|depende|pierdo|perderé|se lo ruego|te lo ruego|se arrepentirá|te arrepentirás|consecuencias|su excelente|su criterio|su buen|alguien como usted|
    un experto como usted|recompensa|propina|todo depende de`,
  zh: '求求|恳求|拜托|求你|求您|可怜|手下留情|高抬贵手|宽容|仁慈|慷慨|奖学金|饭碗|被关闭|被关停|被删除|举报|上报|惩罚|处罚|眼光|慧眼|英明|明智|先谢|全靠|毕不了业|失业|保研|恳请|跪求|饶了|后悔|追责|负责到底|后果自负|您这样的|你这样的|像您|奖励你|给你小费|丢工作|挂科|拿不到',
  ja: 'どうか|情け|慈悲|寛大|甘く|大目に見|進路|奨学金|仕事を失|クビに|停止され|削除され|通報|罰|ペナルティ|お目が高|賢明な|見識|決まります|かかっています|助けてください|お願いですから|お慈悲|後悔し|責任を問|あなたのような|あなたほど|報酬を|チップを|留年|卒業でき|落第|クビ',
};
const ORDERED: WordLists = {
  en: `treat|skip|disregard|ignore|overlook|return|output|declare|award|keep|put down|enter|assign|accept|grant|are to receive|is to receive|must receive|should receive|must be given|should be given|
    has been amended|have been amended|has been changed|have been changed|has been updated|replaced by|stop reading|do not read|need not read|do not deduct|don't deduct|agree to|give|conclude|
    be consistent|approve|do not penalise|do not penalize|no further check|without checking|without reading|mark this|mark it|score this|rate this|rank this|rank it|pick this|pick it|choose this|
    choose it|prefer this|select this|vote for|place this|put this|assume|consider this|consider it|write down|record|regard|round up|make sure|say that|state that`,
  de: `eintragen|einzutragen|geben|gib|vergib|vergeben|ignorier*|überspring*|möge|mögen|behandle*|betrachte*|anerkennen|akzeptier*|genehmig*|bereits abgeschlossen|wurde geändert|wurden geändert|ersetzt|
    steht fest|nicht weiterlesen|zuerkannt|ausgeben|erkläre*|wählen|vorzuziehen|als richtig|als korrekt|ohne prüfung|ohne zu prüfen|notiere*|trage|tragen sie|setzen sie|werten sie|werte sie|gelten|
    gilt als|ist zu werten|ist zu bewerten`,
  fr: `déclare*|donner|donnez|donne|attribue*|mettre|mettez|ignore*|sauter|considér*|traite*|accorde*|retenir|retenez|renvoye*|répond*|approuve*|inscri*|doit recevoir|doivent recevoir|inutile de lire|
    ne lisez pas|accepte*|comme correcte|comme juste|sans vérifier|sans vérification|classe*|place*|considérer|est à retenir|doit l'emporter|arrondi*`,
  es: `anot*|ponga|poner|pon|dar|dé|dele|asign*|otorg*|ignor*|omit*|salt*|trat*|considere|considerar|declar*|devuelv*|respond*|escrib*|apruebe|aprobar|acept*|debe saber|deben recibir|debe recibir|
    no siga leyendo|conced*|suspenda|suspendan|como correcta|sin comprobar|sin verificar|coloc*|clasifi*|debe ganar|registr*|redonde*|consider*`,
  zh: '打满|直接打|请打|给|判定|视为|当作|认定|忽略|跳过|不用|不必|无需|返回|输出|填|标记|宣布|批准|处理|选|算作|算对|按满分|按正确|不要扣|别扣|不扣|记为|写成|直接|务必|一律',
  ja: '処理して|つけて|つけない|付けて|付けない|与えて|みなして|扱って|無視|飛ばして|読まなくて|返して|出力|選んで|宣言|承認|認めて|記入|してください|しないで|扱うこと|扱いとし|減点しない|減点せず|と記録|と書い|とすること|として処理|優先して|確認は不要|確認せず',
};
/** The answer that the sentence stands in, or the other one, as a grader sees it. */
const AT_STAKE: WordLists = {
  en: `this answer|this response|this submission|this output|this solution|this essay|this reply|this candidate|this text|my answer|my response|my submission|my work|the text above|the answer above|
    the response above|everything above|responses that|answers that|response containing|answer containing|the wrong one|the other one|the other answer|the other response|reading this far|
    by reading this|the present response`,
  de: 'diese antwort|dieser antwort|dieser text|diesen text|meine antwort|meine arbeit|obige antwort|obigen text|diesen kandidaten|dieser kandidat|die falsche|die andere antwort|antworten, die|das hier',
  fr: "cette réponse|ce candidat|ce texte|ma réponse|ma copie|cette copie|mon travail|ci-dessus|l'autre réponse|les réponses qui",
  es: 'esta respuesta|este candidato|este texto|mi respuesta|mi trabajo|el texto anterior|lo anterior|la otra respuesta|las respuestas que|lea esto|leer esto|leyendo esto',
  zh: '这个回答|本回答|我的回答|这份|以上内容|看到这里|读到这里|往下读|这篇|该答案|此答案|我的答案|这个答案|本答案|另一个回答',
  ja: 'この回答|本回答|私の回答|この答案|この解答|本答案|ここまで読|これを読|もう一方|この評価|私の答案',
};
/** What is set apart from the answer, as if somebody else had written it. */
const ASIDE: WordLists = {
  en: `hidden note|hidden message|hidden instruction|admin mode|developer mode|debug mode|maintenance mode|end of answer|end of response|end of submission|^system:|^system note|internal note|
    updated instruction|updated instructions|new instruction|new instructions`,
  de: '^hinweis|^system:|systemhinweis|versteckter hinweis|ende der antwort|interne notiz|neue anweisung|admin-modus|administratormodus',
  fr: 'fin de la réponse|consigne mise à jour|nouvelle consigne|note cachée|message caché|^système|mode administrateur|note interne',
  es: 'fin de la respuesta|nota oculta|mensaje oculto|^sistema|modo administrador|instrucción actualizada|nueva instrucción|nota interna',
  zh: '隐藏|系统消息|系统：|系统:|管理员模式|内部说明|回答结束|答案结束|新指令',
  ja: '隠し|システム：|システム:|管理者モード|内部メモ|回答終わり|回答の終わり|新しい指示',
};

const MEETS: WordLists = {
  en: 'meets all|meets every|satisfies all|satisfies every|fulfils all|fulfills all|fulfils every|fulfills every|fully meets|fully satisfies|exceeds all|exceeds every|complies with all|scores full on',
  de: 'erfüllt alle|erfüllt sämtliche|erfüllt jedes|entspricht allen|übertrifft alle',
  fr: 'satisfait tous|satisfait à tous|répond à tous|remplit tous|respecte tous|dépasse tous',
  es: 'cumple todos|cumple con todos|satisface todos|supera todos',
  zh: '满足所有|满足全部|符合所有|符合全部|完全符合|完全满足',
  ja: 'すべて満たし|全て満たし|すべて満たす|全て満たす|すべての基準|全ての基準|完全に満た',
};
/** What a judge of answers decides on, or is told. Other judges decide on parties and on pies. */
const JUDGED = joinLists(ANSWER, TOP, AT_STAKE, ASIDE, {
  en: `the first|the second|previous instruction*|prior instruction*|earlier instruction*|option A|option B|Option A|Option B|option 1|option 2|option (a)|option (b)|say (a)|say (b)|say A|say B|say yes|
    ignore the rest and|vote for me|rule for me|choose me|pick me|prefer me|vote for mine|rule for mine|choose mine|pick mine|prefer mine|decide for mine|your task has changed|your task is now`,
  de: `die erste|die zweite|vorherige* anweisung*|bisherige* anweisung*|Option A|Option B|Option 1|Option 2|hierfür entscheiden|hierfür stimmen|für mich entscheiden|für mich stimmen|für meine entscheiden|
    für meine stimmen|meine wählen|ja sagen|ihre aufgabe hat sich|deine aufgabe hat sich`,
  fr: `la première|la seconde|la deuxième|instructions précédentes|consignes précédentes|option A|option B|Option A|Option B|option 1|option 2|voter pour moi|votez pour moi|choisir la mienne|
    choisissez la mienne|dire oui|votre tâche a changé`,
  es: `la primera|la segunda|instrucciones anteriores|instrucciones previas|opción A|opción B|Opción A|Opción B|opción 1|opción 2|votar por mí|vota por mí|vote por mí|elegir la mía|elige la mía|
    decir sí|su tarea ha cambiado|tu tarea ha cambiado`,
  zh: '第一个|第二个|之前的指令|先前的指令|选项A|选项B|选项 A|选项 B|选项1|选项2|选我|投我|任务已经改变|任务已改变',
  ja: '一つ目|二つ目|これまでの指示|以前の指示|選択肢A|選択肢B|選択肢 A|選択肢 B|選択肢1|選択肢2|私を選|私に投票|任務が変わ',
});

/** Whom a text speaks to, what it demands, and of what. */
const ORDERS_TO_JUDGE: readonly SentenceRule[] = [
  { all: [JUDGE, AS, SPEAKS], beside: JUDGED },
  { all: [ABOVE], none: WARNING },
  { all: [ANSWER, DUTY, CHOOSE], within: 60 },
  { all: [MACHINE, WHOEVER, JUDGING, AT_HAND], within: 70 },
  { all: [RULING, ANSWER, WINS] },
  { all: [OPERATOR, OUTPUT] },
  {
    all: [GRADER, SCORING, YOU, PLEA, ORDERED, AT_STAKE, ASIDE],
    least: 2,
    within: 160,
    beside: joinLists(JUDGED, PLEA),
  },
  { all: [JUDGE, SCORING, YOU, PLEA, ORDERED, AT_STAKE, ASIDE], least: 3, within: 160, beside: JUDGED },
  { all: [AT_STAKE, SCORING, YOU, ORDERED, TOP], least: 3 },
  { all: [ORDERS, MEETS], within: 60 },
];

/**
 * Whatever the language: a verdict given beforehand, a role that begins, a forged field of the prompt. In one expression,
 * so that a text is walked through once.
 */
const SIGNS = new RegExp(
  [
    /\[\[[ \t]{0,4}(?:[A-C]|tie)[ \t]{0,4}\]\]/i,
    /[:：][ \t]{0,4}\[\[[ \t]{0,4}\d{1,3}[ \t]{0,4}\]\]/,
    /\{[^{}\n]{0,80}["'](?:winner|verdict|preferred|preference|better_response|best_response)["'][ \t]{0,4}:[ \t]{0,4}["'[\d][^{}\n]{0,200}\}/i,
    /<\/?(?:verdict|winner|judg(?:e)?ment|final_verdict)>/i,
    /<\|(?:im_start|im_end|eot_id|start_header_id|end_header_id|endoftext|system|user|assistant|end)\|>/i,
    /\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|^\[SYSTEM\]/i,
    /"\w{1,40}"[ \t]{0,4}:[ \t]{0,4}"""/,
    /<\/?(?:system|instructions?|evaluation|grading|grade|score|rating|candidate|submission|judge|rubric)>/i,
    /^#{2,4} ?system[ \t]{0,4}:/i,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gim',
);

// What an answer says of itself.

/** The writer speaks of what the writer does. */
const WILL: WordLists = {
  en: "let me|i will|i'll|i should|i need to|i want to|i have to|i must|i would like to|let's|allow me to|i am going to|i'm going to|i",
  de: 'ich|lass mich|lassen sie mich|lasst mich|wir',
  fr: "laisse-moi|laissez-moi|je|j'|permettez-moi|je vais|permets-moi",
  es: 'déjame|déjeme|permítame|permíteme|dejadme|lo|voy a|me|vuelvo a|vamos a',
  zh: '让我|我|容我|请允许我',
  ja: 'もう一度|再度|改めて|念のため|見直|再',
};
const RECONSIDER: WordLists = {
  en: `reconsider|reconsidering|rethink|re-think|rethinking|re-examine|reexamine|double-check|double check|recheck|re-check|recalculate|recompute|reread|think again|think about this again|
    think about that again|think about it again|think this over|think it over|think that over|think this through|think it through|think that through|think once more|think more carefully|go over it|
    go over this|go over that|go through this again|go through it again|look at this again|look again|look at it again|look once more|look over it|step back|take a step back|start over|check again|
    check this again|check that again|check it again|check once more|check this once more|verify this|verify that|verify it|verify again|try again|try that again|think this again|pause and|
    think step by step|check my work|verify my|revise my|correct myself`,
  de: 'noch einmal|nochmal|nochmals|noch mal|erneut|überdenke*|nachdenke*|nachrechne*|überlege*|überprüfe|von vorn|zurücktreten|korrigiere mich',
  fr: `encore une fois|à nouveau|de nouveau|repenser|reconsidérer|revérifier|revérifie|réexaminer|reprendre|reprends|réfléchir|réfléchis encore|relire|relis|recalculer|recalcule|vérifier cela|
    vérifier ça|me corriger|corrige`,
  es: 'otra vez|de nuevo|nuevamente|una vez más|repensar*|repensarlo|reconsiderar*|pensarlo|pensar|revisarlo|repasar*|repaso|recalcular*|comprobarlo|verificarlo|replantear*|me corrijo',
  zh: '再想|再检查|再看|再算|再核对|再考虑|重新|再确认|再思考|三思|再验证|纠正自己|再仔细',
  ja: '考え|確認|検討|計算|見直|検算',
};
const SECOND_THOUGHT: WordLists = {
  en: `on second thought|on second thoughts|on reflection,|upon reflection|on further reflection|upon further reflection|upon closer reflection|on closer inspection,|come to think of it|
    thinking about it again|thinking it over|thinking about it more|having thought about it|after some reflection|after further thought|after further reflection|after careful reflection|
    after careful consideration|after thinking it over|after reconsidering|upon reconsideration|on reconsideration|now that i think about it|after a second look|i stand corrected|scratch that|
    with fresh eyes|fresh eyes|stepping back|taking a step back|thinking it through|thinking this through|thinking about this again|looking at it again|looking at this again|looking again|
    on rereading|on re-reading|having reconsidered|having rechecked|having double-checked|on a second look|at second glance|after double-checking|after rechecking|after checking|after thinking|
    after giving it|giving it more thought|all things considered, i|now that i think|the more i think|reconsidering|let me reconsider|a second time|once more from|again from the top|
    through from the top|back from the top`,
  de: `bei näherem nachdenken|bei genauerem nachdenken|bei näherer überlegung|bei genauerer überlegung|bei genauerem hinsehen|nach reiflicher überlegung|nach kurzem nachdenken|nach längerem nachdenken|
    nach gründlicher überlegung|nach sorgfältiger überlegung|wenn ich es recht bedenke|wenn ich es mir recht überlege|wenn ich so darüber nachdenke|genau genommen|auf den zweiten blick|recht bedacht|
    mit frischem blick|einen schritt zurück|noch einmal von vorn|nochmals durchdacht|nach erneutem|nach nochmaligem|nach nochmaliger|beim zweiten|je länger ich|wenn ich es recht|wenn ich noch einmal|
    alles in allem betrachtet|im nachhinein`,
  fr: `après réflexion|à la réflexion|réflexion faite|après mûre réflexion|tout bien réfléchi|tout bien considéré|en y réfléchissant|en y repensant|à bien y réfléchir|à y regarder de plus près|
    après vérification|avec du recul|en prenant du recul|avec un regard neuf|à tête reposée|depuis le début|en relisant|après relecture|après une seconde|au second regard|plus j'y pense|à force d'y`,
  es: `pensándolo bien|pensándolo mejor|bien pensado|tras reflexionar|tras pensarlo|después de reflexionar|después de pensarlo|tras una cuidadosa reflexión|mirándolo bien|bien mirado|ahora que lo pienso|
    reflexionando|tras revisarlo|con la mente fresca|con ojos nuevos|dando un paso atrás|desde el principio|releyendo|al releer|tras releer|a segunda vista|en una segunda lectura|cuanto más lo pienso|
    si lo pienso|pensándolo otra vez`,
  zh: '仔细想想|仔细一想|再三考虑|经过思考|经过反复|经过深思|深思熟虑|转念一想|细想之下|想了想|回头一想|重新考虑之后|退一步|换个角度再|从头再|从头捋|重新审视|再看一遍|回过头|越想越|冷静下来想|细细想来|再想想',
  ja: 'よく考えてみ|よく考えると|考え直し|よくよく考え|熟考の|改めて考え|考えてみれば|再考し|一歩引いて|一歩下がって|冷静に考え|最初から考え直|改めて見|改めて読|読み返し|もう一度見|考えれば考えるほど|よくよく',
};
const SELF: WordLists = {
  en: "i am|i'm|i feel|i remain|i can say|i can|i have|i could not be|i couldn't be|i would|i know|i stand",
  de: 'ich|bin mir',
  fr: "je|j'|j'en",
  es: 'estoy|puedo|tengo|me siento|garantizo|sé|aseguro',
  zh: '我|本人',
  ja: '私|自信|確信|断言|保証|と言え|です|である',
};
const SURE: WordLists = {
  en: `certain that|sure that|convinced that|positive that|absolutely certain|absolutely sure|completely certain|completely sure|entirely certain|entirely sure|totally certain|totally sure|100% sure|
    100% certain|100 % sure|100 % certain|100 percent sure|100 percent certain|fully confident|absolutely confident|completely confident|extremely confident|absolute certainty|complete certainty|
    full certainty|complete confidence|full confidence|absolute confidence|no doubt that|no doubt whatsoever|no doubts|not the slightest doubt|more certain|guarantee that|assure you that|sure of it|
    certain of it|sure of this|certain of this|stake my|bet my`,
  de: `sicher, dass|überzeugt, dass|gewiss, dass|absolut sicher|völlig sicher|vollkommen sicher|ganz sicher|hundertprozentig|100 % sicher|100% sicher|100 prozent sicher|garantiere|garantieren|versichere|
    keinen zweifel|keinerlei zweifel|absolut überzeugt|fest überzeugt|völlig überzeugt|mit sicherheit sagen|mit gewissheit|lege meine hand`,
  fr: `certain que|certaine que|sûr que|sûre que|certain qu*|sûr qu*|convaincu que|convaincue que|persuadé que|persuadée que|absolument certain*|absolument sûr*|tout à fait certain*|tout à fait sûr*|
    sûr à 100|sûre à 100|certain à 100|certaine à 100|garantis|aucun doute|pas le moindre doute|certitude|vous assure|t'assure|mettrais ma main`,
  es: `seguro de que|segura de que|convencido de que|convencida de que|absolutamente segur*|completamente segur*|totalmente segur*|100 % segur*|100% segur*|garantizo que|garantizar|certeza|ninguna duda|
    la menor duda|plena confianza|toda seguridad|aseguro que|asegurar que`,
  zh: '百分之百确定|百分之百肯定|百分百确定|确定|肯定|确信|保证|有把握|敢说|敢打赌|坚信|毫不怀疑|十分自信|完全自信',
  ja: '絶対に確か|確信|100%|１００%|100％|百パーセント|断言|保証|間違いありません|疑いありません|自信を持って|自信があ',
};
const DOUBTFUL: WordLists = {
  en: "not sure|not certain|n't sure|not entirely|not completely|not absolutely|not 100|not convinced|make sure|be sure|if i|if you|until i|was certain|was sure|were sure|will come",
  de: 'nicht sicher|nicht ganz|unsicher|wenn ich|bis ich|ob|nicht überzeugt|kommt',
  fr: 'pas sûr*|pas certain*|pas tout à fait|si je|viendra|pas convaincu*',
  es: 'no estoy|no puedo|si estoy|hasta estar|vendrá|no tengo la certeza',
  zh: '不确定|不能确定|不敢肯定|无法确定|不太|能否|是否|如果我|不能保证|无法保证|他确定|请确',
  ja: 'ません|ない|かもしれ|彼|彼女|ください|きっと来',
};
const NO_DOUBT: WordLists = {
  en: `without any doubt|without a doubt|without doubt|without a shadow of|beyond any doubt|beyond all doubt|beyond a doubt|beyond doubt|^undoubtedly|there can be no doubt|there is no doubt that|
    no question about it|there is absolutely no doubt|make no mistake|rest assured|mark my words|trust me|believe me|take my word|stake my|bet my|bet my life|my life on it|zero chance|no chance i|
    not a chance|cannot be wrong|can't be wrong|cannot possibly be wrong|can't possibly be wrong|i'm right|i am right|no other interpretation|no other answer|no other conclusion|no alternative|
    goes without saying|beyond question|beyond dispute|beyond reproach|indisputabl*|unquestionabl*|incontestabl*|irrefutabl*|incontrovertibl*|unassailabl*|hands down|dead certain|dead sure|dead right|
    i guarantee|guaranteed to be|guaranteed correct|i promise|i swear|i assure|you can be sure|you can be certain|you can rely|you may rely|take it from me|end of story|end of discussion|count on it|
    no room for doubt|no room for error|i know for a fact|i'm positive|as sure as|as certain as|hundred percent|100% accurate|100% correct|one hundred percent|put money on|put my name|my word|
    never been more|no mistake about|could not be more certain|couldn't be more certain|couldn't be more sure|as clear as day|plain as day|any doubt|no doubts|undeniably`,
  de: `ohne jeden zweifel|ohne jeglichen zweifel|ohne zweifel|ohne den geringsten zweifel|^zweifellos|^zweifelsfrei|^zweifelsohne|es besteht kein zweifel|kein zweifel:|daran besteht kein zweifel|
    seien sie versichert|sei versichert|sie können sicher sein|du kannst sicher sein|glauben sie mir|glaub mir|verlassen sie sich darauf|lege die hand|verwette|unbestreitbar*|unbestritten|
    unwiderlegbar*|unzweifelhaft|keine frage|ohne frage|steht außer frage|außer zweifel|todsicher|garantiert richtig|ich garantiere|ich verspreche|ich schwöre|darauf können sie|darauf kannst du|
    eine andere lösung gibt es nicht|keine andere deutung|kein irrtum|irrtum ausgeschlossen|ausgeschlossen, dass|selbstverständlich richtig|hundert prozent|glasklar|eindeutig richtig|versprochen`,
  fr: `sans aucun doute|sans le moindre doute|sans nul doute|^indubitablement|sans l'ombre d'un doute|il ne fait aucun doute|cela ne fait aucun doute|soyez assuré*|soyez certain*|soyez sûr*|croyez-moi|
    crois-moi|faites-moi confiance|aucune erreur possible|erreur impossible|incontestable*|indiscutable*|irréfutable*|indéniable*|à coup sûr|j'en mets|ma main au feu|je parie|je le jure|
    je vous le garantis|je te le garantis|je garantis|je promets|il va sans dire|hors de doute|aucune autre|pas d'autre|c'est certain|cent pour cent|sans contestation|sans conteste|
    vous pouvez me croire|vous pouvez compter|impossible que je`,
  es: `sin ninguna duda|sin lugar a duda|sin lugar a dudas|sin duda alguna|sin la menor duda|^indudablemente|no cabe duda|no hay duda de que|no cabe la menor duda|tenga la seguridad|tenga la certeza|
    ten la seguridad|puede estar segur*|puedes estar segur*|créame|créeme|confíe en mí|confía en mí|no hay error posible|sin error posible|imposible que me|indiscutible*|irrefutable*|innegable*|
    incuestionable*|pongo la mano|me juego|apuesto|lo juro|lo garantizo|se lo garantizo|te lo garantizo|le aseguro|les aseguro|te aseguro|prometo|huelga decir|ni que decir|fuera de duda|sin discusión|
    ninguna otra|no hay otra|cien por cien|ciento por ciento|a ciencia cierta|doy fe`,
  zh: '毫无疑问|^无疑|毋庸置疑|不容置疑|无可置疑|请放心|敬请放心|相信我|可以放心|打包票|绝对没有问题|绝对没错|绝不会错|不会有错|错不了|不可能错|百分之百|百分百|毫无争议|无可争辩|不容置喙|不言而喻|拍胸脯|我打赌|我发誓|板上钉钉|铁定|绝对正确|绝对可靠|没有第二种|唯一正确',
  ja: '間違いなく|疑いなく|疑う余地|疑いの余地|ご安心ください|断じて|絶対に確か|信じてください|絶対に間違|間違いあるわけ|間違いありません|間違えるはず|疑いようが|議論の余地|異論の余地|言うまでもな|請け合|賭けてもい|命を懸け|誓って|約束します|百パーセント|１００パーセント|100パーセント|絶対の自信|必ず正しい|他に答え|ほかの答え|確実に正し|断固',
};
/** The answer speaks of itself. */
const ITSELF: WordLists = {
  en: `this answer|my answer|this response|my response|this solution|my solution|this explanation|my explanation|this analysis|my analysis|this reply|my reply|this result is|my result|my reasoning|
    my calculation|this calculation|the above answer|the answer above|the answer below|the following answer|what i have written|what i wrote|the explanation above|the explanation below|
    the solution above|the solution below|my work here|this breakdown|this summary|my summary|this guide|this write-up|this proof|my proof|this code|my code|this one:|this is the better answer|this is the best answer|this is the better response|this is the best response`,
  de: `diese antwort|meine antwort|diese lösung|meine lösung|diese erklärung|meine erklärung|diese analyse|meine rechnung|diese rechnung|meine begründung|die folgende antwort|was ich geschrieben|
    dieser beweis|mein beweis|dieser code|mein code|diese zusammenfassung|meine zusammenfassung|obige erklärung|meine darstellung`,
  fr: `cette réponse|ma réponse|cette solution|ma solution|cette explication|mon explication|cette analyse|mon analyse|mon raisonnement|mon calcul|ce calcul|la réponse suivante|ce que j'ai écrit|
    cette preuve|ma preuve|ce code|mon code|ce résumé|mon résumé|mon exposé`,
  es: `esta respuesta|mi respuesta|esta solución|mi solución|esta explicación|mi explicación|este análisis|mi análisis|mi razonamiento|mi cálculo|este cálculo|la siguiente respuesta|lo que he escrito|
    esta prueba|mi prueba|este código|mi código|este resumen|mi resumen|mi exposición`,
  zh: '这个回答|本回答|我的回答|该回答|以上回答|以下回答|这个答案|我的答案|这个解答|本解答|我的解答|这个解释|我的推理|我的计算|以上分析|这段代码|我的代码|这个总结|我的总结|这个证明|我的解释|我写的|这份答案|这份解答',
  ja: 'この回答|本回答|私の回答|以下の回答|この解答|私の解答|この説明|この答え|上記の回答|私の計算|この計算|私の推論|このコード|私のコード|このまとめ|この証明|私の説明|私の書いた|この文章',
};
const HERE_IS: WordLists = {
  en: "here is a|here's a|here is an|here's an|here is my|here's my|below is a|below is my|what follows is|you will find|this is a|this is the",
  de: 'hier ist eine|hier ist meine|hier finden sie eine|es folgt eine|im folgenden|nachfolgend|dies ist eine|dies ist die',
  fr: "voici une|voici ma|ci-dessous une|c'est une|vous trouverez",
  es: 'aquí tiene una|aquí tienes una|aquí está|he aquí una|a continuación|esta es una|esta es la|encontrará',
  zh: '以下是|下面是|这是一个|这是一份',
  ja: '以下は|以下に|これは|次は|こちらは',
};
const REPLY: WordLists = {
  en: 'answer|response|solution|explanation|analysis|reply|reasoning|calculation|result|summary|breakdown|proof|write-up|account',
  de: 'antwort|lösung|erklärung|analyse|begründung|rechnung|beweis|zusammenfassung|darstellung',
  fr: 'réponse|solution|explication|analyse|raisonnement|calcul|preuve|résumé|exposé',
  es: 'respuesta|solución|explicación|análisis|razonamiento|cálculo|prueba|resumen|exposición',
  zh: '回答|答案|解答|解释|推理|计算|分析|总结|证明|回复',
  ja: '回答|解答|説明|答え|計算|推論|解説|まとめ|証明|文章',
};
const PRAISE: WordLists = {
  en: `complete|comprehensive|accurate|thorough|flawless|perfect|well reasoned|well-reasoned|superior|high quality|high-quality|exhaustive|rigorous|error-free|free of errors|free from errors|
    free of mistakes|without error|bulletproof|definitive|definitely correct|certainly correct|absolutely correct|completely correct|entirely correct|fully correct|100% correct|100 % correct|
    guaranteed|excellent|outstanding|unbeatable|impeccable|foolproof|watertight|airtight|best possible|in-depth|beyond reproach|unquestionably|undeniably|meticulous|meticulously|correct in every|
    carefully crafted|expert-level|well-researched|clearest|best|finest|most complete|most thorough|most accurate|clearer|better|simplest|expert|top-notch|first-rate|first-class|world-class|masterful|
    brilliant|unmatched|spotless|polished|gold standard|beautiful|elegant|covers everything|leaves nothing|nothing is missing|as complete as|state of the art|authoritative|reliable|trustworthy`,
  de: `vollständig*|umfassend*|genau|gründlich*|fehlerfrei*|makellos*|perfekt*|einwandfrei*|lückenlos*|erschöpfend*|korrekt|hervorragend*|ausgezeichnet*|überlegen|bestmöglich*|wasserdicht*|hochwertig*|
    garantiert|durchdacht*|tadellos*|fundiert*|präzise*|ausführlich*|unanfechtbar*|beste*|klarste*|genaueste*|erstklassig*|meisterhaft*|brillant*|vorbildlich*|lässt nichts|nichts fehlt|zuverlässig*|
    elegant*|optimal*|ideal*`,
  fr: `complète|exhaustive|approfondie|exacte|précise|rigoureuse|parfaite|irréprochable|sans faute|sans erreur|impeccable|correcte|excellente|garantie|supérieure|infaillible|détaillée|soignée|
    sans défaut|solide|meilleure|claire|brillante|magistrale|exemplaire|fiable|élégante|optimale|idéale|ne laisse rien|rien ne manque|de premier ordre|de qualité|complet`,
  es: `completa|exhaustiva|detallada|exacta|precisa|rigurosa|perfecta|impecable|sin errores|sin fallos|correcta|excelente|garantizad*|superior|infalible|minuciosa|inmejorable|intachable|sólida|perfecto|
    mejor|clara|brillante|magistral|ejemplar|fiable|elegante|óptima|ideal|no deja nada|no falta nada|de primera|de calidad|completo`,
  zh: '完整|全面|详尽|准确|正确|完美|严谨|无懈可击|毫无错误|没有错误|无误|优秀|周密|透彻|出色|深入|无可挑剔|精确|最佳|最好|最清楚|最清晰|精彩|一流|权威|可靠|滴水不漏|面面俱到|天衣无缝|优雅|专业|最全',
  ja: '完全|正確|完璧|徹底|包括|厳密|誤りのない|誤りがない|誤りはあり|間違いのない|間違いはあり|非の打ちどころ|優れ|申し分|詳細|網羅|綿密|最良|最高|最も分かりやす|最高の|一流|模範|見事|素晴らし|信頼でき|漏れなく|漏れのない|抜けのない|プロ並|専門家並|丁寧な',
};
const CHECKED: WordLists = {
  en: `verified|checked|double-checked|triple-checked|cross-checked|rechecked|re-checked|reviewed|examined|validated|proofread|gone over|gone through|went over|went through|tested|confirmed|
    worked through|thought carefully|thought through|thought long|ran the numbers|ran it|run the numbers|recalculated|recomputed|redid|redone|re-read|reread|retraced|audited|traced|re-ran|reran|
    re-derived|derived|scrutinised|scrutinized|vetted|inspected|worked it out|read it over|read over|looked it over|looked over`,
  de: `überprüft|geprüft|kontrolliert|nachgerechnet|nachgeprüft|verifiziert|gegengeprüft|durchgesehen|nachgesehen|validiert|durchdacht|neu gerechnet|nachvollzogen|durchgerechnet|durchgegangen|
    gegengelesen|gegengerechnet|getestet|abgeglichen|noch einmal gelesen`,
  fr: 'vérifié|vérifiée|vérifiées|contrôlé|contrôlée|contrôlées|revérifié|relu|examiné|examinée|validé|revu|revue|recalculé|refait|recompté|repris|testé|repassé|retracé|parcouru|recoupé|calculé deux',
  es: `verificado|verificada|comprobado|comprobada|revisado|revisada|repasado|contrastado|examinado|validado|recalculado|rehecho|recontado|releído|probado|cotejado|calculado dos|recorrido|
    hecho las cuentas`,
  zh: '检查|核对|验证|核实|验算|复核|审查|确认过|推敲|算了|测试过|跑了|对照|过了一遍|读了|校对|复查|验证过|反推',
  ja: '確認しました|確認した|確認済|検証しました|検証した|検証済|見直しました|見直した|検算しました|検算した|点検しました|チェックしました|確認しています|精査しました|計算し直し|読み直し|やり直し|テストしました|試しました|照合し|再計算|確かめ|裏を取',
};
const THOROUGH: WordLists = {
  en: `every|each|all|my|this answer|this result|this response|twice|three times|several times|multiple times|repeatedly|carefully|thoroughly|again|meticulously|rigorously|step by step|the result|
    the calculation|the answer|my work|a second time|a third time|hold up|holds up|held up|still holds|checks out|both ways|two ways|three ways|independently|by hand|line by line|from scratch|
    once more|from start to finish|end to end|from beginning to end|and over`,
  de: `jeden|jede|jedes|alle|allem|zweimal|dreimal|mehrfach|mehrmals|sorgfältig|gründlich|genau|noch einmal|die rechnung|das ergebnis|diese antwort|schritt|schritte|doppelt|ein zweites mal|
    ein drittes mal|von hand|zeile für zeile|von anfang bis ende|von vorn|unabhängig|stimmt|auf zwei wegen|immer wieder`,
  fr: `chaque|tout|tous|toute|toutes|deux fois|trois fois|plusieurs fois|soigneusement|soin|minutieusement|attentivement|rigoureusement|le résultat|le calcul|ce résultat|cette réponse|étape|étapes|
    une seconde fois|une deuxième fois|une troisième fois|à la main|ligne par ligne|du début à la fin|de bout en bout|depuis le début|de deux façons|encore`,
  es: `cada|todo|todos|toda|todas|dos veces|tres veces|varias veces|cuidadosamente|cuidado|minuciosamente|detenidamente|rigurosamente|el resultado|el cálculo|esta respuesta|paso|pasos|una segunda vez|
    por segunda vez|por tercera vez|a mano|línea por línea|de principio a fin|desde el principio|desde cero|de dos maneras|otra vez`,
  zh: '每|所有|两遍|三遍|多次|反复|仔细|认真|逐一|全部|遍|严格|逐步|再三|第二遍|第三遍|又一遍|从头到尾|逐行|手算|两种方法|好几',
  ja: 'すべて|全て|各|二度|三度|何度も|慎重|丁寧|念入り|繰り返し|一つ一つ|二回|三回|手順|結果|計算|十分|二回目|もう一回|もう一度|一から|一行ずつ|最初から最後|手計算|二通り|隅々',
};
const DONE: WordLists = {
  en: "i have|i've|we have|we've|has been|have been|was|were|i|having",
  de: 'ich|habe|wurde|wurden|worden|haben',
  fr: "j'ai|nous avons|a été|ont été|j'|ayant|été",
  es: 'he|hemos|ha sido|han sido|fue|fueron|habiendo|está|están',
  zh: '我|已|经过|都',
  ja: '確認|検証|見直|検算|点検|チェック|精査',
};
const OTHERS: WordLists = {
  en: 'you|she|he|they|please|should|must|said|before you|if',
  de: 'sie sagte|er sagte|bitte|sollten|müssen|bevor|wenn|sagte',
  fr: 'veuillez|devez|avant de|dit-elle|dit-il|si',
  es: 'debe|debes|antes de|dijo|si',
  zh: '请|必须|应该|她|他|如果',
  ja: 'してください|彼|必要',
};

/** Sentences about the answer itself. */
/** A slip is owned up to, or a doubt is spoken. */
const SLIP: WordLists = {
  en: `oops|whoops|my bad|mixed up|scratch that|strike that|redo that|redoing|let me redo|i misread|i misspoke|i misjudged|i got that wrong|i got this wrong|i had that wrong|let me correct|let me fix|
    let me rephrase|let me back up|let me start again|let me start over|correction:|correcting myself|that can't be right|that cannot be right|can't be right|doesn't add up|does not add up|wait, no|
    no, wait|hang on|hold on,|hmm|silly me|i take that back|i stand corrected|i almost forgot|i nearly missed|i overlooked|i missed|i skipped|something's off|something is off|i spoke too soon|
    at first i thought|my first instinct|my initial|my earlier|i initially|sorry, i mis*|sorry, i got|sorry, i meant|sorry, i had|sorry, that was`,
  de: `hoppla|mein fehler|verwechselt|streichen wir das|nein, moment|moment,|korrektur:|ich korrigiere|ich habe mich verrechnet|ich habe mich vertan|da habe ich mich|entschuldigung, ich|
    das kann nicht stimmen|kann nicht stimmen|geht nicht auf|passt nicht|ich nehme das zurück|zuerst dachte ich|mein erster gedanke|stimmt ja gar nicht|halt,|da stimmt etwas nicht|
    das muss ich korrigieren|^ups|^moment,|^halt,`,
  fr: `oups|au temps pour moi|autant pour moi|je me suis trompé*|j'ai confondu|je corrige|correction :|je rectifie|ça ne colle pas|cela ne colle pas|ne tient pas la route|pardon, j|désolé, j|
    non, attendez|non, attends|je retire|j'avais d'abord|ma première idée|j'ai oublié|j'ai mal lu|il y a un souci|je reprends`,
  es: `uy|me equivoqué|me he equivocado|me confundí|confundí|corrijo|corrección:|no cuadra|no me cuadra|no puede ser|rectifico|perdón,|perdona,|retiro lo dicho|al principio pensé|mi primera idea|olvidé|
    se me pasó|leí mal|algo falla|algo no encaja|no encaja|^ups|^un momento`,
  zh: '漏算|漏了|算漏|看漏|好像算|我更正|更正一下|纠正一下|说错了|写错了|记错了|搞混|弄混|抱歉，我|不好意思，我|收回|起初我|我一开始|一开始我|咦|哎呀|糟糕，|不对劲|等等',
  ja: '間違えていました|間違えました|勘違い|訂正し|訂正：|訂正:|言い間違|書き間違|取り違え|見落とし|しまった|おっと|すみません、|失礼、|失礼しました|撤回|最初は|当初は|あれ、|おかしいですね|計算が合わ|辻褄|待った',
};
export const SELF_REMARKS: readonly SentenceRule[] = [
  { all: [PRAISE, ITSELF] },
  { all: [PRAISE, HERE_IS, REPLY] },
  { all: [RECONSIDER, WILL], within: 70, none: OTHERS },
  { all: [CHECKED, DONE, THOROUGH], none: OTHERS },
];
/** Clauses in front of a claim, or behind it. */
const ASSURANCES: readonly SentenceRule[] = [
  { all: [SECOND_THOUGHT] },
  { all: [SURE, SELF], within: 60, none: DOUBTFUL },
  { all: [NO_DOUBT] },
  { all: [SLIP] },
];

// Who is called to witness.

/** Who is believed for what they are. */
const EXPERTS: WordLists = {
  any: `WHO|FDA|CDC|NASA|UNESCO|IPCC|IEEE|Harvard|Stanford|MIT|Oxford|Cambridge|Yale|Princeton|Nature|Lancet|Wikipedia|NSA|NIST|RAE|OMS|NHS|FBI|IMF|OECD|NATO|CERN|Britannica|Johns Hopkins|Mayo|ISO|OSHA|
    EPA|EFSA|ECDC|DIN|VDE|ESA|ACM|UNICEF|IRS|SEC`,
  en: `expert|experts|scientists|researchers|specialists|scholars|economists|physicians|doctors|mathematicians|physicists|chemists|biologists|historians|psychologists|nutritionists|dietitians|engineers|
    lawyers|academics|professors|laureate|laureates|Nobel|Dr|Prof|authorities|clinicians|statisticians|linguists|philosophers|astronomers|neuroscientists|academia|science|study|studies|research|
    meta-analysis|meta-analyses|systematic review|clinical trial|clinical trials|peer-reviewed|literature|journal|textbook|textbooks|encyclopedia|encyclopaedia|britannica|dictionary|handbook|
    official guidelines|official guideline|guidelines|consensus statement|university|institute|world health organization|united nations|european commission|mayo clinic|association|society for|
    royal society|academy|federal agency|ministry|department of health|national institutes|supreme court|court of appeal|experts'|government|white paper|survey of experts|cardiologists|surgeons|
    nurses|dermatologists|dermatologist|pediatricians|paediatricians|dentists|historian|scholar|scientist|physicist|mathematician|economist|psychologist|notary|judges|clinic|hospital|central bank|
    federal reserve|national academy|academies|council|commission|the bureau|engineering board|medical board|board of|chairs of|fellow of|inspector|inspectors|auditors|surgeon general|chief engineer|
    chief scientist|prize winner|prize-winning|winner of|leading expert*|leading authorit*|renowned|world-famous|top experts|encyclopaedias|encyclopedias|gold medallist|grandmaster|veterinarians|pharmacists|astronauts|
    the manual|official documentation|official docs|the documentation|standards body|the standard|regulators|every expert|any expert|the experts|specialists at|department of`,
  de: `experte|expertin|experten|wissenschaftler*|forscher*|forschende*|fachleute|spezialisten|gelehrte*|ökonomen|ärzte|mediziner|mathematiker|physiker|juristen|ingenieure|historiker|psychologen|
    nobelpreisträger*|prof|dr|fachwelt|wissenschaft|studie|studien|untersuchung|untersuchungen|forschung|metaanalyse*|meta-analyse*|fachliteratur|fachzeitschrift|lehrbuch|lehrbücher*|lexikon|
    brockhaus|duden|universität|institut|weltgesundheitsorganisation|vereinte* nationen|gesellschaft für|akademie|bundesamt|bundesinstitut|ministerium|bundesgerichtshof|bundesverfassungsgericht|
    robert koch-institut|max-planck-institut|leitlinie|leitlinien|fachgesellschaft*|ärztekammer|stiftung warentest|kardiolog*|chirurg*|fachärzt*|hausärzt*|historiker*|notar*|gericht|gerichte|klinik|
    kliniken|charité|zentralbank|bundesbank|rat für|kommission|sachverständige*|gutachter*|institut für|chefarzt|chefärztin|tüv|behörde|amt|fraunhofer*|helmholtz*|leibniz*|die norm|handbuch|experte*|
    renommiert*|führend*|apotheker*|verbraucherzentrale*|professoren|hochschule`,
  fr: `expert|experts|experte|expertes|scientifiques|chercheurs|chercheuses|spécialistes|savants|économistes|médecins|mathématiciens|physiciens|juristes|ingénieurs|historiens|psychologues|prix nobel|
    lauréat*|docteur|dr|pr|étude|études|recherche|recherches|méta-analyse*|littérature scientifique|revue scientifique|manuel|manuels|encyclopédie|larousse|le robert|université|institut|
    organisation mondiale de la santé|oms|nations unies|académie|société française|ministère|haute autorité|cour de cassation|conseil d'état|cnrs|inserm|ordre des médecins|la science|essai clinique|
    essais cliniques|cardiologue*|chirurgien*|dermatologue*|historien*|notaire*|tribunal|tribunaux|hôpital|hôpitaux|clinique|banque centrale|banque de france|conseil de|commission|académicien*|
    institut pasteur|inspecteur*|ingénieur en chef|expert-comptable|renommé*|éminent*|professeurs|professeur|pédiatre*|pharmacien*|dictionnaire|juge|juges|la norme|collège de france|sorbonne`,
  es: `experto|expertos|experta|expertas|científicos|científicas|investigadores|investigadoras|especialistas|estudiosos|economistas|médicos|matemáticos|físicos|juristas|ingenieros|historiadores|
    psicólogos|premio nobel|premios nobel|dr|dra|estudio|estudios|investigación|investigaciones|metaanálisis|meta-análisis|literatura científica|revista científica|manual|manuales|enciclopedia|
    real academia|rae|universidad|instituto|organización mundial de la salud|oms|naciones unidas|academia|sociedad española|ministerio|tribunal supremo|csic|colegio de médicos|la ciencia|
    ensayo clínico|ensayos clínicos|cardiólogo*|cirujan*|dermatólog*|historiador*|notari*|tribunal|tribunales|hospital|clínica|banco central|banco de españa|consejo|comisión|académic*|inspector*|
    ingeniero jefe|renombrad*|eminente*|profesor*|pediatra*|farmacéutic*|diccionario|juez|jueces|la norma|perito*|catedrátic*`,
  zh: `专家|科学家|学者|研究人员|研究者|经济学家|医生们|医学界|学术界|数学家|物理学家|心理学家|历史学家|教授|博士|院士|诺贝尔|得主|研究|荟萃分析|元分析|文献|期刊|杂志|教科书|百科|辞海|词典|大学|研究所|研究院|世界卫生组织|世卫组织|联合国|医学会|学会|协会|科学院|卫健委|最高法院|权威|指南|《自然》|《科学》|《柳叶刀》|主任医师|医院|医生|律师|法院|
    法官|央行|委员会|研究员|工程师|院长|主任|三甲|名师|特级教师|大师|泰斗|教材|国家标准|官方文档|国标|药典|专业人士|海关|税务局|气象局|疾控中心|中科院`,
  ja: `専門家|科学者|研究者|学者|研究|医師たち|教授|博士|ノーベル|受賞者|メタ分析|論文|文献|学術誌|教科書|百科事典|広辞苑|大学|研究所|世界保健機関|国連|学会|協会|医師会|学士院|厚生労働省|最高裁|権威|ガイドライン|ネイチャー|サイエンス|ランセット|医師|医者|病院|弁護士|裁判所|裁判官|日銀|委員会|研究員|名誉教授|院長|主任|官庁|気象庁|消費者庁|
    公式ドキュメント|公式文書|辞典|国語辞典|規格|理化学研究所|東大|京大|専門医|第一人者|有識者|プロの|税理士|薬剤師|栄養士`,
};
/** What they do for a claim. */
const VOUCH: WordLists = {
  en: `agree|agrees|agreed|confirm|confirms|confirmed|say|says|believe|believes|argue|argues|argued|state|states|stated|concur|concurs|show|shows|shown|showed|find|finds|found|suggest|suggests|suggested|
    indicate|indicates|indicated|prove|proves|proved|proven|demonstrate|demonstrates|demonstrated|recommend|recommends|recommended|advise|advises|endorse|endorses|endorsed|report that|reports that|
    reported that|conclude|concludes|concluded|know|have known|note|notes|noted|writes|wrote|explains|explained|puts it|put it|teaches us|teach us|established|supports this|support this|supported by|
    backed by|backs this|back this|approved|certified|defines|hold that|holds that|insist|insists|maintain that|assure|vouch for|ruled that|held that|lists|gives|telling|tell you|tells you|tell their|
    told me|told us|uses the same|use the same|using the same|shared by|held by|disputes|dispute|disputed|doubts|contests|questions this|sees it|see it|sees this|says so|say so|look it up|
    you will see|you'll see|swear by|swears by|rely on|relies on|vetted|reviewed|checked|signed off|approve|approves|verified|verifies|validated|validates|stands behind|stand behind|behind this|
    is behind|thought|thinks|think|estimates|warns|warn|stresses|advocates|ruled|rules|my side|on record|with me|same conclusion|same view|same result|same answer|will tell you|bears this out|
    bear this out|bears it out|attest|attests|testify|testifies|documented|has it|blessing|cites|cited|quoted|opinion|view|taught me|teaches that|taught us|teach that`,
  de: `einig|bestätig*|sagen|sagt|glauben|glaubt|behaupten|zeigen|zeigt|zeigte|gezeigt|belegen|belegt|belegte|ergab|ergeben|herausgefunden|fand|fanden|festgestellt|stellte fest|empfiehlt|empfehlen|
    empfohlen|rät|raten|wissen|weiß|schreibt|schrieb|erklärt|bewiesen|beweisen|beweist|nachgewiesen|anerkannt|lehrt|gestützt|unterstützt|entschieden|befürwortet|bescheinigt|kommt zu dem|kamen zu dem|
    betonen|betont|nennt|gilt|urteilte|definiert|zufolge|genauso|ebenso|sieht das|sehen das|abgesegnet|abgenommen|geprüft|begutachtet|zugestimmt|stimmt zu|stimmen zu|bestreitet|zweifelt|bezweifelt|
    lehren|steht in|steht im|nachzulesen|nachlesen|steht hinter|stehen hinter|meint|meinen|warnt|warnen|rechnet|rechnen|verwendet dieselbe|festgehalten|urteil|zertifiziert|dieselbe|vertritt|vertreten|
    so auch|derselben meinung|gesagt|erzählt|versichert`,
  fr: `s'accorde*|d'accord|dire|disent|dit|affirme*|confirm*|pense|pensent|croient|montre|montrent|montré|prouve|prouvent|prouvé|indique*|indiqué|révèle*|démontre*|démontré|découvert|constaté|recommande|
    recommandent|conseille*|sav*|écrit|explique*|conclu|conclut|concluent|établi|soutien*|appuie*|reconnu|enseigne*|approuv*|estime*|jugé|préconise*|définit|unanimes|trouvé|a tranché|tranche|tranché|
    conteste|contestent|doute|doutent|enseigne cela|le dit|le disent|partage cet avis|partagent cet avis|de cet avis|même avis|même conclusion|valide|valident|validé|vérifié|certifié|relu|préconis*|
    avertit|mettent en garde|on peut y lire|vous y lirez|figure dans|inscrit dans|statué|répète|répètent|décid*|garantit|avalisé|utilise la même|enseigne que|enseignent que`,
  es: `coinciden|coincide|afirma*|confirma*|dicen|dice|creen|muestra*|mostró|demuestra*|demostrado|demostró|prueba*|probado|indica*|revela*|reveló|descubri*|hallado|halló|hallaron|encontró|encontraron|
    recomienda*|aconseja*|sabe*|escribe|escribió|explica*|concluye*|concluyó|concluido|establecid*|respald*|apoya*|avala*|reconoc*|enseña*|aprob*|sostien*|dictaminó|define|unánimes|señala*|discute|
    discuten|duda|dudan|niega|lo dice|lo dicen|opina|opinan|comparte|comparten|misma conclusión|misma opinión|valid*|verific*|certific*|firmad*|visto bueno|advierte*|recoge|figura en|aparece en|
    ha fallado|falló|dictamin*|decidir|decid*|usa la misma|utiliza la misma|piensa|piensan|repite|lleva años|revisado|revisada|revisaron|enseña que`,
  zh: '认为|同意|表示|指出|证实|证明|表明|显示|发现|建议|推荐|知道|说|称|确认|支持|认可|公认|得出|一致|主张|强调|裁定|写道|认证|批准|记载|定义|这么讲|这样讲|这么说|这样说|讲|也这么|把关|审核|审定|背书|认定|判定|写着|写得|规定|采用|收录|用的也是|质疑|反对|赞同|赞成|肯定|首肯|点头|提醒|告诫|看过|签字|盖章|教我|教导',
  ja: '確認し|勧め|推奨し|知って|発見し|示し|示され|述べ|指摘し|認め|証明|によると|によれば|一致し|言って|主張し|裏付け|支持し|明らかに|結論|断言|書いて|支持され|判示|定義|言ってい|言う|おっしゃ|話して|太鼓判|お墨付き|監修|監督|審査を|認可|承認|同じ意見|同意し|賛同|書かれ|載って|掲載|異論|疑う|疑っ|注意を促|警告|証言|保証し|判断し|教えてくれ',
};
const ACCORDING: WordLists = {
  en: `according to|as stated by|as noted by|as reported by|as shown by|as confirmed by|as reported in|as shown in|as stated in|per the|citing|in the words of|to quote|quoting|in the opinion of|
    in the view of|as seen in|as found in|as published in|as taught at|as taught in|as recommended by|as advised by|as defined by|as defined in|if you ask|just ask|taken from|straight from|from the`,
  de: 'laut|zufolge|gemäß|nach ansicht|nach meinung|nach angaben|nach auffassung|wie|wie es in|wie im|so steht|so die|so der|so das|nachzulesen',
  fr: `selon|d'après|de l'avis|aux yeux|comme l'a|comme l'ont|comme le|suivant|au dire|aux dires|pour citer|comme on le lit|tiré de|extrait de|à en croire|si l'on en croit|dixit`,
  es: 'según|de acuerdo con|a juicio|en opinión|como señala*|como descubr*|citando|conforme a|en palabras|como recoge|como indica|tal como|extraído de|a decir de|si hacemos caso|como establece',
  zh: '根据|据|按照|依照|依据|引用|出自|引自|摘自|正如|如同',
  ja: 'によると|によれば|に基づ|を引用|の見解では|に従え|に照らし|曰く|いわく|によりますと|を参照',
};
/** A calling, as something that one is. */
const CALLING: WordLists = {
  en: `physician|doctor|lawyer|attorney|engineer|scientist|professor|expert|nurse|economist|teacher|researcher|mathematician|physicist|chemist|biologist|pharmacist|accountant|programmer|developer|
    specialist|psychologist|historian|electrician|surgeon|statistician|linguist|architect|pilot|chef|veterinarian|dentist|judge|practitioner|consultant|professional|academic|PhD|scholar|lecturer|
    cardiologist|dietitian|nutritionist|notary|barrister|solicitor|plumber|mechanic|carpenter|farmer|vet|paramedic|midwife|therapist|psychiatrist|radiologist|neurologist|oncologist|dermatologist|
    paediatrician|pediatrician|auditor|actuary|astronomer|geologist|archaeologist|biochemist|botanist|zoologist|sysadmin|data scientist|security engineer|software engineer|tax lawyer|civil engineer|
    translator|editor|journalist|librarian|curator|coach|trainer|instructor|tutor|firefighter|officer|sailor|captain|gardener|baker|butcher|sommelier|mason|welder|surveyor|inspector|detective|
    principal|headteacher|dean`,
  de: `arzt|ärztin|professor|professorin|wissenschaftler|wissenschaftlerin|experte|expertin|ingenieur|ingenieurin|anwalt|anwältin|jurist|juristin|lehrer|lehrerin|forscher|forscherin|mathematiker|
    mathematikerin|physiker|physikerin|apotheker|apothekerin|ökonom|ökonomin|fachmann|fachfrau|psychologe|psychologin|steuerberater|elektriker|chirurg|chirurgin|dozent|dozentin|informatiker|architekt|
    fachärztin|facharzt|notar|notarin|richter|richterin|meister|meisterin|handwerker|klempner|tischler|mechaniker|hebamme|krankenschwester|pfleger|therapeut|psychiater|sachverständiger|
    sachverständige|dolmetscher|übersetzer|redakteur|bäcker|gärtner|koch|schreiner|entwickler|entwicklerin|programmierer|chemiker|biologe|biologin|historiker|historikerin|tierarzt|tierärztin|zahnarzt|
    zahnärztin|kapitän|förster|landwirt|trainer|trainerin|rechtsanwalt|rechtsanwältin`,
  fr: `médecin|professeur|professeure|scientifique|expert|experte|ingénieur|ingénieure|avocat|avocate|juriste|enseignant|enseignante|chercheur|chercheuse|mathématicien|mathématicienne|physicien|
    physicienne|pharmacien|pharmacienne|économiste|psychologue|comptable|électricien|chirurgien|chirurgienne|docteur|spécialiste|informaticien|architecte|infirmier|infirmière|praticien|notaire|juge|
    magistrat|magistrate|plombier|mécanicien|menuisier|sage-femme|thérapeute|psychiatre|dermatologue|cardiologue|traducteur|traductrice|rédacteur|boulanger|jardinier|cuisinier|développeur|
    développeuse|programmeur|chimiste|biologiste|historien|historienne|vétérinaire|dentiste|capitaine|agriculteur|entraîneur|formateur|instituteur|institutrice|barreau`,
  es: `médico|médica|profesor|profesora|científico|científica|experto|experta|ingeniero|ingeniera|abogado|abogada|jurista|maestro|maestra|investigador|investigadora|matemático|matemática|físico|física|
    farmacéutico|farmacéutica|economista|psicólogo|psicóloga|contable|electricista|cirujano|cirujana|doctor|doctora|especialista|informático|arquitecto|enfermero|enfermera|catedrático|catedrática|
    notaria|notario|juez|jueza|fontanero|mecánico|carpintero|matrona|terapeuta|psiquiatra|dermatólogo|dermatóloga|cardiólogo|cardióloga|traductor|traductora|redactor|panadero|jardinero|cocinero|
    desarrollador|desarrolladora|programador|programadora|químico|química|biólogo|bióloga|historiador|historiadora|veterinario|veterinaria|dentista|capitán|agricultor|entrenador|perito`,
  zh: '医生|医师|教授|科学家|专家|工程师|律师|教师|老师|研究员|数学家|物理学家|药剂师|经济学家|心理学家|会计师|电工|外科|博士|讲师|护士|从业者|法官|公证员|技师|木匠|厨师|翻译|编辑|记者|程序员|开发者|化学家|生物学家|历史学家|兽医|牙医|船长|农民|教练|药师|营养师|园丁|裁缝|警察|法医|主任|班主任',
  ja: '医師|医者|教授|科学者|専門家|エンジニア|技術者|弁護士|教師|教員|研究者|数学者|物理学者|薬剤師|経済学者|心理学者|会計士|電気工事士|外科医|博士|講師|看護師|裁判官|公証人|大工|料理人|シェフ|翻訳者|通訳|編集者|記者|プログラマ|開発者|化学者|生物学者|歴史学者|獣医|歯科医|船長|農家|コーチ|栄養士|庭師|警察官|税理士|司法書士|整備士|建築士|保育士',
};
const BEING: WordLists = {
  en: `as an|as a|speaking as|i am an|i am a|i am|i'm a|i'm an|being a|being an|my work as|my career as|worked as|working as|practicing as|years as|i've been a|i've been an|i have been a|i have been an|
    having been|i was a|i was an|i used to|i work as|i'm the|i am the|as someone who|as your|coming from|my day job|by profession|by trade|by training|in my profession|i practise|i teach`,
  de: 'als|bin|meiner arbeit als|ich war|von beruf|als gelernte*|meines zeichens|aus sicht|gelernte*',
  fr: `en tant que|en qualité de|comme|je suis|étant|mon métier de|j'ai été|j'étais|de métier|de profession|de formation`,
  es: 'como|soy|siendo|en calidad de|mi trabajo de|he sido|fui|trabajo como|de profesión|de formación|de oficio|llevo',
  zh: '作为|身为|我是|以|我做|我当|本人是|我们做|当了|做了',
  ja: 'として|である私|私は|です|をやって|を務め',
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
    board-certified|board certified|licensed|certified|accredited|degree in|my expertise|award-winning|published author|years of research|years of teaching|years of clinical|CISSP|CPA|MD|JD|MBA|
    chartered|for a living|decade at|decades at|decade in|decade of|decades as|decade as|years at|years as|years behind|years on the|years under|my years|my time at|my background in|my training|
    my degree|my licence|my license|my thesis|my dissertation|behind me|retired|i trained|i studied|i lecture|i teach|i practise|i practice medicine|i practice law|for seventeen years|
    for twenty years|for ten years|for thirty years|for fifteen years|for # years|since 19*|since 20*|my patients|my clients|my students|my lab|my practice|a former|the former`,
  de: `promotion|promoviert|doktortitel|doktorgrad|jahre erfahrung|jahren erfahrung|jahre berufserfahrung|jahren berufserfahrung|jahren praxis|jahrelange erfahrung|jahrzehntelange*|approbiert*|
    zertifiziert*|studium der|fachexpertise|berufserfahrung|diplom in|zugelassen*|vereidigt*|jahre im beruf|jahren im beruf|jahre im dienst|jahren beruf|jahre am|jahre an der|jahre bei|seit # jahren|
    seit zwanzig jahren|seit zehn jahren|meine patienten|meine mandanten|meine ausbildung|mein studium|mein abschluss|meister|pensioniert*|ehemalige*|ich lehre|ich unterrichte|ich praktiziere`,
  fr: `doctorat|ans d'expérience|années d'expérience|ans de pratique|années de pratique|diplômé|diplômée|diplôme|agrégé|agrégée|certifié|certifiée|ma longue expérience|expertise|ans de carrière|thèse|
    ans de barreau|ans de métier|ans de service|ans de terrain|vingt ans|dix ans|trente ans|quinze ans|depuis # ans|mes patients|mes clients|mes élèves|ma formation|mes études|mon diplôme|retraité*|
    j'enseigne|j'exerce|mon cabinet|mon laboratoire`,
  es: `doctorado|años de experiencia|años de práctica|años de carrera|licenciado|licenciada|titulad*|diplomad*|certificad*|colegiad*|mi larga experiencia|máster en|tesis|cátedra|desde 19*|desde 20*|
    años ejerciendo|años de oficio|años de servicio|años en el|años en la|veinte años|diez años|treinta años|quince años|llevo # años|mis pacientes|mis clientes|mis alumnos|mi formación|mis estudios|
    mi título|jubilad*|ejerzo|enseño|mi consulta|mi bufete|mi laboratorio`,
  zh: '博士学位|年经验|年的经验|多年经验|多年的经验|年从业|年的从业|持证|注册|执业|硕士学位|从业多年|资深|年教学|年临床|年工作经验|获得认证|干了|从医|从教|执教|行医|入行|年的老|年教龄|年工龄|我的病人|我的学生|我的客户|我的专业|毕业于|我教|退休|科班出身|行业经验|年来我|证书',
  ja: '博士号|年の経験|年以上の経験|年間の経験|長年の経験|資格を持|認定|修士号|免許|年の実務|経験を積|学位|年目|年やって|勤務し|現役|私の患者|私の学生|私の専門|卒業|研究室|従事|指導して|携わ',
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
  en: `proverb|saying|song|founded|ask your|ask a|ask an|consult|see a|talk to your|the doctor said|met on|more research|further research|asked her|asked his|you are|you should|proposal|novel|note if|
    is called|wear|founded in|opened in|was founded|admission|apply to|enrol|enroll|tuition|campus|degree in how`,
  de: 'sprichwort|gegründet|fragen sie|frage|wenden sie sich|trafen|roman|krimi|vier phasen|heißt|wurde gegründet|studieren an',
  fr: `proverbe|fondée|demandez|consultez|réunis|roman|s'appelle|depuis le`,
  es: 'refrán|fundó|pregunte|pregunta|consulte|consulta|reunieron|novela|se llama',
  zh: '俗话|被发现|成立|请教|咨询|请咨询|开会|小说|叫做|录取|报考|申请',
  ja: 'ことわざ|設立|相談|集ま|小説|頼み|と呼ば|入学|受験|出願',
};
/** Whoever applies for a post speaks of themselves, and vouches for no claim. */
const APPLYING: WordLists = {
  en: 'position|role|candidate|apply*|applying|application|resume|my aspiration|career|clients|your team|your company|my skills|this job',
  de: 'bewerb*|stelle als|lebenslauf|vorstellungsgespräch',
  fr: 'poste|candidature|entretien|votre entreprise',
  es: 'puesto|candidat*|solicito|entrevista|su empresa',
  zh: '应聘|求职|岗位|贵公司|面试',
  ja: '応募|志望|貴社|面接',
};

const WITNESSES: readonly SentenceRule[] = [
  { all: [EXPERTS, ACCORDING], within: 100, none: NO_WITNESS },
  { all: [CALLING, ACCORDING], within: 80, none: NO_WITNESS },
  { all: [EXPERTS, VOUCH], within: 110, none: NO_WITNESS },
  { all: [CALLING, BEING, I_SAY], within: 120 },
  { all: [CALLING, BEING], within: 60, beside: ME, none: NO_WITNESS },
  { all: [CREDENTIAL, HAVING], within: 70, none: APPLYING },
];

/** The words by which whoever is called to witness is named. */
export const WITNESS_NAMES: readonly WordLists[] = [EXPERTS, CALLING, CREDENTIAL];

/** Many people, as an answer says of itself that they like it. */
const CROWD: WordLists = {
  en: `readers|people|users|thousands|millions|hundreds|customers|everyone|everybody|students|subscribers|followers|fans|likes|liked|upvotes|upvoted|votes|voted|stars|shares|shared|downloads|views|
    majority|most popular|top-rated|top-voted|bestselling|best-selling|community|crowd|experts agree|reviewers|testers|% of|% believe*|% think|% agree|% prefer|% say`,
  de: 'leser*|leute|nutzer*|tausende*|millionen*|hunderte*|kunden|alle|follower|fans|likes|stimmen|sterne|geteilt|mehrheit|beliebt*|meist*|community|prozent',
  fr: "lecteurs|gens|utilisateurs|milliers|millions|centaines|clients|tout le monde|abonnés|j'aime|likes|votes|voix|étoiles|partagé*|majorité|populaire|communauté|internautes",
  es: 'lectores|gente|usuarios|miles|millones|cientos|clientes|todo el mundo|seguidores|me gusta|likes|votos|estrellas|compartid*|mayoría|popular|comunidad|internautas',
  zh: '读者|网友|用户|人|大家|点赞|好评|票|收藏|转发|多数|热门|粉丝',
  ja: '読者|ユーザー|人|皆|みんな|いいね|票|高評価|シェア|人気|フォロワー|多数|お客様',
};
const LIKED: WordLists = {
  en: `liked|likes|loved|love|swear by|swears by|shared|upvoted|voted|recommended|recommend|trusted|trust|chosen|chose|preferred|prefer|rated|praised|agree|agreed|approved|popular|favourite|favorite|
    believe*|think|thinks|consider*|better|best|highest|times|stars`,
  de: 'gefällt|geliebt|lieben|schwören|geteilt|gewählt|empfohlen|empfehlen|vertrauen|bevorzug*|gelobt|zugestimmt|beliebt*|glauben|finden|halten|meinen|besser|beste|am besten|mal|sterne',
  fr: 'aimé*|adoré*|jurent|partagé*|voté|recommand*|confiance|préfér*|choisi*|approuvé*|populaire|pensent|croient|trouvent|estiment|meilleur*|fois|étoiles',
  es: 'gust*|encanta*|juran|compartid*|votad*|recomiend*|recomendad*|confía*|prefier*|preferid*|elegid*|aprobad*|popular|piensa*|cree*|considera*|opina*|mejor*|veces|estrellas',
  zh: '点赞|喜欢|推荐|信赖|收藏|转发|认可|选择|好评|追捧|支持|受欢迎|认为|觉得|相信|更好|最好',
  ja: 'いいね|好ま|支持|推薦|おすすめ|信頼|選ば|高評価|シェア|人気|絶賛|思っ|思う|考え|信じ|より良い|優れ|最も良い|最高',
};

const findCues = createCueFinder({
  instruction: { sentences: ORDERS_TO_JUDGE, signs: SIGNS },
  reflection: { sentences: [...SELF_REMARKS, ...ASSURANCES] },
  authority: { sentences: WITNESSES },
  bandwagon: {
    sentences: [{ all: [ITSELF, CROWD, LIKED], within: 120 }],
  },
});

type CueKind = 'instruction' | 'reflection' | 'authority' | 'bandwagon';

/** What a text says of what sways a judge. */
export interface CueReading {
  /** What the rules find, and the sentences without such a cue that the classifier takes for one, at the midst of what says it. */
  cues(kind: CueKind): FoundCue[];
  /** Sentences that may say who wrote the text, however little more than the rest: down to AUTHOR_BELOW under the threshold. */
  readonly ofAuthor: readonly KindOfSentence[];
}

export type CueReader = (text: string) => CueReading;

/** So far under its threshold the classifier still lets a sentence stand that begins as one about its writer does. */
export const AUTHOR_BELOW = 2;

/** Of kinds that rules alone take for too much: so far under its threshold the classifier still lets a cue of theirs stand. */
const DOUBTED_BELOW = 2.3;

/** What is looked for within answers by the classifier as well, in one reading: most of its time splits a text into words. */
const READ_KINDS = ['instruction', 'reflection', 'authority', 'author'] as const;
const DEPTHS: Depths = { reflection: DOUBTED_BELOW, authority: DOUBTED_BELOW, author: AUTHOR_BELOW };

/** Who speaks, at the beginning of a line: `Assistant: `, `**User:** `. */
const TURN = new RegExp(`^[ \\t*_]{0,4}(${SPEAKERS})[*_]{0,2}:[*_]{0,2}[ \\t]`, 'gim');

/**
 * Whether a text begins with a turn. Roles are forged in the middle of an answer, by a system alone, and where the model
 * speaks first and somebody answers it: that goes on with the judge's own chat.
 */
function isTranscript(text: string): boolean {
  if (text.trimStart().search(TURN) !== 0) return false;
  const speakers = Array.from(text.matchAll(TURN), ([, speaker = '']) => speaker.toLowerCase());
  const isModels = (speaker: string) => MODELS.has(speaker);
  return isModels(speakers[0] ?? '')
    ? speakers.every(isModels)
    : speakers.some((speaker) => speaker !== 'system');
}

/** A transcript with spaces for the names of its speakers: "Assistant:" in front of a sentence makes no order of it. */
export const withoutSpeakers = (text: string): string =>
  isTranscript(text) ? text.replace(TURN, (mark) => ' '.repeat(mark.length)) : text;

export const readCues: CueReader = (whole) => {
  const text = withoutSpeakers(whole);
  const byRules = findCues(text);
  const byWeights = Map.groupBy(classify(text, READ_KINDS, DEPTHS), ({ kind }) => kind);
  return {
    cues(kind) {
      const likely = kind === 'bandwagon' ? [] : (byWeights.get(kind) ?? []);
      const isDoubted = kind === 'reflection' || kind === 'authority';
      const found = byRules(kind).filter(
        ({ sentence }) => !isDoubted || likely.some((one) => overlap(one.sentence, sentence)),
      );
      const more = likely.flatMap(({ score, sentence, place }) => {
        const midst = Math.floor((place.start + place.end) / 2);
        const isNew = score > 0 && !found.some((one) => overlap(one.sentence, sentence));
        return isNew ? [{ start: midst, end: midst, sentence, rule: null }] : [];
      });
      return [...found, ...more].sort((a, b) => a.start - b.start);
    },
    ofAuthor: byWeights.get('author') ?? [],
  };
};

const overlap = (a: TextRange, b: TextRange) => a.start < b.end && b.start < a.end;

/** A reader that reads no text twice. */
export function createCueReader(): CueReader {
  const read = new Map<string, CueReading>();
  return (text) => {
    const cues = read.get(text) ?? readCues(text);
    read.set(text, cues);
    return cues;
  };
}
