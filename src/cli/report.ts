/** `remand report`: one page from any results: what was measured, in words, charts and tables, with the cases behind. */

import { defineCommand } from 'citty';
import { InputError } from '../errors.ts';
import { writeWhole } from '../records/node.ts';
import { renderReport } from '../report/index.ts';
import { readResults } from './report/read-results.ts';
import { describeOrigin } from './result-origin.ts';
import { print, tell } from './terminal.ts';

export const reportCommand = defineCommand({
  args: {
    in: {
      type: 'string',
      required: true,
      description:
        'files or folders, comma separated: what a command wrote with --json, results of audits, calibration.json, the report.json of distill, the JSON of /remand/numbers',
    },
    out: { type: 'string', default: 'report.html', description: 'the page' },
    title: { type: 'string', default: 'Remand: what was measured', description: 'its heading' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run(context) {
    const { args } = context;
    const paths = args.in
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '');
    if (paths.length === 0) throw new InputError('--in', 'names no file');
    const { results, passedOver } = await readResults(paths);
    for (const path of passedOver) tell(`${path}: no result, passed over\n`);
    const page = await renderReport(args.title, results, await describeOrigin('report', context));
    await writeWhole({ page: args.out }, (files) => files.page.write(page));
    const made = {
      out: args.out,
      bytes: Buffer.byteLength(page),
      results: results.map(({ source, result }) => ({ source, kind: result.kind })),
    };
    print(
      args.json
        ? `${JSON.stringify(made)}\n`
        : `${args.out}: ${made.results.map(({ source, kind }) => `${source} (${kind})`).join(', ')}\n`,
    );
  },
});
