/** `remand restore`: a copy that `wrangler d1 export` wrote, as statements that D1 takes back. */

import { createReadStream } from 'node:fs';
import { describeError, InputError } from '../errors.ts';
import { writeWhole } from '../records/node.ts';
import { shorten } from '../shorten.ts';
import { asText, createCommand, needed } from './command.ts';

/** D1 takes 100,000 bytes in a statement (https://developers.cloudflare.com/d1/platform/limits/), and exports more. */
const LARGEST_STATEMENT = 100_000;

export const restoreCommand = createCommand(
  {
    in: needed(asText, 'SQL that `wrangler d1 export` wrote'),
    out: needed(asText, 'SQL to write, for `wrangler d1 execute --file` on an empty database'),
  },
  async ({ args, print }) => {
    const counts = await writeWhole({ sql: args.out }, async ({ sql }) => {
      let [statements, split] = [0, 0];
      for await (const statement of readStatements(args.in)) {
        const { pieces, short } = isTooLong(statement)
          ? takeOutTexts(statement)
          : { pieces: [], short: statement };
        if (isTooLong(short))
          throw new InputError(
            '--in',
            `${args.in} has a statement of ${Buffer.byteLength(short)} bytes without its long texts, and D1 takes fewer than ${LARGEST_STATEMENT}; a blob cannot be put in pieces: ${shorten(short, TOLD)}`,
          );
        for (const one of pieces.length > 0 ? listStatements(pieces, short) : [short]) await sql.write(one);
        statements++;
        split += Number(pieces.length > 0);
      }
      return { statements, split };
    });
    const { statements, split } = counts;
    print(
      { ...counts, out: args.out },
      () =>
        `${args.out} written: ${statements} statements, ${split} of them in pieces. Put it into an empty database: npx wrangler d1 execute remand --remote --file ${args.out}\n`,
    );
  },
);

const isTooLong = (statement: string): boolean => Buffer.byteLength(statement) >= LARGEST_STATEMENT;

/** Of a statement that is refused, in characters. */
const TOLD = 60;

/** @throws InputError where the file cannot be read */
async function* readStatements(path: string): AsyncGenerator<string> {
  let lines: string[] = [];
  let quotes = 0;
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      for (const line of String(chunk).split(/(?<=\n)/)) {
        // A chunk may end between the two.
        const isEnd = line.endsWith(';\n') || (line === '\n' && lines.at(-1)?.endsWith(';'));
        lines.push(line);
        quotes += line.split("'").length - 1;
        // A quote within a literal is written twice: an odd number is an open literal.
        if (!isEnd || quotes % 2 === 1) continue;
        yield lines.join('');
        [lines, quotes] = [[], 0];
      }
    }
  } catch (cause) {
    throw new InputError('--in', `${path} cannot be read: ${describeError(cause)}`);
  }
  const rest = lines.join('');
  if (rest.trim() !== '') yield `${rest}\n`;
}

/** Text, or with an X a blob, which stays as it is. */
const LITERAL = /X?(?:'[^']*')+/gi;
/** Shorter ones stay where they are, in characters. */
const SHORT = 1_000;
/** Four bytes each at most. */
const PIECES = /[\s\S]{1,22000}/gu;

/** The statement with its long texts taken from a table of pieces. */
function takeOutTexts(statement: string): { readonly pieces: readonly string[]; readonly short: string } {
  const pieces: string[] = [];
  const short = statement.replace(LITERAL, (literal) => {
    if (!literal.startsWith("'") || literal.length < SHORT) return literal;
    const first = pieces.length;
    pieces.push(...(literal.slice(1, -1).replaceAll("''", "'").match(PIECES) ?? []));
    return `(SELECT group_concat(piece, '' ORDER BY place) FROM remand_pieces WHERE place BETWEEN ${first} AND ${pieces.length - 1})`;
  });
  return { pieces, short };
}

function* listStatements(pieces: readonly string[], short: string): Generator<string> {
  yield 'CREATE TABLE remand_pieces (place INTEGER PRIMARY KEY, piece TEXT NOT NULL);\n';
  for (const [place, piece] of pieces.entries())
    yield `INSERT INTO remand_pieces VALUES (${place}, '${piece.replaceAll("'", "''")}');\n`;
  yield short;
  yield 'DROP TABLE remand_pieces;\n';
}
