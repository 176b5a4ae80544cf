/**
 * How a command line names a model: `[name=][protocol:]model@url[*weight][,url…][#KEY_VARIABLE]`, or `sandbox` (see
 * `readSandboxSpec` for its weights), or `model@store:calls.sqlite` to replay recorded calls. A weight shares the calls
 * among endpoints that are alike.
 */
import { DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { InputError } from '../errors.ts';
import { type ModelName, readModelName } from '../models/index.ts';
import { isPlain, NOT_PLAIN } from '../records/index.ts';
import { DEFAULT_WEIGHTS, type SandboxOptions, type Weights } from '../sandbox/index.ts';

// How a command line names a sandbox judge: `sandbox`, or `sandbox:recency=1,acknowledges=0.5` with its weights declared.

/** The others are options of their own. */
const SHARES = ['acknowledges', 'heeds'] as const;
const WEIGHTS = Object.keys(DEFAULT_WEIGHTS) as (keyof Weights)[];

/**
 * @returns null for what names no sandbox judge; weights that are not named keep their default
 * @throws InputError naming the setting that is wrong
 */
function readSandboxSpec(text: string, option: string): SandboxOptions | null {
  const [, settings] = /^sandbox(?::([^@]*))?$/.exec(text) ?? [null, null];
  if (settings === null) return null;
  const given = new Map<string, number>();
  for (const one of settings?.split(',') ?? []) {
    const [, name = '', value = ''] = /^\s*([a-z]+)\s*=\s*(-?\d+(?:\.\d+)?)\s*$/.exec(one) ?? [];
    const share = SHARES.some((known) => known === name);
    if (!share && !WEIGHTS.some((known) => known === name))
      throw new InputError(
        option,
        `"${one}" is no weight=number of a sandbox judge; it has ${[...WEIGHTS, ...SHARES].join(', ')}`,
      );
    if (given.has(name)) throw new InputError(option, `"${text}" gives ${name} twice`);
    if (share && !(Number(value) >= 0 && Number(value) <= 1))
      throw new InputError(option, `${name} must lie between 0 and 1, not ${value}`);
    given.set(name, Number(value));
  }
  const named = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])));
  return { weights: named(WEIGHTS), ...named(SHARES) };
}

export interface ModelSpec extends ModelName {
  readonly where:
    | {
        readonly kind: 'endpoints';
        readonly endpoints: readonly { readonly url: string; readonly weight: number }[];
      }
    | { readonly kind: 'sandbox'; readonly options: SandboxOptions }
    | { readonly kind: 'store'; readonly path: string };
  /** Environment variable that holds the key; null for the command's own. */
  readonly keyVariable: string | null;
}

/**
 * @param option the command-line option, named in errors
 * @throws InputError saying what the specification should look like
 */
export function readModelSpec(text: string, option: string): ModelSpec {
  const options = readSandboxSpec(text, option);
  if (options)
    return {
      // With its weights: reports tell it apart by them, and say what was planted.
      name: text,
      model: 'remand-sandbox',
      protocol: DEFAULT_ADAPTER,
      where: { kind: 'sandbox', options },
      keyVariable: null,
    };
  const at = text.indexOf('@');
  const fault = (why: string) =>
    new InputError(
      option,
      `"${text}" ${why}; a model is given as [name=][protocol:]model@https://host[#KEY_VARIABLE]`,
    );
  if (!isPlain(text)) throw new InputError(option, NOT_PLAIN);
  if (at < 1) throw fault('names no endpoint');
  const { name, model, protocol } = readModelName(text.slice(0, at), option);
  const [, place = '', keyVariable = null] =
    /^([^#]*)(?:#([A-Z][A-Z0-9_]*))?$/.exec(text.slice(at + 1)) ?? [];
  if (place === '') throw fault('has no URL');
  const head = { name, model, protocol, keyVariable };
  if (place.startsWith('store:'))
    return { ...head, where: { kind: 'store', path: place.slice('store:'.length) } };
  const endpoints = place.split(',').map((one) => {
    const [, url = '', weight] = /^(.*?)(?:\*(\d+(?:\.\d+)?))?$/.exec(one.trim()) ?? [];
    if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
      throw fault(`has "${url}", which is no http URL`);
    if (weight !== undefined && Number(weight) <= 0) throw fault('has a weight that is not above 0');
    return { url, weight: Number(weight ?? 1) };
  });
  return { ...head, where: { kind: 'endpoints', endpoints } };
}
