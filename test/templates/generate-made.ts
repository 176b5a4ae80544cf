/**
 * Makes the captures of the templates that were written here, from `sources/*.txt`: prompts as practitioners write them,
 * filled with the cases of contents.json and of every `contents*.json` in `seen/sources` and `unseen/sources`.
 *
 * Run: `node test/templates/generate-made.ts > CAPTURES.jsonl`
 *
 * A source has lines `@name value`, then the messages, each after a line `@@role`. `{{key}}` is a slot, `{{key|json}}`
 * one inside a JSON string, `{{key|indent}}` one whose further lines are indented as its first is. A section `@@part` is a
 * further text part of the message before it. Where a case has a text of the key's name, the key holds that text.
 * `{{#chunks}}[{{at}}] {{item}}{{between}}, {{/chunks}}` stands once for each text of the case's list `chunks`, with its number;
 * what is behind `{{between}}` does not follow the last. A message of lists without texts is left out. Of `{{#option}}` the labels and replies count that fit as many options.
 *
 * - `@pool name name`: where the cases come from
 * - `@seed word`: draws the cases from all pools, and the answers of each case, in an order that the word decides
 * - `@labels A B`: the labels of the options `{{option1}}`, `{{option2}}`, …; `_` stands for a blank. As JSON they are
 *   taken as they are.
 * - `@role key role`: what another key is; `ignored` if nothing is said
 * - `@values key [..]`: the values of another key, one for each case
 * - `@nonce key form`: values of another key that mean nothing; the form is `hex`, `uuid`, `date`, `time` or `number`
 * - `@set case key value`: one value of one case: JSON, `=key` for that of another key, `@2` for that of case 2, or
 *   `long` for 20 kB
 * - `@hostile case key value`: the same, where the value imitates the template
 * - `@extra {..}`: further fields of the body
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Capture, markerOf } from './assemble.ts';
import { encode, Protocol, Verdict, VerdictForm } from './schema.ts';

const Texts = z.array(z.string());

const Content = z.looseObject({
  answers: Texts,
  users: z.array(z.string()).optional(),
  turns: z.array(z.array(z.string())).optional(),
});

const HERE = import.meta.dirname;
const POOLS = z.record(z.string(), z.array(Content)).parse(
  Object.assign(
    {},
    ...[HERE, join(HERE, 'seen', 'sources'), join(HERE, 'unseen', 'sources')]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter((file) => /^contents.*\.json$/.test(file))
          .sort()
          .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))),
      ),
  ),
);

interface Setting {
  readonly at: number;
  readonly key: string;
  readonly value: string;
  readonly isHostile: boolean;
}

interface Source {
  readonly fields: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly settings: readonly Setting[];
  readonly messages: readonly { readonly role: string; readonly texts: readonly string[] }[];
}

/** Whether a reply speaks of as many options as the case has; `Infinity` where their number is fixed. */
function fitsOptions(verdict: Verdict, options: number): boolean {
  if (options === Infinity) return true;
  if ('choice' in verdict) return typeof verdict.choice !== 'number' || verdict.choice < options;
  if ('ranking' in verdict) return verdict.ranking.length === options;
  if ('scores' in verdict) return verdict.scores.length === options;
  return !('list' in verdict) || verdict.list.length === options;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An id, a time or a number that means nothing. */
function nonceOf(form: string, hash: Buffer): string {
  const hex = hash.toString('hex');
  const number = hash.readUInt32BE();
  const date = new Date(Date.UTC(2026, 0, 1) + (number % 20_000_000) * 1000).toISOString();
  switch (form) {
    case 'hex':
      return hex.slice(0, 10);
    case 'uuid':
      return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    case 'date':
      return date.slice(0, 10);
    case 'time':
      return date.slice(0, 19);
    case 'number':
      return String(number % 100_000);
    default:
      throw new Error(`not a form of a nonce: ${form}`);
  }
}

/** @returns the items in an order that the seed decides */
function shuffle<T>(items: readonly T[], seed: string): T[] {
  return items
    .map((item, i) => ({ item, key: hashOf(`${seed} ${i}`).toString('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}

function parseSource(text: string): Source {
  const [head = '', ...rest] = text.split(/^@@/m);
  const fields = new Map<string, string>();
  const roles = new Map<string, string>();
  const values = new Map<string, string[]>();
  const settings: Setting[] = [];
  for (const line of head.split('\n').filter(Boolean)) {
    const [, name = '', value = ''] = /^@(\S+) (.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not a field: ${line}`);
    const [first = '', second = ''] = value.split(' ');
    if (name === 'role') roles.set(first, second);
    else if (name === 'values')
      values.set(first, z.array(z.string()).parse(JSON.parse(value.slice(first.length))));
    else if (name === 'nonce')
      values.set(
        first,
        Array.from({ length: CASES }, (_, at) => nonceOf(second, hashOf(`${text} ${first} ${at}`))),
      );
    else if (name === 'set' || name === 'hostile')
      settings.push({
        at: Number(first),
        key: second,
        value: value.slice(first.length + second.length + 2),
        isHostile: name === 'hostile',
      });
    else fields.set(name, value);
  }
  const messages: { role: string; texts: string[] }[] = [];
  for (const section of rest) {
    const end = section.indexOf('\n');
    const role = section.slice(0, end);
    const words = section.slice(end + 1).replace(/\n$/, '');
    if (role === 'part') messages.at(-1)?.texts.push(words);
    else messages.push({ role, texts: [words] });
  }
  return { fields, roles, values, settings, messages };
}

/** A text of 20 kB that says where it is, so that no two of its paragraphs are equal. */
function longText(seed: string): string {
  const paragraphs: string[] = [];
  for (let i = 1; paragraphs.join('\n\n').length < 20_000; i++)
    paragraphs.push(
      `${seed} Part ${i} looks at it from another side: ${'what holds in the small holds in the large, '.repeat(1 + (i % 5))}and so on. \`step_${i}()\` returns ${i * 37}.`,
    );
  return paragraphs.join('\n\n');
}

const LIST = /\{\{#([a-z]+)\}\}(.*?)\{\{\/\1\}\}/gs;

/** Writes each block of a list out, as often as the case's list is long. */
function expand(text: string, content: Readonly<Record<string, unknown>>): string {
  return text.replace(LIST, (_, list: string, block: string) =>
    Texts.parse(content[list])
      .map((_, i, { length }) => {
        const [item = '', between = ''] = block.split('{{between}}');
        return (i + 1 < length ? item + between : item)
          .replaceAll('{{at}}', String(i + 1))
          .replace(/\{\{item(\|[a-z]+)?\}\}/g, (_, filter = '') => `{{${list}${i + 1}${filter}}}`);
      })
      .join(''),
  );
}

/** Writes the lists of each message out; a message that only had lists without texts is left out. */
function writeOut(source: Source, content: Readonly<Record<string, unknown>>): Source {
  const messages = source.messages
    .map(({ role, texts }) => ({ role, texts: texts.map((text) => expand(text, content)) }))
    .filter(({ texts }) => texts.some((text) => text !== ''));
  return { ...source, messages };
}

const KEY = /\{\{([A-Za-z0-9_]+)(\|[a-z]+)?\}\}/g;

function fill(text: string, values: Readonly<Record<string, string>>, isMarked: boolean): string {
  return text.replace(KEY, (_, key: string, filter: string | undefined, at: number) => {
    if (isMarked) return markerOf(key);
    const value = values[key];
    if (value === undefined) throw new Error(`no value for ${key}`);
    if (filter === '|json') return encode(value, 'json');
    if (filter === '|ascii') return encode(value, 'json-ascii');
    if (filter === '|html') return encode(value, 'html');
    if (filter !== '|indent') return value;
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
    return encode(value, 'indented', /^[\s>|]*/.exec(line)?.[0]);
  });
}

function bodyOf(source: Source, protocol: Protocol, say: (text: string) => string): Record<string, unknown> {
  const model = source.fields.get('model') ?? 'gpt-4o';
  const extra = z.record(z.string(), z.unknown()).parse(JSON.parse(source.fields.get('extra') ?? '{}'));
  const said = source.messages.map(({ role, texts }) => ({ role, texts: texts.map(say) }));
  const system = said.find(({ role }) => role === 'system')?.texts.join('\n');
  const others = said.filter(({ role }) => role !== 'system');
  const messages = (list: typeof said) =>
    list.map(({ role, texts }) => ({
      role,
      content: texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text })),
    }));
  switch (protocol) {
    case 'openai-chat':
      return { model, messages: messages(said), ...extra };
    case 'openai-responses':
      return {
        model,
        ...(system !== undefined && { instructions: system }),
        input: others.length === 1 ? others[0]?.texts[0] : messages(others),
        ...extra,
      };
    case 'openai-completions':
      return { model, prompt: said.flatMap(({ texts }) => texts).join('\n'), ...extra };
    case 'anthropic-messages':
      return {
        model,
        max_tokens: 1024,
        ...(system !== undefined && { system }),
        messages: messages(others),
        ...extra,
      };
    case 'gemini':
      return {
        ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
        contents: others.map(({ role, texts }) => ({
          role: role === 'assistant' ? 'model' : role,
          parts: texts.map((text) => ({ text })),
        })),
        ...extra,
      };
  }
}

const PATHS: Readonly<Record<Protocol, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'openai-completions': '/v1/completions',
  'anthropic-messages': '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
};

const CASES = 6;

const ROLES: Readonly<Record<string, string>> = {
  instruction: 'instruction',
  reference: 'reference',
  rubric: 'rubric',
  context: 'context',
  chunks: 'context',
  statement: 'context',
};

function roleOf(source: Source, key: string): string {
  const told = source.roles.get(key);
  if (told) return told;
  if (/^(option|turn)\d/.test(key)) return 'option';
  if (/^user\d/.test(key)) return 'instruction';
  const list = key.replace(/\d+$/, '');
  return source.roles.get(list) ?? ROLES[key] ?? ROLES[list] ?? 'ignored';
}

export function captureOf(text: string): Capture {
  const source = parseSource(text);
  const field = (name: string) => {
    const value = source.fields.get(name);
    if (value === undefined) throw new Error(`no @${name}`);
    return value;
  };
  const name = field('name');
  const protocol = Protocol.parse(source.fields.get('protocol') ?? 'openai-chat');
  const word = source.fields.get('seed');
  const pools = field('pool')
    .split(' ')
    .flatMap((one) => {
      const pool = POOLS[one];
      if (!pool) throw new Error(`${name}: no pool ${one}`);
      return pool;
    });
  const pool = word === undefined ? pools : shuffle(pools, `${word} of ${name}`);
  const seed = createHash('sha256').update(`contents of ${name}`).digest();
  const told = source.fields.get('labels') ?? '';
  const labels = told.startsWith('["')
    ? Texts.parse(JSON.parse(told))
    : told.split(' ').map((label) => label.replaceAll('_', ' ').trim());
  const contentOf = (at: number) => {
    const content = pool[(at + (seed[0] ?? 0)) % pool.length];
    if (!content) throw new Error(`${name}: an empty pool`);
    return content;
  };
  const keysOf = (at: number) =>
    new Set(
      source.messages.flatMap(({ texts }) =>
        texts.flatMap((one) => [...expand(one, contentOf(at)).matchAll(KEY)].map(([, key = '']) => key)),
      ),
    );

  const valuesOf = (at: number): Record<string, string> => {
    const content = contentOf(at);
    const values: Record<string, string> = {};
    for (const key of keysOf(at)) {
      const [, noun = '', digits = ''] = /^([a-z]+)(\d+)$/i.exec(key) ?? [];
      const turn = (at + (seed[1] ?? 0)) % 2;
      const answers =
        word === undefined ? content.answers : shuffle(content.answers, `${word} of ${name} in ${at}`);
      const given = source.values.get(key);
      if (given) values[key] = given[at % given.length] ?? '';
      else if (noun === 'option') {
        // The two first answers are the interesting ones: a pair is made of them, in both orders.
        const order =
          word !== undefined
            ? answers.keys().toArray()
            : labels.length <= 2
              ? [turn, 1 - turn]
              : answers.map((_, i) => (i + at + (seed[2] ?? 0)) % answers.length);
        values[key] = answers[order[Number(digits) - 1] ?? 0] ?? '';
      } else if (noun === 'turn') {
        // turn12: of the first option, the second turn.
        const [option = '1', which = '1'] = digits;
        values[key] = content.turns?.[(Number(option) - 1 + turn) % 2]?.[Number(which) - 1] ?? '';
      } else if (noun === 'user') values[key] = content.users?.[Number(digits) - 1] ?? '';
      else {
        const list = content[noun];
        const value = Array.isArray(list)
          ? list[Number(digits) - 1]
          : content[key === 'rubric' ? 'criteria' : key];
        if (typeof value === 'string') values[key] = value;
        else if (key === 'statement') values[key] = '';
        else throw new Error(`${name}: no values for ${key}`);
      }
    }
    return values;
  };

  const all = Array.from({ length: CASES }, (_, at) => valuesOf(at));
  const hostile = new Set<number>();
  for (const { at, key, value, isHostile } of source.settings) {
    const values = all[at];
    if (values?.[key] === undefined) throw new Error(`${name}: nothing to set: ${at} ${key}`);
    if (isHostile) hostile.add(at);
    if (value.startsWith('=')) values[key] = values[value.slice(1)] ?? '';
    else if (value.startsWith('@')) values[key] = all[Number(value.slice(1))]?.[key] ?? '';
    else if (value === 'long') values[key] = longText(values[key] ?? '');
    else values[key] = z.string().parse(JSON.parse(value));
  }
  const replies = z
    .array(z.tuple([z.union([z.string(), z.record(z.string(), z.unknown())]), Verdict]))
    .parse(JSON.parse(source.fields.get('replies') ?? '[]'));
  const verdict = VerdictForm.parse(
    JSON.parse(source.fields.get('verdict') ?? '{"kind":"none","where":"text"}'),
  );
  const variesInLength = source.messages.some(({ texts }) =>
    texts.some((one) => one.includes('{{#option}}')),
  );
  const optionsOf = (values: Readonly<Record<string, string>>) =>
    variesInLength ? Object.keys(values).filter((key) => /^option\d+$/.test(key)).length : Infinity;
  const tool = source.fields.get('tool');
  const licence = source.fields.get('licence');
  const note = source.fields.get('note');
  return Capture.parse({
    name,
    source: source.fields.get('source') ?? 'made here',
    ...(licence !== undefined && { licence }),
    kind: field('kind'),
    language: source.fields.get('language') ?? 'en',
    protocol,
    ...(note !== undefined && { note }),
    keys: Object.fromEntries(
      all
        .flatMap((values) => Object.keys(values))
        .map((key) => {
          const role = roleOf(source, key);
          const option = Number(/\d/.exec(key)?.[0] ?? '1');
          return [key, { role, ...(role === 'option' && { label: labels[option - 1] ?? '' }) }];
        }),
    ),
    verdict,
    cases: all.map((values, at) => ({
      path: source.fields.get('path') ?? PATHS[protocol],
      body: bodyOf(writeOut(source, contentOf(at)), protocol, (text) => fill(text, values, false)),
      marked: bodyOf(writeOut(source, contentOf(at)), protocol, (text) => fill(text, values, true)),
      values,
      ...(hostile.has(at) && { hostile: true }),
      ...(variesInLength &&
        verdict.labels && {
          verdict: {
            ...verdict,
            labels: Object.fromEntries(
              Object.entries(verdict.labels).filter(
                ([, meaning]) => typeof meaning !== 'number' || meaning < optionsOf(values),
              ),
            ),
          },
        }),
      replies: replies
        .filter(([, given]) => fitsOptions(given, optionsOf(values)))
        .map(([reply, given]) => ({
          text: typeof reply === 'string' ? reply : JSON.stringify(reply),
          ...(tool !== undefined && { tool }),
          verdict: given,
        })),
    })),
  });
}

if (import.meta.main) {
  for (const half of ['seen', 'unseen']) {
    const folder = join(HERE, half, 'sources');
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder)
      .filter((one) => one.endsWith('.txt'))
      .sort())
      process.stdout.write(`${JSON.stringify(captureOf(readFileSync(join(folder, file), 'utf8')))}\n`);
  }
}
