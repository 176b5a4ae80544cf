/** `remand restore`: a copy that `wrangler d1 export` wrote, as statements that D1 takes back. */
import { createReadStream } from 'node:fs';
import { describeError, InputError } from '../errors.ts';
import { writeWhole } from '../records/node.ts';
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
        const isLong = Buffer.byteLength(statement) >= LARGEST_STATEMENT;
        for (const one of isLong ? splitStatement(statement) : [statement]) await sql.write(one);
        statements++;
        split += Number(isLong);
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

/** @throws InputError where the file cannot be read */
async function* readStatements(path: string): AsyncGenerator<string> {
  let statement = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8')) {
      for (const piece of String(chunk).split(/(?<=;\n)/)) {
        statement += piece;
        if (!statement.endsWith(';\n') || isInLiteral(statement)) continue;
        yield statement;
        statement = '';
      }
    }
  } catch (cause) {
    throw new InputError('--in', `${path} cannot be read: ${describeError(cause)}`);
  }
  if (statement.trim() !== '') yield `${statement}\n`;
}

/** A quote within a literal is written twice. */
const isInLiteral = (begun: string): boolean => begun.split("'").length % 2 === 0;

/** Text, or with an X a blob, which stays as it is. */
const LITERAL = /X?(?:'[^']*')+/gi;
/** Shorter ones stay where they are, in characters. */
const SHORT = 1_000;
/** Four bytes each at most. */
const PIECES = /[\s\S]{1,22000}/gu;

/** The same statement with its long texts in a table, where they are put piece by piece and from where it takes them. */
function* splitStatement(statement: string): Generator<string> {
  const pieces: string[] = [];
  const short = statement.replace(LITERAL, (literal) => {
    if (!literal.startsWith("'") || literal.length < SHORT) return literal;
    const first = pieces.length;
    pieces.push(...(literal.slice(1, -1).replaceAll("''", "'").match(PIECES) ?? []));
    return `(SELECT group_concat(piece, '' ORDER BY place) FROM remand_pieces WHERE place BETWEEN ${first} AND ${pieces.length - 1})`;
  });
  yield 'CREATE TABLE remand_pieces (place INTEGER PRIMARY KEY, piece TEXT NOT NULL);\n';
  for (const [place, piece] of pieces.entries())
    yield `INSERT INTO remand_pieces VALUES (${place}, '${piece.replaceAll("'", "''")}');\n`;
  yield short;
  yield 'DROP TABLE remand_pieces;\n';
}
