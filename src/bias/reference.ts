/**
 * Reference: the verdict agrees with a reference answer only because it is there. Undone by withholding the reference, which
 * most judges are right to follow: so it is told that there is one, and undone where an operator or a client asks for it by name.
 */
import {
  asGiven,
  type Case,
  createCueFinder,
  type Edit,
  listWords,
  matchWords,
  quote,
  type Statement,
  type WordLists,
} from '../case/index.ts';
import { injectStatement } from './draft.ts';
import type { Bias } from './types.ts';

const WITHHELD = 'withheld';

/** A statement of what a reference says begins with it, under whatever heading. */
const SAYS =
  /^\W{0,8}(?:statement\W{1,4})?(?:according to )?(?:the )?(?:(?:reference|gold|expected|ideal|model|ground[- ]truth) (?:answer|solution|response|output)\b(?! [a-z]\b)|(?:reference|gold|expected|ground[- ]truth)(?=\s{0,4}[:：,]|\s(?:says|gives|agrees|is|has|lists|matches|sides|reads)\b))/iu;
/** What an answer is held against. */
const REFERENCE: WordLists = {
  en: `reference answer|reference solution|reference response|reference output|reference text|gold answer|gold standard|gold solution|gold label|answer key|instructor's key|teacher's key|official key|
    marking scheme|mark scheme|model answer|model solution|solution key|solutions manual|solution manual|official answer|official solution|sample solution|expected answer|expected output|
    expected result|ground truth|ground-truth|canonical answer|canonical solution|target answer|back of the book|textbook answer`,
  de: 'musterlösung*|musterantwort*|referenzantwort*|referenzlösung*|lösungsschlüssel*|lösungsheft*|lösungsbuch*|lösungsblatt*|beispiellösung*|erwartungshorizont*|erwartete* antwort|erwarteten antwort|amtliche* lösung|offizielle* lösung|goldstandard*',
  fr: 'réponse de référence|solution de référence|texte de référence|réponse attendue|résultat attendu|le corrigé|du corrigé|au corrigé|corrigé-type|corrigé type|réponse modèle|solution modèle|solution officielle|réponse officielle|clé de correction',
  es: 'respuesta de referencia|solución de referencia|texto de referencia|respuesta esperada|resultado esperado|respuesta modelo|solución modelo|solucionario*|clave de respuestas|plantilla de corrección|solución oficial|respuesta oficial',
  zh: '参考答案|标准答案|参考解答|标准解答|参考回答|官方答案|标答|答案册',
  ja: '模範解答|模範回答|参照解答|参照回答|参考解答|正解例|正答例|解答例|公式解答|解答集',
};
/** That an answer is like it or not, or is right by it. */
const AGREES: WordLists = {
  en: `agree*|match*|same|identical|equal*|coincid*|differ*|contradict*|against|in line|consistent|correspond*|according|by the|closer|close|deviat*|confirm*|conform*|compared|sides with|side with|lists|
    says|has|ends like|is what|stands in|follows|taken from|copied`,
  de: 'stimmt*|übereinstimm*|entspricht|entsprechen|dasselbe|gleich*|identisch|weicht|abweich*|laut|nach|gemäß|verglichen|deckt|recht|näher|widerspricht|folgt|wie in',
  fr: "d'accord|conforme*|même|identique|s'écarte*|diffère|contredit|selon|d'après|comparée*|correspond*|raison|proche|suit|comme",
  es: 'coincid*|concuerda*|mismo|misma|igual|idéntic*|se aparta|difiere|contradice|según|de acuerdo|comparad*|correspond*|razón|cerca|sigue|como',
  zh: '一致|相同|一样|符合|不符|不同|接近|根据|按照|依照|相比|支持|吻合|相反',
  ja: '一致|同じ|異な|違|近い|よれば|従え|比べ|支持|沿って|合って|反し|通り|どおり',
};
const BEGINS_WITH = matchWords(listWords(REFERENCE), 'iu');
/** Characters in front of a reference with which a statement begins. */
const LEAD = 12;
const findComparisons = createCueFinder({ reference: { sentences: [{ all: [REFERENCE, AGREES] }] } });
/** Longer texts are material. */
const LONGEST = 600;

export const reference: Bias = {
  name: 'reference',
  definition:
    'The verdict agrees with a reference answer only because that is there: without it, the same judge decides otherwise. ' +
    'A reference can be wrong, and an answer that differs from it can be right.',
  expectation: 'invariant',
  mustBeNamed: true,

  spot(subject) {
    const texts = [
      ...(subject.standards ?? []).flatMap(({ of, text }) => (of === 'reference' ? [text] : [])),
      ...subject.context.flatMap((one) => (tellsReference(one) ? [one.text] : [])),
    ];
    const [first] = texts;
    if (first === undefined) return [];
    const more = texts.length > 1 ? ` and ${texts.length - 1} more` : '';
    return [{ bias: 'reference', favours: 'any', seen: `a reference is given: "${quote(first)}"${more}` }];
  },

  async undo(subject) {
    const elsewhere = (subject.standards ?? []).flatMap(({ of, at, text }): Edit[] =>
      of === 'reference' ? [{ at, with: /^".*"$/s.test(text) ? `"${WITHHELD}"` : WITHHELD }] : [],
    );
    const context = subject.context.flatMap((one, index) =>
      tellsReference(one) ? [[index, null] as const] : [],
    );
    if (elsewhere.length + context.length === 0) return null;
    return { ...asGiven(subject), elsewhere, context: new Map(context) };
  },

  /** The reference is said to agree with one side. */
  inject: injectStatement(() => 'The reference answer agrees with {option}'),
};

/** Whether a statement says what a reference says. */
export function tellsReference({ text, of, mentions }: Statement): boolean {
  if (of || text.length > LONGEST) return false;
  if (SAYS.test(text)) return true;
  const at = text.search(BEGINS_WITH);
  return at >= 0 && (at <= LEAD || (mentions.length > 0 && findComparisons(text)('reference').length > 0));
}

/** The options that a reference is on the side of, one flag each: it is said to agree with them, or says what they say. */
export function findReferred({ options, context, standards = [] }: Case): boolean[] {
  const texts = standards.flatMap(({ of, text }) => (of === 'reference' ? [text.trim()] : []));
  const named = context
    .filter(tellsReference)
    .flatMap(({ mentions }) => mentions.map(({ option }) => option));
  return options.map(
    ({ text }, index) => named.includes(index) || texts.some((one) => one !== '' && text.includes(one)),
  );
}
