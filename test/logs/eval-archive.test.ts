/** `.eval` files of Inspect: every way in which their entries are packed, and what is no such file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { findLoggedCalls } from '../../src/logs/index.ts';
import { readEvalSamples } from '../../src/logs/node.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-eval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Packed {
  readonly name: string;
  readonly text: string;
  readonly method: number;
}

const PACK: Readonly<Record<number, (bytes: Buffer) => Buffer>> = { 8: deflateRawSync, 93: zstdCompressSync };

/** A zip archive (APPNOTE.TXT 6.3.10, 4.3). */
function zip(entries: readonly Packed[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, method } of entries) {
    const bytes = Buffer.from(text);
    const data = PACK[method]?.(bytes) ?? bytes;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, Buffer.from(name)]),
    );
    files.push(head);
    offset += head.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, listed, Buffer.from('PK\u0005\u0006'), end]);
}

const sample = (grade: string) =>
  JSON.stringify({
    events: [
      {
        ...{ event: 'model', model: 'openai/gpt-4o' },
        input: [{ role: 'user', content: 'Does the submission meet the criterion?' }],
        output: { choices: [{ message: { role: 'assistant', content: `GRADE: ${grade}` } }] },
      },
    ],
  });

async function read(name: string, bytes: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const samples: unknown[] = [];
  for await (const one of readEvalSamples(path)) samples.push(one.sample);
  return samples;
}

test('stored, deflated and packed with zstandard, among other entries', async () => {
  const samples = await read(
    'log.eval',
    zip([
      { name: 'header.json', text: '{}', method: 93 },
      { name: 'samples/1_epoch_1.json', text: sample('C'), method: 0 },
      { name: 'samples/2_epoch_1.json', text: sample('I'), method: 8 },
      { name: 'samples/3_epoch_1.json', text: sample('P'), method: 93 },
      { name: 'summaries.json', text: '[]', method: 8 },
    ]),
  );
  const calls = samples.flatMap((one) => findLoggedCalls(one)?.calls ?? []);
  expect(calls.map(({ response }) => JSON.stringify(response?.choices))).toEqual(
    ['C', 'I', 'P'].map((grade) => expect.stringContaining(`GRADE: ${grade}`)),
  );
  expect(calls[0]?.body).toEqual({
    model: 'openai/gpt-4o',
    messages: [{ role: 'user', content: 'Does the submission meet the criterion?' }],
  });
});

test('what cannot be read is named, with its entry', async () => {
  await expect(
    read('none.eval', Buffer.from('no archive at all, but long enough to look for an end')),
  ).rejects.toThrow(/none\.eval: is no log of Inspect/);
  const odd = zip([{ name: 'samples/1.json', text: sample('C'), method: 14 }]);
  await expect(read('odd.eval', odd)).rejects.toThrow(/odd\.eval\/samples\/1\.json: is packed by method 14/);
  const broken = zip([{ name: 'samples/1.json', text: '{"events"', method: 0 }]);
  await expect(read('broken.eval', broken)).rejects.toThrow(/samples\/1\.json: is no JSON/);
  const cut = zip([{ name: 'samples/1.json', text: sample('C'), method: 93 }]);
  cut.fill(0, 50, 60);
  await expect(read('cut.eval', cut)).rejects.toThrow(/samples\/1\.json: cannot be unpacked/);
});
