/** How people name a model for an offline run: `[name=][protocol:]model`. */
import { ADAPTERS, type Adapter, DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { InputError } from '../errors.ts';
import { isPlain, NOT_PLAIN } from '../records/index.ts';

/** A model as people name it for an offline run. */
export interface ModelName {
  /** As reports name it; the model's own name where none is given. */
  readonly name: string;
  readonly model: string;
  readonly protocol: Adapter;
}

/**
 * @param text `[name=][protocol:]model`
 * @param field named in errors
 * @throws InputError for a text that names no model, or holds control characters
 */
export function readModelName(text: string, field: string): ModelName {
  if (!isPlain(text)) throw new InputError(field, NOT_PLAIN);
  const [, name, before, rest] = /^(?:([^=@]+)=)?(?:([a-z-]+):)?(.+)$/.exec(text) ?? [];
  if (rest === undefined) throw new InputError(field, `"${text}" is no judge: [name=][protocol:]model`);
  const known = ADAPTERS.find((one) => one.name === before);
  // A model's own name may have a colon: `llama3:70b`.
  const model = known || before === undefined ? rest : `${before}:${rest}`;
  return { name: name ?? model, model, protocol: known ?? DEFAULT_ADAPTER };
}
