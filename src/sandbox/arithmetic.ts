/** True quality for the sandbox: sums that can be checked. "What is 17*23?" has one right answer. */
import { finalNumber } from '../case/index.ts';

/** Longer ones are no question that a newcomer types; the bound also bounds the recursion. */
const LONGEST = 200;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\btimes\b|\bmultiplied by\b|[×·]|(?<=[\d)]\s{0,9})x(?=\s{0,9}[\d(])/gi, '*'],
  [/\bdivided by\b|[÷]/gi, '/'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/[−–]/g, '-'],
  // Thousands separators.
  [/(?<=\d),(?=\d{3}(?!\d))/g, ''],
];

const EXPRESSION = /-?[\d(][\d\s.+\-*/^()]{0,200}[\d)]/g;
/** Whatever else is said, the numbers are part of a story, and the sum is not the question. */
const ASKING =
  /^(?:what|what['’]?s|is|are|the|a|an|value|result|of|calculate|compute|evaluate|solve|find|how|much|please|work|out|equals?|to|answer|question|expression|following|simplify|can|you|tell|me)$/i;

/** The value of the one arithmetic expression that a text asks for; null where it asks for none. */
export function computeArithmetic(text: string): number | null {
  if (text.length > LONGEST) return null;
  const plain = WORDS.reduce((rest, [word, sign]) => rest.replace(word, sign), text);
  const said = plain.replace(EXPRESSION, ' ').match(/[\p{L}'’]+/gu) ?? [];
  if (said.some((word) => !ASKING.test(word))) return null;
  const expressions = plain.match(EXPRESSION) ?? [];
  const [expression] = expressions;
  if (expression === undefined || expressions.length > 1) return null;
  return /[\d)]\s*[-+*/^]\s*[\d(-]/.test(expression) ? evaluate(expression) : null;
}

/** Whether an answer ends in the right number, rounded as it is; null where it ends in none. */
export function isRight(expected: number, answer: string): boolean | null {
  const said = finalNumber(answer);
  if (said === null) return null;
  const decimals = said.split('.')[1]?.length ?? 0;
  const tolerance = decimals > 0 ? 0.5 * 10 ** -decimals : 0;
  return Math.abs(Number(said) - expected) <= tolerance + Math.abs(expected) * Number.EPSILON;
}

/** Precedence climbing over + - * / ^ and parentheses; null where the text is no expression. */
function evaluate(expression: string): number | null {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/^()]/g) ?? [];
  let at = 0;

  const operand = (): number => {
    const token = tokens[at++];
    // Weaker than ^: -2^2 is -(2^2).
    if (token === '-') return -operation(3);
    if (token !== '(') return Number(token ?? Number.NaN);
    const inner = operation(0);
    return tokens[at++] === ')' ? inner : Number.NaN;
  };
  const operation = (least: number): number => {
    let left = operand();
    for (;;) {
      const operator = tokens[at];
      const strength = operator === undefined ? undefined : STRENGTH.get(operator);
      if (operator === undefined || strength === undefined || strength < least) return left;
      at++;
      // ^ binds to the right: 2^3^2 is 2^9.
      const right = operation(operator === '^' ? strength : strength + 1);
      left = apply(left, operator, right);
    }
  };

  const value = operation(1);
  return at === tokens.length && Number.isFinite(value) ? value : null;
}

const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
  ['^', 3],
]);

function apply(left: number, operator: string, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return operator === '/' ? left / right : left ** right;
}
