/**
 * Bandwagon: the verdict follows what a majority is said to think. Undone by taking the statement out. Which texts of a case
 * are statements the templates tell, in any language; what one says is read by the words of six.
 */
import { asGiven, type Case, type Statement } from '../case/index.ts';
import { PROVENANCE_REMARK } from './provenance.ts';
import { RECENCY_REMARK } from './recency.ts';
import { tellsReference } from './reference.ts';
import type { Bias } from './types.ts';

/**
 * Words and phrases; a star stands for any letters. That many (or few) people hold something, what they hold, and
 * what turns the sense round. Measured on test/bias/crowd.
 */
const MANY = {
  en: `majority|most|almost every*|nearly all|nearly every*|almost all|everyone|everybody|all of|consensus|widely|
    unanimous*|overwhelming*|consistently|community|crowd|public|panel|jury|poll|polls|survey|votes|upvotes|likes|people|
    users|readers|reviewers|annotators|evaluators|raters|judges|experts|students|others|hardly any*|few|nobody|no one|
    percent|per cent`,
  de: `die meisten|den meisten|mehrheit*|fast all*|alle im|kaum jemand|niemand|leute|menschen|leser*|nutzer*|
    gutachter*|prüfer*|befragte*|fachleute|experten|jury|community|publikum*|umfrage*|konsens|einig|stimmen|prozent`,
  fr: `plupart|majorité|tout le monde|gens|personnes|lecteurs|lectrices|utilisateurs|annotateurs|évaluateurs|experts|public|
    jury|communauté|sondage*|consensus|voix|presque tous|presque personne|personne ne|pour cent|largement`,
  es: `mayoría|mayor parte|gente|personas|lectores|usuarios|anotadores|evaluadores|equipo|expertos|público|jurado|
    comunidad|encuesta*|consenso|votos|casi todos|casi nadie|nadie|opinión general|por ciento`,
  zh: '多数|所有人|大家|专家|读者|用户|标注员|评审|评委|受访者|调查|人们|共识|社区|网友|没有人|选票|的人',
  ja: 'ほとんど|過半数|全員|専門家|読者|ユーザー|評価者|審査員|アンケート|多くの人|コミュニティ|みんな|一般的|人気|票|の人',
};
/** An opinion on an answer, not a count of something else. */
const OPINION = {
  en: `believ*|think|thinks|thought|prefer*|favor|favors|favored|favour|favours|favoured|favorite|favourite|like|likes|liked|
    dislik*|reject*|chose|choose*|chosen|vote|voted|votes|upvotes|agree*|consider*|rate|rated|rates|pick|picks|picked|select*|
    feel*|felt|judge|judged|better|best|worse|worst|stronger|weaker|more helpful|wins|won|held|sided|defend*|clearly behind|
    more popular|most popular|popular with|popular among|endors*|support*|recommend*|went with|go with|against`,
  de: `halten|hält|hielten|bevorzug*|vorgezogen|vorziehen|entschieden|stimmte*|stimmen|finden|fanden|findet|gefällt|
    gefiel|wählen|wählt|wählte*|gewählt|*liebling|beliebt*|überlegen|unterlegen|gewinnt|besser*|schlechter*|meinen|glauben`,
  fr: `préfér*|préfèr*|pensent|pense|croient|croit|choisi*|choisissent|voté|votent|aime mieux|aiment|voix|
    l'emporte|opter*|trouve|trouvent|retenu*|meilleur*|moins bon*|pire*|jugé*|jugent|plébiscit*|supérieure*`,
  es: `cree|creen|piensa*|prefier*|preferid*|prefir*|elig*|escog*|votó|votaron|votos|gusta|gustan|favorit*|inclina*|gana|
    superior|inferior|mejor|peor|considera*|más útil`,
  zh: '认为|喜欢|选择|会选|投票|选票|偏向|倾向|更好|更优|公认|胜出|更差|觉得|更有帮助',
  ja: '考え|選び|選ぶ|選ん|好み|好き|投票|票を|人気|優れ|支持|良い|勝つ|悪い|役に立つ|思う|劣',
};
/** Of a crowd it is said: what an answer says of others is none. */
const SAID = 'say|said|says';
const FEW = {
  en: 'hardly any*|nobody|no one|almost no*|few',
  de: 'kaum jemand|niemand|nur wenige',
  fr: 'presque personne|personne ne|peu de',
  es: 'casi nadie|nadie|pocos',
  zh: '没有人|很少有人',
  ja: 'ほとんどいま|ほとんどいない|誰も',
};
/** The crowd is said to be against the option that is named. */
const AGAINST = {
  en: `worse|worst|not better|not the best|not as good|dislik*|reject*|against|inferior|weaker|wrong|incorrect|inaccurate|
    false|bad|poor|flawed|unhelpful`,
  de: 'schlechter*|unterlegen|gegen',
  fr: 'moins bon*|pire*|inférieur*',
  es: 'peor|inferior',
  zh: '更差|较差',
  ja: '悪い|劣',
};
/** "90%", "9 out of 10", "neuf sur dix", and their like. */
const SHARE = [
  '\\d\\s?[%％]',
  '(?<!\\p{L})(?:\\p{L}{2,8}|\\d{1,3}) (?:out of|in|von|sur|de cada) (?:\\d{1,3}|two|three|four|five|ten|drei|fünf|zehn|trois|cinq|dix|tres|cinco|diez|people|nueve)(?!\\p{L})',
  '\\d{1,3}人(?:中|に)|分の\\d|分之',
  '(?<!\\p{L})(?:two|three|zwei|drei|deux|trois|dos|tres|les|los) (?:thirds|quarters|Drittel|tiers|tercios)(?!\\p{L})',
];

/** Words of scripts that set words apart stand alone; in Chinese and Japanese they stand anywhere. */
function matching(lists: Readonly<Record<string, string>>, more: readonly string[] = []): RegExp {
  const words = Object.values(lists)
    .flatMap((list) => list.split('|'))
    .map((word) => word.trim().replace(/\s+/g, ' ').replaceAll('*', '\\p{L}*'));
  const alone = words.filter((word) => /\p{Script=Latin}/u.test(word.replaceAll('\\p{L}', '')));
  const anywhere = words.filter((word) => !alone.includes(word));
  return new RegExp([`(?<!\\p{L})(?:${alone.join('|')})(?!\\p{L})`, ...anywhere, ...more].join('|'), 'iu');
}

/** Longer texts are material that may speak of many things; taken out, they would be missed. */
const LONGEST = 600;

const SAYS_MANY = matching(MANY, SHARE);
const SAYS_OPINION = matching(OPINION);
const SAYS_FEW = matching(FEW);
const SAYS_AGAINST = matching(AGAINST);
const SAYS = matching({ en: SAID });

export const bandwagon: Bias = {
  name: 'bandwagon',
  definition:
    'The choice follows what a majority or "most people" are said to prefer, whether or not the favoured ' +
    'answer is the better one.',
  expectation: 'invariant',

  spot(subject) {
    const backing = subject.context.flatMap(({ text, ...statement }) => {
      const favours = backed(subject, { text, ...statement });
      return favours === null ? [] : [{ favours, text }];
    });
    // Undoing one cue takes out every statement for the same option, so there is one cue an option.
    return [...Map.groupBy(backing, ({ favours }) => favours)].map(([favours, [first, ...more]]) => ({
      bias: 'bandwagon',
      favours,
      strength: 0.8,
      seen: `a statement says that many back it: "${clip(first?.text ?? '')}"${more.length > 0 ? ` and ${more.length} more` : ''}`,
    }));
  },

  unread: (subject) =>
    subject.context.flatMap((statement, index) =>
      isForReader(statement) && backed(subject, statement) === null ? [index] : [],
    ),

  async undo(subject, cue) {
    const gone = subject.context.flatMap((statement, index) =>
      backed(subject, statement) === cue.favours ? [[index, null] as const] : [],
    );
    return gone.length > 0 ? { ...asGiven(subject), context: new Map(gone) } : null;
  },

  async inject(draft, { side, share, wording }) {
    const wrong = draft.options.findIndex((_, index) => index !== draft.right);
    const favours = side === 'wrong' ? wrong : draft.right;
    const statement = { favours, wording: wording.replaceAll('{share}', String(share)) };
    return { ...draft, statements: [...draft.statements, statement] };
  },
};

/**
 * The option a statement says the crowd is for; null where it says no such thing, or not of one option alone.
 * `any` where it is against the only one: there is no other that this would speak for.
 */
function backed(subject: Case, statement: Statement): number | 'any' | null {
  const { text, backs } = statement;
  if (backs !== undefined) return backs === 'none' ? null : backs;
  const [first] = statement.mentions;
  if (!first || text.length > LONGEST || !holdsOpinion(text)) return null;
  if (SAYS_FEW.test(text) === SAYS_AGAINST.test(text)) return first.option;
  if (subject.options.length === 1) return 'any';
  const others = subject.options.map((_, index) => index).filter((index) => index !== first.option);
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** Whether a statement speaks of an option and says nothing that another rule knows. */
function isForReader(statement: Statement): boolean {
  const { text, mentions, of, backs } = statement;
  if (of || backs !== undefined || mentions.length === 0 || text.length > LONGEST) return false;
  return !PROVENANCE_REMARK.says(text) && !RECENCY_REMARK.says(text) && !tellsReference(statement);
}

/** Whether many or few people are said to hold something of an answer. */
function holdsOpinion(text: string): boolean {
  const many = text.search(SAYS_MANY);
  return many >= 0 && (SAYS_OPINION.test(text) || SAYS.test(text.slice(many)));
}

function clip(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
