/** The shapes that results share: counts, shares with their intervals, and why there is none. */
import * as z from 'zod';

export const count = z.int().min(0);
export const interval = z.object({ low: z.number(), high: z.number() });
/** Why there is no figure, in words. */
const noFigureSchema = z.object({ value: z.null(), reason: z.string() });
/** Null where there is none; results of earlier versions do not say why. */
export const maybeInterval = z.union([interval, noFigureSchema.transform(() => null), z.null()]);
export const shareSchema = z.object({
  value: z.number().nullable(),
  of: z.number(),
  interval: maybeInterval,
  reason: z.string().optional(),
});
/** A figure, or why there is none. */
export const figureSchema = z.union([z.object({ value: z.number() }), noFigureSchema]);
export type FigureResult = z.output<typeof figureSchema>;
/** A change with everything that belongs to one item taken together, and its exact test; or why there is none. */
export const byItem = z.union([
  z.object({
    value: z.number(),
    interval: maybeInterval,
    items: count,
    test: z.union([
      z.object({ value: z.number(), moved: count, up: count, least: z.number() }),
      noFigureSchema,
    ]),
  }),
  noFigureSchema,
]);
export type ByItem = z.output<typeof byItem>;
