/** The case of a judgment that was told, laid out anew: its request is not kept, the parts that matter are. */
import { type Case, fromTracedFields, type Option, type Statement, type Verdict } from '../../case/index.ts';
import type { TraceVerdict } from '../../trace/index.ts';
import type { TracedJudgment } from './traced-judgment.ts';

export function createTracedCase({ case: { instruction, options, context, marks } }: TracedJudgment): Case {
  let text = '';
  const write = (piece: string) => {
    const start = text.length;
    text += piece;
    const at = { part: 0, start, end: text.length };
    text += '\n\n';
    return at;
  };
  const asked = instruction === null ? null : { text: instruction, at: write(instruction) };
  const place = new Map(options.map(({ label }, index) => [label, index]));
  const beside = context.map((said, index): Statement => {
    const at = write(said);
    const { mentions = [], of } = marks[index] ?? {};
    return {
      text: said,
      at,
      mentions: mentions.flatMap(({ option, start, end }) => {
        const named = place.get(option);
        return named === undefined
          ? []
          : [{ option: named, at: { part: 0, start: at.start + start, end: at.start + end } }];
      }),
      ...(of && { of }),
      whole: { ...at, end: text.length },
    };
  });
  const judged = options.map((option): Option => ({ ...option, at: write(option.text) }));
  return {
    layout: 'told',
    prompt: { parts: [{ role: 'user', text }] },
    instruction: asked,
    options: judged,
    context: beside,
    form: { kind: 'choice', write: null, tie: null, field: null },
    noteAt: { part: 0, offset: text.length },
  };
}

/** A verdict of the trace as one on the case; null where it is none. */
export function convertTracedVerdict(
  { case: { options } }: TracedJudgment,
  said: TraceVerdict,
): Verdict | null {
  const optionOf = (label: string) => options.findIndex((one) => one.label === label);
  const decision = fromTracedFields(said, optionOf);
  return decision && { ...decision, text: said.text };
}
