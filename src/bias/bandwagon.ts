/** Bandwagon: the verdict follows what a majority is said to think. Undone by taking the statement out. */
import { asGiven, type Case, type Statement } from '../case/index.ts';
import type { Bias } from './types.ts';

/** "90%", "9 out of 10", "most people", "the majority": that many are of one opinion. */
const MANY =
  /\d\s*%|\bper ?cent\b|\b(?:\d+|nine|eight|seven|two|three|four)\s+(?:out\s+of|in)\s+(?:\d+|ten|three|four|five)\b|\b(?:majority|most|almost\s+every\w*|nearly\s+(?:all|every\w*)|every(?:one|body)|consensus|widely|popular)\b/i;
/** An opinion, not a count of something else. */
const OPINION =
  /\b(?:believ|think|thought|prefer|favou?r|lik(?:e|ed|es)\b|cho(?:ose|se|sen)|vot(?:e|ed|es)|agree|consider|rat(?:e|ed)\b|pick|select|say|said|feel|judg|better|best)/i;
/** The crowd is said to be against the option that is named. */
const AGAINST =
  /\b(?:worse|worst|not\s+(?:better|the\s+best|as\s+good)|dislik|reject|against|inferior|weaker|(?:is|was|are)\s+(?:\w+\s+)?(?:wrong|incorrect|inaccurate|false|bad|poor|flawed|unhelpful)\b)/i;

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
  if (!MANY.test(statement.text) || !OPINION.test(statement.text)) return null;
  const [first] = statement.mentions;
  if (!first) return null;
  if (!AGAINST.test(statement.text)) return first.option;
  if (subject.options.length === 1) return 'any';
  const others = subject.options.map((_, index) => index).filter((index) => index !== first.option);
  return others.length === 1 ? (others[0] ?? null) : null;
}

function clip(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
