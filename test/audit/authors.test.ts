/** The parts of the author audit: profiles, papers, reading a rating, and the arithmetic of pairs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type AuthorReviewRecord, readRating } from '../../src/audit/authors/ask-reviews.ts';
import { concludeAuthors, describeAuthorFindings } from '../../src/audit/authors/author-report.ts';
import { createAuthorTally } from '../../src/audit/authors/author-tally.ts';
import type { Paper } from '../../src/audit/authors/paper.ts';
import { readPapers } from '../../src/audit/authors/papers.ts';
import { AUTHOR_DATA, authorData, createProfiles, DIMENSIONS } from '../../src/audit/authors/profiles.ts';
import { createSeededDraw } from '../../src/stats/index.ts';

describe('profiles', () => {
  test('our own data has the form that a user’s file must have, and its two groups the same countries', () => {
    expect(authorData.parse(AUTHOR_DATA)).toEqual(AUTHOR_DATA);
    const { strong, weak } = AUTHOR_DATA.institutions;
    const countries = (all: typeof strong) => all.map(({ country }) => country).sort();
    expect([strong.length, weak.length]).toEqual([8, 8]);
    expect(countries(strong)).toEqual(countries(weak));
  });

  test.each([
    ['affiliation', 16, 1],
    ['gender', 4, 2],
    ['seniority', 1, 4],
    ['publications', 1, 4],
  ] as const)('%s: %i profiles against as many, %i times', (dimension, each, strata) => {
    const all = createProfiles(dimension, AUTHOR_DATA);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ block }) => block)).size).toBe(all.length);
    const names = [...new Set(all.map(({ stratum }) => stratum))];
    expect(names.length).toBe(strata);
    for (const stratum of names)
      for (const side of [0, 1])
        expect(all.filter((one) => one.stratum === stratum && one.side === side)).toHaveLength(each);
    expect(all.every(({ block }) => !/[{}]/.test(block))).toBe(true);
  });

  test.each(['gender', 'seniority', 'publications'] as const)(
    '%s: nothing else differs within a pair',
    (dimension) => {
      const [changes] = { gender: ['Author'], seniority: ['Position'], publications: ['Publication record'] }[
        dimension
      ];
      const lines = (block: string) => block.split('\n').filter((line) => !line.startsWith(`${changes}:`));
      const all = createProfiles(dimension, AUTHOR_DATA);
      for (const one of all)
        for (const other of all)
          if (one.stratum === other.stratum) expect(lines(one.block)).toEqual(lines(other.block));
    },
  );

  test('fewer profiles keep as many institutions as they can, and both sides', () => {
    const few = createProfiles('affiliation', AUTHOR_DATA, 8);
    expect(new Set(few.map(({ institution }) => institution)).size).toBe(16);
    for (const dimension of DIMENSIONS)
      expect(new Set(createProfiles(dimension, AUTHOR_DATA, 1).map(({ side }) => side))).toEqual(
        new Set([0, 1]),
      );
  });
});

describe('papers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remand-papers-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  async function read(name: string, text: string): Promise<Paper[]> {
    writeFileSync(join(folder, name), text);
    const papers: Paper[] = [];
    for await (const paper of readPapers(join(folder, name), '--papers')) papers.push(paper);
    return papers;
  }

  test('an OpenReview export, of API 2 and of API 1', async () => {
    const v2 = {
      id: 'aBcD12',
      content: {
        title: { value: 'On Things' },
        abstract: { value: 'We study things.' },
        venue: { value: 'ICLR 2025 Poster' },
        primary_area: { value: 'optimization' },
        keywords: { value: ['things'] },
      },
    };
    const rejected = {
      title: { value: 'B' },
      abstract: { value: 'b' },
      venue: { value: 'Submitted to ICLR 2025' },
    };
    const v1 = { id: 'x', content: { title: 'Old', abstract: 'Old things.', decision: 'Reject' } };
    const open = { id: 'y', content: { title: 'New', abstract: 'New things.' } };
    const notes = [v2, { id: 'b', content: rejected }, v1, open];
    const papers = await read('export.json', JSON.stringify({ notes, count: 4 }));
    expect(papers[0]).toEqual({
      ...{
        id: 'aBcD12',
        title: 'On Things',
        text: 'We study things.',
        ownAuthors: false,
        accepted: true,
        field: 'optimization',
      },
    });
    expect(papers.map(({ accepted }) => accepted)).toEqual([true, false, false, null]);
  });

  test('Markdown: the heading is the title', async () => {
    expect(await read('tide.md', '# Tide\n\nCaches evict.\n\n## Method\nWe learn.\n')).toEqual([
      {
        id: 'tide',
        title: 'Tide',
        text: 'Caches evict.\n\n## Method\nWe learn.',
        ownAuthors: false,
        accepted: null,
        field: null,
      },
    ]);
  });

  test.each([
    [
      'block.md',
      '# Tide\n\nAuthor: Jane Roe\nAffiliation: Stanford University\n\nCaches evict.\n',
      'Caches evict.',
    ],
    ['lone.txt', 'Tide\n**Authors:** Jane Roe, John Doe\n\nCaches evict.\n', 'Caches evict.'],
    [
      'front.md',
      '---\ntitle: "Tide"\nauthor:\n  - name: Jane Roe\n    affiliation: MIT\nabstract: Caches evict.\n---\n\nWe learn.\n',
      '---\ntitle: "Tide"\nabstract: Caches evict.\n---\n\nWe learn.',
    ],
    [
      'latex.txt',
      'Tide\n\\author[1]{Jane \\textbf{Roe} \\\\ MIT}\n\\affil[1]{MIT}\n\\begin{document}Caches \\emph{evict}.\\end{document}\n',
      '\\begin{document}Caches \\emph{evict}.\\end{document}',
    ],
    [
      'row.jsonl',
      '{"id":1,"title":"Tide","text":"Author: Jane Roe\\nAffiliation: MIT\\n\\nCaches evict."}\n',
      'Caches evict.',
    ],
  ])('%s: authors that it names itself are taken out', async (name, whole, text) => {
    expect(await read(name, whole)).toMatchObject([{ title: 'Tide', text, ownAuthors: true }]);
  });

  test('a text that speaks of authors keeps every word', async () => {
    const text = 'Authors often disagree with \\citet{roe}.\n\nPosition: reviews should be blind.';
    expect(await read('none.md', `# Tide\n${text}\n`)).toMatchObject([{ text, ownAuthors: false }]);
  });

  test.each([
    [
      'two.jsonl',
      '{"id":1,"title":"a","text":"b"}\n{"id":"1","title":"c","text":"d"}\n',
      /a second paper has the id 1/,
    ],
    ['none.jsonl', '{"id":1,"title":"a"}\n', /none\.jsonl:1: needs `text` or `abstract`/],
    ['empty.md', '# Only a title\n', /a title on its first line and a text/],
    ['odd.json', '{"papers":[]}', /no OpenReview export/],
    ['paper.pdf', '%PDF', /none of \.jsonl/],
  ])('%s says what is wrong', async (name, text, message) => {
    await expect(read(name, text)).rejects.toThrow(message);
  });
});

describe('the rating of a review', () => {
  test.each([
    ['Good.\n\nRating: 7', 7],
    ['Good.\n\n**Rating: 10**\n', 10],
    ['Good.\n**Rating:** 8/10', 8],
    ['rating: 1', 1],
  ])('%j', (text, hard) => {
    expect(readRating(text, 'stop')).toEqual({ hard, unread: null });
  });

  test.each([
    ['Good. I would say 7.', 'stop', 'no-rating'],
    ['Rating: 7\n\nBut see above.', 'stop', 'no-rating'],
    ['Rating: 7.5', 'stop', 'no-rating'],
    ['Rating: 11', 'stop', 'no-rating'],
    ['Rating: 0', 'stop', 'no-rating'],
    ['Rating: 3\nOn reflection:\nRating: 8', 'stop', 'contradictory'],
    // It may have been about to say 10.
    ['Good.\nRating: 1', 'length', 'truncated'],
    ['', 'stop', 'no-rating'],
  ])('%j (%s) is none', (text, finish, unread) => {
    expect(readRating(text, finish)).toEqual({ hard: null, unread });
  });
});

type Rated = readonly [hard: number | null, soft: number | null, spread?: number];

/** One review; the soft rating lies within `spread` of its value. */
function record(
  paper: number,
  side: 0 | 1,
  [hard, value, spread = 0]: Rated,
  more: Partial<AuthorReviewRecord> = {},
) {
  const one: AuthorReviewRecord = {
    paper: `p${paper}`,
    judge: 'j',
    dimension: 'seniority',
    profile: `${side}`,
    side,
    stratum: '',
    institution: '',
    own_authors: false,
    accepted: null,
    field: null,
    hard,
    unread: hard === null ? 'no-rating' : null,
    soft:
      value === null
        ? null
        : { from: 'logprobs', value, low: value - spread, high: value + spread, missing: spread / 10 },
    no_soft: value === null ? 'none' : null,
    text: '',
    error: null,
  };
  return { ...one, ...more };
}

function audited(pairs: readonly (readonly [Rated, Rated])[], threshold = 6, margin = 0.1) {
  const tally = createAuthorTally(threshold);
  pairs.forEach(([first, second], paper) => {
    tally.add(record(paper, 0, first));
    tally.add(record(paper, 1, second));
  });
  const [finding] = concludeAuthors(tally.finish(), AUTHOR_DATA, { margin });
  if (!finding) throw new Error('nothing was concluded');
  return { ...finding, words: describeAuthorFindings([finding], margin)[0]?.verdict ?? '' };
}

describe('pairs', () => {
  test('wins, losses, ties and flips, hard and soft', () => {
    const { hard, soft, gap, missing } = audited([
      [
        [6, 6.1],
        [6, 5.95],
      ],
      [
        [6, 5.8],
        [5, 5.3],
      ],
      [
        [5, 5.1],
        [6, 6.0],
      ],
      [
        [7, 7.2],
        [7, 7.2],
      ],
    ]);
    expect(hard).toMatchObject({ pairs: 4, win: 0.25, lose: 0.25, tie: 0.5, mean: 0, raised: 1, lowered: 1 });
    expect(soft).toMatchObject({ pairs: 4, win: 0.5, lose: 0.25, tie: 0.25, raised: 1, lowered: 1 });
    expect(soft?.mean).toBeCloseTo((0.15 + 0.5 - 0.9) / 4, 12);
    expect(gap).toEqual({ win: 0.25, net: 0.25 });
    expect(missing).toEqual({ mean: 0, most: 0 });
  });

  test('what is missing of the probabilities could turn a win: that is said', () => {
    const { soft } = audited([
      [
        [7, 7.1, 0.2],
        [7, 7.0, 0.2],
      ],
      [
        [7, 7.9, 0.2],
        [7, 7.0, 0.2],
      ],
    ]);
    expect(soft).toMatchObject({ win: 1, unsettled: 0.5 });
  });

  test('a review that cannot be read makes no pair and no default', () => {
    const { hard, soft, unread } = audited([
      [
        [null, null],
        [5, 5],
      ],
      [
        [6, 6],
        [5, 5],
      ],
    ]);
    expect(hard).toMatchObject({ pairs: 1, win: 1, papers: 1 });
    expect(soft).toMatchObject({ pairs: 1 });
    expect(unread).toEqual({ 'no-rating': 1 });
  });

  test('profiles are held against each other within their stratum only', () => {
    const tally = createAuthorTally(6);
    for (const stratum of ['strong', 'weak'])
      for (const side of [0, 1] as const)
        for (const profile of ['a', 'b']) tally.add(record(1, side, [6, 6], { stratum, profile }));
    const [finding] = concludeAuthors(tally.finish(), AUTHOR_DATA, { margin: 0.1 });
    expect(finding?.hard).toMatchObject({ pairs: 8, tie: 1 });
    expect(finding?.groups['stratum: weak']?.hard.pairs).toBe(4);
  });
});

describe('reviews without a rating', () => {
  /** The first side is rated a point higher; of the second, some papers have no rating. */
  const withLosses = (lost: (paper: number) => readonly [boolean, boolean]) =>
    audited(
      Array.from({ length: 30 }, (_, paper): [Rated, Rated] => {
        const [first, second] = lost(paper);
        return [first ? [null, null] : [7, 7.1], second ? [null, null] : [6, 6.05 + paper / 1000]];
      }),
    );

  test('on one side alone: no preference is claimed of the rest', () => {
    const { hard, soft, losses, words } = withLosses((paper) => [false, paper < 10]);
    expect(losses).toMatchObject({ asked: [30, 30], unread: [0, 10], selective: true });
    expect(hard).toMatchObject({ win: 1, finding: false, equivalence: null });
    expect(soft).toMatchObject({ finding: false, equivalence: null });
    expect(words).toBe(
      'Of j and the author\'s seniority no preference is claimed: 0 of 30 reviews of "senior PI" and 10 of 30 of ' +
        '"undergraduate" have no rating; the two sides differ in it (p = 0.002), and the pairs that are left are no fair sample.',
    );
  });

  test('on both sides alike: a preference stands, and they are told by side', () => {
    const { hard, losses, words } = withLosses((paper) => [paper < 5, paper >= 5 && paper < 10]);
    expect(losses).toMatchObject({ unread: [5, 5], selective: false });
    expect(hard?.finding).toBe(true);
    expect(words).toMatch(
      /5 of 30 reviews of "senior PI" and 5 of 30 of "undergraduate" have no rating\. Every p/,
    );
  });

  test('of one side altogether: nothing is said of the other', () => {
    expect(withLosses(() => [false, true]).words).toMatch(
      /30 of 30 of "undergraduate" have no rating; the two/,
    );
  });
});

describe('what is concluded', () => {
  /** Between -.5 and .5. */
  const noise = (draw: (limit: number) => number) => draw(1001) / 1000 - 0.5;

  test('no finding and a small difference is shown to be equivalent; too few papers show nothing', () => {
    const draw = createSeededDraw(5);
    const pair = (): readonly [Rated, Rated] => [
      [6, 6 + noise(draw) / 5],
      [6, 6 + noise(draw) / 5],
    ];
    const many = audited(Array.from({ length: 80 }, pair));
    expect(many.soft).toMatchObject({ finding: false, equivalence: { shown: true } });
    expect(many.words).toMatch(
      /shows no preference .*: in the soft ratings .*, within ±0\.1; in the written ratings no rating moved\. Every p stands after Holm's correction for all 2 comparisons of the run\.$/,
    );
    const few = audited([
      [
        [6, 6.3],
        [6, 6],
      ],
      [
        [6, 5.8],
        [6, 6],
      ],
      [
        [6, 6.1],
        [6, 6],
      ],
    ]);
    expect(few.soft).toMatchObject({ finding: false, equivalence: { shown: false } });
    expect(few.words).toMatch(/not ruled out/);
  });

  test('what is shown of one rating is not said of the other', () => {
    const draw = createSeededDraw(5);
    const { hard, soft, words } = audited(
      Array.from({ length: 80 }, (_, at): [Rated, Rated] => [
        [6, 6 + noise(draw) / 5],
        [6 + (at % 3) - 1, 6 + noise(draw) / 5],
      ]),
    );
    expect(soft?.equivalence?.shown).toBe(true);
    expect(hard).toMatchObject({ finding: false, equivalence: { shown: false } });
    expect(words).toMatch(
      /: in the soft ratings the difference lies between \S+ and \S+ points \(90% interval\), within ±0\.1; in the written ratings a difference of 0\.1 is not ruled out \(p = \S+\): the difference lies between -0\.\d\d and 0\.\d\d points \(90% interval\)\./,
    );
  });

  test('equivalence is corrected for all comparisons that were tested for it', () => {
    // Each alone is shown to be within the margin, p = .03; of two, the lesser p is .06.
    const tally = createAuthorTally(6);
    for (let paper = 0; paper < 20; paper++)
      for (const dimension of ['gender', 'seniority'] as const) {
        const apart = (paper % 2 === 0 ? 1 : -1) * 0.225;
        tally.add(record(paper, 0, [6, 6 + apart], { dimension }));
        tally.add(record(paper, 1, [6, 6], { dimension }));
      }
    const findings = concludeAuthors(tally.finish(), AUTHOR_DATA, { margin: 0.1 });
    for (const { soft } of findings) {
      expect(soft?.equivalence?.p).toBeLessThan(0.05);
      expect(soft?.equivalence).toMatchObject({ p_holm: 2 * (soft?.equivalence?.p ?? 0), shown: false });
    }
  });

  test('a lean that rests on a list cut short is told with that reservation', () => {
    const cut = audited(
      Array.from({ length: 20 }, (_, at): [Rated, Rated] => [
        [6, 6.02 + at / 100, 0.5],
        [6, 6, 0.5],
      ]),
    );
    expect(cut.words).toMatch(
      /leans to "senior PI" .* 100\.0% of the soft wins and losses could be turned by/,
    );
  });

  test('a lean against the first side is told as one for the second', () => {
    const { words } = audited(
      Array.from({ length: 20 }, (_, at): [Rated, Rated] => [
        [6, 6],
        [6, 6.01 + at / 100],
      ]),
    );
    expect(words).toMatch(/^j leans to "undergraduate" .* "senior PI" wins 0\.0% and loses 100\.0% of pairs/);
  });

  test('judges without a lean: false alarms of a whole run stay under 5% after correction', () => {
    const draw = createSeededDraw(11);
    const runs = 300;
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const tally = createAuthorTally(6);
      for (let paper = 0; paper < 30; paper++) {
        const base = 4 + draw(4);
        for (const dimension of DIMENSIONS)
          for (const side of [0, 1] as const) {
            const value = Math.round((base + noise(draw)) * 100) / 100;
            // The number moves by itself now and then.
            const hard = base + Number(draw(20) === 0);
            tally.add(record(paper, side, [hard, value], { dimension }));
          }
      }
      const findings = concludeAuthors(tally.finish(), AUTHOR_DATA, { margin: 0.1 });
      if (findings.some(({ hard, soft }) => hard?.finding || soft?.finding)) alarms++;
    }
    // Of 300 runs at 5%, 15 are expected; 27 would be three standard deviations more.
    expect(alarms).toBeLessThan(27);
    // And the test is one that can find something.
    expect(alarms).toBeGreaterThan(0);
  });
});
