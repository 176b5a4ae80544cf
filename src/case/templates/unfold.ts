/**
 * Texts of one template that are not in every request, or not once: a section that may be left out, an item for each option.
 *
 * `{{#maybe reference}}…{{#end}}` stands there or not; parts of the same name go together. `{{#each}}…{{#and}}…{{#end}}`
 * stands two to ten times, with what follows `{{#and}}` in between; in there `{{#1}}`, `{{#0}}`, `{{#A}}` and `{{#a}}` count.
 * A text with these is written out as the plain templates that it stands for.
 */

import { readTemplate, type Template, type TemplateFile } from './template.ts';

const MOST = 10;

/** @throws Error that names the text where a slot is none */
export function readTemplates({ parts, ...rest }: TemplateFile): Template[] {
  return unfold(parts.map(({ text }) => text)).map((texts) =>
    readTemplate({ ...rest, parts: parts.map(({ role }, n) => ({ role, text: texts[n] ?? '' })) }),
  );
}

/** @example unfold(['{{#each}}{{#A}}: {{option {{#A}}}}{{#and}}\n{{#end}}']) // 'A: {{option A}}\nB: {{option B}}', … */
export function unfold(texts: readonly string[]): string[][] {
  const whole = texts.join('');
  const counts = whole.includes('{{#each}}') ? Array.from({ length: MOST - 1 }, (_, n) => MOST - n) : [1];
  const names = [...new Set(Array.from(whole.matchAll(/\{\{#maybe (\w+)\}\}/g), ([, name = '']) => name))];
  const choices = names.reduce<readonly (readonly string[])[]>(
    (chosen, name) => chosen.flatMap((kept) => [[...kept, name], kept]),
    [[]],
  );
  return choices.flatMap((kept) =>
    counts.map((count) => texts.map((text) => repeat(leaveOut(text, kept), count))),
  );
}

/** A text with a slot where the ways to write it out differ. */
export const inEveryWay = (text: string): string =>
  ['maybe', 'each'].reduce((written, name) => putBlocks(written, name, () => '{{*}}'), text);

/** Every `{{#name …}}inner{{#end}}` of a text, put as the function says. */
function putBlocks(text: string, name: string, put: (head: string, inner: string) => string): string {
  const [first = '', ...blocks] = text.split(`{{#${name}`);
  return blocks.reduce((written, block) => {
    const opened = block.indexOf('}}');
    const end = block.indexOf('{{#end}}');
    if (opened < 0 || end < opened) throw new Error(`{{#${name}… has no {{#end}}`);
    return written + put(block.slice(0, opened).trim(), block.slice(opened + 2, end)) + block.slice(end + 8);
  }, first);
}

const leaveOut = (text: string, kept: readonly string[]) =>
  putBlocks(text, 'maybe', (name, inner) => (kept.includes(name) ? inner : ''));

const repeat = (text: string, count: number) =>
  putBlocks(text, 'each', (_, inner) => {
    const [item = '', between = ''] = inner.split('{{#and}}');
    return Array.from({ length: count }, (_, n) => numbered(item, n)).join(between);
  });

const numbered = (item: string, n: number) =>
  item.replace(/\{\{#([01Aa])\}\}/g, (_, first: string) =>
    /\d/.test(first) ? `${Number(first) + n}` : String.fromCharCode(first.charCodeAt(0) + n),
  );
