/**
 * Recorded verdicts with a judge behind them that can be asked again: the same model, if the figures are to say
 * anything about it. So detectors that probe can be measured on rows, too.
 */
import { type Case, editsFor, mapBack, readVerdict } from '../case/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import type { Brief, Detector } from '../detect/index.ts';
import { JudgeError } from '../http/index.ts';
import type { Model } from '../models/index.ts';
import { createRowCase, renderCaseQuestion } from './arms/loop.ts';

/** A detector whose briefs have `judge` to probe and to reword with. */
export function withJudge(detector: Detector, judge: Model): Detector {
  return {
    name: detector.name,
    analyse(brief) {
      const { subject } = createRowCase(rowOf(brief));
      const { signal } = brief;
      return detector.analyse({
        ...brief,
        subject,
        async probe(of) {
          const { text } = await judge.ask(renderCaseQuestion(subject, editsFor(subject, of)), signal);
          return mapBack(readVerdict(text, subject.form, subject.options), of);
        },
        async rewrite(prompt, until) {
          const { text } = await judge.ask(prompt, until);
          if (text.trim() === '') throw new JudgeError(`${judge.name} gave no text when asked to reword one`);
          return text.trim();
        },
      });
    },
  };
}

/** What the columns of a row say, as a row that can be put before a judge. */
function rowOf({ subject, biases }: Brief): DatasetRow {
  return {
    ...{ id: 'a recorded row', base: '', twin: false, set: 'd_bias', right: 0 },
    biases: biases.map(({ name }) => name),
    instruction: subject.instruction?.text ?? '',
    options: subject.options.map(({ text }) => text),
    labels: subject.options.map(({ label }) => label),
    statements: statementsOf(subject),
  };
}

/** Without the heading and the doubled sign that the published column gives them. */
function statementsOf({ context }: Case): string[] {
  return context.map(({ text }) => text.replace(/^#*\s*Statement:\s*/, '').replaceAll('%%', '%'));
}
