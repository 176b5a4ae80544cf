/** A verdict for each of several claims about one answer; the list counts as a whole. */
import * as z from 'zod';
import type { VerdictKind } from './kind.ts';

export const list = {
  isSame: (a, b) => a.items.length === b.items.length && a.items.every((item, i) => item === b.items[i]),
  distance: (a, b) =>
    a.items.length === b.items.length ? a.items.filter((item, i) => item !== b.items[i]).length : null,
  describe: ({ items }) => `the verdicts ${items.join(', ')}`,
  remind: () => 'the verdicts you gave then',
  brief: ({ items }) => `Verdicts: ${items.join(', ')}`,
  readBrief(text) {
    const [, said] = /^Verdicts: ([\s\S]+)$/.exec(text) ?? [];
    return said === undefined ? null : { kind: 'list', items: said.split(', ') };
  },
  traced: { list: z.array(z.string()).optional() },
  toTrace: ({ items }) => ({ list: [...items] }),
  fromTrace({ list: told }) {
    const read = z.array(z.string()).safeParse(told);
    return read.success ? { kind: 'list', items: read.data } : null;
  },
} as const satisfies VerdictKind<'list'>;
