/** Takes keys out of texts that others wrote: an endpoint's error message may quote the key it refused. */

import { OWN_KEY_HEADER } from './access/presented.ts';
import type { Config } from './config.ts';
import { KEY_HEADERS } from './key-headers.ts';

/** Shorter ones are placeholders such as `none`, and would take words out of a sentence. */
const SHORTEST = 8;

/** @param own the operator's keys, which must not reach a client either */
export function redactor(headers: Headers, own: readonly (string | undefined)[]): (text: string) => string {
  // Looked for where there is a text to clean, which is seldom.
  let secrets: readonly (string | undefined)[] | null = null;
  return (text) => {
    secrets ??= [
      ...[...KEY_HEADERS, OWN_KEY_HEADER].map((name) => headers.get(name)?.replace(/^\w+\s+/, '')),
      ...own,
    ].filter((secret) => secret !== undefined && secret.length >= SHORTEST);
    return secrets.reduce<string>((clean, secret) => clean.replaceAll(secret ?? '', '[key]'), text);
  };
}

/** Every key that the operator has set. */
export function operatorKeys(config: Config): (string | undefined)[] {
  const { JUDGE_API_KEY, RBD_API_KEY, HF_TOKEN, LANGFUSE_SECRET_KEY, REMAND_UPSTREAMS } = config;
  return [
    JUDGE_API_KEY,
    RBD_API_KEY,
    HF_TOKEN,
    LANGFUSE_SECRET_KEY,
    ...REMAND_UPSTREAMS.map(({ key }) => key),
  ];
}
