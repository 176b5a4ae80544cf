/** A result as it is written and printed: with where it comes from. */
import { type Clock, systemClock } from '../ports.ts';
import type { Origin } from '../report/index.ts';
import { parseJsonObject } from './arguments.ts';
import { withoutSecrets } from './claim-output.ts';
import { readPrices } from './model-arguments.ts';
import { readVersion } from './process-setup.ts';

/** What citty hands to a command. */
interface CommandCall {
  readonly rawArgs: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * @param command its words: `eval judge`
 * @example formatResult(report, describeOrigin('drift', context))
 */
export function describeOrigin(
  command: string,
  { rawArgs, args }: CommandCall,
  clock: Pick<Clock, 'now'> = systemClock,
): Origin {
  const models = [...new Set(Object.values(args).flatMap(listModels))];
  const { parameters, prices } = args;
  return {
    date: new Date(clock.now()).toISOString(),
    remand: readVersion(),
    command: ['remand', command, ...rawArgs.map((word) => quote(withoutSecrets(word)))].join(' '),
    models,
    parameters:
      models.length > 0 && typeof parameters === 'string' ? parseJsonObject('--parameters', parameters) : {},
    prices: typeof prices === 'string' ? readPrices(prices) : null,
  };
}

/** The models that the value of an option names: `[name=][protocol:]model@url`, or a sandbox; several with `;`. */
function listModels(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .split(';')
    .map((one) => withoutSecrets(one.trim()))
    .filter((one) => /^sandbox(?:$|[:@])|^[^@\s]+@(?:https?:\/\/|store:)/.test(one));
}

/** As a shell takes it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The JSON document of a result: the one form in which results are written to files and printed. */
export function formatResult(result: object, origin: Origin): string {
  return `${JSON.stringify({ ...result, origin }, null, 2)}\n`;
}
