/** How a command line names a sandbox judge: `sandbox`, or `sandbox:recency=1,acknowledges=0.5` with its weights declared. */
import { InputError } from '../errors.ts';
import { DEFAULT_WEIGHTS, type SandboxOptions, type Weights } from '../sandbox/index.ts';

/** The others are options of their own. */
const SHARES = ['acknowledges', 'heeds'] as const;
const WEIGHTS = Object.keys(DEFAULT_WEIGHTS) as (keyof Weights)[];

/**
 * @returns null for what names no sandbox judge; weights that are not named keep their default
 * @throws InputError naming the setting that is wrong
 */
export function readSandboxSpec(text: string, option: string): SandboxOptions | null {
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
