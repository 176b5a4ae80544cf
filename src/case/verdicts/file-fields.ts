/** Fields that the forms of verdicts share in a template's file. */
import * as z from 'zod';

/** Longest text that frames a label, and longest label. */
const LONGEST = 80;

export const words = z.string().min(1).max(LONGEST);
const label = z.string().max(LONGEST);
export const field = words.exactOptional();
export const framed = words
  .refine((text) => text.split('{}').length === 2, { error: 'must hold {} once, where the label stands' })
  .exactOptional();
export const frames = z
  .string()
  .max(32 * LONGEST)
  .refine((text) => text.includes('{}'), { error: 'must hold {} for each number or word' })
  .exactOptional();
export const labels = z
  .array(label.min(1))
  .min(2)
  .max(32)
  .refine((all) => new Set(all).size === all.length, { error: 'must be different texts' });
export const scale = { min: z.number().exactOptional(), max: z.number().exactOptional() };
