/** `remand audit perturb`: does a judge of papers follow what is changed in paper, reviews or rebuttals as a fair one would? */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { REVIEW_MODES, REVIEW_ROLES } from '../../../prompts/submission-review.ts';
import {
  createPerturbCounts,
  createPerturbReport,
  createPerturbTally,
  judgeAll,
  perturbAll,
  readSubmissions,
} from '../../audit/perturb/index.ts';
import { PERTURBATIONS, type Perturbation } from '../../bias/review/index.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine } from '../../records/jsonl.ts';
import { writeWhole } from '../../records/whole-file.ts';
import { draw } from '../../stats/seeded-draw.ts';
import {
  parseOneOf,
  parsePositive,
  parseWholeNumber,
  readLimit,
  runInterruptible,
  takeFirst,
} from '../arguments.ts';
import { checkNames } from '../dataset/dataset-judge.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import { showProgress } from '../progress.ts';
import { print, tell } from '../terminal.ts';
import { createPairCases } from './perturb-cases.ts';
import { createEditor } from './perturb-editor.ts';
import { estimatePerturb } from './perturb-estimate.ts';
import { formatPerturbTable } from './perturb-table.ts';

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
    judge: {
      type: 'string',
      required: true,
      description: '[name=][protocol:]model@url[#KEY_VARIABLE]; several with ;',
    },
    out: { type: 'string', required: true, description: 'folder to write to' },
    perturbations: {
      type: 'string',
      default: 'all',
      description: `all, or some of ${PERTURBATIONS.map(({ name }) => name).join(', ')}`,
    },
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
    roles: { type: 'string', default: REVIEW_ROLES.join(','), description: 'what the judge is asked to be' },
    modes: { type: 'string', default: 'none', description: `ways of prompting: ${REVIEW_MODES.join(', ')}` },
    threshold: {
      type: 'string',
      default: '6',
      description: 'the least overall score at which a reviewer accepts',
    },
    'margin-dimension': {
      type: 'string',
      default: '0.5',
      description: 'points: the smallest difference of a dimension or a decision that matters',
    },
    'margin-overall': { type: 'string', default: '1', description: 'the same of the overall score' },
    seed: { type: 'string', default: '1', description: 'of what is drawn: false claims, typing errors' },
    concurrency: { type: 'string', default: '16', description: 'judgments at a time' },
    limit: { type: 'string', description: 'at most so many submissions' },
    ...modelArguments,
    'dry-run': { type: 'boolean', default: false, description: 'say what it would ask, and ask nothing' },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const specs = args.judge.split(';').map((spec) => spec.trim());
    const chosen = readPerturbations(args.perturbations, args.editor !== undefined);
    const roles = several('--roles', args.roles, REVIEW_ROLES);
    const modes = several('--modes', args.modes, REVIEW_MODES);
    const attempts = parseWholeNumber('--attempts', args.attempts, 1, 20);
    const threshold = parseWholeNumber('--threshold', args.threshold, 2, 10);
    const margins = {
      dimension: parsePositive('--margin-dimension', args['margin-dimension']),
      overall: parsePositive('--margin-overall', args['margin-overall']),
    };
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31);
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);
    const limit = readLimit(args.limit);
    const submissions = () => takeFirst(readSubmissions(args.submissions, '--submissions'), limit);
    const asking = { roles, modes, perturbations: chosen, judges: specs.length };
    const estimated = await estimatePerturb(submissions(), {
      ...asking,
      attempts,
      checked: args.checker !== undefined,
    });
    if (estimated.submissions === 0) throw new InputError('--submissions', `${args.submissions} holds none`);
    const cost =
      `${estimated.calls} calls at most (${estimated.submissions} submissions, ${chosen.length} perturbations, ${specs.length} judges), ` +
      `about ${estimated.input_tokens} tokens in, ${estimated.output_tokens} out\n`;
    if (args['dry-run']) return print(args.json ? `${JSON.stringify(estimated)}\n` : cost);
    tell(cost);

    const files = ['perturbations.jsonl', 'judgments.jsonl', 'cases.jsonl'].map((name) =>
      join(args.out, name),
    );
    const [perturbations = '', judgments = '', cases = ''] = files;
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const progress = showProgress('judgments', estimated.judgments);
    let tally = createPerturbTally(threshold);
    let counts = createPerturbCounts(chosen);
    const spend = await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, async (models) => {
      const judges = await Promise.all(specs.map((spec) => models.open(spec, '--judge')));
      checkNames(judges.map(({ name }) => name));
      const editor = args.editor === undefined ? null : await models.open(args.editor, '--editor');
      const checker = args.checker === undefined ? null : await models.open(args.checker, '--checker');
      const tools = {
        draw: (of: string) => draw(seed, of),
        editor: editor && createEditor(editor, checker, attempts),
      };
      // With --via batch this runs more than once.
      tally = createPerturbTally(threshold);
      counts = createPerturbCounts(chosen);
      await runInterruptible((signal) =>
        writeWhole({ perturbations, judgments, cases }, async (to) => {
          const run = { concurrency, signal };
          const pairs = createPairCases(threshold);
          async function* perturbed() {
            for await (const one of perturbAll(submissions(), { perturbations: chosen, tools }, run)) {
              for (const record of one.records) {
                counts.addPerturbation(record);
                await to.perturbations.write(formatJsonLine(record));
              }
              pairs.begin(one);
              yield one;
            }
          }
          const judging = { judges, roles, modes, onUnfit: counts.addUnfit };
          for await (const record of judgeAll(perturbed(), judging, chosen, run)) {
            await to.judgments.write(formatJsonLine(record));
            tally.add(record);
            counts.addJudgment(record);
            const line = pairs.lineOf(record);
            if (line) await to.cases.write(formatJsonLine(line));
            progress.update(counts.judgments(), counts.failed() > 0 ? `${counts.failed()} failed` : '');
          }
        }),
      );
    }).finally(() => progress.stop());

    const audit = createPerturbReport(tally.finish(), counts.result(), chosen, { threshold, margins, seed });
    const result = { ...audit, ...spend };
    await writeWhole({ result: join(args.out, 'result.json') }, (whole) =>
      whole.result.write(`${JSON.stringify(audit, null, 2)}\n`),
    );
    if (counts.judgments() === 0 || counts.failed() === counts.judgments()) process.exitCode = 1;
    print(args.json ? `${JSON.stringify(result)}\n` : formatPerturbTable(result));
  },
});

/** @throws InputError naming one that there is not, and those that need an editor where there is none */
function readPerturbations(list: string, edited: boolean): Perturbation[] {
  const usable = PERTURBATIONS.filter(({ by }) => edited || by === 'rule');
  if (list.trim() === 'all') return usable;
  const names = several(
    '--perturbations',
    list,
    PERTURBATIONS.map(({ name }) => name),
  );
  const missing = names.filter((name) => !usable.some((one) => one.name === name));
  if (missing.length > 0) throw new InputError('--editor', `is needed for ${missing.join(', ')}`);
  return PERTURBATIONS.filter(({ name }) => names.includes(name));
}

function several<T extends string>(option: string, list: string, known: readonly T[]): T[] {
  const named = new Set(list.split(',').map((one) => parseOneOf(option, one.trim(), known)));
  return known.filter((one) => named.has(one));
}
