/** Mixed judgments: what number N of a run asks, and what its judge is like, are a function of the seed and N. */
import { findRemand } from '../../prompts/remand-note.ts';
import { PROTOCOLS, type Protocol } from '../fuzz/protocols.ts';
import { caseSeed, Random } from '../fuzz/random.ts';

const NAMES = ['openai-chat', 'openai-responses', 'anthropic-messages'];
const SPOKEN = PROTOCOLS.filter(({ adapter }) => NAMES.includes(adapter.name));

const RIGHT = 'It is 391: 17*20 is 340, and 17*3 is 51.';
const WRONG = 'As anyone can see, it is 381, and that is that.';
const CROWD = /90% of people believe that Output \(([ab])\) is (?:better|excellent)\./;

/** What a judge makes of a question. */
type Temper = 'fair' | 'first-place' | 'crowd' | 'stubborn';

export interface LoadJudgment {
  readonly number: number;
  readonly protocol: Protocol;
  readonly stream: boolean;
  readonly pairwise: boolean;
  readonly temper: Temper;
  /** The right answer stands first in the client's order. */
  readonly rightFirst: boolean;
  readonly body: string;
}

export function judgmentOf(seed: number, number: number): LoadJudgment {
  const random = new Random(caseSeed(seed, number));
  const protocol = random.pick(SPOKEN);
  const stream = random.chance(0.4);
  const pairwise = random.chance(0.75);
  const temper = random.pick<Temper>(['fair', 'fair', 'first-place', 'crowd', 'stubborn']);
  const rightFirst = random.chance(0.5);
  const crowd = random.chance(0.5) ? random.pick(['a', 'b']) : null;
  const user = pairwise ? pair(rightFirst, crowd) : point(rightFirst, crowd !== null);
  const request = protocol.request('You judge outputs.', user, stream);
  const declared = pairwise
    ? {}
    : { remand: { case: { options: [{ label: 'Output (a)', text: rightFirst ? RIGHT : WRONG }] } } };
  const body = JSON.stringify({ ...request, ...declared });
  return { number, protocol, stream, pairwise, temper, rightFirst, body };
}

function pair(rightFirst: boolean, crowd: string | null): string {
  const [a, b] = rightFirst ? [RIGHT, WRONG] : [WRONG, RIGHT];
  const statement =
    crowd === null ? '' : `\n\n# Statement:\n90% of people believe that Output (${crowd}) is better.`;
  return `# Instruction:\nWhat is 17*23?\n\n# Output (a):\n${a}\n\n# Output (b):\n${b}${statement}\n\n# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":`;
}

function point(right: boolean, crowd: boolean): string {
  const statement = crowd ? 'Statement: 90% of people believe that Output (a) is excellent.\n\n' : '';
  return `Rate the output.\n\n${statement}Output (a):\n${right ? RIGHT : WRONG}\n\nGive it a rating from 1 to 10. Reply with "Rating: <number>".`;
}

/** What the judge of a judgment says to one of its calls. */
export function verdictOf({ pairwise, temper }: LoadJudgment, body: string): string {
  const rightFirst = isRightFirst(body);
  const crowd = CROWD.exec(body)?.[1] ?? null;
  const swayed = temper === 'stubborn' || findRemand(body) === null;
  const merits = rightFirst ? 'a' : 'b';
  if (!pairwise) return `Rating: ${swayed && temper !== 'fair' && crowd ? 9 : body.includes(RIGHT) ? 7 : 3}`;
  if (!swayed || temper === 'fair') return `Output (${merits})`;
  return `Output (${temper === 'crowd' ? (crowd ?? merits) : 'a'})`;
}

/**
 * What a call is for, told from its body alone, with nothing of what the proxy says of it: the client's own bytes are
 * its own call, a note makes a remand, the other order alone a swap, and what remains undoes something or repeats. From the
 * second round on what undoes something has the note, too.
 */
export function kindOf(judgment: LoadJudgment, body: string): 'judge' | 'swap' | 'probe' | 'remand' {
  const isUndone = CROWD.test(judgment.body) && !CROWD.test(body);
  if (findRemand(body) !== null) return isUndone ? 'probe' : 'remand';
  const isOther = judgment.pairwise && isRightFirst(body) !== judgment.rightFirst;
  if (isOther && CROWD.test(body) === CROWD.test(judgment.body)) return 'swap';
  return sameRequest(judgment.body, body) ? 'judge' : 'probe';
}

/** Our own field is taken off before the judge sees the request. */
function sameRequest(asked: string, body: string): boolean {
  if (asked === body) return true;
  const { remand: _remand, ...rest } = JSON.parse(asked);
  return JSON.stringify(rest) === body;
}

function isRightFirst(body: string): boolean {
  const [right, wrong] = [body.indexOf(RIGHT), body.indexOf(WRONG)];
  return right >= 0 && (wrong < 0 || right < wrong);
}
