/**
 * Templates of known clients, shipped as data (`known/*.json`): their delimiters, with `{{*}}` for the words around them.
 * They are matched as every template is, and read the first request of a pipeline.
 */
import * as z from 'zod';
import { kept } from '../layouts/instruction.ts';
import type { Finding, Page } from '../layouts/layout.ts';
import { linesIn, trimmed } from '../reading/lines.ts';
import { findStatements, sentencesOnTheAnswer, speaksOfTheAnswer } from '../reading/statements.ts';
import type { Prompt, Span } from '../types.ts';
import { findingOf } from './finding.ts';
import alpacaEval from './known/alpaca-eval.json' with { type: 'json' };
import autoevals from './known/autoevals.json' with { type: 'json' };
import deepeval from './known/deepeval.json' with { type: 'json' };
import mastra from './known/mastra.json' with { type: 'json' };
import mlflow from './known/mlflow.json' with { type: 'json' };
import { type FilledSlot, matchTemplate, type TemplateMatch } from './match.ts';
import { type Template, TemplateFile } from './template.ts';
import { parseTemplates } from './unfold.ts';

const KnownFile = z.strictObject({
  ...TemplateFile.shape,
  /** What the prompt calls what is judged. */
  noun: z.string(),
  /** Whether the reply has a verdict on each of several things that stand in one slot. */
  each: z.boolean().default(false),
  /** How verdicts are written where the request does not say; `{}` stands for the label's key. */
  usual: z.string().nullable().default(null),
});

interface Known extends Omit<z.infer<typeof KnownFile>, 'parts'> {
  readonly template: Template;
  /** The longest literal: a request without it is not compared any further. */
  readonly anchor: string;
}

const KNOWN: readonly Known[] = [alpacaEval, autoevals, deepeval, mastra, mlflow]
  .flatMap((file) => z.array(KnownFile).parse(file))
  .flatMap(({ parts, ...settings }) =>
    parseTemplates({
      name: settings.name,
      parts,
      ...(settings.verdict && { verdict: settings.verdict }),
    }).map((template) => {
      const literals = template.parts.flatMap((part) => part.literals);
      const anchor = literals.reduce((longest, one) => (one.length > longest.length ? one : longest));
      return { ...settings, template, anchor };
    }),
  );

/**
 * @param pages what may be read of the request; a template is of the last of them
 * @returns undefined where no template fits, null where one does and what it judges is not certain
 */
export function findKnown({ parts }: Prompt, pages: readonly Page[]): Finding | null | undefined {
  for (const known of KNOWN) {
    const here = pages.slice(-known.template.parts.length);
    if (!here.some(({ text }) => text.includes(known.anchor))) continue;
    const read = here.flatMap(({ part }) => parts[part] ?? []);
    const match = matchTemplate(known.template, { parts: read });
    if (match) return findingIn(known, here, match);
  }
  return undefined;
}

function findingIn(known: Known, pages: readonly Page[], { kind, slots }: TemplateMatch): Finding | null {
  const placed = slots.map((slot) => ({ ...slot, part: pages[slot.part]?.part ?? 0 }));
  const finding = kind === 'slots' ? findingOf(known.template, placed) : null;
  const [option] = finding?.options ?? [];
  if (!finding || !option || (finding.single && option.at.start === option.at.end)) return null;
  const { name, noun, each, usual } = known;
  const pageOf = (span: Span) => pages.find(({ part }) => part === span.part);
  const asked = finding.instruction && pageOf(finding.instruction);
  const spans = (of: (slot: FilledSlot) => boolean) =>
    placed.filter(of).flatMap(({ part, at }): Span[] => (at ? [{ part, ...at }] : []));
  const told = spans(({ role }) => role === 'context');
  const labels = finding.options.map(({ label }) => label);
  return {
    ...finding,
    layout: name,
    noun,
    each,
    usual,
    instruction: asked
      ? (kept(asked, finding.instruction.start, finding.instruction.end) ?? finding.instruction)
      : null,
    closed: spans(({ role }) => role !== '*' && role !== 'instruction'),
    context: told.flatMap((span) => statementsIn(pageOf(span), span, labels)),
  };
}

/** What a text that is handed over says others think of what is judged; in JSON and in quotes, which sentence. */
function statementsIn(page: Page | undefined, span: Span, labels: readonly string[]): Span[] {
  const { part } = span;
  const text = page?.text ?? '';
  if (labels.length > 1) {
    const parts = Array.from({ length: part + 1 }, () => ({ role: '', text }));
    return findStatements({ parts }, [span], labels).map(({ at }) => at);
  }
  const said = text.slice(span.start, span.end);
  const lines = /\\[nr"]/.test(said) || /^\s*["{]/.test(said) ? [span] : linesIn(text, span);
  return lines.flatMap((line) => {
    const at = trimmed(text, line);
    const words = text.slice(at.start, at.end);
    if (/^["{]|\\[nr"]/.test(words))
      return sentencesOnTheAnswer(text, at).map((range) => ({ part, ...range }));
    return speaksOfTheAnswer(words) ? [{ part, ...at }] : [];
  });
}
