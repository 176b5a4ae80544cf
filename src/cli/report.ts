/** `remand report`: one page from any results: what was measured, in words, charts and tables, with the cases behind. */

import { InputError } from '../errors.ts';
import { escapeInPage } from '../records/index.ts';
import { writeWhole } from '../records/node.ts';
import { renderReport } from '../report/index.ts';
import { asList, asText, createCommand, needed, usual } from './command.ts';
import { readResults } from './report/read-results.ts';
import { tell } from './terminal.ts';

export const reportCommand = createCommand(
  {
    in: needed(
      asList(','),
      'files or folders, comma separated: what a command wrote with --json, results of audits, calibration.json, the report.json of distill, the JSON of /remand/numbers',
    ),
    out: usual(asText, 'report.html', 'the page'),
    title: usual(asText, 'Remand: what was measured', 'its heading'),
  },
  async ({ args, origin, print }) => {
    const paths = args.in.filter((path) => path !== '');
    if (paths.length === 0) throw new InputError('--in', 'names no file');
    const { results, passedOver } = await readResults(paths);
    for (const path of passedOver) tell(`${path}: no result, passed over\n`);
    const page = escapeInPage(await renderReport(args.title, results, await origin()));
    await writeWhole({ page: args.out }, (files) => files.page.write(page));
    const made = results.map(({ source, result }) => ({ source, kind: result.kind }));
    print(
      { out: args.out, bytes: Buffer.byteLength(page), results: made },
      () => `${args.out}: ${made.map(({ source, kind }) => `${source} (${kind})`).join(', ')}\n`,
    );
  },
);
