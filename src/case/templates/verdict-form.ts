/** The verdict's form as a template says it: in its file, and in what a model said of it. */
import * as z from 'zod';
import type { VerdictForm } from '../types.ts';

/** Longest text that frames a label, and longest label. */
const LONGEST = 80;

const words = z.string().min(1).max(LONGEST);
const label = z.string().max(LONGEST);
const field = words.exactOptional();
const framed = words
  .refine((text) => text.split('{}').length === 2, { error: 'must hold {} once, where the label stands' })
  .exactOptional();
const labels = z
  .array(label.min(1))
  .min(2)
  .max(32)
  .refine((all) => new Set(all).size === all.length, { error: 'must be different texts' });
const scale = { min: z.number().exactOptional(), max: z.number().exactOptional() };

/**
 * How a verdict stands in a reply. `field` is the JSON field that holds it, absent where it stands in plain text, and
 * `template` the text around the label, with `{}` for the label itself.
 */
export const VerdictFile = z.discriminatedUnion('kind', [
  /** `labels`: what stands for each option, in the order of the options. */
  z.strictObject({
    kind: z.literal('choice'),
    labels: labels.exactOptional(),
    template: framed,
    tie: words.exactOptional(),
    field,
  }),
  z.strictObject({ kind: z.literal('score'), ...scale, template: framed, field }),
  /** `labels`: the good value, then the bad one. `good`: which side of a boolean or of a number is the good one. */
  z.strictObject({
    kind: z.literal('pass'),
    labels: labels.length(2).exactOptional(),
    template: framed,
    good: z.boolean().exactOptional(),
    field,
  }),
  z.strictObject({ kind: z.literal('category'), labels, template: framed, field }),
  /** A score for each option; `fields` in the order of the options. */
  z.strictObject({ kind: z.literal('scores'), ...scale, fields: z.array(words).min(2).max(32) }),
  z.strictObject({ kind: z.literal('ranking'), labels, field }),
  z.strictObject({ kind: z.literal('list'), field: words, item: words }),
]);
export type VerdictFile = z.infer<typeof VerdictFile>;

/** @example verdictFormOf({ kind: 'choice', labels: ['1', '2'], template: '<verdict>{}</verdict>' }) */
export function verdictFormOf(file: VerdictFile): VerdictForm {
  switch (file.kind) {
    case 'choice': {
      const { labels: told, template = '{}', tie = null, field: name = null } = file;
      // In words of its own a label is read as it is written and not in prose.
      const write = told
        ? { template, labels: told, ...(template !== '{}' && { rule: 'unique' as const }) }
        : null;
      return { kind: 'choice', write, tie, field: name };
    }
    case 'score': {
      const { min = null, max = null, template = null, field: name = null } = file;
      return { kind: 'score', min, max, template, field: name };
    }
    case 'pass': {
      const { labels: told, template = '{}', good = true, field: name = null } = file;
      return {
        kind: 'pass',
        field: name,
        ...(!good && { polarity: 'lower' as const }),
        ...(told && { write: { template, labels: told, rule: 'unique' as const } }),
      };
    }
    case 'category': {
      const { labels: told, template = '{}', field: name = null } = file;
      const write = { template, labels: told, ...(template !== '{}' && { rule: 'unique' as const }) };
      return { kind: 'category', write, field: name };
    }
    case 'scores': {
      const { min = null, max = null, fields } = file;
      return { kind: 'scores', min, max, template: null, fields, field: null };
    }
    case 'ranking':
      return { kind: 'ranking', names: file.labels, field: file.field ?? null };
    case 'list':
      return { kind: 'list', field: file.field, item: file.item };
  }
}

/** How many options a form speaks of; null where it does not say. */
export function optionsOf(file: VerdictFile): number | null {
  if (file.kind === 'choice' || file.kind === 'ranking') return file.labels?.length ?? null;
  if (file.kind === 'scores') return file.fields.length;
  return 1;
}
