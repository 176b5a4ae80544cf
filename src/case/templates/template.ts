/**
 * A template: the literal text that a pipeline sends again and again, with slots for what changes.
 *
 * It is written as one small JSON file that a person can read and edit. In the texts a slot stands as `{{instruction}}`,
 * `{{option A}}` or `{{option A | json}}`; two braces that are meant as such are written `\{{`,
 * and of three the last two begin a slot.
 */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import { type VerdictFile, verdictFileSchema } from '../verdicts/index.ts';

/**
 * What a slot holds. `context` could sway a judge or inform it; `schema` is the JSON schema of the reply; `note`
 * holds nothing: a note to the judge goes there; `*` varies and means nothing (an id, a date); `?` is not
 * known yet.
 */
export const SLOT_ROLES = [
  'instruction',
  'option',
  'reference',
  'rubric',
  'context',
  'schema',
  'note',
  '*',
  '?',
] as const;
export type SlotRole = (typeof SLOT_ROLES)[number];

/** How a value stands in the text: as it is, in a JSON string, as a value of JSON, or with its further lines indented. */
export const SLOT_ENCODINGS = ['plain', 'json', 'value', 'indented'] as const;
export type SlotEncoding = (typeof SLOT_ENCODINGS)[number];

export interface Slot {
  readonly role: SlotRole;
  /** Of an option: how the prompt names it (`Answer A`). Empty where one answer is judged. */
  readonly label: string;
  readonly encoding: SlotEncoding;
}

/** One text part of the request. */
export interface TemplatePart {
  /** The role of the message: `system`, `user`, `assistant`. */
  readonly role: string;
  /** What stands before, between and behind the slots: one more than there are slots. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
}

export interface Template {
  readonly name: string;
  readonly parts: readonly TemplatePart[];
  /** Whether other requests have more options than the parts: their names go on in the same row. */
  readonly more?: true;
  /** How the verdict is given, where the texts do not tell. */
  readonly verdict?: VerdictFile;
}

export const templateFileSchema = strictFields({
  name: z.string().min(1),
  parts: z.array(strictFields({ role: z.string().min(1), text: z.string() })).min(1),
  more: z.literal(true).exactOptional(),
  verdict: verdictFileSchema.exactOptional(),
});

/** What a template is written as in a file. */
export type TemplateFile = z.infer<typeof templateFileSchema>;

/**
 * @throws Error that names the field where the file is no template
 *
 * @example parseTemplate({ name: 'pair', parts: [{ role: 'user', text: 'A: {{option A}}\nB: {{option B}}' }] })
 */
export const parseTemplate = (json: unknown): Template => readTemplate(templateFileSchema.parse(json));

/** @throws Error that names the text where a slot is none */
export function readTemplate({ name, parts, more, verdict }: TemplateFile): Template {
  return {
    name,
    parts: parts.map(({ role, text }, n) => parsePart(role, text, `parts.${n}.text`)),
    ...(more && { more }),
    ...(verdict && { verdict }),
  };
}

export function printTemplate({ name, parts, more, verdict }: Template): TemplateFile {
  return {
    name,
    parts: parts.map(({ role, literals, slots }) => ({
      role,
      text: literals
        .map((literal, n) => {
          if (n >= slots.length) return printLiteral(literal);
          const printed = printLiteral(beforeBraces(literal));
          return printed + '\\'.repeat(slashesBefore(printed)) + printSlot(slots[n]);
        })
        .join(''),
    })),
    ...(more && { more }),
    ...(verdict && { verdict }),
  };
}

/**
 * A template as it stands in a file.
 *
 * @returns null where the file would not be read back as this template: a label, say, that holds `}}`
 */
export function templateFile(template: Template): TemplateFile | null {
  const file = printTemplate(template);
  try {
    return JSON.stringify(parseTemplate(file).parts) === JSON.stringify(template.parts) ? file : null;
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Backslashes in front of two braces are doubled, and one more says that the braces are meant as such. */
function printLiteral(literal: string): string {
  const [first = '', ...rest] = literal.split('{{');
  let printed = first;
  for (const piece of rest) {
    printed += `${'\\'.repeat(slashesBefore(printed))}\\{{${piece}`;
  }
  return printed;
}

/** A brace at the end has those of the slot behind it: backslashes in front of it would say that two are meant as such. */
function beforeBraces(literal: string): string {
  const rest = literal.slice(0, -1);
  return literal.endsWith('{') ? `${rest}${'\\'.repeat(slashesBefore(rest))}{` : literal;
}

function slashesBefore(text: string): number {
  let count = 0;
  while (text.charAt(text.length - 1 - count) === '\\') count++;
  return count;
}

function printSlot(slot: Slot | undefined): string {
  const { role = '?', label = '', encoding = 'plain' } = slot ?? {};
  return `{{${role}${label && ` ${label}`}${encoding === 'plain' ? '' : ` | ${encoding}`}}}`;
}

/** Two braces behind backslashes, or two that begin a slot: of three in a row the last two do. */
const BRACES = /(?<!\\)(\\+)\{\{|\{\{(?!\{)/g;

function parsePart(role: string, text: string, field: string): TemplatePart {
  const literals: string[] = [];
  const slots: Slot[] = [];
  const braces = new RegExp(BRACES);
  /** Pieces of the literal: joined at once, for V8 holds a string that grew letter by letter as a node a letter. */
  let pieces: string[] = [];
  let at = 0;
  for (let found = braces.exec(text); found; found = braces.exec(text)) {
    const [, slashes = ''] = found;
    pieces.push(text.slice(at, found.index), '\\'.repeat(slashes.length >> 1));
    at = found.index + slashes.length;
    if (slashes.length % 2 === 1) {
      pieces.push('{{');
      at += 2;
    } else if (slashes === '') {
      const end = text.indexOf('}}', at);
      if (end < 0) throw new Error(`${field}: a slot begins at ${at} and has no end`);
      slots.push(parseSlot(text.slice(at + 2, end), field));
      literals.push(pieces.join(''));
      pieces = [];
      at = end + 2;
    }
    braces.lastIndex = at;
  }
  literals.push([...pieces, text.slice(at)].join(''));
  if (literals.slice(1, -1).includes(''))
    throw new Error(`${field}: two slots stand side by side with nothing between them`);
  return { role, literals, slots };
}

function parseSlot(text: string, field: string): Slot {
  const [named = '', encoded = 'plain'] = text.split('|').map((piece) => piece.trim());
  const [word = '', ...rest] = named.split(' ');
  const role = SLOT_ROLES.find((one) => one === word);
  const encoding = SLOT_ENCODINGS.find((one) => one === encoded);
  if (!role) throw new Error(`${field}: {{${text}}} is no slot; there are ${SLOT_ROLES.join(', ')}`);
  if (!encoding)
    throw new Error(`${field}: {{${text}}}: there are the encodings ${SLOT_ENCODINGS.join(', ')}`);
  return { role, label: rest.join(' '), encoding };
}
