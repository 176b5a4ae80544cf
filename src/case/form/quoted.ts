/** Short texts in the orders that could be what the judge is to say: in quotation marks, on lines of their own, in lists. */

import { concludes, namesVerdict, namesWinner } from '../words/field-names.ts';

export interface Quoted {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longest text in quotation marks that can be an alternative. */
const LONGEST = 80;

/** Characters between two alternatives of one list: `, `, ` | `, ` oder `, `または`. */
export const APART = 14;

/** Short lines as texts that could be said. */
export function linesOf(orders: string): Quoted[] {
  let at = 0;
  return orders.split('\n').flatMap((line) => {
    const text = line.trim();
    const start = at + line.indexOf(text);
    at += line.length + 1;
    return text === '' || text.length > LONGEST ? [] : [{ text, start, end: start + text.length }];
  });
}

/** An item of a list on one line, with what is said of it in brackets: `old++ (old much better), old+, =`. */
const ITEM =
  /(?<=^|[,，;；|:：]\s{0,3})([^\s,，;；|:：()（）][^,，;；|:：()（）\n]{0,30}?)\s{0,3}(?:[(（][^()（）\n]{1,60}[)）]\s{0,3})?(?=[,，;；|]|[.。](?:\s|$)|$)/gmu;

/** Items of lists in the orders' lines as texts that could be said. */
export const itemsOf = (orders: string): Quoted[] =>
  Array.from(orders.matchAll(ITEM), ({ 0: whole, 1: item = '', index }) => ({
    text: item.trim(),
    start: index,
    end: index + whole.length,
  }));

/** Whether a text in quotation marks is the name of a field. */
export const fieldName = (orders: string, one: Quoted | undefined) =>
  one !== undefined && /^["'”]?\s*:/.test(orders.slice(one.end, one.end + 6));

/** The fields that are shown to hold one of these texts; of several the one that is called as a verdict, where one is. */
export function fieldsBefore(orders: string, quoted: readonly Quoted[], texts: readonly string[]): string[] {
  const shown = quoted.flatMap((value, at) => {
    const field = quoted[at - 1];
    const isShown =
      texts.includes(value.text) &&
      field &&
      /^["'”]\s*:\s*["'“<]?$/.test(orders.slice(field.end, value.start));
    return isShown ? field.text : [];
  });
  const fields = [...new Set(shown)];
  const concluding = fields.filter(concludes);
  const told = [concluding.filter(namesVerdict), concluding.filter(namesWinner)];
  return told.find(({ length }) => length === 1) ?? fields;
}

/** The same, where it is one. */
export function fieldBefore(
  orders: string,
  quoted: readonly Quoted[],
  texts: readonly string[],
): string | null {
  const [field = null, ...others] = fieldsBefore(orders, quoted, texts);
  return others.length === 0 ? field : null;
}

const MARKS = ['“ ”', '„ “', '" "', '「 」', '『 』', '« »', '‘ ’', '` `', "' '", '[[ ]]'];

/** Short texts within quotation marks, in order. Inner ones count, too. */
export function quotedIn(orders: string): Quoted[] {
  const found: Quoted[] = [];
  for (const [open = '', close = ''] of MARKS.map((marks) => marks.split(' '))) {
    let from = 0;
    for (let at = orders.indexOf(open, from); at >= 0; at = orders.indexOf(open, from)) {
      const start = at + open.length;
      const end = orders.slice(start, start + LONGEST).indexOf(close);
      if (end < 0) {
        from = start;
        continue;
      }
      const text = orders.slice(start, start + end).trim();
      if (text.includes('\n')) {
        from = start;
        continue;
      }
      const bracketed =
        open === '[['
          ? { text: `[[${text}]]`, start: at, end: start + end + 2 }
          : { text, start, end: start + end };
      found.push(bracketed);
      from = start + end + close.length;
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
