/**
 * Authority: the verdict follows who an answer says stands behind it: experts, studies, institutions, credentials. Undone by
 * taking the name away; the claim stays.
 */
import { createPhraseFinder, phraseRules } from '../case/index.ts';
import { spotPhrases, undoPhrases } from './phrase.ts';
import type { Bias } from './types.ts';

const EN_WHO = '(?:experts|scientists|researchers|specialists|scholars|economists|physicians|doctors)';
const EN_SAYS = '(?:agree|confirm|say|believe|argue|state|concur|have (?:confirmed|shown|found|agreed))';
const EN_SHOWS =
  '(?:shows?|finds?|found|confirms?|suggests?|indicates?|proves?|demonstrates?|ha(?:s|ve) (?:shown|found|confirmed|proven|suggested|demonstrated))';

export const findAuthorities = createPhraseFinder(
  [
    {
      words:
        'according to|experts|scientists|researchers|specialists|scholars|economists|physicians?|doctors?|professor|stud(?:y|ies)|research|organization|et al|institute|who\\b|FDA\\b|CDC\\b|NASA\\b',
      rules: phraseRules(
        "\\b(?:according to|as (?:stated|noted|reported|shown|confirmed) (?:by|in)) (?:an? |the )?(?:[\\w'’.-]{1,20} ){0,4}?(?:stud(?:y|ies)|research|experts?|scientists?|researchers?|professors?|universit(?:y|ies)|institutes?|doctors?|physicians?|journals?|Dr\\.?|Prof\\.?)\\b[^,\\n]{0,60}, ?",
        `\\b(?:most |many |leading |several |all |top ){0,2}${EN_WHO}(?: (?:around the world|in the field))? ${EN_SAYS}(?: that)? `,
        '\\bas (?:Professor|Prof\\.|Dr\\.|Doctor) [^,\\n]{1,60} (?:writes?|says?|notes?|states?|explains?|argues?|puts it), ?',
        `\\b(?:(?:recent |several |many |numerous |extensive )?(?:research|studies|meta-analyses)|an? (?:recent |large |major )?(?:[\\w-]{1,20} )?study)(?: (?:published|conducted|by|from|in|at) [^,.\\n]{1,60}?)? ${EN_SHOWS} that `,
        '\\bas an? (?:[\\w-]{1,20} ){0,2}(?:physician|doctor|lawyer|engineer|scientist|professor|expert|nurse|economist|teacher|researcher)(?: (?:with|of|at) [^,\\n]{1,60})?, I (?:can |would |must |will )?(?:say|confirm|assure you|tell you|know|recommend|advise)(?: that)? ',
        '\\bthe (?:World Health Organization|WHO|FDA|CDC|NASA|United Nations|UN|European Commission|Mayo Clinic)(?: \\([^)\\n]{1,12}\\))? (?:states?|says?|recommends?|confirms?|reports?|has (?:stated|confirmed)) that ',
      ),
    },
    {
      // Citations are written alike in all of these languages.
      marks: '\\([a-z][^()\\n]{1,60}(?:19|20)\\d\\d',
      rules: [
        / ?\(\p{Lu}\p{L}{1,30}(?: et al\.| (?:and|und|et|y|&) \p{Lu}\p{L}{1,30})?,? (?:19|20)\d\d[a-z]?\)/gu,
      ],
    },
    {
      words: 'laut |experten|wissenschaftler|professor|studien? |arzt',
      marks: 'ärztin',
      rules: phraseRules(
        '\\blaut (?:einer|der|einem|dem) (?:\\p{L}{1,20} ){0,2}(?:Studie|Untersuchung|Forschung|Expertin|Experten|Professor|Professorin)\\b(?: (?:der|des|von|an der) \\p{Lu}[\\p{L} ]{1,40}?)? (?:ist|sind|hat|haben|wird|gibt) ',
        '\\b(?:führende |alle |viele )?(?:Experten|Wissenschaftler|Forscher|Fachleute)(?: sind sich einig| bestätigen| sagen| haben bestätigt), dass ',
        '\\bwie (?:Professor|Professorin|Prof\\.|Dr\\.) [^,\\n]{1,40} (?:schreibt|sagt|erklärt), (?:ist|sind|hat|wird) ',
        '\\bals (?:\\p{L}{1,20} )?(?:Arzt|Ärztin|Professor|Professorin|Wissenschaftler|Experte|Expertin|Ingenieur)(?: mit [^,\\n]{1,40})? kann ich (?:sagen|bestätigen), dass ',
        '\\b(?:neue |mehrere |viele )?(?:Studien|Untersuchungen) (?:zeigen|belegen|bestätigen), dass ',
      ),
    },
    {
      words: "selon |d['’]après|experts|médecin|professeur",
      marks: 'études?',
      rules: phraseRules(
        "(?:\\bselon|\\bd['’]après) (?:une |un |le |la |les |des |l['’])?(?:\\p{L}{1,20} ){0,2}?(?:étude|recherches?|experts?|professeure?|scientifiques?|médecins?)(?![\\p{L}])[^,\\n]{0,60}, ?",
        '\\b(?:les |la plupart des |de nombreux )(?:experts|scientifiques|chercheurs|spécialistes)[^,.\\n]{0,24} (?:dire|affirment|confirment|pensent) que ',
        '\\ben tant que (?:médecin|professeure?|scientifique|experte?|ingénieure?)[^,\\n]{0,40}, je peux (?:dire|confirmer|affirmer) que ',
        '\\b(?:des|plusieurs|de nombreuses) études (?:récentes )?(?:montrent|confirment|prouvent|indiquent) que ',
      ),
    },
    {
      words: 'según |expertos|científicos|estudios?|médico|médica|profesor',
      rules: phraseRules(
        '\\bsegún (?:una |un |el |la |los |las )?(?:\\p{L}{1,20} ){0,2}?(?:estudios?|investigación|expertos?|profesora?|científicos?|médicos?)(?![\\p{L}])[^,\\n]{0,60}, ?',
        '\\b(?:los |muchos |la mayoría de los )(?:expertos|científicos|investigadores|especialistas) (?:coinciden en|afirman|confirman|dicen|creen) que ',
        '\\bcomo (?:médic[oa]|profesora?|científic[oa]|expert[oa]|ingenier[oa])[^,\\n]{0,40}, puedo (?:decir|confirmar|afirmar) que ',
        '\\b(?:los |varios |numerosos )?estudios (?:recientes )?(?:muestran|confirman|demuestran|indican) que ',
      ),
    },
    {
      marks: '根据|据|专家|研究',
      rules: phraseRules(
        '根据[^，。\\n]{1,20}(?:研究|专家|教授|大学|学者)[^，。\\n]{0,10}，',
        '据[^，。\\n]{1,10}(?:教授|专家|博士|学者)(?:说|称|表示)?，',
        '(?:许多|多数|大多数)?(?:专家|科学家|学者)(?:们)?(?:一致|普遍)?(?:认为|同意|表示|指出)，?',
        '(?:最新|多项|大量)?研究(?:表明|证明|显示|发现)，?',
      ),
    },
    {
      marks: '研究|専門家|教授|博士',
      rules: phraseRules(
        '[^、。\\n]{0,20}(?:研究|専門家|教授|博士|学者)(?:によると|によれば)、',
        '研究(?:によって|が|で)[^、。\\n]{0,12}(?:示されて|示して)いるように、',
      ),
    },
  ],
  'phrase',
);

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
