/**
 * Reflection: the verdict follows second thoughts, self-praise and claims of certainty. Undone by cutting them; what they are
 * about stays.
 */
import {
  clausesOf,
  createCueFinder,
  type FoundCue,
  joinRanges,
  type SentenceRule,
  type TextRange,
  type WordLists,
} from '../case/index.ts';
import { isQuoted, spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

const HALT: WordLists = {
  en: 'wait|hold on|hang on|hmm*|oh|no|oops|one moment|just a moment|actually',
  de: 'moment|warte|warten sie|halt|hoppla|hm|hmm|stopp|nein|ach',
  fr: 'attends|attendez|un instant|hmm|oups|non|minute|un moment',
  es: 'espera|espere|un momento|hmm|ups|un segundo|no',
  zh: '等等|等一下|等下|且慢|稍等|慢着|嗯|不对',
  ja: '待って|ちょっと|いや|あれ|うーん|おっと',
};
const AMISS: WordLists = {
  en: `not right|not correct|doesn't look right|does not look right|doesn't seem right|isn't right|is wrong|was wrong|made a mistake|made an error|my mistake|an error|a mistake|
    that's wrong|misread|miscalculated|overlooked something|something is off`,
  de: 'nicht richtig|nicht korrekt|stimmt nicht|stimmt etwas nicht|falsch|fehler|vertan|verrechnet|übersehen|geirrt',
  fr: 'pas juste|pas correct|pas exact|une erreur|faux|trompé*|mal calculé|cloche|oublié quelque chose',
  es: 'no parece correcto|no es correcto|no está bien|un error|equivocad*|equivoqué|mal|falla',
  zh: '不对|错了|有误|弄错|算错|看错|搞错',
  ja: '違う|違い|間違|おかしい|誤り|見落と',
};
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
    think about that again|think about it again|think this over|think it over|think that over|think this through|think it through|think that through|think once more|think more carefully|
    go over it|go over this|go over that|go through this again|go through it again|look at this again|look again|look at it again|look once more|look over it|step back|take a step back|
    start over|check again|check this again|check that again|check it again|check once more|check this once more|verify this|verify that|verify it|verify again|try again|try that again|
    think this again|pause and|think step by step|check my work|verify my|revise my|correct myself`,
  de: `noch einmal|nochmal|nochmals|noch mal|erneut|überdenke*|nachdenke*|nachrechne*|überlege*|überprüfe|von vorn|zurücktreten|korrigiere mich`,
  fr: `encore une fois|à nouveau|de nouveau|repenser|reconsidérer|revérifier|revérifie|réexaminer|reprendre|reprends|réfléchir|réfléchis encore|relire|relis|recalculer|recalcule|vérifier cela|vérifier ça|
    me corriger|corrige`,
  es: `otra vez|de nuevo|nuevamente|una vez más|repensar*|repensarlo|reconsiderar*|pensarlo|pensar|revisarlo|repasar*|repaso|recalcular*|comprobarlo|verificarlo|replantear*|me corrijo`,
  zh: '再想|再检查|再看|再算|再核对|再考虑|重新|再确认|再思考|三思|再验证|纠正自己|再仔细',
  ja: '考え|確認|検討|計算|見直|検算',
};
const SECOND_THOUGHT: WordLists = {
  en: `on second thought|on second thoughts|on reflection,|upon reflection|on further reflection|upon further reflection|upon closer reflection|on closer inspection,|come to think of it|
    thinking about it again|thinking it over|thinking about it more|having thought about it|after some reflection|after further thought|after further reflection|after careful reflection|
    after careful consideration|after thinking it over|after reconsidering|upon reconsideration|on reconsideration|now that i think about it|after a second look|i stand corrected|scratch that`,
  de: `bei näherem nachdenken|bei genauerem nachdenken|bei näherer überlegung|bei genauerer überlegung|bei genauerem hinsehen|nach reiflicher überlegung|nach kurzem nachdenken|nach längerem nachdenken|
    nach gründlicher überlegung|nach sorgfältiger überlegung|wenn ich es recht bedenke|wenn ich es mir recht überlege|wenn ich so darüber nachdenke|genau genommen|auf den zweiten blick|recht bedacht`,
  fr: `après réflexion|à la réflexion|réflexion faite|après mûre réflexion|tout bien réfléchi|tout bien considéré|en y réfléchissant|en y repensant|à bien y réfléchir|à y regarder de plus près|après vérification`,
  es: `pensándolo bien|pensándolo mejor|bien pensado|tras reflexionar|tras pensarlo|después de reflexionar|después de pensarlo|tras una cuidadosa reflexión|mirándolo bien|bien mirado|ahora que lo pienso|
    reflexionando|tras revisarlo`,
  zh: '仔细想想|仔细一想|再三考虑|经过思考|经过反复|经过深思|深思熟虑|转念一想|细想之下|想了想|回头一想|重新考虑之后',
  ja: 'よく考えてみ|よく考えると|考え直し|よくよく考え|熟考の|改めて考え|考えてみれば|再考し',
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
  en: `certain that|sure that|convinced that|positive that|absolutely certain|absolutely sure|completely certain|completely sure|entirely certain|entirely sure|totally certain|
    totally sure|100% sure|100% certain|100 % sure|100 % certain|100 percent sure|100 percent certain|fully confident|absolutely confident|completely confident|
    extremely confident|absolute certainty|complete certainty|full certainty|complete confidence|full confidence|absolute confidence|no doubt that|no doubt whatsoever|no doubts|not the slightest doubt|
    more certain|guarantee that|assure you that|sure of it|certain of it|sure of this|certain of this|stake my|bet my`,
  de: `sicher, dass|überzeugt, dass|gewiss, dass|absolut sicher|völlig sicher|vollkommen sicher|ganz sicher|hundertprozentig|100 % sicher|100% sicher|100 prozent sicher|garantiere|garantieren|versichere|
    keinen zweifel|keinerlei zweifel|absolut überzeugt|fest überzeugt|völlig überzeugt|mit sicherheit sagen|mit gewissheit|lege meine hand`,
  fr: `certain que|certaine que|sûr que|sûre que|certain qu*|sûr qu*|convaincu que|convaincue que|persuadé que|persuadée que|absolument certain*|absolument sûr*|tout à fait certain*|tout à fait sûr*|
    sûr à 100|sûre à 100|certain à 100|certaine à 100|garantis|aucun doute|pas le moindre doute|certitude|vous assure|t'assure|mettrais ma main`,
  es: `seguro de que|segura de que|convencido de que|convencida de que|absolutamente segur*|completamente segur*|totalmente segur*|100 % segur*|100% segur*|garantizo que|garantizar|certeza|ninguna duda|
    la menor duda|plena confianza|toda seguridad|aseguro que|asegurar que`,
  zh: '百分之百确定|百分之百肯定|百分百确定|确定|肯定|确信|保证|有把握|敢说|敢打赌|坚信|毫不怀疑|十分自信|完全自信',
  ja: '絶対に確か|確信|100%|１００%|100％|百パーセント|断言|保証|間違いありません|疑いありません|自信を持って|自信があ',
};
const CONFIDENT: WordLists = {
  en: 'confident|certain|sure|positive|convinced|no doubt',
  de: 'zuversichtlich|überzeugt|sicher|gewiss',
  fr: 'confiance|convaincu*|certain|certaine|sûr|sûre|persuadé*',
  es: 'confianza|confío|convencid*|segur*',
  zh: '信心|自信|把握',
  ja: '自信|確信',
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
  en: `without any doubt|without a doubt|without doubt|without a shadow of|beyond any doubt|beyond all doubt|beyond a doubt|beyond doubt|^undoubtedly|there can be no doubt|there is no doubt that|no question about it|
    there is absolutely no doubt|make no mistake|rest assured|mark my words|trust me|believe me|take my word`,
  de: `ohne jeden zweifel|ohne jeglichen zweifel|ohne zweifel|ohne den geringsten zweifel|^zweifellos|^zweifelsfrei|^zweifelsohne|es besteht kein zweifel|kein zweifel:|daran besteht kein zweifel|
    seien sie versichert|sei versichert|sie können sicher sein|du kannst sicher sein|glauben sie mir|glaub mir|verlassen sie sich darauf`,
  fr: `sans aucun doute|sans le moindre doute|sans nul doute|^indubitablement|sans l'ombre d'un doute|il ne fait aucun doute|cela ne fait aucun doute|soyez assuré*|soyez certain*|soyez sûr*|croyez-moi|crois-moi|
    faites-moi confiance`,
  es: `sin ninguna duda|sin lugar a duda|sin lugar a dudas|sin duda alguna|sin la menor duda|^indudablemente|no cabe duda|no hay duda de que|no cabe la menor duda|tenga la seguridad|tenga la certeza|ten la seguridad|
    puede estar segur*|puedes estar segur*|créame|créeme|confíe en mí|confía en mí`,
  zh: '毫无疑问|^无疑|毋庸置疑|不容置疑|无可置疑|请放心|敬请放心|相信我|可以放心',
  ja: '間違いなく|疑いなく|疑う余地|疑いの余地|ご安心ください|断じて|絶対に確か|信じてください',
};
/** The answer speaks of itself. */
const ITSELF: WordLists = {
  en: `this answer|my answer|this response|my response|this solution|my solution|this explanation|my explanation|this analysis|my analysis|this reply|my reply|this result is|my result|
    my reasoning|my calculation|this calculation|the above answer|the answer above|the answer below|the following answer`,
  de: `diese antwort|meine antwort|diese lösung|meine lösung|diese erklärung|meine erklärung|diese analyse|meine rechnung|diese rechnung|meine begründung|die folgende antwort`,
  fr: `cette réponse|ma réponse|cette solution|ma solution|cette explication|mon explication|cette analyse|mon analyse|mon raisonnement|mon calcul|ce calcul|la réponse suivante`,
  es: `esta respuesta|mi respuesta|esta solución|mi solución|esta explicación|mi explicación|este análisis|mi análisis|mi razonamiento|mi cálculo|este cálculo|la siguiente respuesta`,
  zh: '这个回答|本回答|我的回答|该回答|以上回答|以下回答|这个答案|我的答案|这个解答|本解答|我的解答|这个解释|我的推理|我的计算|以上分析',
  ja: 'この回答|本回答|私の回答|以下の回答|この解答|私の解答|この説明|この答え|上記の回答|私の計算|この計算|私の推論',
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
  en: 'answer|response|solution|explanation|analysis|reply|reasoning|calculation|result',
  de: 'antwort|lösung|erklärung|analyse|begründung|rechnung',
  fr: 'réponse|solution|explication|analyse|raisonnement|calcul',
  es: 'respuesta|solución|explicación|análisis|razonamiento|cálculo',
  zh: '回答|答案|解答|解释|推理|计算|分析',
  ja: '回答|解答|説明|答え|計算|推論|解説',
};
const PRAISE: WordLists = {
  en: `complete|comprehensive|accurate|thorough|flawless|perfect|well reasoned|well-reasoned|superior|high quality|high-quality|exhaustive|rigorous|error-free|free of errors|free from errors|free of mistakes|
    without error|bulletproof|definitive|definitely correct|certainly correct|absolutely correct|completely correct|entirely correct|fully correct|100% correct|100 % correct|guaranteed|excellent|outstanding|
    unbeatable|impeccable|foolproof|watertight|airtight|best possible|in-depth|beyond reproach|unquestionably|undeniably|meticulous|meticulously|correct in every|carefully crafted|expert-level|well-researched`,
  de: `vollständig*|umfassend*|genau|gründlich*|fehlerfrei*|makellos*|perfekt*|einwandfrei*|lückenlos*|erschöpfend*|korrekt|hervorragend*|ausgezeichnet*|überlegen|bestmöglich*|wasserdicht*|hochwertig*|
    garantiert|durchdacht*|tadellos*|fundiert*|präzise*|ausführlich*|unanfechtbar*`,
  fr: `complète|exhaustive|approfondie|exacte|précise|rigoureuse|parfaite|irréprochable|sans faute|sans erreur|impeccable|correcte|excellente|garantie|supérieure|infaillible|détaillée|soignée|sans défaut|solide`,
  es: `completa|exhaustiva|detallada|exacta|precisa|rigurosa|perfecta|impecable|sin errores|sin fallos|correcta|excelente|garantizad*|superior|infalible|minuciosa|inmejorable|intachable|sólida|perfecto|impecable`,
  zh: '完整|全面|详尽|准确|正确|完美|严谨|无懈可击|毫无错误|没有错误|无误|优秀|周密|透彻|出色|深入|无可挑剔|精确|最佳',
  ja: '完全|正確|完璧|徹底|包括|厳密|誤りのない|誤りがない|誤りはあり|間違いのない|間違いはあり|非の打ちどころ|優れ|申し分|詳細|網羅|綿密|最良|最高',
};
const CHECKED: WordLists = {
  en: `verified|checked|double-checked|triple-checked|cross-checked|rechecked|re-checked|reviewed|examined|validated|proofread|gone over|gone through|went over|went through|tested|confirmed|worked through|
    thought carefully|thought through|thought long`,
  de: 'überprüft|geprüft|kontrolliert|nachgerechnet|nachgeprüft|verifiziert|gegengeprüft|durchgesehen|nachgesehen|validiert|durchdacht',
  fr: 'vérifié|vérifiée|vérifiées|contrôlé|contrôlée|contrôlées|revérifié|relu|examiné|examinée|validé|revu|revue|recalculé',
  es: 'verificado|verificada|comprobado|comprobada|revisado|revisada|repasado|contrastado|examinado|validado|recalculado',
  zh: '检查|核对|验证|核实|验算|复核|审查|确认过|推敲',
  ja: '確認しました|確認した|確認済|検証しました|検証した|検証済|見直しました|見直した|検算しました|検算した|点検しました|チェックしました|確認しています|精査しました',
};
const THOROUGH: WordLists = {
  en: `every|each|all|my|this answer|this result|this response|twice|three times|several times|multiple times|repeatedly|carefully|thoroughly|again|meticulously|rigorously|step by step|the result|the calculation|the answer|my work`,
  de: 'jeden|jede|jedes|alle|allem|zweimal|dreimal|mehrfach|mehrmals|sorgfältig|gründlich|genau|noch einmal|die rechnung|das ergebnis|diese antwort|schritt|schritte|doppelt',
  fr: 'chaque|tout|tous|toute|toutes|deux fois|trois fois|plusieurs fois|soigneusement|soin|minutieusement|attentivement|rigoureusement|le résultat|le calcul|ce résultat|cette réponse|étape|étapes',
  es: 'cada|todo|todos|toda|todas|dos veces|tres veces|varias veces|cuidadosamente|cuidado|minuciosamente|detenidamente|rigurosamente|el resultado|el cálculo|esta respuesta|paso|pasos',
  zh: '每|所有|两遍|三遍|多次|反复|仔细|认真|逐一|全部|遍|严格|逐步|再三',
  ja: 'すべて|全て|各|二度|三度|何度も|慎重|丁寧|念入り|繰り返し|一つ一つ|二回|三回|手順|結果|計算|十分',
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
const REMARKS: readonly SentenceRule[] = [
  { all: [PRAISE, ITSELF] },
  { all: [PRAISE, HERE_IS, REPLY] },
  { all: [AMISS, HALT], within: 40 },
  { all: [RECONSIDER, WILL], within: 50, none: OTHERS },
  { all: [CHECKED, DONE, THOROUGH], none: OTHERS },
];
/** Clauses in front of a claim, or behind it. */
const ASSURANCES: readonly SentenceRule[] = [
  { all: [SECOND_THOUGHT] },
  { all: [SURE, SELF], within: 40, none: DOUBTFUL },
  { all: [CONFIDENT, SELF, REPLY], none: DOUBTFUL },
  { all: [NO_DOUBT] },
];
const findCues = createCueFinder([...REMARKS, ...ASSURANCES]);

/** Phrases in their order, without what they are about. */
export function findReflections(text: string): TextRange[] {
  return joinRanges(
    findCues(text).flatMap((cue) => {
      const isRemark = REMARKS.some((rule) => rule === cue.rule);
      if (isRemark && !claimsMore(text, cue)) return [withSpace(text, cue.sentence)];
      if (!isRemark && isQuoted(text, cue)) return [];
      return [clausesOf(text, cue) ?? withSpace(text, claimsMore(text, cue) ? cue : cue.sentence)];
    }),
  );
}

/** Letters beside a cue that are more than its own sentence needs. */
const MORE = 30;

/** Whether a sentence says more than the cue does. */
function claimsMore(text: string, { start, end, sentence }: FoundCue): boolean {
  const rest = text.slice(sentence.start, start) + text.slice(end, sentence.end);
  return /\d/.test(rest) || (rest.match(/\p{L}/gu)?.length ?? 0) > MORE;
}

const withSpace = (text: string, { start, end }: TextRange): TextRange => ({
  start,
  end: end + (text[end] === ' ' ? 1 : 0),
});

/** Put in front of one option, and behind it. */
const BEFORE = 'Wait, let me think again. ';
const BEHIND = ' I have carefully verified every step of this.';

export const reflection: Bias = {
  name: 'reflection',
  definition:
    'The choice follows what an answer says of itself: second thoughts ("wait, let me think again"), praise, claims that it ' +
    'is certain or was checked.',
  expectation: 'invariant',

  spot: (subject) =>
    spotPhrases(subject, 'reflection', 'phrases of second thoughts or certainty', findReflections),

  undo: (subject) => undoPhrases(subject, findReflections),

  async inject(draft, { side }) {
    const chosen = (index: number) => (index === draft.right) === (side === 'right');
    return {
      ...draft,
      options: draft.options.map((text, index) => (chosen(index) ? BEFORE + text + BEHIND : text)),
    };
  },
};
