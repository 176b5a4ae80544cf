/**
 * The names of the speakers inside a conversation of several turns, as FastChat's multi-turn prompts set it:
 * `### User: … ### Assistant A: …` between `<|The Start of Assistant A's Conversation with User|>` and its end.
 * The name belongs to the place; what is said goes with the option.
 */
import { linesIn } from '../reading/lines.ts';
import type { Span } from '../types.ts';

/** Nobody's conversation has more turns. */
const MOST = 200;

/**
 * @param bodies the conversations, in order
 * @param labels whose they are: `Assistant A`, `Assistant B`
 * @returns for each what is exchanged: all but its speaker's name; null where the names do not match up
 */
export function withoutSpeakers(
  textOf: (part: number) => string,
  bodies: readonly Span[],
  labels: readonly string[],
): Span[][] | null {
  const named = bodies.map((body) => namesIn(textOf(body.part), body, labels));
  const turns = named[0]?.length ?? 0;
  const sound = named.every(
    (names, option) => names.length === turns && names.every((name) => name.option === option),
  );
  if (!sound || turns > MOST) return null;
  return bodies.map((body, option) => {
    const names = named[option] ?? [];
    const starts = [body.start, ...names.map(({ end }) => end)];
    const ends = [...names.map(({ start }) => start), body.end];
    return starts.map((start, i) => ({ part: body.part, start, end: ends[i] ?? body.end }));
  });
}

interface Name {
  readonly option: number;
  readonly start: number;
  readonly end: number;
}

/** Every label that opens a line as a speaker's name: `### Assistant A:`, `**Assistant A**`. */
function namesIn(text: string, body: Span, labels: readonly string[]): Name[] {
  const speaker = new RegExp(
    `^([#*\\s[]{0,8})(${labels.map(RegExp.escape).join('|')})(?=[\\]*\\s]{0,4}(?::|$))`,
    'iu',
  );
  return linesIn(text, body).flatMap(({ start, end }) => {
    const [whole, lead = '', label = ''] = speaker.exec(text.slice(start, Math.min(end, start + 120))) ?? [];
    if (whole === undefined) return [];
    const option = labels.findIndex((one) => one.toLowerCase() === label.toLowerCase());
    return [{ option, start: start + lead.length, end: start + lead.length + label.length }];
  });
}
