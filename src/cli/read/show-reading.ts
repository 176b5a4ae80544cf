/** A reading in words: the text with its slots set off, and what was found in it. */

import { describeForm, type PromptPart } from '../../case/index.ts';
import { escapeControls } from '../../records/index.ts';
import type { Style, StyledText } from '../terminal.ts';
import type { ReadSlot, RequestReading, Summary } from './readings.ts';

/** Options take turns. */
const OPTION_STYLES: readonly Style[] = ['green', 'yellow', 'magenta', 'blueBright'];
const STYLES: Readonly<Record<Exclude<ReadSlot['role'], 'option'>, Style>> = {
  instruction: 'cyan',
  reference: 'blue',
  rubric: 'blue',
  context: 'gray',
  schema: 'dim',
  note: 'dim',
  '*': 'dim',
  '?': 'red',
};

/** What a slot begins and ends with where there are no colours. A text's own are escaped. */
const [OPENS, CLOSES] = ['⟦', '⟧'];
const MARKS = new RegExp(`[${OPENS}${CLOSES}]`, 'g');
const escapedMark = (mark: string) => `\\u${mark.charCodeAt(0).toString(16)}`;

/** @param styled whether colours are shown; where they are not, slots are marked */
export function showReading(reading: RequestReading, styled: boolean): StyledText[] {
  const { given, subject, slots, template, security, advice } = reading;
  const row = (name: string, text: string): StyledText[] => [
    { text: `  ${name.padEnd(9)}`, style: 'dim' },
    { text: `${oneLine(text)}\n` },
  ];
  const rows = [
    ...row('read by', readByInWords(reading)),
    ...(template === null || subject ? [] : row('template', template)),
    ...(subject ? optionsRow(reading, row) : []),
    ...(subject
      ? row(
          'verdict',
          describeForm(
            subject.form,
            subject.options.map(({ label }) => label),
          ),
        )
      : []),
    ...security.flatMap(({ seen }) => row('notice', seen)),
    ...(advice ? row('why', advice) : []),
  ];
  const parts = given.request.prompt.parts.flatMap((part, n) =>
    showPart(
      part,
      slots.filter(({ at }) => at.part === n),
      optionStyles(slots),
      styled,
    ),
  );
  return [
    { text: oneLine(given.place), style: 'bold' },
    { text: `  ${given.protocol}  ` },
    subject ? { text: 'read\n', style: 'green' } : { text: `left alone: ${reading.reason}\n`, style: 'red' },
    ...rows,
    ...parts,
    { text: '\n' },
  ];
}

function readByInWords({ by, template, open, subject }: RequestReading): string {
  const learning = open === null ? '' : ` The template ${template} does not decide yet: ${open}.`;
  switch (by) {
    case 'declared':
      return 'what the request itself declares (remand.case)';
    case 'operator':
      return `the template ${template} of REMAND_TEMPLATES`;
    case 'learned':
      return `the template ${template}, learned from these requests`;
    case 'known':
      return `the template ${template} of a known client`;
    case 'guess':
      return `a first guess (${subject?.layout ?? ''}), as no template decides.${learning}`;
    case null:
      return 'nothing';
  }
}

function optionsRow(
  { subject }: RequestReading,
  row: (name: string, text: string) => StyledText[],
): StyledText[] {
  const options = subject?.options ?? [];
  return options.length > 1
    ? row('options', options.map(({ label }) => label).join(', '))
    : row('judged', options[0]?.label ?? '');
}

/** The style of each option by its label. */
function optionStyles(slots: readonly ReadSlot[]): ReadonlyMap<string, Style> {
  const labels = new Set(slots.flatMap(({ role, label }) => (role === 'option' ? [label] : [])));
  return new Map([...labels].map((label, n) => [label, OPTION_STYLES[n % OPTION_STYLES.length] ?? 'green']));
}

function showPart(
  { role, text }: PromptPart,
  slots: readonly ReadSlot[],
  options: ReadonlyMap<string, Style>,
  styled: boolean,
): StyledText[] {
  const asText = (from: number, to?: number) => {
    const said = text.slice(from, to);
    return styled ? said : said.replace(MARKS, escapedMark);
  };
  const pieces: StyledText[] = [{ text: `── ${oneLine(role)} ──\n`, style: 'dim' }];
  let from = 0;
  for (const slot of slots) {
    const name = oneLine(slot.label === '' ? slot.role : `${slot.role} ${slot.label}`);
    const style = slot.role === 'option' ? (options.get(slot.label) ?? 'green') : STYLES[slot.role];
    const said = asText(slot.at.start, slot.at.end);
    pieces.push({ text: asText(from, slot.at.start) });
    if (styled)
      pieces.push({ text: ` ${name} `, style: [style, 'inverse'].flat() as Style }, { text: said, style });
    else
      pieces.push({ text: `${OPENS}${name.replace(MARKS, escapedMark)}${CLOSES}${said}${OPENS}/${CLOSES}` });
    from = slot.at.end;
  }
  pieces.push({ text: `${asText(from)}\n` });
  return pieces;
}

const oneLine = (text: string) => escapeControls(text).replace(/\s+/g, ' ');

/** @param share of 1 */
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export function showSummary({ requests, read, ambiguous, pipelines }: Summary): StyledText[] {
  const total: StyledText[] = [
    { text: 'Summary', style: 'bold' },
    {
      text: `: ${requests} requests, ${read} read (${percent(read / requests)}), ${requests - read} left alone, ${ambiguous} of them ambiguous\n`,
    },
  ];
  const rows = pipelines.map(
    (one): StyledText => ({
      text: `  ${one.read}/${one.requests} read, ${one.ambiguous} ambiguous: ${one.name}${one.open === null ? '' : ` (does not decide yet: ${one.open})`}\n`,
    }),
  );
  return [...total, ...rows];
}
