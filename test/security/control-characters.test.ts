/** A name with control characters is refused where it comes in; one that is there already is shown, not obeyed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readModelSpec } from '../../src/cli/open-models.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { createJsonLog } from '../../src/proxy/log.ts';
import { escapeControls } from '../../src/records/control.ts';
import { remand } from '../cli/command.ts';
import { exchange, keyOf, startProxy } from '../proxy/servers.ts';

/** Clears a terminal; a line of its own; an escape of one byte (C1); turns the direction of writing; ends a line for JavaScript. */
const HOSTILE = ['\u001b[2J', 'a\nb', 'a\rb', '\u009b2J', 'a\u202eb', 'a\u2028b', 'a\u0000b', '\u007f'];
/** What a terminal would obey. */
const OBEYED = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/u;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'remand-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test.each(HOSTILE)('over HTTP the name %j of a key is refused, with the name of the field', async (name) => {
  const admin = await keyOf('admin', ['admin']);
  const proxy = await startProxy({ REMAND_KEYS: JSON.stringify([admin.record]) });
  const add = async (named: string) => {
    const headers = { 'x-remand-key': admin.key };
    const body = JSON.stringify({ name: named });
    return exchange(`${proxy.url}/remand/keys`, { method: 'POST', headers, body });
  };
  const refused = await add(name);
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body.toString()).error.message).toMatch(/^name: .*control characters/);
  expect((await add('Zoë’s team, ☃')).status).toBe(201);
});

test.each(HOSTILE)('in the settings %j is refused, with the name of the setting', async (name) => {
  const { record } = await keyOf('a');
  const REMAND_KEYS = JSON.stringify([{ ...record, name }]);
  expect(() => readConfig({ REMAND_KEYS })).toThrow(/^REMAND_KEYS\.0\.name: .*control characters/);
  const REMAND_UPSTREAMS = JSON.stringify([{ model: name, url: 'http://judge' }]);
  expect(() => readConfig({ REMAND_UPSTREAMS })).toThrow(/^REMAND_UPSTREAMS\.0\.model: .*control characters/);
  expect(() => readModelSpec(`${name}=m@http://judge`, '--judge')).toThrow(/^--judge: .*control characters/);
});

test('on the command line a name is refused, and one that is in the file already is shown escaped', async () => {
  const cwd = folder();
  const env = { REMAND_STATE: join(cwd, 'state.sqlite') };
  const refused = await remand(['keys', 'add', '--name', HOSTILE[0] ?? ''], env);
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^remand: name: .*control characters/),
  });
  expect((await remand(['keys', 'add', '--name', 'kept'], env)).code).toBe(0);
  const database = new DatabaseSync(env.REMAND_STATE);
  database.prepare('UPDATE keys SET name = ?').run(HOSTILE.join(' '));
  database.close();
  const words = (await remand(['keys', 'list'], env)).out;
  expect(words).toContain('\\u001b[2J');
  expect(words).toContain('\\u202e');
  expect(words.trim().split('\n')).toHaveLength(1);
  const { out } = await remand(['keys', 'list', '--json'], env);
  expect(out).not.toMatch(OBEYED);
  expect(JSON.parse(out).keys[0].name).toBe(HOSTILE.join(' '));
});

test('the log shows what it is told, and no terminal obeys it', () => {
  let line = '';
  const message = HOSTILE.join(' ');
  const clock = { now: () => Date.UTC(2026, 10, 30, 12) };
  createJsonLog((written) => {
    line = written;
  }, clock)({ level: 'error', event: 'fault', message });
  expect(line).not.toMatch(OBEYED);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    time: '2026-11-30T12:00:00.000Z',
    level: 'error',
    event: 'fault',
    message,
  });
});

test('lines and tabs stay', () => {
  expect(escapeControls('a\tb\nc é 漢 🙂')).toBe('a\tb\nc é 漢 🙂');
});

test('no command writes past the one place that escapes', () => {
  const cli = fileURLToPath(new URL('../../src/cli', import.meta.url));
  const files = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const writing = files.filter((name) =>
    /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(join(cli, name), 'utf8')),
  );
  expect(writing).toEqual(['terminal.ts']);
});
