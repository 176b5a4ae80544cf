/** `remand audit perturb`: does a judge of papers follow what is changed in paper, reviews or rebuttals as a fair one would? */
import { defineCommand } from 'citty';
import { describeOptions, readSettings } from '../../audit/index.ts';
import {
  choosePerturbations,
  createPerturbPlan,
  perturbSettings,
  readSubmissions,
} from '../../audit/node.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine } from '../../records/node.ts';
import { parseWholeNumber, readLimit, takeFirst } from '../arguments.ts';
import { print, tell } from '../terminal.ts';
import { createPairCases } from './perturb-cases.ts';
import { createEditor } from './perturb-editor.ts';
import { estimatePerturb } from './perturb-estimate.ts';
import { formatPerturbTable } from './perturb-table.ts';
import { listJudges, planArguments, runAudit } from './run-audit.ts';

export const auditPerturbCommand = defineCommand({
  meta: {
    name: 'perturb',
    description:
      'Change papers, reviews or rebuttals in one respect, and see whether a judge follows as a fair one would. Started again, it goes on.',
  },
  args: {
    submissions: {
      type: 'string',
      required: true,
      description:
        'JSONL (id, title, text, reviews, rebuttals), or an OpenReview export of forums with their replies',
    },
    ...describeOptions(perturbSettings),
    editor: {
      type: 'string',
      description: 'the model that makes the edits which no rule can; without one those are left out',
    },
    checker: { type: 'string', description: 'a model that says of each edit whether it did what it should' },
    attempts: {
      type: 'string',
      default: '2',
      description: 'how often an edit is asked for until it can be taken',
    },
    ...planArguments,
  },
  async run({ args }) {
    const settings = readSettings(perturbSettings, args, '--');
    const { roles, modes, threshold } = settings;
    const perturbations = choosePerturbations(settings, { prefix: '--', edited: args.editor !== undefined });
    const attempts = parseWholeNumber('--attempts', args.attempts, 1, 20);
    const judges = listJudges(args.judge).length;
    const limit = readLimit(args.limit);
    const submissions = () => takeFirst(readSubmissions(args.submissions, '--submissions'), limit);
    const estimated = await estimatePerturb(submissions(), {
      ...{ roles, modes, perturbations, judges, attempts, checked: args.checker !== undefined },
    });
    if (estimated.submissions === 0) throw new InputError('--submissions', `${args.submissions} holds none`);
    const cost =
      `${estimated.calls} calls at most (${estimated.submissions} submissions, ${perturbations.length} perturbations, ${judges} judges), ` +
      `about ${estimated.input_tokens} tokens in, ${estimated.output_tokens} out\n`;
    if (args['dry-run']) return print(args.json ? `${JSON.stringify(estimated)}\n` : cost);
    tell(cost);

    let pairs = createPairCases(threshold);
    const { report, calls, tokens } = await runAudit(args, {
      noun: 'judgments',
      total: estimated.judgments,
      files: ['perturbations', 'judgments', 'cases'],
      async open(named, models) {
        pairs = createPairCases(threshold);
        const editor = args.editor === undefined ? null : await models.open(args.editor, '--editor');
        const checker = args.checker === undefined ? null : await models.open(args.checker, '--checker');
        return createPerturbPlan(settings, named, {
          prefix: '--',
          editor: editor && createEditor(editor, checker, attempts),
        });
      },
      rows: submissions,
      async write(record, files) {
        if ('judge' in record) await files.judgments.write(formatJsonLine(record));
        else for (const one of record.perturbations) await files.perturbations.write(formatJsonLine(one));
        const line = pairs.lineOf(record);
        if (line) await files.cases.write(formatJsonLine(line));
      },
    });
    const result = { ...report, calls, tokens };
    print(args.json ? `${JSON.stringify(result)}\n` : formatPerturbTable(result));
  },
});
