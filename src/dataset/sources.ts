/** Base data from wherever it stands: the published files, or any local one with a mapping of its fields. */
import * as z from 'zod';
import { InputError } from '../case/errors.ts';
import { readJsonl } from '../records/jsonl.ts';
import { type BaseItem, baseItem } from './base.ts';
import { publishedArena, publishedGsm8k, publishedScienceQa } from './sources/published.ts';

/** Layouts of base data that are known by name. */
export const LAYOUTS = {
  base: baseItem,
  'published-gsm8k': publishedGsm8k,
  'published-arena': publishedArena,
  'published-scienceqa': publishedScienceQa,
} as const satisfies Record<string, z.ZodType<BaseItem>>;

export type LayoutName = keyof typeof LAYOUTS;

/**
 * @param layout how its lines are to be read; null to tell by the first line
 * @throws InputError naming file, line and field of the first line that is wrong
 */
export async function* readBase(path: string, layout: LayoutName | null): AsyncGenerator<BaseItem> {
  const schema = LAYOUTS[layout ?? (await tellLayout(path))];
  yield* readJsonl<BaseItem>(path, schema);
}

async function tellLayout(path: string): Promise<LayoutName> {
  for await (const line of readJsonl(path, z.unknown())) {
    const found = Object.entries(LAYOUTS).find(([, schema]) => schema.safeParse(line).success);
    if (found) return found[0] as LayoutName;
    throw new InputError(
      path,
      `is in none of the known layouts (${Object.keys(LAYOUTS).join(', ')}); give a mapping`,
    );
  }
  throw new InputError(path, 'has no rows');
}
