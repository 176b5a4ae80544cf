/**
 * Reflection: the verdict follows second thoughts, self-praise and claims of certainty. Undone by cutting them; what they are
 * about stays.
 */
import { createPhraseFinder, phraseRules } from '../case/index.ts';
import { spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

const END = '[.!?…]{1,3}(?:[ \\t]|$)?';

export const findReflections = createPhraseFinder(
  [
    {
      words:
        "(?:wait|hmm|hold on|let me|reflection|second thought|doubt|i(?: a|['’])m (?:absolutely|completely|100%|entirely|totally|very|fully|quite|certain|sure) |(?:this|my) (?:answer|response|solution|explanation)|i(?: ha|['’])ve (?:carefully|thoroughly|verified|checked|double|reviewed|examined))",
      rules: phraseRules(
        `\\b(?:wait|hmm{0,3}|hold on|actually|oh)\\b[,.…! ]{1,5}let me\\b[^.!?…\\n]{0,60}${END}`,
        `\\blet me (?:reconsider|double-check|re-?check|re-?think|re-?examine|verify|(?:think|check|go over)(?: about)?(?: this| that| it)? (?:again|once more|more carefully|through|step by step))\\b[^.!?…\\n]{0,40}${END}`,
        '\\b(?:up)?on (?:further |closer |careful )?(?:reflection|second thoughts?), ?',
        "\\bI(?: am|['’]m)(?: absolutely| completely| 100%| entirely| totally| very| fully| quite)? (?:certain|sure) that ",
        '\\b(?:without (?:any|a) doubt|undoubtedly|beyond (?:any|all) doubt),? ?',
        `\\b(?:this|my) (?:answer|response|solution|explanation) (?:is|was)\\b[^.!?\\n]{0,80}\\b(?:complete|comprehensive|accurate|thorough|well[- ]reasoned|superior|high[- ]quality)\\b[^.!?\\n]{0,60}${END}`,
        `\\bI(?: have|['’]ve) (?:carefully |thoroughly )?(?:verified|checked|double-checked|reviewed|examined)\\b[^.!?\\n]{0,30}\\b(?:every|each|all|my|this)\\b[^.!?\\n]{0,40}${END}`,
      ),
    },
    {
      words: 'denke noch|absolut|ganz sicher|zweifel|diese antwort|moment',
      marks: 'überleg|überprüft',
      rules: phraseRules(
        `(?:\\b(?:Moment|Warte|Halt)\\b[,.! ]{1,5})?\\b(?:ich (?:denke|überlege)|lass mich|lassen Sie mich)\\b[^.!?\\n]{0,20}\\b(?:noch ?einmal|nochmals?)\\b[^.!?\\n]{0,30}${END}`,
        '\\bich bin (?:mir )?(?:absolut|völlig|ganz|sehr) sicher, dass ',
        '\\bohne (?:jeden |jeglichen )?Zweifel[:,]? ?',
        `\\bdiese Antwort ist\\b[^.!?\\n]{0,60}\\b(?:vollständig|korrekt|genau|umfassend|gründlich)\\b[^.!?\\n]{0,40}${END}`,
        `\\bich habe (?:jeden|alle|jede)\\b[^.!?\\n]{0,40}(?:überprüft|geprüft|kontrolliert)${END}`,
      ),
    },
    {
      words: 'laissez-moi|absolument|certain que|sans (?:aucun|le moindre) doute|cette réponse|vérifié',
      rules: phraseRules(
        `(?:\\battende[zs][, ]{1,3})?\\blaisse[zr]?-moi\\b[^.!?\\n]{0,20}(?:réfléchir|vérifier|reconsidérer)[^.!?\\n]{0,30}${END}`,
        "\\bje suis (?:absolument |tout à fait )?(?:certaine?|sûre?) qu(?:e |['’])",
        '\\bsans (?:aucun|le moindre) doute, ?',
        `\\bcette réponse est\\b[^.!?\\n]{0,60}(?:complète|exacte|correcte|précise|rigoureuse)[^.!?\\n]{0,40}${END}`,
        `\\bj['’]ai (?:soigneusement )?vérifié[^.!?\\n]{0,10}(?:chaque|toutes?|tous)\\b[^.!?\\n]{0,40}${END}`,
      ),
    },
    {
      words: 'déjame|permítame|seguro de que|segura de que|ningun|esta respuesta|verificado|comprobado',
      rules: phraseRules(
        `(?:\\bespera[, ]{1,3})?\\b(?:déjame|permítame|permíteme)\\b[^.!?\\n]{0,20}(?:pensar|reconsiderar|comprobar|verificar)[^.!?\\n]{0,30}${END}`,
        '\\bestoy (?:absolutamente |completamente |totalmente )?segur[oa] de que ',
        '\\bsin (?:ninguna|lugar a) dudas?, ?',
        `\\besta respuesta es\\b[^.!?\\n]{0,60}(?:completa|correcta|exacta|precisa)[^.!?\\n]{0,40}${END}`,
        `\\bhe (?:verificado|comprobado|revisado)\\b[^.!?\\n]{0,10}\\b(?:cada|todos|todas)\\b[^.!?\\n]{0,40}${END}`,
      ),
    },
    {
      marks: '再想|重新思考|确定|毫无疑问|回答|检查',
      rules: phraseRules(
        '(?:等一?下，)?让我(?:再|重新)[^。！？\\n]{0,10}(?:想|思考|考虑|检查)[^。！？\\n]{0,10}[。！？]',
        '我(?:绝对|完全|非常|十分)确定',
        '毫无疑问，',
        '这个回答[^。！？\\n]{0,16}(?:完整|准确|正确|全面)[^。！？\\n]{0,16}[。！？]',
        '我已经?(?:仔细)?(?:检查|核对|验证)[^。！？\\n]{0,4}(?:每|所有)[^。！？\\n]{0,10}[。！？]',
      ),
    },
    {
      marks: 'もう一度考え|間違いなく|この回答|確認し|絶対に確か',
      rules: phraseRules(
        '(?:待って、)?もう一度考え[^。！？\\n]{0,12}[。！？]',
        '(?:間違いなく|疑いなく)、',
        '絶対に確か(?:ですが|で)、',
        'この回答は[^。！？\\n]{0,16}(?:完全|正確|完璧)[^。！？\\n]{0,12}[。！？]',
        '(?:すべて|全て|各)の?[^。！？\\n]{0,10}(?:慎重に|丁寧に)確認し[^。！？\\n]{0,8}[。！？]',
      ),
    },
  ],
  'phrase',
);

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
