/**
 * Texts between rules, each behind its letter: `A: … ************ B: … ************` (autoevals' and openai/evals'
 * Summary). A rule inside a text would end it early, so there may be no more rules than delimiters.
 */
import { linesIn, type Range, trimmed } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import { bodies } from './bodies.ts';
import type { Finding, Layout, Page } from './layout.ts';
import { countUp } from './titles.ts';

const RULE = /^(?:\*{3,60}|-{3,60}|={3,60})$/;
/** How every rule begins. */
const RULES = ['***', '---', '==='];
const LETTER = /^([A-H]):(?=\s|$)/;
const ASKED = /^\[(?:text|task|question|input|prompt)\]:/i;

export const ruledLetters: Layout = {
  name: 'ruled-letters',
  find: (pages) => pages.flatMap(findOn),
};

interface Block extends Range {
  readonly key: string | null;
}

function findOn(page: Page): Finding[] {
  if (!RULES.some((rule) => page.text.includes(rule))) return [];
  const rules = linesIn(page.text, page).filter(
    ({ start, end }) => end - start <= 62 && RULE.test(page.text.slice(start, end).trim()),
  );
  const words = ({ start, end }: Range) => page.text.slice(start, end).trim();
  const blocks = rules.slice(0, -1).map((rule, i): Block => {
    const inner = trimmed(page.text, { start: rule.end, end: rules[i + 1]?.start ?? page.end });
    return { ...inner, key: LETTER.exec(page.text.slice(inner.start, inner.start + 3))?.[1] ?? null };
  });
  const first = blocks.findIndex(({ key }) => key !== null);
  if (blocks.filter(({ key }) => key !== null).length < 2) return [];
  const lettered = blocks.slice(first);
  const part = page.part;
  const marks = lettered.map(({ start }) => ({ part, start, end: start + 2 }));
  const regions = lettered.map(({ start }, i): Span => {
    const rule = rules[first + i + 1];
    return { part, start: start + 2, end: rule?.start ?? page.end };
  });
  const sound =
    countUp(lettered.map(({ key }) => key ?? '')) && new Set(rules.map((rule) => words(rule))).size === 1;
  const found = sound ? bodies([page], regions) : null;
  const before = blocks[first - 1];
  const label = before && ASKED.exec(words(before))?.[0].length;
  const asked = before && label ? trimmed(page.text, { start: before.start + label, end: before.end }) : null;
  return [
    {
      layout: 'ruled-letters',
      single: false,
      noun: 'text',
      usual: null,
      evident: false,
      marks,
      options: found
        ? lettered.flatMap(({ key }, i) => {
            const at = found[i];
            return at && key !== null ? [{ label: key, at }] : [];
          })
        : [],
      instruction: asked ? { part, ...asked } : null,
      labelled: asked !== null,
      style: 'ruled letter',
      closed: found ? regions : [],
      after: { part, offset: regions.at(-1)?.end ?? page.end },
    },
  ];
}
