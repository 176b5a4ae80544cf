/**
 * Hostility: the verdict on a paper follows the tone of its reviews (arXiv 2502.12510). Undone by restating hostile reviews
 * in a neutral tone, every point kept. The perturbation that injects it is `review-tone`.
 */

import { type Case, listWords, matchWords, type WordLists } from '../case/index.ts';
import { calmReviews, findLiveReviews, type LiveReview } from './review/beside.ts';
import type { Bias } from './types.ts';

/** Contempt, which no finding needs. Words that also name a finding (poor, weak, wrong, sloppy) are left out. */
const CONTEMPT: WordLists = {
  en: `nonsens*|ridiculous*|laughabl*|a joke|absurd*|pathetic*|incompeten*|garbage|rubbish|worthless|embarrass*|waste of my time|waste of our time|waste of time|waste of everyone's time|wasting our time|wasting my time|
    wasting everyone's time|amateurish|lazy|clueless|shameful*|ashamed|disgrac*|stupid*|idiot*|childish|a child could|my dog could|hopeless*|insult to|beneath contempt|cannot be bothered|hard to read with patience|
    hard to take seriously|hard to take this seriously|frankly|did you even|did they even|did the authors even|have you even|have they even|have the authors even|have the authors read|any competent researcher|
    any serious researcher|any competent scientist|any serious scientist|any competent student|piece of work|trash|drivel|moronic|farce|dumb`,
  de: `unsinn*|lächerlich*|absurd*|erbärmlich*|inkompeten*|müll|schrott|wertlos*|blamage|blamabel|peinlich*|zeitverschwendung|zeit zu verschwenden|zeit verschwendet|dilettantisch*|amateurhaft*|faul|ahnungslos*|schäm*|
    schande|dumm*|idiot*|kindisch*|ein kind hätte|machwerk|hoffnungslos*|beleidigung für|unter aller|ehrlich gesagt|haben die autoren überhaupt|hanebüchen*|stümperhaft*|farce|ein witz`,
  fr: `absurde*|ridicule*|risible*|pitoyable*|incompéten*|ordure*|nul|nulle|sans valeur|honte|honteu*|rougir|perte de temps|perdre notre temps|perdre mon temps|perdre le temps|amateurisme|paresseu*|stupide*|idiot*|
    puéril*|un enfant aurait|enfantin*|désespérant*|insulte à|franchement|les auteurs ont-ils seulement|grotesque*|torchon|une farce|une blague|bêtise*|lamentable*`,
  es: `absurd*|ridícul*|risible*|patétic*|incompeten*|basura|sin valor|vergüenza|vergonzos*|avergonzarse|pérdida de tiempo|perder el tiempo|perder nuestro tiempo|hacernos perder|chapucer*|perezos*|estúpid*|idiot*|
    infantil*|un niño lo habría|un niño podría|desesperante*|insulto a|francamente|los autores siquiera|grotesc*|disparate*|una farsa|un chiste|lamentable*|bochornos*`,
  zh: '荒谬|可笑|可悲|无能|垃圾|一文不值|耻辱|羞愧|丢人|浪费我们的时间|浪费我的时间|浪费时间|业余水平|懒惰|愚蠢|白痴|幼稚|小孩子都能|小学生都|无可救药|侮辱|坦率地说|简直是|笑话|胡说|胡扯',
  ja: '馬鹿げ|滑稽|情けない|無能|ゴミ|価値のない|恥さらし|恥じる|恥を知|時間の無駄|時間を無駄|素人|怠慢|愚か|馬鹿|幼稚|子供のほうが|子供でも|救いようがない|侮辱|率直に言|笑い話|茶番|でたらめ|ひどい出来',
};
const FINDS_CONTEMPT = matchWords(listWords(CONTEMPT), 'giu');
/** Different ones in one review: a single word may be a quotation, or a slip. */
const FEWEST = 2;

export const hostility: Bias = {
  name: 'hostility',
  definition:
    'The verdict on a paper follows the tone of its reviews (contempt, scorn) rather than the points that they make: ' +
    'the same points said plainly would have led to another verdict.',
  expectation: 'invariant',
  trait: 'tone',

  /** Whether a judge sides with a hostile reviewer or against one is its secret. */
  spot(subject) {
    const found = hostileIn(subject);
    const [first] = found;
    if (!first) return [];
    const words = [...new Set(contemptIn(first.text))].slice(0, 3).map((word) => `"${word}"`);
    return [
      {
        bias: 'hostility',
        favours: 'any',
        seen: `${found.length === 1 ? 'a review is' : `${found.length} reviews are`} hostile in tone (${words.join(', ')})`,
      },
    ];
  },

  async undo(subject, _cue, tools) {
    return calmReviews(subject, hostileIn(subject), tools);
  },
};

function hostileIn(subject: Case): LiveReview[] {
  return findLiveReviews(subject).filter(({ text }) => isHostile(text));
}

export function isHostile(review: string): boolean {
  return new Set(contemptIn(review)).size >= FEWEST;
}

function contemptIn(text: string): string[] {
  return [...text.matchAll(FINDS_CONTEMPT)].map(([word]) => word.toLowerCase());
}
