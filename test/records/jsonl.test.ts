/** JSONL files: what is wrong is named, what is written is whole. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readAllJsonl, readJsonl, writeJsonl } from '../../src/records/jsonl.ts';

const schema = z.object({ id: z.int() });
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remand-jsonl-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, text?: string) => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

describe('reading', () => {
  it('takes CRLF, blank lines, a byte-order mark and a last line without an end', async () => {
    const path = file('some.jsonl', '\uFEFF{"id": 1}\r\n\r\n{"id": 2}');
    expect(await readAllJsonl(path, schema)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('takes a separator of lines or paragraphs inside a text for what it is', async () => {
    const path = file('separators.jsonl', '{"text": "a\u2028b\u2029c\u0085d"}\n');
    const text = z.object({ text: z.string() });
    expect(await readAllJsonl(path, text)).toEqual([{ text: 'a\u2028b\u2029c\u0085d' }]);
    await writeJsonl(path, [{ text: 'a\u2028b\u2029c\u0085d' }]);
    expect(readFileSync(path, 'utf8')).toBe('{"text":"a\\u2028b\\u2029c\\u0085d"}\n');
  });

  it.each([
    ['{"id": 1}\n{"id": "x"}\n', 'wrong.jsonl:2: id'],
    ['{"id": 1}\n\n{"id"', 'wrong.jsonl:3: not valid JSON'],
  ])('names the line and the field of %j', async (text, message) => {
    const reading = readAllJsonl(file('wrong.jsonl', text), schema);
    await expect(reading).rejects.toThrow(message);
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFF{"id": 1}\n', 'utf16le')],
    ['gzip', gzipSync('{"id": 1}\n')],
  ])('says of %s what to do, and names no line that there is not', async (_, bytes) => {
    const path = file('other.jsonl');
    writeFileSync(path, bytes);
    await expect(readAllJsonl(path, schema)).rejects.toThrow(
      'other.jsonl: is not UTF-8: save it in that encoding, unpacked',
    );
  });

  it('hands out the records before a wrong one, so that memory need not hold the file', async () => {
    const seen: number[] = [];
    const path = file('late.jsonl', '{"id": 1}\n{"id": 2}\nnonsense\n');
    await expect(async () => {
      for await (const { id } of readJsonl(path, schema)) seen.push(id);
    }).rejects.toThrow('late.jsonl:3');
    expect(seen).toEqual([1, 2]);
  });
});

describe('writing', () => {
  it('gives back what was written', async () => {
    const path = file('deep/er.jsonl');
    expect(await writeJsonl(path, [{ id: 1 }, { id: 2 }])).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
  });

  it('leaves the old file and nothing half-written where the records break off', async () => {
    const path = file('kept.jsonl', 'old\n');
    const breaking = async function* () {
      for (let id = 0; id < 20_000; id++) yield { id };
      throw new Error('the source broke off');
    };
    await expect(writeJsonl(path, breaking())).rejects.toThrow('the source broke off');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    expect(existsSync(`${path}.partial`)).toBe(false);
  });

  it('names the file where the disk is full', async () => {
    const path = file('full.jsonl');
    // The kernel's own full disk: every write to it fails with ENOSPC.
    symlinkSync('/dev/full', `${path}.partial`);
    await expect(writeJsonl(path, [{ id: 1 }])).rejects.toThrow(`${path} could not be written: ENOSPC`);
    expect(existsSync(path)).toBe(false);
  });
});
