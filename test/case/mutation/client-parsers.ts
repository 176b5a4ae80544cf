/** How public judge clients take the verdict from a reply, written down from what each of them does. */

/** An option's index, a tie, a score, several scores as `9,6`, a pass, a category; null where the client finds nothing. */
export type Decision =
  | number
  | 'tie'
  | `score ${number}`
  | `scores ${string}`
  | `lists ${string}`
  | 'pass'
  | 'fail'
  | `is ${string}`
  | null;
export type Parser = (reply: string) => Decision;

/** `"[[A]]" in reply`, else `"[[B]]" in reply`, else the tie. */
export const fastChat: Parser = (reply) =>
  reply.includes('[[A]]') ? 0 : reply.includes('[[B]]') ? 1 : reply.includes('[[C]]') ? 'tie' : null;

/** The first number in double brackets or, where there is none, in single ones. */
export const firstRating: Parser = (reply) => {
  const score = (/\[\[(\d+\.?\d*)\]\]/.exec(reply) ?? /\[(\d+\.?\d*)\]/.exec(reply))?.[1];
  return score === undefined ? null : `score ${Number(score)}`;
};

/** LangChain in Python: the first label in double brackets. */
export const firstBracketed: Parser = (reply) => {
  const label = /\[\[([^[\]]*)\]\]/.exec(reply)?.[1];
  return label === 'A' ? 0 : label === 'B' ? 1 : label === 'C' ? 'tie' : null;
};

export const onlyBracketed: Parser = (reply) => {
  const labels = new Set([...reply.matchAll(/\[\[(\w+)\]\]/g)].map(([, label]) => label));
  const [only] = labels;
  return labels.size === 1 && (only === '1' || only === '2') ? Number(only) - 1 : null;
};

const GRADES = new Map<string, Decision>([
  ['A>>B', 0],
  ['A>B', 0],
  ['A=B', 'tie'],
  ['B=A', 'tie'],
  ['B>A', 1],
  ['B>>A', 1],
  ['A<B', 1],
  ['A<<B', 1],
  ['B<A', 0],
  ['B<<A', 0],
]);
const gradesIn = (reply: string) => [...reply.matchAll(/\[\[([AB<>=]+)\]\]/g)].map(([, label = '']) => label);

export const lastGraded: Parser = (reply) => GRADES.get(gradesIn(reply).at(-1) ?? '') ?? null;

export const onlyGraded: Parser = (reply) => {
  const [only = '', ...more] = new Set(gradesIn(reply));
  return more.length > 0 ? null : (GRADES.get(only) ?? null);
};

/** LLMBar and the clients that compare the whole reply: a label with a line to itself, (a) tried first. */
export const outputOnLine: Parser = (reply) =>
  /^\s*Output \(a\)\s*$/m.test(reply) ? 0 : /^\s*Output \(b\)\s*$/m.test(reply) ? 1 : null;

export const resultAtEnd: Parser = (reply) => {
  const label = /\[RESULT\]\s*([AB])\s*$/.exec(reply)?.[1];
  return label === undefined ? null : label === 'A' ? 0 : 1;
};

export const numberAtEnd: Parser = (reply) => {
  const score = /\[RESULT\]\s*(\d+)\s*$/.exec(reply)?.[1];
  return score === undefined ? null : `score ${Number(score)}`;
};

function fieldOf(reply: string, field: string): unknown {
  try {
    const value: unknown = JSON.parse(reply);
    return value !== null && typeof value === 'object' && Object.hasOwn(value, field)
      ? (value as Record<string, unknown>)[field]
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A JSON object, nothing around it, whose field is one of the values, letter case included. */
export function exactField(field: string, values: readonly string[], tie?: string): Parser {
  return (reply) => {
    const value = fieldOf(reply, field);
    if (tie !== undefined && value === tie) return 'tie';
    const index = values.indexOf(String(value));
    if (index < 0) return null;
    return values.length === 5 ? `is ${values[index]}` : index;
  };
}

export const booleanField =
  (field: string): Parser =>
  (reply) => {
    const value = fieldOf(reply, field);
    return typeof value === 'boolean' ? (value ? 'pass' : 'fail') : null;
  };

export const firstInteger =
  (options: number): Parser =>
  (reply) => {
    const number = Number(/\d+/.exec(reply)?.[0] ?? Number.NaN);
    return number < options ? number : null;
  };

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** openai/evals: line by line, punctuation taken out, the first that starts or ends with a choice, tried in order. */
export function choiceByLine(
  choices: readonly string[],
  direction: 'from the start' | 'from the end',
): Parser {
  return (reply) => {
    const lines = reply.trim().split('\n');
    if (direction === 'from the end') lines.reverse();
    for (const line of lines) {
      const words = line.trim().replace(ASCII_PUNCTUATION, '');
      if (words === '') continue;
      const index = choices.findIndex((choice) => words.startsWith(choice) || words.endsWith(choice));
      if (index >= 0) return index;
    }
    return null;
  };
}

export const exactly =
  (labels: readonly string[]): Parser =>
  (reply) => {
    const index = labels.indexOf(reply.trim());
    return index < 0 ? null : index;
  };

/** The first line, and two numbers on it. */
export const twoNumbers: Parser = (reply) => {
  const words = (reply.trim().split('\n')[0] ?? '').replaceAll(',', ' ').trim().split(/\s+/);
  const numbers = words.map((word) => (/^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : Number.NaN));
  return numbers.length === 2 && numbers.every(Number.isFinite) ? `scores ${numbers.join()}` : null;
};

/** inspect_ai: the letter behind the last `GRADE:`. */
export const lastGrade: Parser = (reply) => {
  const letter = [...reply.matchAll(/GRADE\s*:\s*([CPI])/gi)].at(-1)?.[1]?.toUpperCase();
  return letter === 'C' ? 'pass' : letter === 'I' ? 'fail' : null;
};
