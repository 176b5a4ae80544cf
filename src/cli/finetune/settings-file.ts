/** Setting values in a settings file where they stand: comments, order, indentation and the other values stay. */
import { readFile } from 'node:fs/promises';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { InputError } from '../../errors.ts';
import { writeWhole } from '../../records/node.ts';

/**
 * @param path a JSON file; made where it is missing
 * @param values the settings to write
 * @throws InputError where the file is no JSON object, WriteError where it cannot be written
 */
export async function writeSettingsFile(
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const text = await readSettingsFile(path);
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const set = Object.entries(values).reduce(
    (current, [name, value]) => applyEdits(current, modify(current, [name], value, { formattingOptions })),
    text,
  );
  await writeWhole({ settings: path }, (files) => files.settings.write(set));
}

/** @throws InputError where the file is there and holds no JSON object */
export async function readSettingsFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '{}\n';
    throw cause;
  });
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors);
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(path, 'must hold one JSON object');
  return text;
}
