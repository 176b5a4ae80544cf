/** No option is better than the others. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';

export const tie = {
  isSame: () => true,
  describe: () => 'a tie',
  remind: () => 'a tie',
  brief: () => 'Tie',
  readBrief: (text) => (text === 'Tie' ? { kind: 'tie' } : null),
  plain: () => 'Tie',
  traced: { tie: z.literal(true).optional() },
  toDraw: () => ({ choice: 'tie' }),
  toTrace: () => ({ tie: true }),
  fromTrace: ({ tie: told }) => (told === true ? { kind: 'tie' } : null),
} as const satisfies VerdictKind<'tie'>;
