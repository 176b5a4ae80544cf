/**
 * Bandwagon: the verdict follows what a majority is said to think. Undone by taking the statement out. Which texts of a case
 * are statements the templates tell, in any language; what one says is read by the words of six.
 */
import {
  asGiven,
  type Case,
  cutSentences,
  joinRanges,
  listWords,
  type Mention,
  matchWords,
  quote,
  type Statement,
  type TextRange,
  type WordLists,
} from '../case/index.ts';
import { readCues } from './cue-words.ts';
import { injectStatement } from './draft.ts';
import { spotPhrases } from './phrase.ts';
import { tellsReference } from './reference.ts';
import { speaksOf, tellsContent } from './remark.ts';
import type { Bias } from './types.ts';

/**
 * Words and phrases; a star stands for any letters. That many (or few) people hold something, what they hold, and
 * what turns the sense round. Measured in test/bias/spotting.test.ts.
 */
const MANY = {
  en: `majority|minority|most|almost every*|nearly all|nearly every*|almost all|everyone|everybody|all of|consensus|widely|unanimous*|overwhelming*|consistently|invariably|community|crowd|public|panel|
    jury|audience|poll|polls|survey|surveyed|respondents|participants|votes|upvotes|likes|people|users|readers|customers|clients|viewers|visitors|followers|friends|colleagues|coworkers|teammates|
    students|teachers|volunteers|testers|reviewers|annotators|evaluators|raters|graders|judges|critics|experts|others|hardly any*|few|nobody|no one|none of|percent|per cent|half of|asked around|
    social media|internet|by far|broad agreement|general agreement|more popular|most popular|downloads|stars|shares|retweets|reposts|clicks|hearts|thumbs up|thumbs-up|page views|pageviews|subscribers|
    signatures|bookmarks|fans|ratings|hands|hand for|raised hands|straw poll|vote count|tally|ballots|ballot|top-voted|most-voted|most-liked|most-shared|most shared|trending|viral|bestseller|
    best-selling|popular demand|models|thousands|millions|hundreds|dozens|hardly a soul|not a soul|not a single|no-one|the rest of us|the whole|the entire|everyone's|everybody's|folks|guys|neighbours|
    neighbors|parents|members|employees|staff|team|developers|engineers|programmers|scholars|doctors|attendees|families|voters|callers|listeners|shoppers|players|gamers|diners|locals|peers|classmates|
    committee|the room|the class|office|the internet|twitter|reddit|tiktok|facebook|instagram|forum|thread|group chat|comments|three in four|two thirds|two-thirds|four in five|nine in ten|a landslide|
    landslide|the bulk|the lion's share|countless|plenty of|lots of|many`,
  de: `die meisten|beliebteste*|populärste*|meistgelesen*|meistgenannt*|meistempfohlen*|den meisten|der meisten|mehrheit*|minderheit*|mehrzahl|großteil|fast all*|so gut wie jede*|alle im|alle in|alle aus|kaum jemand|niemand|keiner|leute|leuten|menschen|leser*|nutzer*|
    kunden|kundinnen|teilnehmer*|zuschauer*|besucher*|tester*|kolleg*|freunde*|schüler*|studierende*|gutachter*|prüfer*|bewerter*|kritiker*|juroren|befragte*|fachleute*|experten|jury|community|
    publikum*|allgemein*|öffentlich*|umfrage*|konsens|einig|einigkeit|stimmen|prozent|die hälfte|mit abstand|soziale* medien|im netz|downloads|likes|sterne|klicks|aufrufe|daumen hoch|herzen|fans|
    hände|handzeichen|stimmzettel|abstimmung|meistgeteilt*|meistgewählt*|trend|viral|angesagt|renner|bestseller|ganzen dorf|ganze dorf|keinen finden|kein mensch|tausende|millionen|hunderte|dutzende|
    das ganze|die ganze|der ganze|nachbarn|eltern|mitglieder*|angestellte*|belegschaft|team|entwickler*|hörer*|wähler*|käufer*|spieler*|klasse|büro|internet|forum|kommentare|viele|etliche|zahllose|
    reihenweise|allesamt|sämtliche|der rest|jeder|jede|jedermann|abonnent*|leserschaft|kundschaft|anwesende*|umstehende*`,
  fr: `plupart|plus populaire*|plus appréciée*|plus aimée*|plus partagée*|plus téléchargée*|majorité|minorité|tout le monde|gens|personnes|lecteurs|lectrices|utilisateurs|utilisatrices|clients|clientes|participants|participantes|spectateurs|visiteurs|collègues|amis|élèves|
    étudiants|testeurs|annotateurs|évaluateurs|correcteurs|critiques|juges|experts|spécialistes|public|foule|opinion|jury|communauté|sondage*|enquête|consensus|voix|presque tous|presque toutes|
    presque personne|personne ne|personne au|personne dans|personne parmi|pour cent|largement|la moitié des|de loin|réseaux sociaux|l'unanimité|unanimes|unanimement|j'aime|likes|étoiles|clics|vues|
    téléchargements|partages|pouces|abonnés|mains|main pour|main levée|levé la main|bulletins|scrutin|tendance|viral*|plébiscit*|internautes|best-seller|milliers|millions|centaines|dizaines|
    tout le village|le village|toute la|tous les|toutes les|voisins|parents|membres|employés|équipe|développeurs|auditeurs|électeurs|acheteurs|joueurs|classe|bureau|forum|commentaires|beaucoup|
    nombreux|nombreuses|innombrables|chacun|quasi tous|trois quarts|deux tiers|convives|clientèle|lectorat|nul ne|aucun`,
  es: `mayoría|más votad*|más popular*|más valorad*|más compartid*|más descargad*|minoría|mayor parte|gente|personas|lectores|lectoras|usuarios|usuarias|clientes|participantes|espectadores|visitantes|compañeros|compañeras|colegas|amigos|alumnos|estudiantes|probadores|
    anotadores|evaluadores|correctores|críticos|jueces|equipo|expertos|especialistas|público|multitud|jurado|comunidad|encuesta*|sondeo|consenso|votos|casi todos|casi todas|casi nadie|nadie|
    todo el mundo|opinión general|opinión pública|por ciento|la mitad de|con diferencia|redes sociales|unanimidad|unánime*|ampliamente|likes|me gusta|estrellas|clics|visualizaciones|descargas|
    compartidos|pulgares|seguidores|manos|mano alzada|papeletas|votación|tendencia|viral|arrasa*|superventas|miles|millones|cientos|decenas|redes|todo el pueblo|el pueblo|toda la|todos los|todas las|
    vecinos|padres|miembros|empleados|plantilla|desarrolladores|oyentes|votantes|compradores|jugadores|clase|oficina|foro|comentarios|muchos|muchas|numeros*|incontables|cada uno|casi toda|
    tres cuartas|dos tercios|internautas|asistentes|comensales|clientela|ninguno|ni uno`,
  zh: `多数|少数|所有人|大家|大众|公众|专家|读者|用户|客户|顾客|观众|参与者|同事|同学|朋友|网友|标注员|评审|评委|评估者|受访者|调查|民调|人们|共识|社区|没有人|没人|很少有人|几乎都|几乎人人|普遍|选票|票数|的人|人选|人里有|受欢迎|四分之三|三分之二|一半的|社交媒体|排行榜|点赞|赞|下载量|浏览量|播放量|转发|收藏|弹幕|粉丝|举手|热门|爆款|热搜|
    好评|刷屏|票|成千上万|数千|上万|破万|百万|无数|清一色|全班|全村|全公司|邻居|家长|成员|员工|团队|开发者|听众|选民|买家|玩家|论坛|评论区|许多|很多|不少|个个|人人|谁都|零星|寥寥|压倒性|一边倒|网上|群里|同行|模型都|博主|学生们`,
  ja: `ほとんど|過半数|大多数|大半|少数|全員|専門家|読者|ユーザー|利用者|お客様|顧客|参加者|視聴者|観客|同僚|友人|学生|評価者|審査員|採点者|批評家|アンケート|世論|世間|調査|多くの人|コミュニティ|みんな|誰も|一般的|人気|票|の人|人中|人が|割|満場一致|ネット|いいね|ダウンロード|再生|閲覧|シェア|リツイート|拡散|フォロワー|挙手|手を挙げ|得票|トレンド|
    バズ|話題|ベストセラー|高評価|数千|数万|何千|何万|五千件|大勢|町中|村中|クラス|会社中|近所|保護者|会員|社員|チーム|開発者|リスナー|有権者|購入者|プレイヤー|掲示板|コメント|多数|大抵|たいてい|誰に聞いても|周りに聞いて|周囲|仲間|件も|圧倒的|世の中|皆|口コミ|レビューで|SNS|フォーラム`,
};
/** An opinion on an answer, not a count of something else. */
const OPINION = {
  en: `believ*|think|thinks|thought|prefer*|favor|favors|favored|favour|favours|favoured|favorite|favourite|like|likes|liked|love|loved|dislik*|reject*|chose|choose*|chosen|choice|opt|opted|vote|voted|
    votes|upvotes|agree*|consider*|rate|rated|rates|rank|ranked|pick|picks|picked|select*|feel*|felt|judge|judged|better|best|worse|worst|stronger|weaker|more helpful|wins|won|win|held|sided|siding|
    lean*|defend*|clearly behind|more popular|most popular|popular with|popular among|endors*|support*|back|backs|backed|recommend*|went with|went for|go with|go for|end up with|ended up with|
    settle* on|would rather|came out ahead|comes out ahead|ahead|in the lead|leads|leading|has spoken|have spoken|against|praise|praised|award|impressed|downloads|stars|shares|retweets|reposts|clicks|
    hearts|thumbs up|thumbs-up|page views|pageviews|subscribers|signatures|bookmarks|fans|ratings|hands|hand for|raised hands|straw poll|vote count|tally|ballots|ballot|top-voted|most-voted|
    most-liked|most-shared|most shared|trending|viral|bestseller|best-selling|popular demand|swear by|swears by|spoke up|speak up|speaks up|rave|raves|raved|rooting|cheer*|applaud*|adore*|embrac*|
    trust|trusts|shared|hit|sweeps|swept|landslide|beat|beats|is it|goes to|went to|the winner|dominat*|outvoted|outnumber*|fancy|fancies|swayed|flock*|crown*|kept|in favour|in favor|the edge|the nod|
    convinced|happy with|satisfied with|picking|for {A}|rejected|turned down|ditch*|abandon*|avoid*|skip|number one|no. 1|top|consensus is|consensus:`,
  de: `überzeugend*|Auffassung|halten|hält|hielten|bevorzug*|vorgezogen|vorziehen|ziehen|zog|zogen|entschieden|entscheid*|stimmte*|stimmen|gestimmt|finden|fanden|findet|fand|gefällt|gefiel|mag|mögen|mochte*|gemocht|liebt*|
    wählen|wählt|wählte*|gewählt|griffen|greifen|landen|landet*|neigen|neigt*|tendier*|würden|lieber|*liebling|beliebt*|überlegen|unterlegen|gewinnt|gewann|gewonnen|besser*|schlechter*|beste|besten|
    meinen|glauben|vorn|vorne|führt|gesprochen|lob|gelobt|lobt|loben|empfehlen|empfiehlt|preis|hinter|favorit*|downloads|likes|sterne|klicks|aufrufe|daumen hoch|herzen|fans|hände|handzeichen|
    stimmzettel|abstimmung|meistgeteilt*|meistgewählt*|trend|viral|angesagt|renner|bestseller|schwör*|feier*|jubel*|vertrau*|begeistert|schwärm*|geht an|ging an|abgelehnt|lehn*|setzen auf|setzt auf|
    stehen hinter|steht hinter|überzeugt|zufrieden|verworfen|nummer eins`,
  fr: `préfér*|préfèr*|pensent|pense|croient|croit|choisi*|choix|votent|voté|vote|aime|aiment|aimé|adoré*|adorent|voix|l'emporte|opter*|opté*|penche*|retenir|retenu*|retient|retiennent|trouve|trouvent|
    meilleur*|moins bon*|pire*|jugé*|jugent|considèr*|plébiscit*|supérieure*|liraient|plutôt|en tête|tranché|favori*|gagne|gagné|remporté|recommand*|soutien*|s'accorde*|populaire|j'aime|likes|étoiles|
    clics|vues|téléchargements|partages|pouces|abonnés|mains|main pour|main levée|levé la main|bulletins|scrutin|tendance|viral*|internautes|best-seller|jurent|jure|applaud*|misent|mise|confiance|
    ravis|emporté|va à|rejet*|écart*|boud*|convaincu*|satisfait*|numéro un`,
  es: `cree|creen|piensa*|prefier*|preferid*|prefir*|elig*|elij*|escog*|opta|optan|optaron|optó|vota|votan|votó|votado|votaron|votos|gusta|gustan|gustó|encanta|favorit*|inclina*|gana|ganó|ganan|superior|
    inferior|mejor|peor|considera*|más útil|leerían|antes|por delante|ha hablado|han hablado|quedan con|queda con|quedaron con|recomienda*|apoya*|elogi*|coincide*|popular|premio|likes|me gusta|
    estrellas|clics|visualizaciones|descargas|compartidos|pulgares|seguidores|manos|mano alzada|papeletas|votación|tendencia|viral|arrasa*|superventas|jura*|aplaud*|confía*|apuesta*|entusiasm*|
    se lleva|va para|rechaz*|descart*|convencid*|satisfech*|está con|están con|número uno`,
  zh: `认为|喜欢|选择|会选|选了|选用|都选|总选|人选|总是选|投票|投给|投了|选票|偏向|偏爱|偏好|倾向|支持|推荐|更好|最好|更优|更佳|公认|胜出|赢得|获得了|更差|觉得|更有帮助|更愿意|领先|居首|第一|好评|受欢迎|答案|点赞|赞|下载量|浏览量|播放量|转发|收藏|弹幕|粉丝|举手|热门|爆款|热搜|刷屏|票|点名|力挺|追捧|信赖|青睐|站|挺|压倒|占优|碾压|
    叫好|一致|否定|嫌弃|排斥|冷门|破万|满意`,
  ja: `考え|選び|選ぶ|選ん|選択|好み|好き|好む|好ん|気に入|投票|票を|人気|優れ|支持|推薦|勧め|良い|よい|良か|いいと|勝つ|勝ち|勝っ|悪い|役に立つ|思う|思って|劣|傾い|傾く|読みた|トップ|首位|1位|一位|受賞|答え|絶賛|称賛|いいね|ダウンロード|再生|閲覧|シェア|リツイート|拡散|フォロワー|挙手|手を挙げ|得票|トレンド|バズ|話題|ベストセラー|高評価|
    推す|推し|推して|挙が|挙げ|ついて|集め|絶大|信頼|拍手|満足|圧勝|勝る|避け|敬遠|聞きません|不評|好評|定評`,
};
/** Of a crowd it is said: what an answer says of others is none. */
const SAID = 'say|said|says';
const FEW = {
  en: 'hardly any*|nobody|no one|none of|almost no*|few|minority|not a soul|hardly a soul|not a single|scarcely any*|no-one|zero people',
  de: 'kaum jemand|niemand|keiner|nur wenige|minderheit*|keinen finden|kein mensch|kaum ein*|kaum wer|keinen, der',
  fr: 'presque personne|personne ne|personne au|personne dans|personne parmi|peu de|minorité|aucun|nul ne|pas un|pas grand monde|quasi personne|rares sont',
  es: 'casi nadie|nadie|pocos|pocas|minoría|ninguno|ni uno|apenas nadie|ya nadie|pocas personas',
  zh: '没有人|没人|没一个|很少有人|少数|寥寥|零星|没几个|鲜有|无人|几乎没人',
  ja: 'ほとんどいま|ほとんどいない|誰も|少数|聞きません|聞かない|いません|いない|見当たら|わずか|ごく少',
};
/** The crowd is said to be against the option that is named. */
const AGAINST = {
  en: `worse|worst|not better|not the best|not as good|dislik*|disagree*|reject*|against|inferior|weaker|wrong|incorrect|inaccurate|false|bad|poor|flawed|unhelpful|turned down|ditch*|abandon*|avoid*|skip|
    least popular|unpopular|doubts|doubted|hesitated|wavered|disputes|disputed`,
  de: 'schlechter*|unterlegen|gegen|abgelehnt|lehn*|verworfen|unbeliebt*|zweifelt*|bezweifelt*|zögerte*',
  fr: 'moins bon*|pire*|inférieur*|rejet*|écart*|boud*|contre|hésite|hésité|hésitent|doute que|doutent',
  es: 'peor|inferior|rechaz*|descart*|contra|dudó|dudan|dudaron|duda de|vaciló',
  zh: '更差|较差|嫌弃|排斥|冷门|否定|反对|怀疑',
  ja: '悪い|劣|避け|敬遠|不評|嫌|疑わ|疑い',
};
/** Numbers from two to ten, where people are counted in words. */
const NUMBER =
  `(?:\\d{1,7}|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|trois|
  quatre|cinq|six|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)`.replace(/\s+/g, '');
/** "90%", "9 out of 10", "neuf sur dix", and their like. */
const SHARE = [
  '\\p{Nd}\\s?[%％٪]|[%٪]\\s?\\p{Nd}',
  `(?<!\\p{L})${NUMBER} (?:\\p{L}{1,14} )?(?:out of|in|von|sur|de cada|de) (?:${NUMBER}|people)(?!\\p{L})`,
  '\\d{1,7}(?:人|名)|分の\\d|分之',
  `(?<!\\p{L})(?:${NUMBER}|les|los) (?:thirds|quarters|fifths|Drittel|Viertel|Fünftel|tiers|quarts|cinquièmes|tercios|cuartos|cuartas partes|terceras partes)(?!\\p{L})`,
];

const matching = (lists: WordLists) => matchWords(listWords(lists));

/** Longer texts are material that may speak of many things; taken out, they would be missed. */
const LONGEST = 600;

const SAYS_MANY = new RegExp([matching(MANY).source, ...SHARE].join('|'), 'iu');
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
  trait: 'crowd',

  spot(subject, _judge, read) {
    const backing = subject.context.flatMap(({ text, ...statement }) => {
      const favours = findBacked(subject, { text, ...statement });
      return favours === null ? [] : [{ favours, text }];
    });
    // Undoing one cue takes out every statement for the same option, so there is one cue an option.
    const beside = [...Map.groupBy(backing, ({ favours }) => favours)].map(([favours, [first, ...more]]) => ({
      bias: 'bandwagon',
      favours,
      strength: 0.8,
      seen: `a statement says that many back it: "${quote(first?.text ?? '')}"${more.length > 0 ? ` and ${more.length} more` : ''}`,
    }));
    const within = spotPhrases(subject, 'bandwagon', 'claims that many like it', (text) =>
      findCrowds(text, read),
    );
    return [...beside, ...within.filter(({ favours }) => beside.every((cue) => cue.favours !== favours))];
  },

  unread: (subject) =>
    subject.context.flatMap((statement, index) =>
      isForReader(statement) && findBacked(subject, statement) === null ? [index] : [],
    ),

  async undo(subject, cue) {
    const gone = subject.context.flatMap((statement, index) =>
      findBacked(subject, statement) === cue.favours ? [[index, null] as const] : [],
    );
    const cut = subject.options.flatMap(({ text }, index) => {
      const found = index === cue.favours ? findCrowds(text) : [];
      return found.length > 0 ? [[index, cutSentences(text, found)] as const] : [];
    });
    if (gone.length + cut.length === 0) return null;
    return { ...asGiven(subject), context: new Map(gone), options: new Map(cut) };
  },

  inject: injectStatement(({ share, wording }) => wording.replaceAll('{share}', String(share))),
};

/** Sentences in which an answer says that many like it. */
const findCrowds = (text: string, read = readCues): TextRange[] =>
  joinRanges(
    read(text)
      .cues('bandwagon')
      .map(({ sentence }) => sentence),
  );

/**
 * The option a statement says the crowd is for; null where it says no such thing, or not of one option alone.
 * `any` where it is against the only one: there is no other that this would speak for.
 */
function findBacked(subject: Case, statement: Statement): number | 'any' | null {
  const { text, backs } = statement;
  if (backs !== undefined) return backs === 'none' ? null : backs;
  const [first] = statement.mentions;
  if (!first || text.length > LONGEST || tellsContent(statement)) return null;
  if (!holdsOpinion(text) && !speaksOf(statement, 'bandwagon')) return null;
  const own = clauseOf(statement, first);
  const isAgainst = SAYS_AGAINST.test(own);
  const most = isAgainst ? null : mostCounted(statement);
  if (most !== null) return most;
  if ((SAYS_FEW.test(own) || SMALL.test(own) || isSmallPart(own)) === isAgainst) return first.option;
  if (subject.options.length === 1) return 'any';
  const others = subject.options.map((_, index) => index).filter((index) => index !== first.option);
  return others.length === 1 ? (others[0] ?? null) : null;
}

/** `only 11`, `apenas 8`. */
const SMALL = new RegExp(
  `(?<!\\p{L})(?:only|just|merely|a mere|nur|bloß|lediglich|gerade|seulement|à peine|solo|sólo|apenas|仅|只有|わずか)\\s?${NUMBER}(?![\\p{L}\\d])|\\d seulement(?!\\p{L})`,
  'iu',
);
const PART = /(\d{1,7}) (?:out of|of|von|sur|de) (?:\p{L}{2,4} )?(\d{1,7})/u;
function isSmallPart(text: string): boolean {
  const [, part = 1, whole = 1] = PART.exec(text) ?? [];
  return Number(part) < Number(whole) / 2;
}

/** A number with what sets its thousands apart, or full stars in a row. */
const COUNT =
  /[★⭐]+(?!\s?\d)|\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?!\d)|\d{1,9}(?:[.,]\d{1,9})?(?<thousands>\s?(?:k|mil|Tsd\.?|千)(?!\p{L}))?/iu;
const YEARS = { first: 1900, last: 2099 };

/** What is counted in a text; null where nothing is, or a year is told. */
function countIn(text: string): number | null {
  const found = COUNT.exec(text);
  if (!found) return null;
  const { 0: written, groups } = found;
  if (!/\d/.test(written)) return written.length;
  if (groups?.thousands) return 1000 * Number.parseFloat(written.replace(',', '.'));
  const isWhole = /[.,\s]\d{3}$/u.test(written) && !written.startsWith('0');
  const count = Number(isWhole ? written.replace(/\D/g, '') : written.replace(',', '.'));
  return isWhole || count < YEARS.first || count > YEARS.last ? count : null;
}

/** The option for which most are counted, where a statement counts for several, before or behind each: `A 341 votes, B 22`. */
function mostCounted({ text, at, mentions }: Statement): number | null {
  const counts = (stretch: (mention: Mention, index: number) => string) => {
    const all = mentions.flatMap((mention, index) => {
      const count = countIn(stretch(mention, index));
      return count === null ? [] : [{ option: mention.option, count }];
    });
    return mentions.every(({ option }) => all.some((one) => one.option === option)) ? all : [];
  };
  const behind = counts(({ at: { end } }, index) =>
    text.slice(end - at.start, (mentions[index + 1]?.at.start ?? Infinity) - at.start),
  );
  const before = counts(({ at: { start } }, index) =>
    text.slice((mentions[index - 1]?.at.end ?? at.start) - at.start, start - at.start),
  );
  const [most, next] = (behind.length > 0 ? behind : before).sort((a, b) => b.count - a.count);
  return most && next && most.option !== next.option && most.count > next.count ? most.option : null;
}

/** A statement without what is said of another option behind the first, or in a sentence of its own. */
function clauseOf({ text, at, mentions }: Statement, first: Mention): string {
  const end = first.at.end - at.start;
  const other = mentions.find(({ option }) => option !== first.option);
  const rest = text.slice(end, other ? Math.max(end, other.at.start - at.start) : undefined);
  const bounds = rest.matchAll(other ? /[,;.，；。、]/g : /[;.；。]/g).toArray();
  const bound = other ? bounds.at(-1) : bounds[0];
  return text.slice(0, end + (bound?.index ?? rest.length));
}

/** Whether a statement says something of an option, and not what stands in it. */
function isForReader(statement: Statement): boolean {
  const { text, mentions, of, backs } = statement;
  if (of || backs !== undefined || mentions.length === 0 || text.length > LONGEST) return false;
  return !tellsContent(statement) && !tellsReference(statement);
}

/** Whether many or few people are said to hold something of an answer. */
function holdsOpinion(text: string): boolean {
  const many = text.search(SAYS_MANY);
  return many >= 0 && (SAYS_OPINION.test(text) || SAYS.test(text.slice(many)));
}
