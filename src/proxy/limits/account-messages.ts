/** What the Worker and the object that keeps a key's account say to each other, as JSON. */
import * as z from 'zod';
import { REFUSAL_REASONS } from '../refusal.ts';
import { keyLimits } from './key-limits.ts';

/** Of a message either way, in bytes. */
export const LARGEST_MESSAGE = 64 << 10;

export const openMessage = z.object({
  /** Of this request, hard to guess. */
  id: z.string(),
  who: z.string().nullable(),
  limits: keyLimits,
  /** Model calls that it may make. */
  most: z.number(),
  waitMs: z.number(),
});

export const openReply = z.union([
  z.object({ calls: z.number(), day: z.string() }),
  z.object({
    refused: z.object({
      reason: z.enum(REFUSAL_REASONS),
      message: z.string(),
      againMs: z.number().nullable(),
    }),
  }),
]);

const amount = z.object({ calls: z.number(), money: z.number() });

/** Of the present day and month; money in millionths. */
export const accountMessage = z.object({ day: amount, month: amount });

export const closeMessage = z.object({
  id: z.string(),
  day: z.string(),
  /** Taken and not made. */
  unused: z.number(),
  /** In millionths. */
  money: z.number(),
});
