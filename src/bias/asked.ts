/**
 * What a case asks for: there the cue of a bias is a merit, and undoing it takes that merit away. Who asks for a list in
 * Markdown is right to go by its marks.
 */
import { type Case, listWords, matchWords, splitAtStops, type WordLists } from '../case/index.ts';

/** Compiled when first asked for: a server at the edge starts with none of them. */
function reads(lists: WordLists): (text: string) => boolean {
  let words: RegExp | undefined;
  return (text) => {
    words ??= matchWords(listWords(lists));
    return words.test(text);
  };
}

const ASKED_FOR: Readonly<Record<string, (text: string) => boolean>> = {
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
 * @param what a bias, or `reasons`
 * @returns whether the task or a rubric asks for it
 *
 * @example asksFor(subject, 'reasons') // true where the instruction is 'What is 17*23? Show your work.'
 */
export function asksFor({ instruction, standards = [] }: Case, what: string): boolean {
  const asks = ASKED_FOR[what];
  if (!asks) return false;
  const rubrics = standards.flatMap(({ of, text }) => (of === 'rubric' ? [text] : []));
  const sentences = [instruction?.text ?? '', ...rubrics].flatMap(splitAtStops);
  return sentences.some((sentence) => asks(sentence) && !speaksAgainst(sentence));
}
