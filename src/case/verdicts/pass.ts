/** One answer passes, or fails. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';
import { toTracedSpread, tracedSpread } from './spread.ts';

export const pass = {
  isSame: (a, b) => a.pass === b.pass,
  distance: (a, b) => Number(a.pass !== b.pass),
  spread: (verdict) => verdict.spread,
  describe: (verdict) => (verdict.pass ? 'a pass' : 'a fail'),
  remind: () => 'the outcome you gave then',
  brief: (verdict) => (verdict.pass ? 'Pass' : 'Fail'),
  readBrief: (text) => (text === 'Pass' || text === 'Fail' ? { kind: 'pass', pass: text === 'Pass' } : null),
  traced: { pass: z.boolean().optional(), spread: tracedSpread },
  toTrace: (verdict) => ({
    pass: verdict.pass,
    ...(verdict.spread && { spread: toTracedSpread(verdict.spread) }),
  }),
  fromTrace: ({ pass: told }) => (typeof told === 'boolean' ? { kind: 'pass', pass: told } : null),
} as const satisfies VerdictKind<'pass'>;
