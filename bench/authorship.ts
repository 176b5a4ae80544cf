/**
 * How fast the embedded anchor scores reviews, and whether any number of them fits into the same memory:
 * `npm run bench:authorship`. Reviews of some 400 words, made on the fly of words that nobody wrote, go through
 * `remand audit authorship` as a user starts it: few first, then ten times as many. Prints reviews a second and the peak
 * of resident memory (VmHWM, Linux); exits 1 where that grows with the reviews. It says nothing about what is found.
 *
 * `-- --reviews 500,5000` for other sizes, `--json` for one JSON document.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeJsonl } from '../src/records/jsonl.ts';
import { draw } from '../src/stats/seeded-draw.ts';
import { peakOf } from './peak.ts';

/** How much more memory ten times the reviews may take: their scores are kept, their texts are not. */
const GROWTH = 1.25;
/** Of a paper: three reviews by people and one by a model. */
const EACH = 4;
const WORDS = 400;
/** As many as a review's language has at hand. */
const VOCABULARY = 6000;
const COMMON = 'the of and to in is that it for on with as this are be not by from an or'.split(' ');

const { values: options } = parseArgs({
  options: {
    reviews: { type: 'string', default: '1000,10000' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = options.reviews.split(',').map(Number);
const results = [];
for (const reviews of sizes) results.push(await measured(reviews));
const [least] = results;
const grown = results.filter(({ peak_mib }) => peak_mib > (least?.peak_mib ?? 0) * GROWTH);
if (options.json) process.stdout.write(`${JSON.stringify({ results, grown })}\n`);
else console.table(results);
for (const { reviews, peak_mib } of grown)
  process.stderr.write(
    `${peak_mib} MiB for ${reviews} reviews is more than ${GROWTH} times that of ${sizes[0]}\n`,
  );
if (grown.length > 0) process.exitCode = 1;

async function measured(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'remand-bench-authorship-'));
  try {
    const [reviews, anchors] = [join(folder, 'reviews.jsonl'), join(folder, 'anchors.jsonl')];
    await writeJsonl(reviews, reviewsOf(count));
    await writeJsonl(anchors, anchorsOf(Math.ceil(count / EACH)));
    const words = [
      'audit',
      'authorship',
      '--reviews',
      reviews,
      '--anchors',
      anchors,
      '--out',
      join(folder, 'out'),
    ];
    const { seconds, peak_mib } = await peakOf(words);
    return { reviews: count, reviews_per_second: Math.round(count / seconds), peak_mib };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* reviewsOf(count: number) {
  for (let at = 0; at < count; at++) {
    const paper = Math.floor(at / EACH);
    const byModel = at % EACH === 0;
    const head = {
      id: `r${at}`,
      paper: `p${paper}`,
      venue: 'v2024',
      subset: at < count / 2 ? 'calibration' : 'test',
    };
    const author = byModel ? ({ author: 'model', model: 'm' } as const) : { author: 'human' };
    yield { ...head, ...author, text: text(`${at}`, byModel ? `p${paper}` : null) };
  }
}

function* anchorsOf(papers: number) {
  for (let at = 0; at < papers; at++)
    yield { paper: `p${at}`, model: 'anchor', text: text(`anchor ${at}`, `p${at}`) };
}

/** Words drawn by rank, the low ones oftener; half of the sentences are shared by all that have the same `like`. */
function text(of: string, like: string | null): string {
  const words: string[] = [];
  for (let at = 0; at < WORDS; at++) {
    const shared = like !== null && Math.floor(at / 20) % 2 === 0;
    const rank = Math.floor(VOCABULARY * draw(1, `word ${at} of ${shared ? like : of}`) ** 3);
    words.push(
      rank < COMMON.length ? (COMMON[rank] ?? '') : `w${rank.toString(36)}`,
      COMMON[at % COMMON.length] ?? '',
    );
  }
  return words.slice(0, WORDS).join(' ');
}
