/** Addresses of endpoints, as operators and callers write them. */
import * as z from 'zod';
import { whyNoBase } from './send.ts';

function holdsUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

const HTTP = /^https?:\/\/[^\s?#]+$/;

/** An endpoint's address. A user or a password in it would not be sent, and be shown wherever the address is. */
export const endpointUrl = (form = HTTP, error = 'must be an http(s) URL without query or fragment') =>
  z
    .string()
    .regex(form, { error })
    .refine((text) => URL.canParse(text), { error: 'must be a URL: its host or its port is none' })
    .refine((text) => !holdsUser(text), {
      error: 'must hold no user and no password: the key has a setting of its own, such as JUDGE_API_KEY',
    })
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** An address to which the paths of requests are added. */
export const baseUrl = (...form: Parameters<typeof endpointUrl>) =>
  endpointUrl(...form).refine((text) => whyNoBase(text) === null, {
    error: ({ input }) => whyNoBase(String(input)) ?? '',
  });

export const httpUrl = baseUrl();
