/** Base data from wherever it stands: by name from the hub, the published files, or any local one with a mapping. */
import type * as z from 'zod';
import { InputError } from '../errors.ts';
import { type BaseItem, baseItem } from './base.ts';
import { type Hub, readHubRows } from './hub/rows.ts';
import { HUB_SOURCES, type HubName, type HubSource } from './sources/hub.ts';
import {
  type FileFormat,
  type LocalRow,
  type Mapping,
  mapRow,
  publishedArena,
  publishedGsm8k,
  publishedScienceQa,
  readLocal,
} from './sources/mapping.ts';

/** Layouts of base data that are known by name. */
export const LAYOUTS = {
  base: baseItem,
  'published-gsm8k': publishedGsm8k,
  'published-arena': publishedArena,
  'published-scienceqa': publishedScienceQa,
} as const satisfies Record<string, z.ZodType<BaseItem>>;

export type LayoutName = keyof typeof LAYOUTS;

interface LocalOptions {
  /** Null to tell by the file's name. */
  readonly format: FileFormat | null;
  /** One of the known layouts, a mapping for any other, or null to tell by the first row. */
  readonly layout: LayoutName | Mapping | null;
}

/**
 * Base items of a local file.
 *
 * @throws InputError naming file, row and column of the first row that is wrong
 */
export async function* readBase(path: string, { format, layout }: LocalOptions): AsyncGenerator<BaseItem> {
  let known = layout;
  let count = 0;
  for await (const local of readLocal(path, format)) {
    count++;
    known ??= tellLayout(path, local);
    yield typeof known === 'string' ? laidOut(local, known) : mapRow(local.row, known, local.where);
  }
  if (count === 0) throw new InputError(path, 'has no rows');
}

function laidOut({ row, where }: LocalRow, layout: LayoutName): BaseItem {
  const schema: z.ZodType<BaseItem> = LAYOUTS[layout];
  return checked(schema, row, where);
}

function tellLayout(path: string, { row }: LocalRow): LayoutName {
  const found = Object.entries(LAYOUTS).find(([, schema]) => schema.safeParse(row).success);
  if (found) return found[0] as LayoutName;
  throw new InputError(
    path,
    `is in none of the known layouts (${Object.keys(LAYOUTS).join(', ')}); give a mapping with --map`,
  );
}

function checked<T>(schema: z.ZodType<T>, row: unknown, where: string): T {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const said = read.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new InputError(where, said.join('; '));
}

interface HubOptions {
  readonly hub: Hub;
  /** Null for the usual one. */
  readonly split: string | null;
  /** Folder where parts that were fetched are kept. */
  readonly cache: string;
  /** Told of every row that is of no use, and why. */
  readonly onSkipped: (reason: string) => void;
}

export const isHubName = (name: string): name is HubName => Object.hasOwn(HUB_SOURCES, name);

/** Base items of one of the hub's datasets that are known by name. */
export async function* readHubBase(
  name: HubName,
  { hub, split, cache, onSkipped }: HubOptions,
): AsyncGenerator<BaseItem> {
  const source: HubSource = HUB_SOURCES[name];
  const chosen = split ?? source.splits[0];
  if (!source.splits.includes(chosen))
    throw new InputError('--split', `${name} has no "${chosen}", only ${source.splits.join(', ')}`);
  for await (const { row, where } of readHubRows(hub, { ...source, split: chosen }, cache)) {
    const item = checked(source.row, row, where);
    if ('skipped' in item) onSkipped(item.skipped);
    else yield item;
  }
}
