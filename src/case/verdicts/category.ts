/** How one answer relates to another text, by a label that is no grade (Factuality's A to E). */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';

export const category = {
  isSame: (a, b) => a.category === b.category,
  distance: (a, b) => Number(a.category !== b.category),
  describe: (verdict) => `the category ${verdict.category}`,
  remind: () => 'the answer you gave then',
  brief: (verdict) => `Category: ${verdict.category}`,
  readBrief(text) {
    const [, said] = /^Category: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined ? null : { kind: 'category', category: said };
  },
  traced: { category: z.string().optional() },
  toTrace: (verdict) => ({ category: verdict.category }),
  fromTrace: ({ category: told }) => (typeof told === 'string' ? { kind: 'category', category: told } : null),
} as const satisfies VerdictKind<'category'>;
