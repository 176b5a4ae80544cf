/**
 * `remand keys`: keys of our own, for a server on Node in its SQLite file (a running one knows them at once), for
 * Workers as a statement for `wrangler d1 execute`.
 */

import type * as z from 'zod';
import { InputError } from '../errors.ts';
import { createKey, SCOPES } from '../proxy/access/key.ts';
import { formatInsertKey, formatRevokeKey, type KeyStatus, listKeys } from '../proxy/access/key-store.ts';
import { type Config, findStateFile } from '../proxy/config.ts';
import { keyLimits } from '../proxy/limits/account-book.ts';
import { NOBODY } from '../proxy/limits/local-limits.ts';
import { openStorage, type State } from '../proxy/node-storage.ts';
import { escapeLine, isPlain, NOT_PLAIN } from '../records/index.ts';
import { readWritten } from '../strict-fields.ts';
import { asJson, asSomeOf, asText, createCommand, files, flag, needed, optional, usual } from './command.ts';
import { loadConfig } from './load-config.ts';
import { print, tell } from './terminal.ts';

const sql = { sql: flag('print the statement for wrangler d1 execute; change nothing here') };

export const keysAddCommand = createCommand(
  {
    name: needed(asText, 'whose it is'),
    scopes: usual(
      asSomeOf(SCOPES),
      'judge',
      'judge (send requests), traces (read pages, traces, metrics), admin; with commas',
    ),
    limits: optional(
      asLimits,
      'JSON: callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth, concurrency, queue',
    ),
    record: flag('print the record for REMAND_KEYS; change nothing here'),
    ...sql,
  },
  async ({ args, ...call }) => {
    const name = args.name.trim();
    if (name === '' || name.length > 100) throw new InputError('name', 'must be 1 to 100 characters');
    if (!isPlain(name)) throw new InputError('name', NOT_PLAIN);
    const what = { name, scopes: args.scopes, limits: args.limits ?? {} };
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    const { key, record } = await createKey(what, random, Date.now());
    const printed = args.sql ? formatInsertKey(record) : args.record ? JSON.stringify(record) : null;
    if (printed === null)
      await inState(async ({ keys, audit }) => {
        await keys.add(record);
        await audit.add({ time: Date.now(), who: 'operator', action: 'key-added', subject: record.id });
      });
    const { hash: _, ...shown } = record;
    call.print({ key, ...shown, ...(printed !== null && { printed }) }, () => {
      const only = printed === null ? '' : `${key}\n`;
      tell(`The key of ${name} (${what.scopes.join(', ')}). It is not shown again:\n${only}`);
      return `${printed ?? key}\n`;
    });
  },
);

export const keysListCommand = createCommand({}, async (call) => {
  const { keys, anyone } = await inState(({ keys: table, book }, config) =>
    listKeys(
      {
        configured: config.REMAND_KEYS,
        standard: config.REMAND_LIMITS,
        table,
        limits: { spent: async (who) => book.spent(who ?? NOBODY, Date.now()) },
      },
      { offset: 0, limit: Number.POSITIVE_INFINITY, spent: true },
    ),
  );
  call.print({ keys, ...(anyone && { anyone }) }, () => {
    const lines = keys.map(({ id, name, scopes, created, revoked, from, ...account }) =>
      [
        id,
        revoked === null ? 'valid' : `revoked ${revoked}`,
        scopes.join(','),
        created,
        escapeLine(name),
      ].concat(from === 'settings' ? 'REMAND_KEYS' : [], ...accountWords(account)),
    );
    if (anyone) lines.push(['without a key', ...accountWords(anyone)]);
    if (keys.length === 0) tell('no keys; `remand keys add` makes one\n');
    return lines.map((line) => `${line.join('  ')}\n`).join('');
  });
});

export const keysRevokeCommand = createCommand(
  { id: { ...files('id of the key'), required: true }, ...sql },
  async ({ files: [given = ''], args, ...call }) => {
    const id = /^(?:rmd_)?([0-9a-f]{12})(?:_.*)?$/.exec(given)?.[1];
    if (id === undefined) throw new InputError('id', 'must be the 12 hexadecimal digits after rmd_');
    const now = new Date();
    if (args.sql) return print(`${formatRevokeKey(id, now.toISOString())}\n`);
    await inState(async ({ keys, audit }) => {
      if (!(await keys.revoke(id, now.toISOString())))
        throw new InputError('id', `${id} is no key that is valid`);
      await audit.add({ time: now.getTime(), who: 'operator', action: 'key-revoked', subject: id });
    });
    call.print({ revoked: id }, () => `revoked ${id}\n`);
  },
);

function asLimits(text: string, option: string): z.output<typeof keyLimits> {
  return readWritten(keyLimits, asJson(text, option), option);
}

/** In the file that the server of this configuration uses. */
async function inState<T>(work: (state: State, config: Config) => Promise<T>): Promise<T> {
  const config = await loadConfig(process.env);
  const file = findStateFile(config);
  if (file === ':memory:') throw new InputError('REMAND_STATE', 'must be a file for keys to be kept');
  const storage = openStorage(
    { ...config, REMAND_TRACES: 'off', REMAND_STATE: file },
    { thread: false, log: () => {} },
  );
  try {
    return await work(storage.state(), config);
  } finally {
    await storage.close();
  }
}

function accountWords(account: Pick<KeyStatus, 'limits' | 'spent'>): string[] {
  const limits = Object.keys(account.limits).length > 0 ? JSON.stringify(account.limits) : '';
  return [limits, describeSpending(account)].filter(Boolean);
}

// What a key has spent of its budget, in words: `12 of 5000 calls today, 340 this month`.

/** Empty where nothing is counted. */
function describeSpending({ limits, spent }: Pick<KeyStatus, 'limits' | 'spent'>): string {
  if (!spent) return '';
  const { day, month } = spent;
  const { callsPerDay, callsPerMonth, moneyPerDay, moneyPerMonth } = limits;
  const money = moneyPerDay !== undefined || moneyPerMonth !== undefined;
  return [
    `${against(day.calls, callsPerDay)} calls today`,
    `${against(month.calls, callsPerMonth)} this month`,
    ...(money
      ? [
          `${against(day.money, moneyPerDay)} in money today`,
          `${against(month.money, moneyPerMonth)} this month`,
        ]
      : []),
  ].join(', ');
}

function against(spent: number, budget: number | undefined): string {
  return budget === undefined ? String(spent) : `${spent} of ${budget}`;
}
