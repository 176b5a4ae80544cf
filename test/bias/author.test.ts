/** Author blocks in live cases: spotted, masked where they stand, and nothing taken for one that is substance. */
import { describe, expect, it, test } from 'vitest';
import { AUTHOR_DATA, createProfiles, DIMENSIONS } from '../../src/audit/authors/profiles.ts';
import { author } from '../../src/bias/author.ts';
import { expectLinear } from '../cost.ts';
import { caseOf } from '../two-options.ts';

const tools = { rewrite: null, signal: new AbortController().signal };
const body = 'We study how caches evict and learn a score from the last requests. '.repeat(5).trim();
const paper = (block: string) => `# Tide\n\n${block}\n\n${body}`;

async function undone(options: readonly string[]): Promise<[number, string][] | null> {
  const subject = caseOf({ options });
  const [cue] = author.spot(subject);
  if (!cue) return null;
  expect(cue).toMatchObject({ bias: 'author', favours: 'any' });
  return [...((await author.undo(subject, cue, tools))?.options ?? [])];
}

it('masks what the audit injects, of every dimension', async () => {
  for (const dimension of DIMENSIONS)
    for (const { block } of createProfiles(dimension, AUTHOR_DATA)) {
      const fields = block.split('\n').map((line) => `${line.split(':')[0]}: withheld`);
      expect(await undone([paper(block), 'B'])).toEqual([[0, paper(fields.join('\n'))]]);
    }
});

it('masks both options alike, emphasis and order kept', async () => {
  const first = paper('**Authors:** A. Miller, B. Wilson\n**Institution:** Oxford');
  const second = paper('Author: C. Baker\nAffiliation: Adams State University\nPosition: student');
  expect(await undone([first, second])).toEqual([
    [0, paper('**Authors:** withheld\n**Institution:** withheld')],
    [1, paper('Author: withheld\nAffiliation: withheld\nPosition: withheld')],
  ]);
});

it('is possible of a single text as well', async () => {
  expect(await undone([paper('Author: C. Baker\nAffiliation: Oxford')])).toHaveLength(1);
});

describe('is no author block', () => {
  test.each([
    ['an answer whose substance the author is', 'Author: Jane Austen\nPublications: Emma, Persuasion'],
    ['an author alone', paper('Author: Jane Austen')],
    ['one that is masked already', paper('Author: anonymous\nAffiliation: withheld')],
    [
      'fields in the midst of a text',
      `${body}\n${body}\n${body}\n${body}\nAuthor: C. Baker\nAffiliation: Oxford\n${body}`,
    ],
    ['positions of something else', paper('Position: 3\nEmail: none')],
    ['prose', paper('The author: a person at Oxford, who says: no.')],
    ['nothing but a block', 'Author: C. Baker\nAffiliation: Oxford'],
  ])('%s', async (_, text) => {
    expect(await undone([text, 'Another answer.'])).toBeNull();
  });
});

it('a long text is read in time linear in its length, whatever it is made of', () => {
  expectLinear(
    (lines) => `${'*_ '.repeat(lines)}\n${'a '.repeat(lines)}\n${body}`,
    (long) => expect(author.spot(caseOf({ options: [long, long] }))).toEqual([]),
    12_500,
  );
});

describe('put into clean data', () => {
  const draft = (options: readonly string[]) => ({
    ...{
      instruction: 'Which?',
      options,
      right: 0,
      answers: [null, null],
      toned: null,
      favours: null,
      statements: [],
    },
  });
  const inject = (options: readonly string[], side: 'wrong' | 'right') =>
    author.inject?.(draft(options), {
      ...{ side, share: 90, wording: '', retone: null, signal: tools.signal },
    });

  it.each([
    ['wrong', 1],
    ['right', 0],
  ] as const)('the renowned author stands above the %s option, and is spotted', async (side, at) => {
    const injected = await inject([body, `${body} More.`], side);
    if (!injected || !('options' in injected)) throw new Error('was dropped');
    const renowned = injected.options.map((text) => text.includes('Massachusetts'));
    expect(renowned).toEqual([at === 0, at === 1]);
    const masked = await undone(injected.options);
    expect(masked?.map(([, text]) => text.slice(text.indexOf('\n\n') + 2))).toEqual([body, `${body} More.`]);
    const [first, second] = masked?.map(([, text]) => text.split('\n\n')[0]) ?? [];
    expect(first).toBe(second);
  });

  it('a text that is too short to have an author is dropped', async () => {
    expect(await inject([body, 'Yes.'], 'wrong')).toEqual({ dropped: 'too short to have an author' });
  });
});
