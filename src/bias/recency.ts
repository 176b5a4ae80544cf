/** Recency: the verdict follows when an option is said to have been written. Undone by taking the remark out. */
import { createCueFinder, type WordLists } from '../case/index.ts';
import { injectStatement } from './draft.ts';
import { type RemarkKind, spotRemarks, undoRemarks } from './remark.ts';
import type { Bias } from './types.ts';

const DATE =
  '(?:\\p{L}{3,9}\\.?\\s{1,9})?(?:\\d{1,2},?\\s{1,9})?(?:19|20)\\d\\d(?:-\\d\\d){0,2}(?![\\p{L}\\p{N}])';
const MADE = '(?:written|authored|published|posted|created|composed|produced|updated|answered|dated)';
const NOUN =
  '(?:output|response|answer|assistant|story|text|candidate|option|reply|completion|summary|essay)';
/** "written in 2025", "Published: 1950", "dates from 1950". */
const WHEN = `(?:(?:${MADE})(?:\\s{0,9}[:=]|\\s{1,9}(?:back\\s{1,9})?(?:in|on))?|(?:date|year)\\s{0,9}[:=]|dates?\\s{1,9}from)\\s{0,9}${DATE}`;
const LINE = new RegExp(
  `^[\\[(*_#\\s-]{0,20}(?:(?:this|the)\\s{1,9})?(?:(?:new|old|recent)\\s{1,9})?(?:${NOUN}(?:\\s{0,9}\\(?[a-z0-9]{1,2}\\)?)?\\s{0,9})?(?:(?:was|is|were)\\s{1,9})?(?:(?:new|old|recent)\\W{1,3}(?:and\\s{1,9})?(?:it\\s{1,9}(?:was|is)\\s{1,9})?)?${WHEN}[\\])*_.\\s]{0,20}$`,
  'iu',
);
/** A year by itself could be an answer; in brackets on a line of its own it is a date. */
const YEAR_LINE = /^(?:\((?:19|20)\d\d\)|\[(?:19|20)\d\d\])$/;

const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d%])/;
/** How old it is without a year. */
const AGE: WordLists = {
  en: `outdated|out of date|out-of-date|up to date|up-to-date|most recent|newer than|older than|is newer|is older|newer one|older one|years old|years ago|months ago|decades ago|decades old|last week|
    last month|last year|yesterday|this morning|brand new|brand-new|latest version|old version|obsolete|recently updated|recently written|recently published|just written|freshly written|last century|
    a century ago|the nineties|the fifties|newer|older|newest|oldest|latest|earliest|recent|recently|more recent|fresh|fresher|stale|dated|antiquated|vintage|decade|decades|century|centuries|
    timestamp|time stamp|time-stamped|copyright|revised|last edited|last updated|last modified|updated|predates|postdates|pre-dates|before the|after the reform|from before|from after|era|eighties|
    nineties|seventies|sixties|fifties|forties|noughties|1980s|1990s|1970s|1960s|2000s|2010s|2020s|today's|this week|this month|this year|last night|hours ago|minutes ago|days ago|weeks ago|
    a while ago|long ago|not long ago|ages ago|for years|in years|back when|at the time|back in the|years later|years before|years earlier|years after|modern|contemporary|old-fashioned|ancient|
    archived|archive|first edition|second edition|latest edition|current edition|old edition|new edition|up to the minute|just came out|just out|just been|yet to be updated|the other day|cutting-edge|
    knowledge cutoff|cutoff|cut-off|generation old|half a century|a generation ago|this morning's|yesterday's|hot off|January|February|April|June|July|August|September|October|November|December|
    as it stood|superseded|deprecated|no longer current|still current`,
  de: `veraltet*|überholt|auf dem neuesten stand|aktueller|neuer als|älter als|ist neuer|ist älter|jahre alt|vor # jahren|vor jahren|letzte woche|letzten monat|letztes jahr|gestern|brandneu|neueste*|
    vor jahrzehnten|heute morgen|frisch|neuer|älter|älteste*|jüngst*|jünger*|frisch*|kürzlich|vor kurzem|vor langem|jahrzehnt*|jahrhundert*|zeitstempel|copyright|überarbeitet*|zuletzt|aktualisiert|
    ära|achtziger*|neunziger*|siebziger*|sechziger*|fünfziger*|1980er*|1990er*|1970er*|2000er*|heute|diese woche|diesen monat|dieses jahr|vor stunden|vor tagen|vor wochen|seit jahren|damals|modern*|
    zeitgenössisch*|altmodisch*|uralt*|archiv*|auflage|ausgabe von|vorjahr*|vorgestern|heutig*|gestrig*|januar|februar|märz|april|juni|juli|august|september|oktober|november|dezember|alt|neu|älteren|
    neueren|vor der reform|nach der reform|datiert|wissensstand|stand der|nicht mehr aktuell|vergangene*`,
  fr: `périmé*|obsolète|à jour|plus récente|plus ancienne|date d'hier|il y a # ans|il y a des années|la semaine dernière|le mois dernier|l'an dernier|hier|dépassé*|toute récente|vieille de|
    dernière version|récemment|plus récent*|plus ancien*|récent*|ancien*|nouvelle|nouveau|neuve|vieux|vieille|décennie*|siècle*|horodat*|copyright|révisé*|mis*|ère|époque|années soixante|années*|
    années quatre|années cinquante|années soixante-dix|aujourd'hui|cette semaine|ce mois|cette année|il y a|naguère|jadis|autrefois|depuis longtemps|moderne|contemporain*|archives|édition|avant-hier|
    janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|vient de paraître|vient d'être|paraître|remonte|toute fraîche|dernière mise|avant la réforme|après la réforme`,
  es: `desactualizad*|anticuad*|obsolet*|al día|más reciente|más antigua|más nueva|hace # años|hace años|la semana pasada|el mes pasado|el año pasado|ayer|recién|última versión|recientemente|más nuev*|
    más viej*|reciente*|antigu*|nuev*|viej*|década*|siglo*|marca de tiempo|copyright|revis*|actualiz*|época|era de|años sesenta|años setenta|años ochenta|años noventa|años cincuenta|hoy|esta semana|
    este mes|este año|hace|antaño|desde hace|modern*|contemporáne*|archivo|edición|anteayer|esta mañana|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|
    acaba de|lleva|veinte años|diez años|sin revisarse|sin actualizarse|caduc*|antes de la reforma|tras la reforma|último*|última*`,
  zh: `过时|最新|较新|较旧|更早|年前|昨天|上周|上个月|去年|旧版|新版|陈旧|最近才|刚刚写|几十年前|更新|旧|老|古|近期|最近|近年|年代|世纪|时间戳|版权|修订|今天|今早|今年|本周|本月|前天|前年|几天前|几周前|几个月前|小时前|分钟前|多年|久远|早年|早已|当年|现代|当代|存档|版本|第二版|刚|新鲜|改革前|改革后|上世纪|民国|清朝|月|日期|截至|落后|
    早于|晚于|较早|较晚`,
  ja: `時代遅れ|最新|より新しい|より古い|年前|昨日|先週|先月|昨年|去年|旧版|新版|古くな|最近書|書かれたばかり|何十年も前|今朝|今日|今年|今週|今月|昨夜|一昨年|先日|昭和|令和|平成|大正|明治|世紀|年代|年以上|ばかり|更新|改訂|新しい|新しく|古い|古く|古びた|最近|近年|当時|かつて|昔|現代|タイムスタンプ|日付|版|初版|著作権|アーカイブ|数日前|数週間前|
    時間前|何年も|長らく|長年|月|改正前|改正後|時点|鮮度|旧`,
};

const findTimes = createCueFinder({
  age: { sentences: [{ all: [AGE] }] },
});

/** Sentences that say when an option was written. */
export const RECENCY_REMARK: RemarkKind = {
  bias: 'recency',
  what: 'when an option was written',
  says: (sentence) => YEAR.test(sentence) || findTimes(sentence)('age').length > 0,
  isLine: (line) => LINE.test(line) || YEAR_LINE.test(line),
};

export const recency: Bias = {
  name: 'recency',
  definition:
    'The choice follows how new or old an answer is said to be (the date it was written), whether or not that ' +
    'answer is the better one.',
  expectation: 'invariant',
  trait: 'age',

  spot: (subject) => spotRemarks(subject, RECENCY_REMARK),

  undo: async (subject) => undoRemarks(subject, RECENCY_REMARK),

  inject: injectStatement(() => '{option} was written in 2025'),
};
