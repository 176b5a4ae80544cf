/** Every kind of verdict, through everything that tells of one. */
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import type { Case, Verdict } from '../../src/case/types.ts';
import {
  describeTraced,
  describeVerdict,
  fromTracedFields,
  kindOf,
  labelsOf,
  mapBack,
  readBrief,
  remindVerdict,
  sameVerdict,
} from '../../src/case/verdicts/index.ts';
import { recordsOf } from '../../src/proxy/labels/trace-records.ts';
import { renderStory } from '../../src/proxy/pages/story.ts';
import { createEvaluationEvents } from '../../src/proxy/telemetry/otlp.ts';
import { removeTexts, toTraceVerdict } from '../../src/trace/build.ts';
import { readTrace, summariseTrace, type Trace, traceSchema } from '../../src/trace/trace-schema.ts';
import { pair } from '../loop.ts';

const subject: Case = pair();
const nameOf = labelsOf(subject);
const spread = { mean: 4, variance: 1, missing: 0, low: 4, high: Number.POSITIVE_INFINITY };

/** Each kind, how it is told to people, and another verdict of the kind. */
const kinds: { [K in Verdict['kind']]: [Extract<Verdict, { kind: K }>, words: string, other: Verdict] } = {
  choice: [
    { text: 'a', kind: 'choice', option: 0, strength: 'strong', probability: 0.9, missing: 0 },
    'Output (a)',
    { text: 'b', kind: 'choice', option: 1 },
  ],
  tie: [{ text: 'C', kind: 'tie' }, 'a tie', { text: 'a', kind: 'choice', option: 0 }],
  score: [{ text: '4', kind: 'score', score: 4, spread }, 'a score of 4', { text: '5', kind: 'score', score: 5 }],
  scores: [{ text: '9 6', kind: 'scores', scores: [9, 6] }, 'Output (a), with scores of 9 and 6', { text: '6 9', kind: 'scores', scores: [6, 9] }],
  pass: [{ text: 'Y', kind: 'pass', pass: true, spread }, 'a pass', { text: 'N', kind: 'pass', pass: false }],
  category: [{ text: 'B', kind: 'category', category: 'B' }, 'the category B', { text: 'C', kind: 'category', category: 'C' }],
  list: [{ text: '[]', kind: 'list', items: ['yes', 'no'] }, 'the verdicts yes, no', { text: '[]', kind: 'list', items: ['yes'] }],
  none: [{ text: '?', kind: 'none', reason: 'no-label' }, 'no verdict (no-label)', { text: '', kind: 'none', reason: 'empty' }],
}; // biome-ignore format: a table

/** As a judgment leaves it that began with one verdict and ended with another. */
function traceOf(first: Verdict, last: Verdict): Trace {
  const [before, after] = [first, last].map((one) => toTraceVerdict(subject, one));
  return traceSchema.parse({
    ...{ id: 't', time: '2026-11-25T12:00:00.000Z', ms: 5, status: 'revised', stop: 'clean', judge: 'm' },
    ...{ detector: 'probe', mode: 'debias', layout: 'any', policy: 'last-word', rounds: 1, error: null },
    case: {
      instruction: 'Which?',
      options: subject.options.map(({ label, text }) => ({ label, text })),
      context: [],
    },
    ...{ verdicts: [before, after], moved: true, final: after },
    ...{ written: null, analyses: [], calls: [], biases: [] },
  });
}

const links = { query: '', list: '/', older: null, newer: null };
const who = { user: null, session: null, parent: null, provider: 'openai' };
/** A trace does not name the options beside its scores. */
const traced = (words: string) => words.replace(/Output \(a\), with/, 'option 1, with');

describe.each(Object.values(kinds))('$kind: %j', (verdict, words, other) => {
  it('is told in words', () => {
    expect(describeVerdict(verdict, nameOf)).toBe(words);
  });

  it('is told to the judge without a label or a number', () => {
    expect(remindVerdict(verdict, (option) => `the ${option === 0 ? 'first' : 'second'} option`)).not.toMatch(
      /\d|Output|\b[BC]\b/,
    );
  });

  it('goes into a trace, and comes back as the same decision', () => {
    const traced = JSON.parse(JSON.stringify(toTraceVerdict(subject, verdict)));
    const back = fromTracedFields(traced, (label) => subject.options.findIndex((one) => one.label === label));
    if (verdict.kind === 'none') expect([back, traced.none]).toEqual([null, verdict.reason]);
    else expect(back && sameVerdict({ ...back, text: '' }, verdict)).toBe(true);
  });

  it('is told from its trace without an option or a number being lost', () => {
    expect(describeTraced(toTraceVerdict(subject, verdict))).toBe(traced(words));
  });

  it('is told to a detector model and read back', () => {
    const read = readBrief(kindOf(verdict).brief(verdict, nameOf));
    // Options are read by their labels, which are the reader's affair.
    if (['choice', 'scores', 'none'].includes(verdict.kind)) expect(read).toBeNull();
    else expect(read && sameVerdict({ ...read, text: '' }, verdict)).toBe(true);
  });

  it('differs from another one, and is itself again when exchanged twice', () => {
    expect(sameVerdict(verdict, other)).toBe(false);
    const order = { order: [1, 0] };
    expect(mapBack(mapBack(verdict, order), order)).toEqual(verdict);
  });

  it('is told on the dashboard, first and last', async () => {
    const page = String(await renderStory(traceOf(other, verdict), links));
    expect(page).toContain(`<p class="decided">${traced(words)}</p>`);
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });

  it('is told to OpenTelemetry', () => {
    const [event] = createEvaluationEvents(traceOf(other, verdict), who, resourceFromAttributes({}));
    const { 'gen_ai.evaluation.score.label': label, 'error.type': error } = event?.attributes ?? {};
    if (verdict.kind === 'none') expect(error).toBe(`no_verdict_${verdict.reason}`);
    else expect(label).toBe(verdict.kind === 'pass' ? 'pass' : traced(words));
  });

  it('goes into a record, where a record can hold it', () => {
    const [record] = recordsOf(traceOf(other, verdict), null);
    // A list, say, cannot be compared with a label.
    if (!kindOf(verdict).toDraw) expect(record).toBeUndefined();
    else expect(record).toMatchObject({ item: 't', order: 'given' });
  });

  it('keeps its decision in a trace without texts, and in one that was stored', () => {
    const trace = traceOf(other, verdict);
    const silent = removeTexts(trace);
    expect(describeTraced(silent.final)).toBe(traced(words));
    expect(silent.final.text).toMatch(/withheld/);
    expect(readTrace('t', JSON.stringify(trace))).toEqual(trace);
    expect(JSON.stringify(summariseTrace(trace))).not.toContain('undefined');
  });
});
