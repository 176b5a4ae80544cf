/**
 * Requests and replies of public clients, mutated by seed: an exchange of the options moves their true texts and
 * nothing else, or the case is left alone; a verdict is the one that the client's own parser reads, or none.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor, reversed } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import type { Case, Prompt, Verdict } from '../../src/case/types.ts';
import { readVerdict } from '../../src/case/verdict.ts';
import { type Mutant, mutant, plainText, reply } from './mutation/arbitraries.ts';
import type { Decision } from './mutation/client-parsers.ts';
import { type Filling, LAYOUTS, type Layout } from './mutation/layouts.ts';
import { expectInPlace, found } from './requests.ts';

/** For every layout; together they are above 2,000. */
const RUNS = Number(process.env.MUTATION_RUNS ?? 100);
const SEED = Number(process.env.MUTATION_SEED ?? 20_260_517);

const written = (layout: Layout, { filling, lineEnd }: Mutant): Prompt => ({
  parts: layout.write(filling).parts.map(({ role, text }) => ({
    role,
    text: lineEnd === '\n' ? text : text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'),
  })),
});

const asked = ({ schema }: Layout) => (schema === undefined ? {} : { schema });

const unmutated = (layout: Layout) =>
  fc.tuple(plainText(), fc.array(plainText(), { minLength: layout.options, maxLength: layout.options })).map(
    ([question, texts]): Mutant => ({
      filling: { question, texts, keys: layout.keys, asked: layout.keys, ended: true },
      lineEnd: '\n',
    }),
  );

/** The generator's own writing of the other order is what an exchange must give, byte for byte. */
function expectExact(layout: Layout, mutated: Mutant, subject: Case): void {
  expectInPlace(subject);
  const { filling } = mutated;
  const request = written(layout, mutated);
  if (layout.options === 1) return void expectInside(layout, mutated, subject);
  const truth = (texts: readonly string[]) => written(layout, { ...mutated, filling: { ...filling, texts } });
  expect(subject.options).toHaveLength(filling.texts.length);
  const swapped = applyEdits(request, editsFor(subject, reversed(subject)));
  expect(swapped).toEqual(truth(filling.texts.toReversed()));
  // Where two texts are alike an exchange says nothing; other words in their place do.
  const words = filling.texts.map((_, i) => `word${i}`);
  const reworded = { ...asGiven(subject), options: new Map(words.map((word, i) => [i, word] as const)) };
  expect(applyEdits(request, editsFor(subject, reworded))).toEqual(truth(words));
  const again = findCase(swapped, asked(layout));
  if (again) expect(applyEdits(swapped, editsFor(again, reversed(again)))).toEqual(request);
}

/** One answer is never exchanged; where it holds the template's own titles only a part may be found, but none of the rest. */
function expectInside(layout: Layout, mutated: Mutant, subject: Case): void {
  const { filling } = mutated;
  const [text = ''] = filling.texts;
  const marked = written(layout, { ...mutated, filling: { ...filling, texts: ['\u{f0000}'] } });
  const start =
    marked.parts.findLast((part) => part.text.includes('\u{f0000}'))?.text.indexOf('\u{f0000}') ?? 0;
  const end =
    start + (mutated.lineEnd === '\n' ? text : text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')).length;
  expect(subject.options).toHaveLength(1);
  for (const { at } of subject.options) {
    expect(marked.parts[at.part]?.text).toContain('\u{f0000}');
    expect(at.start).toBeGreaterThanOrEqual(start);
    expect(at.end).toBeLessThanOrEqual(end);
  }
}

function decisionOf(verdict: Verdict): Decision {
  switch (verdict.kind) {
    case 'none':
      return null;
    case 'choice':
      return verdict.option;
    case 'tie':
      return 'tie';
    case 'score':
      return `score ${verdict.score}`;
    case 'scores':
      return `scores ${verdict.scores.join()}`;
    case 'pass':
      return verdict.pass ? 'pass' : 'fail';
    case 'list':
      return `lists ${verdict.items.join()}`;
    case 'category':
      return `is ${verdict.category}`;
  }
  // Of a kind that no layout asks for.
  return `is ${JSON.stringify(verdict)}`;
}

/** How many mutants of each layout were left alone. */
const leftAlone = new Map<string, number>();

describe.each(LAYOUTS.map((layout) => [layout.name, layout] as const))('%s', (name, layout) => {
  test('as it is, it is read', () => {
    const read = fc.sample(unmutated(layout), { numRuns: 30, seed: SEED }).map((one) => {
      const request = written(layout, one);
      const subject = findCase(request, asked(layout));
      if (subject) expectExact(layout, one, subject);
      return subject !== null || recogniseCase(request, asked(layout)).reason === 'not-evident';
    });
    expect(read).not.toContain(false);
  });

  test('mutated, it is exchanged exactly or left alone', () => {
    let left = 0;
    fc.assert(
      fc.property(mutant(layout), (mutated) => {
        const subject = findCase(written(layout, mutated), asked(layout));
        if (subject) expectExact(layout, mutated, subject);
        else left++;
      }),
      { seed: SEED, numRuns: RUNS },
    );
    leftAlone.set(name, left);
  });

  test('a mutated reply is read as its client reads it, or not at all', () => {
    const filling: Filling = {
      question: 'Hi?',
      texts: layout.keys.slice(0, layout.options).map((key) => `I am ${key}.`),
      keys: layout.keys,
      asked: layout.keys,
      ended: true,
    };
    const { form, options } = found(layout.write(filling), asked(layout));
    fc.assert(
      fc.property(reply(layout), (said) => {
        const ours = decisionOf(readVerdict(said, form, options));
        const theirs = layout.parse(said);
        if (ours !== null && (layout.strict || theirs !== null)) expect(ours).toBe(theirs);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

test('how many mutants are left alone, by layout', () => {
  const shares = [...leftAlone].map(([name, left]) => [name, left / RUNS] as const);
  console.log(shares.map(([name, share]) => `${(100 * share).toFixed(0).padStart(4)}%  ${name}`).join('\n'));
  // Hostile texts make many cases that cannot be told, but a reader that gives up on all of them protects nobody.
  expect(shares.filter(([, share]) => share > 0.9)).toEqual([]);
});
