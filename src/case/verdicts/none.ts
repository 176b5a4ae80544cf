/** No verdict could be read. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';

export const none = {
  // Two replies that cannot be read do not agree.
  isSame: () => false,
  describe: ({ reason }) => `no verdict (${reason})`,
  remind: () => 'nothing that could be read',
  brief: () => 'None',
  /** Why not. */
  traced: { none: z.string().optional() },
  toTrace: ({ reason }) => ({ none: reason }),
  fromTrace: () => null,
} as const satisfies VerdictKind<'none'>;
