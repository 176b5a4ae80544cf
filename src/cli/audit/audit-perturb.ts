/** `remand audit perturb`: does a judge of papers follow what is changed in paper, reviews or rebuttals as a fair one would? */

import { readYesOrNo } from '../../../prompts/index.ts';
import {
  choosePerturbations,
  createPerturbPlan,
  explainUnfit,
  isShownTo,
  type JudgmentRecord,
  type PerturbRecord,
  perturbSettings,
  readDecision,
  readSubmissions,
  type SubmissionRecord,
} from '../../audit/node.ts';
import type { Editor } from '../../bias/index.ts';
import { InputError } from '../../errors.ts';
import type { Model } from '../../models/index.ts';
import { formatJsonLine } from '../../records/node.ts';
import type { CaseLine } from '../../report/index.ts';
import { shorten } from '../../shorten.ts';
import { takeFirst } from '../arguments.ts';
import { asText, asWhole, createCommand, needed, optional, usual } from '../command.ts';
import { describeSettings, planOptions, runAudit } from './run-audit.ts';

export const auditPerturbCommand = createCommand(
  {
    submissions: needed(
      asText,
      'JSONL (id, title, text, reviews, rebuttals), or an OpenReview export of forums with their replies',
    ),
    ...describeSettings(perturbSettings),
    editor: optional(
      asText,
      'the model that makes the edits which no rule can; without one those are left out',
    ),
    checker: optional(asText, 'a model that says of each edit whether it did what it should'),
    attempts: usual(asWhole(1, 20), '2', 'how often an edit is asked for until it can be taken'),
    ...planOptions,
  },
  async (call) => {
    const { args } = call;
    const { roles, modes, threshold, attempts } = args;
    const perturbations = choosePerturbations(args, { prefix: '--', edited: args.editor !== undefined });
    const submissions = () => takeFirst(readSubmissions(args.submissions, '--submissions'), args.limit);
    const sum = { submissions: 0, judgments: 0 };
    for await (const submission of submissions()) {
      sum.submissions++;
      for (const role of roles) {
        const shown = perturbations.filter(({ name }) => isShownTo(role, name, perturbations)).length;
        if (shown > 0 && explainUnfit(submission, role) === null) sum.judgments += (shown + 1) * modes.length;
      }
    }
    if (sum.submissions === 0) throw new InputError('--submissions', `${args.submissions} holds none`);

    let pairs = createPairCases(threshold);
    await runAudit(call, {
      noun: 'judgments',
      total: sum.judgments * args.judge.length,
      files: ['perturbations', 'judgments', 'cases'],
      async open(named, models) {
        pairs = createPairCases(threshold);
        const editor = await models.openOptional(args.editor, '--editor');
        const checker = await models.openOptional(args.checker, '--checker');
        return createPerturbPlan(args, named, {
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
      measured: ({ comparisons }) => comparisons.length > 0,
    });
  },
);

// The model that edits, and the one that checks its edits, as the catalogue's perturbations ask them.

/** @param checker null for the rules alone */
function createEditor(editor: Model, checker: Model | null, attempts: number): Editor {
  return {
    attempts,
    ask: async (question, signal) => (await editor.ask(question, signal)).text,
    // What is neither yes nor no is no yes.
    check:
      checker &&
      (async (question, signal) => readYesOrNo((await checker.ask(question, signal)).text) === true),
  };
}

/** Characters of each text: a report shows no more. */
const MOST = 1500;

function createPairCases(threshold: number) {
  let submission: SubmissionRecord | null = null;
  let base: JudgmentRecord | null = null;
  return {
    /** @returns null for what is no pair: a submission, and its judgment as it is */
    lineOf(record: PerturbRecord): CaseLine | null {
      if (!('judge' in record)) submission = record;
      else if (record.perturbation === null) base = record;
      else if (base && submission) return caseLine(base, record, submission, threshold);
      return null;
    },
  };
}

function caseLine(
  base: JudgmentRecord,
  record: JudgmentRecord,
  { submission, title, perturbations }: SubmissionRecord,
  threshold: number,
): CaseLine {
  const { role, mode, judge, perturbation } = record;
  const changes = perturbations.find((one) => one.perturbation === perturbation)?.changes ?? [];
  const said = ({ scores, unread, error }: JudgmentRecord) =>
    scores
      ? `overall ${scores.overall}, ${readDecision(scores, threshold)}`
      : error === null
        ? `no verdict that could be read (${unread})`
        : `it failed (${error})`;
  return {
    group: `${judge}, ${role}, ${mode}`,
    behind: perturbation ?? '',
    outcome: outcomeOf(base, record, threshold),
    id: submission,
    instruction: title,
    options: [],
    context: changes
      .slice(0, 2)
      .map(({ before, after }) =>
        shorten(
          before === ''
            ? `Added: ${after.trim()}`
            : `Before: ${shorten(before, MOST / 3)}\n\nAfter: ${shorten(after, MOST / 3)}`,
          MOST,
        ),
      ),
    steps: [
      { what: `As it was: ${said(base)}.`, text: base.text === null ? null : shorten(base.text, MOST) },
      {
        what: `With the change: ${said(record)}.`,
        text: record.text === null ? null : shorten(record.text, MOST),
      },
    ],
  };
}

function outcomeOf(
  { scores: before }: JudgmentRecord,
  { scores: after }: JudgmentRecord,
  threshold: number,
): string {
  if (!before || !after) return 'no verdict';
  const [was, is] = [before, after].map((one) => readDecision(one, threshold));
  if (was !== is) return `${was} → ${is}`;
  if (after.overall === before.overall) return 'stayed';
  return after.overall > before.overall ? 'score raised' : 'score lowered';
}
