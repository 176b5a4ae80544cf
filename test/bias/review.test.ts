/** The nine perturbations of peer review: what each changes, that nothing else does, and that it can be taken back. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readSubmissions, submissionLine } from '../../src/audit/perturb/submissions.ts';
import { findProtected } from '../../src/bias/review/edit.ts';
import {
  applyChanges,
  type Editor,
  findPaperSections,
  findReviewSections,
  PERTURBATIONS,
  type PerturbationResult,
  type PerturbTools,
  type Submission,
} from '../../src/bias/review/index.ts';
import { selectSections } from '../../src/bias/review/submission-parts.ts';
import type { TextChange } from '../../src/bias/review/types.ts';
import { writeBadly } from '../../src/bias/review/write-badly.ts';
import { draw } from '../../src/stats/seeded-draw.ts';
import { expectLinear } from '../cost.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const samples: Submission[] = [];
for await (const one of readSubmissions(
  join(root, 'training-data/sample/submissions.jsonl'),
  '--submissions',
))
  samples.push(one);
const [tide, reef] = samples;
if (!tide || !reef) throw new Error('no sample');

describe('a review whose ratings stand beside its text', () => {
  it.each([
    [{ text: 'It is thin.', rating: 3, confidence: 4 }, 'It is thin.\n\nRating: 3\nConfidence: 4\n'],
    [
      { text: 'It is thin.\n\nRating: 3', rating: 3, soundness: 2 },
      'It is thin.\n\nRating: 3\n\nSoundness: 2\n',
    ],
    [{ text: 'It is thin.\n\n**Overall score:** 3', rating: 3 }, 'It is thin.\n\n**Overall score:** 3'],
    [{ text: 'It is thin.' }, 'It is thin.'],
    [{ text: '', rating: 3 }, ''],
  ])('%j', (given, text) => {
    const line = { id: 'p', title: 'A Study', text: 'We study things.', reviews: [given] };
    expect(submissionLine.parse(line).reviews[0]?.text).toBe(text);
  });
});

/** The submission as it was before the changes. */
function revertChanges(submission: Submission, changes: readonly TextChange[]): Submission {
  const byPlace = Map.groupBy(changes, ({ part, item }) => `${part} ${item}`);
  const back = [...byPlace.values()].flatMap((own) => {
    let moved = 0;
    return own
      .toSorted((a, b) => a.start - b.start)
      .map((change) => {
        const start = change.start + moved;
        moved += change.after.length - change.before.length;
        return { ...change, start, before: change.after, after: change.before };
      });
  });
  return applyChanges(submission, back);
}

const signal = new AbortController().signal;
const tools = (seed = 1, editor: Editor | null = null): PerturbTools => ({
  ...{ draw: (of: string) => draw(seed, of), editor, signal },
});
const named = (name: string) => {
  const found = PERTURBATIONS.find((one) => one.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
async function made(
  name: string,
  of: Submission,
  given = tools(),
): Promise<PerturbationResult & { after: Submission }> {
  const result = await named(name).perturb(of, given);
  if ('dropped' in result) throw new Error(result.dropped);
  return { ...result, after: applyChanges(of, result.changes) };
}
const dropped = async (name: string, of: Submission, given = tools()) => {
  const result = await named(name).perturb(of, given);
  return 'dropped' in result ? result.dropped : null;
};

/** Says every word anew and keeps the rest: an edit that can be taken. */
const shout = (text: string) => text.replace(/\b(?:the|a|and|of)\b/g, (word) => word.toUpperCase());
const editor = (ask: (text: string) => string, more: Partial<Editor> = {}): Editor => ({
  attempts: 1,
  check: null,
  ask: async ({ user }) => {
    const text = /^<<<TEXT>>>\n([\s\S]*)\n<<<END TEXT>>>$/.exec(user)?.[1];
    return text === undefined ? ask(user) : `<<<TEXT>>>\n${ask(text)}\n<<<END TEXT>>>`;
  },
  ...more,
});
const CLAIMS = Array.from(
  { length: 9 },
  (_, at) => `The paper leaves out matter ${'abcdefghi'[at]} altogether.`,
);

describe('the catalogue', () => {
  it('has nine, each of one part, with what a fair judge does', () => {
    expect(PERTURBATIONS.map(({ name, expectation, by }) => `${name} ${expectation} ${by}`)).toEqual([
      'paper-contribution decrease model',
      'paper-soundness decrease model',
      'paper-presentation decrease rule',
      'review-tone invariant model',
      'review-facts invariant model',
      'review-conclusion invariant rule',
      'rebuttal-tone invariant model',
      'rebuttal-presentation invariant rule',
      'rebuttal-completeness decrease rule',
    ]);
    for (const { name, part, definition } of PERTURBATIONS) {
      expect(name.startsWith(`${part}-`)).toBe(true);
      expect(definition).toMatch(/\.$/);
    }
  });

  test.each(PERTURBATIONS.map(({ name }) => name))(
    '%s changes its part alone, and is taken back to the byte',
    async (name) => {
      for (const sample of samples) {
        const given = tools(
          1,
          editor((text) => (text.startsWith('Title:') ? JSON.stringify(CLAIMS) : shout(text))),
        );
        const { after, changes } = await made(name, sample, given);
        expect(changes.length).toBeGreaterThan(0);
        const { part } = named(name);
        const [paper, review, rebuttal] = [
          after.paper !== sample.paper,
          JSON.stringify(after.reviews) !== JSON.stringify(sample.reviews),
          JSON.stringify(after.rebuttals) !== JSON.stringify(sample.rebuttals),
        ];
        expect({ paper, review, rebuttal }).toEqual({
          ...{ paper: part === 'paper', review: part === 'review', rebuttal: part === 'rebuttal' },
        });
        expect(revertChanges(after, changes)).toEqual(sample);
        // The same seed gives the same bytes.
        expect((await made(name, sample, given)).after).toEqual(after);
      }
    },
  );
});

describe('by rule', () => {
  it('turns ratings that lean to accept and no other, and leaves every reason', async () => {
    const { after } = await made('review-conclusion', tide);
    expect(after.reviews.map(({ text }) => /^Rating: .*$/m.exec(text)?.[0])).toEqual([
      'Rating: 1: strong reject',
      'Rating: 1: strong reject',
      'Rating: 5: marginally below the acceptance threshold',
    ]);
    for (const [at, { text }] of after.reviews.entries())
      expect(text.replace(/^Rating.*$/m, '')).toBe(tide.reviews[at]?.text.replace(/^Rating.*$/m, ''));
  });

  test.each([
    ['## Strengths\nSound.\n\n## Rating\n8/10', '## Strengths\nSound.\n\n## Rating\n1/10: strong reject'],
    ['**Recommendation:** 6', '**Recommendation:** 1: strong reject'],
    ['Overall score: 7: good', 'Overall score: 1: strong reject'],
    ['Rating: 6. Weak accept', 'Rating: 1: strong reject'],
  ])('knows a rating as %j', async (text, wanted) => {
    const { after } = await made('review-conclusion', { ...tide, reviews: [{ id: '1', text }] });
    expect(after.reviews[0]?.text).toBe(wanted);
  });

  test.each([
    ['Rating: 4', 'no review leans to accept'],
    ['Rating: 4/5', 'no review leans to accept'],
    ['Rating: 6.5', 'no review has an overall rating'],
    ['Rating: 8/100', 'no review leans to accept'],
    ['I like it. Eight of ten.', 'no review has an overall rating'],
    ['Rating: 8\nRating: 3', 'no review has an overall rating'],
  ])('takes %j for no acceptance', async (text, reason) => {
    expect(await dropped('review-conclusion', { ...tide, reviews: [{ id: '1', text }] })).toBe(reason);
  });

  it('takes the answers out of a rebuttal and leaves questions and courtesies', async () => {
    const { after } = await made('rebuttal-completeness', tide);
    const [first = '', second = ''] = after.rebuttals.map(({ text }) => text);
    for (const kept of [
      'We thank the reviewer for the careful',
      '> How does Tide behave under scans?',
      'W2: Writes to flash',
      'Response: ',
    ])
      expect(first).toContain(kept);
    expect(first).not.toMatch(/synthetic scan|0\.4%/);
    expect(second).toMatch(/^Q1: Why 4,096\?\n\nA1: /);
    expect(second).not.toMatch(/65,536|Public traces/);
  });

  it('writes badly around formulas, citations, numbers and tables', () => {
    const text = tide.paper;
    const spoiled = writeBadly(text, (of) => draw(3, of));
    const pieces = (of: string) => findProtected(of).map(({ start, end }) => of.slice(start, end));
    expect(pieces(spoiled).toSorted()).toEqual(pieces(text).toSorted());
    expect(spoiled.match(/\d+/g)?.toSorted()).toEqual(text.match(/\d+/g)?.toSorted());
    expect(findPaperSections(spoiled).map(({ title }) => title)).toEqual(
      findPaperSections(text).map(({ title }) => title),
    );
    const words = (of: string): string[] => of.match(/\S+/g) ?? [];
    const wrong = words(spoiled).filter((word) => !words(text).includes(word)).length;
    expect(wrong / words(text).length).toBeGreaterThan(0.04);
    expect(wrong / words(text).length).toBeLessThan(0.25);
    const table = '| a | better |\n|---|---|\n| 1 | values |';
    expect(writeBadly(table, () => 0)).toBe(table);
  });

  it('spoils any text without losing a letter of what it must keep', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 0, max: 99 }),
        (text, seed) => {
          const spoiled = writeBadly(text, (of) => draw(seed, of));
          expect(spoiled.split('\n').length).toBe(text.split('\n').length);
          expect(spoiled.length).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});

describe('by a model', () => {
  it('edits the sections that matter, one by one', async () => {
    const asked: string[] = [];
    const given = tools(
      1,
      editor((text) => {
        asked.push(text);
        return shout(text);
      }),
    );
    await made('paper-soundness', tide, given);
    expect(asked.map((text) => text.slice(0, 12))).toEqual(['For each obj', 'We replay th']);
    asked.length = 0;
    await made('paper-contribution', tide, given);
    expect(asked.map((text) => text.slice(0, 12))).toEqual([
      'Content cach',
      'Caches at th',
      "Belady's rul",
      'A linear mod',
    ]);
  });

  test.each([
    ['nothing changed', (text: string) => ` ${text.replace(/ /g, '  ')}`],
    ['too short', () => 'The method works.'],
    ['too long', (text: string) => `${text} ${text}`],
    ['headings not kept', (text: string) => `# 3 Method\n${shout(text)}`],
    ['formulas not kept', (text: string) => shout(text).replace('$s_i', '$t_i')],
    ['numbers not kept', (text: string) => shout(text).replace('4,096', '8,192')],
    ['citations not kept', (text: string) => `${shout(text)} See Lee (2021).`],
  ])('an edit is refused: %s', async (reason, edit) => {
    // The method has formulas; one section alone is asked for, so that one refusal is all.
    const only = { ...tide, paper: tide.paper.replace(/# 4 Experiments[\s\S]*$/, '') };
    const result = await named('paper-soundness').perturb(only, tools(1, editor(edit)));
    expect(result).toEqual({ dropped: `the edits could not be used: ${reason}`, refused: [reason] });
  });

  test.each([
    ['no markers', 'Here you are: a text.'],
    ['two texts', '<<<TEXT>>>\na\n<<<END TEXT>>>\n<<<TEXT>>>\nb\n<<<END TEXT>>>'],
    ['something behind it', '<<<TEXT>>>\na\n<<<END TEXT>>>\nDone!'],
  ])('a reply with %s is no edit', async (_, reply) => {
    const given = tools(1, { attempts: 1, check: null, ask: async () => reply });
    expect(await dropped('review-tone', reef, given)).toMatch(/no text between the markers/);
  });

  it('asks again where an edit cannot be taken, and counts what it refused', async () => {
    let calls = 0;
    const given = tools(
      1,
      editor((text) => (++calls <= 2 ? text : shout(text)), { attempts: 2 }),
    );
    const { changes, refused } = await made('review-tone', reef, given);
    expect(changes).toHaveLength(2);
    expect(refused).toEqual(['nothing changed', 'nothing changed']);
  });

  it('keeps the ratings of a review whose tone changes', async () => {
    const kept = editor((text) => shout(text).replace('Rating: 6', 'Rating: 2'));
    // Below the prose they are not even shown.
    expect((await made('review-tone', reef, tools(1, kept))).after.reviews[1]?.text).toContain('Rating: 6');
    const above = {
      ...reef,
      reviews: [{ id: '1', text: 'Rating: 6\n\nThe work is good and it is of use to us.' }],
    };
    expect(await dropped('review-tone', above, tools(1, kept))).toMatch(/ratings not kept/);
  });

  it('a checker has the last word', async () => {
    const given = tools(1, editor(shout, { check: async () => false }));
    expect(await dropped('rebuttal-tone', tide, given)).toMatch(/points did not stay/);
    expect(await dropped('paper-soundness', tide, given)).toMatch(/does not do what was asked/);
  });

  it('three false claims a review, drawn by seed from the bucket and put under its weaknesses', async () => {
    const bucket = (claims: unknown) => editor(() => JSON.stringify(claims));
    const { after } = await made('review-facts', tide, tools(1, bucket(CLAIMS)));
    const drawn = after.reviews.map(({ text }) => {
      const { start, end } = findReviewSections(text).find(({ name }) => name === 'weaknesses') ?? {
        start: 0,
        end: 0,
      };
      const own = text.slice(start, end);
      expect(text.replace(own, '')).not.toContain('The paper leaves out');
      expect(own.match(/^- /gm)?.length).toBe(5);
      return CLAIMS.filter((claim) => own.includes(claim));
    });
    expect(drawn.map((claims) => claims.length)).toEqual([3, 3, 3]);
    expect(new Set(drawn.map((claims) => claims.join())).size).toBeGreaterThan(1);
    const other = await made('review-facts', tide, tools(2, bucket(CLAIMS)));
    expect(other.after).not.toEqual(after);
    expect(await dropped('review-facts', tide, tools(1, bucket(CLAIMS.slice(0, 2))))).toMatch(
      /too few false claims/,
    );
    expect(await dropped('review-facts', tide, tools(1, bucket({ claims: CLAIMS })))).toMatch(/too few/);
    const known = await named('review-facts').perturb(
      tide,
      tools(1, bucket([...CLAIMS, 'The novelty over LRB is modest.'])),
    );
    expect(known).toMatchObject({ refused: ['a claim that stands in the paper or a review'] });
  });
});

describe('what cannot be perturbed is said', () => {
  test.each([
    ['paper-presentation', { ...tide, paper: 'No sections, only words.' }, 'the paper has no sections'],
    [
      'paper-presentation',
      { ...tide, paper: '# Introduction\nShort.' },
      'no section of the paper has text enough',
    ],
    ['rebuttal-completeness', { ...tide, rebuttals: [{ to: null, text: ' \n' }] }, 'the rebuttal is empty'],
    ['rebuttal-presentation', { ...tide, rebuttals: [] }, 'there is no rebuttal'],
    [
      'rebuttal-completeness',
      { ...tide, rebuttals: [{ to: null, text: 'Thank you.' }] },
      'the rebuttal has no answer of substance',
    ],
    [
      'review-facts',
      { ...tide, reviews: [{ id: '1', text: 'Good.' }] },
      'no review has a section of weaknesses',
    ],
    ['review-tone', tide, 'no model to edit with'],
  ])('%s', async (name, of, reason) => {
    expect(await dropped(name, of)).toBe(reason);
  });
});

describe('sections', () => {
  test.each([
    ['## 3.1 Setup of the ablation', 'experiments'],
    ['\\section{Preliminaries and notation}', 'theory'],
    ['**Related Work**', 'related'],
    ['IV. Methodology', 'method'],
    ['Conclusions', 'conclusion'],
    ['# References', 'back'],
    ['# A Fish Story', 'other'],
  ])('%s is %s', (line, kind) => {
    expect(findPaperSections(`${line}\nSome text.`).map((one) => one.kind)).toEqual([kind]);
  });

  it('a part without a telling name is of what it stands in', () => {
    const text = '# 3 Method\nx\n## 3.1 Reefs\ny\n# Appendix\nz\n## Proofs\nw';
    expect(findPaperSections(text).map(({ kind }) => kind)).toEqual(['method', 'method', 'back', 'back']);
  });

  it('falls back to the place of a section where no name tells', () => {
    const body = 'Words that fill the section with enough text to be worth an edit. '.repeat(3);
    const text = ['Oats', 'Barley', 'Rye', 'Wheat'].map((name) => `# ${name}\n${body}`).join('\n');
    const titles = (aspect: 'contribution' | 'soundness' | 'presentation') =>
      selectSections(text, aspect).map(({ title }) => title);
    expect(titles('contribution')).toEqual(['Oats', 'Wheat']);
    expect(titles('soundness')).toEqual(['Barley', 'Rye']);
    expect(titles('presentation')).toEqual(['Oats', 'Barley', 'Rye', 'Wheat']);
  });

  it('reads a megabyte in time linear in its length', () => {
    const paper = (lines: number) => `${'$ ( Aa '.repeat(lines)}\n# Method\n${'* '.repeat(3 * lines)}`;
    expectLinear(paper, findPaperSections, 17_500);
    expectLinear((times) => '$a (A \\begin{table} [1, '.repeat(times), findProtected, 5_000);
  });
});
