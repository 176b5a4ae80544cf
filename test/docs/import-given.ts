/** The import of what an example of the API page takes for granted: the names of api-given.ts that it uses and does not declare. */
import { join } from 'node:path';
import * as given from './api-given.ts';
import { ROOT } from './blocks.ts';

export function importGiven(code: string): string {
  const own = code.replaceAll(/^import .*$/gm, '').replaceAll(/(?:^|\s)\/\/ .*/g, '');
  const declared = [...own.matchAll(/\bconst \{?([^=]*?)\}? =/g)].flatMap(([, names = '']) =>
    names.split(/\W+/),
  );
  const imported = [...code.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(/\W+/),
  );
  const names = Object.keys(given).filter(
    (name) =>
      new RegExp(`(?:(?<![.\\w])|(?<=\\.\\.\\.))${name}\\b(?!:)`).test(own) &&
      ![...declared, ...imported].includes(name),
  );
  return `import { ${names.join(', ')} } from ${JSON.stringify(join(ROOT, 'test/docs/api-given.ts'))};\n`;
}
