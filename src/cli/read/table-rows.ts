/** Requests in tables: a row of CSV or Parquet holds one, in columns that are called like the fields of a line of a log, or is one of a tool's export. */
import { extname } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { findLoggedCalls } from '../../logs/index.ts';
import { parseJson } from '../../parse-json.ts';
import { readCsv } from '../../records/node.ts';
import { readParquet } from '../../records/parquet.ts';

const Row = z.record(z.string(), z.unknown());

/** Whole in one column, or with the messages or the text of one in it. */
const ASKED = ['body', 'request', 'messages', 'prompt'] as const;

/** @returns null where the file is no table */
export function openTable(path: string): AsyncGenerator<{ place: string; value: unknown }> | null {
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return requestsIn(path, readCsv(path, Row));
    case '.tsv':
      return requestsIn(path, readCsv(path, Row, { delimiter: '\t' }));
    case '.parquet':
      return requestsIn(path, readParquet(path, Row));
    default:
      return null;
  }
}

/** @throws InputError naming the file and the row (from 1) that holds no request */
async function* requestsIn(path: string, rows: AsyncIterable<z.infer<typeof Row>>) {
  let count = 0;
  for await (const row of rows) {
    const place = `${path}: row ${++count}`;
    const cell = (name: string): unknown => (row[name] === null || row[name] === '' ? undefined : row[name]);
    // What a cell of CSV holds is a text.
    const list = (name: string): unknown => {
      const value = cell(name);
      return typeof value === 'string' ? (parseJson(value) ?? value) : value;
    };
    const asked = ASKED.find((name) => cell(name) !== undefined);
    if (asked === undefined && findLoggedCalls(row)) {
      yield { place, value: row };
      continue;
    }
    if (asked === undefined)
      throw new InputError(
        place,
        `holds no request: it needs one of the columns ${ASKED.join(', ')}, and the row has ${Object.keys(row).join(', ')}`,
      );
    const system = cell('system');
    const turns = asked === 'messages' ? list('messages') : [{ role: 'user', content: cell('prompt') }];
    const isWhole = system === undefined || !Array.isArray(turns);
    const messages = isWhole ? turns : [{ role: 'system', content: system }, ...turns];
    yield {
      place,
      value: {
        path: cell('path'),
        body: asked === 'messages' || asked === 'prompt' ? { model: cell('model'), messages } : cell(asked),
        response: cell('response'),
        contestants: list('contestants'),
        group: cell('group'),
      },
    };
  }
}
