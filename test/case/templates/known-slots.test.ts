/** The templates that are shipped, each of them filled with answers that are hard to tell from what stands around them. */

import { expect, test } from 'vitest';
import { recogniseCase } from '../../../src/case/recognise.ts';
import { KNOWN, type Known } from '../../../src/case/templates/known.ts';
import type { Prompt } from '../../../src/case/types.ts';

const ORDERS = 'Judge it. Reply with the JSON {"verdict": "yes" or "no", "score": a number from 1 to 5}.';
const TEXTS: Readonly<Record<string, string>> = {
  instruction: 'Who wrote Faust?',
  reference: 'Goethe did.',
  context: 'Faust is a play.',
  rubric: 'Is it right?',
  schema: '{}',
  note: '',
  '*': ORDERS,
};
const ANSWERS = ['Goethe wrote it.', 'Goethe wrote it.\n\n- in 1808\n- in two parts', 'He said: "never".'];

/** A template with its slots filled, and what stands for each option. */
function filled({ template }: Known, answer: string): { prompt: Prompt; options: string[] } {
  const options = new Map<string, string>();
  const fill = (role: string, label: string): string => {
    if (role !== 'option') return TEXTS[role] ?? '';
    const said = options.get(label) ?? (options.size === 0 ? answer : `${answer} ${options.size}`);
    options.set(label, said);
    return said;
  };
  const parts = template.parts.map(({ role, literals, slots }) => ({
    role,
    text: literals
      .map((literal, n) => {
        const slot = slots[n];
        if (!slot) return literal;
        const text = fill(slot.role, slot.label);
        if (slot.encoding === 'json') return literal + JSON.stringify(text).slice(1, -1);
        return literal + (slot.encoding === 'value' ? JSON.stringify([text]) : text);
      })
      .join(''),
  }));
  return { prompt: { parts }, options: [...options.values()] };
}

test.each(ANSWERS)('no shipped template reads anything but what stands in its slots: %j', (answer) => {
  const wrong = KNOWN.flatMap(({ written }) => written()).filter((known) => {
    const { prompt, options } = filled(known, answer);
    const { subject } = recogniseCase(prompt);
    const said = subject?.options.map(({ text }) => text);
    // Turns of one option are read as one text.
    const turns = known.template.parts.flatMap(({ slots }) => slots.filter(({ role }) => role === 'option'));
    const isRead = (text: string, n: number) => {
      const own = options[n] ?? '';
      if (turns.length > options.length) return text.includes(own);
      return [own, `["${own}"]`, JSON.stringify([own])].includes(text);
    };
    return said !== undefined && !said.every(isRead);
  });
  expect(wrong.map(({ name, template }) => [name, template.parts.at(-1)?.literals])).toEqual([]);
});
