/** A result as it is written and printed: with where it comes from. */
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Prices, prices } from '../models/index.ts';
import { parseJson } from '../parse-json.ts';
import { type Clock, systemClock } from '../ports.ts';
import { writeWhole } from '../records/node.ts';
import type { ResultOrigin } from '../report/index.ts';
import { VERSION } from '../version.ts';
import { parseJsonObject, readJsonOption } from './arguments.ts';
import { loadConfig } from './load-config.ts';

/**
 * @param command its words: `eval judge`
 * @param call the words behind them, and the options as texts
 * @example formatResult(report, await describeOrigin('drift', context))
 */
export async function describeOrigin(
  command: string,
  { rawArgs, args }: { rawArgs: readonly string[]; args: Readonly<Record<string, unknown>> },
  clock: Pick<Clock, 'now'> = systemClock,
): Promise<ResultOrigin> {
  const models = [...new Set(Object.values(args).flatMap(listModels))];
  const { parameters } = args;
  const path = typeof args.prices === 'string' ? args.prices : undefined;
  const known = path === undefined && models.length === 0 ? null : await loadPrices(path);
  return {
    date: new Date(clock.now()).toISOString(),
    remand: VERSION,
    command: ['remand', command, ...rawArgs.map((word) => quote(withoutSecrets(word)))].join(' '),
    models,
    parameters:
      models.length > 0 && typeof parameters === 'string' ? parseJsonObject(parameters, '--parameters') : {},
    prices: known && Object.keys(known).length > 0 ? known : null,
  };
}

/** A URL may hold a key, before its host or behind its path. */
export const withoutSecrets = (text: string): string =>
  entriesOf(text)
    .map((entry) => entry.replaceAll(/\/\/[^/@\s;]{0,200}@/g, '//').replaceAll(QUERY, ''))
    .join('');

/** Up to the next URL of a fleet, or the next entry of a list. */
const QUERY = /\?(?:(?!,(?:https?:|$))[^\s;#]){0,2000}/g;

/** The models of a list, each with the sign behind it. A comma may stand in a key: an entry begins with a model. */
const entriesOf = (list: string): string[] =>
  list.split(/(?<=;)|(?<=,)(?=\s{0,9}[^,;@\s]{1,200}@(?:https?:\/\/|store:))/);

/** The models that the value of an option names: `[name=][protocol:]model@url`, or a sandbox; several with `;` or `,`. */
function listModels(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return entriesOf(value)
    .map((entry) => {
      const [model = ''] = withoutSecrets(entry).split(';');
      // What a list has behind a model at a URL, such as a detector that needs none; a fleet has further URLs.
      return (/@(?:http|store:)/.test(model) ? (model.split(/,(?!\s{0,9}https?:)/)[0] ?? '') : model).trim();
    })
    .filter((one) => /^sandbox(?:$|[:@])|^[^@\s]+@(?:https?:\/\/|store:)/.test(one));
}

/** As a shell takes it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * @param path where the result is written
 * @returns the origin with the date of the result that is there already, where the same command came to the same: a run that is
 * started again writes the same bytes
 */
export function keepDate(path: string, result: object, origin: ResultOrigin): ResultOrigin {
  if (!existsSync(path)) return origin;
  const before = readFileSync(path, 'utf8');
  const { data } = dated.safeParse(parseJson(before));
  const kept = { ...origin, date: data?.origin.date ?? origin.date };
  return formatResult(result, kept) === before ? kept : origin;
}

const dated = z.object({ origin: z.object({ date: z.string() }) });

/** The JSON document of a result: the one form in which results are written to files and printed. */
export function formatResult(result: object, origin: ResultOrigin): string {
  return `${JSON.stringify({ ...result, origin }, null, 2)}\n`;
}

/** Writes a result to a file. @returns its origin, see `keepDate` */
export async function writeResult(path: string, result: object, origin: ResultOrigin): Promise<ResultOrigin> {
  const kept = keepDate(path, result, origin);
  await writeWhole({ path }, (files) => files.path.write(formatResult(result, kept)));
  return kept;
}

/** A result in words, as a page says it. What draws charts is loaded when it is asked for, so that help need not wait for it. */
export async function describeResult(result: object): Promise<string> {
  const { formatResultText } = await import('../report/index.ts');
  return formatResultText(result);
}

/** Of results by name. Whoever goes through the names finds results alone, so each has its origin. */
export function formatResultMap(results: Readonly<Record<string, object>>, origin: ResultOrigin): string {
  const all = Object.entries(results).map(([name, result]) => [name, { ...result, origin }]);
  return `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
}

/**
 * `--prices`; without it, those that the proxy is set up with.
 *
 * @throws InputError naming the model whose price cannot be read
 */
export async function loadPrices(path: string | undefined): Promise<Prices> {
  if (path === undefined) return (await loadConfig(process.env)).REMAND_PRICES;
  const form = 'it is {"model": {"input": …, "output": …}}, per million tokens';
  return readJsonOption(path, '--prices', prices, form);
}
