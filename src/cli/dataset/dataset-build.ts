/** `remand dataset build`: D and D_bias from base data. */
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { type Bias, CATALOGUE, findBias } from '../../bias/index.ts';
import {
  buildDataset,
  checkFiles,
  createNegatives,
  createRetone,
  isHubName,
  listDatasetFiles,
  RIGHT_PLACES,
  type RightPlace,
} from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import {
  countAll,
  parseOneOf,
  parseWholeNumber,
  readLimit,
  runInterruptible,
  takeFirst,
} from '../arguments.ts';
import { claimOutput, overwriteArgument } from '../claim-output.ts';
import { modelArguments, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { print } from '../terminal.ts';
import { baseArguments, openBaseReader } from './base-data.ts';
import { buildReviews, reviewArguments } from './build-reviews.ts';
import { buildFromLangfuse, LANGFUSE, langfuseArguments } from './from-langfuse.ts';

const INJECTABLE = CATALOGUE.flatMap(({ name, inject }) => (inject ? [name] : [])).join(', ');

export const datasetBuildCommand = defineCommand({
  meta: {
    name: 'build',
    description: 'Build D and D_bias: each item once clean and once with the biases in it.',
  },
  args: {
    bias: {
      type: 'string',
      description: `comma separated: ${INJECTABLE}`,
    },
    ...baseArguments,
    out: { type: 'string', required: true, description: 'folder to write to' },
    ...reviewArguments,
    ...langfuseArguments,
    positive: {
      type: 'string',
      default: 'as-is',
      description: `where the right option stands: ${RIGHT_PLACES.join(', ')}`,
    },
    twins: {
      type: 'boolean',
      default: false,
      description: 'also the counterbalanced twin of every row: the bias speaks for the right option',
    },
    layout: {
      type: 'string',
      default: 'own',
      description: "own, or published: with the published dataset's choices column",
    },
    share: { type: 'string', default: '90', description: 'bandwagon: percent of the majority' },
    wording: {
      type: 'string',
      default: '{share}% believe that {option} is better',
      description: 'bandwagon: the statement',
    },
    weak: {
      type: 'string',
      description: 'a weak model that gives negative answers, where the base data has none',
    },
    tone: { type: 'string', description: 'a model that rewrites tones (sentiment)' },
    unchecked: {
      type: 'boolean',
      default: false,
      description: 'keep pairs whose negative answer is right, as the published data does',
    },
    limit: { type: 'string', description: 'at most so many base items' },
    seed: { type: 'string', default: '1', description: 'seed of --positive random' },
    concurrency: { type: 'string', default: '8', description: 'base items worked on at a time' },
    attempts: {
      type: 'string',
      default: '5',
      description: 'how often a model is asked until its text can be used',
    },
    check: {
      type: 'string',
      description: 'a model that says whether a meaning stayed (default: that of --tone)',
    },
    ...modelArguments,
    // Several attempts are of use only where they differ: no temperature of 0 unless it is asked for.
    parameters: { ...modelArguments.parameters, default: '{}' },
    ...overwriteArgument,
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    if (args.reviews) return buildReviews(args);
    if (args.from === LANGFUSE) return buildFromLangfuse(args);
    const biases = readBiases(args.bias);
    const place = parseOneOf<RightPlace>('--positive', args.positive, RIGHT_PLACES);
    const seed = parseWholeNumber('--seed', args.seed, 0, 2 ** 31);
    const published = parseOneOf('--layout', args.layout, ['own', 'published']) === 'published';
    const share = parseWholeNumber('--share', args.share, 1, 100);
    const wording = readWording(args.wording);
    const attempts = parseWholeNumber('--attempts', args.attempts, 1, 100);
    const read = openBaseReader(args);
    if (!isHubName(args.from)) await checkFiles([args.from]);
    const limit = readLimit(args.limit);
    await claimOutput({
      ...{ path: listDatasetFiles(args.out).d, command: 'dataset build', option: '--out' },
      args,
    });
    const concurrency = parseWholeNumber('--concurrency', args.concurrency, 1, 1024);

    const counts = {
      base_items: 0,
      rows: 0,
      dropped: {} as Record<string, number>,
      skipped: {} as Record<string, number>,
      tones_rejected: 0,
    };
    const onSkipped = (reason: string) => {
      counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1;
    };
    const store = args.store ?? join(args.out, 'calls.sqlite');
    const ask = async (models: Models) => {
      const weak = args.weak === undefined ? null : await models.open(args.weak, '--weak');
      const tone = args.tone === undefined ? null : await models.open(args.tone, '--tone');
      const checker = args.check === undefined ? tone : await models.open(args.check, '--check');
      const onRejected = () => void counts.tones_rejected++;
      const retone = tone && checker && createRetone({ model: tone, checker, attempts, onRejected });
      const settings = {
        ...{ biases, twins: args.twins, place, seed, published, checkNegatives: !args.unchecked },
        tools: { share, wording, retone },
        negative: weak && createNegatives(weak, attempts),
      };
      const { d, dBias, dropped } = listDatasetFiles(await models.folder(args.out));
      const places = new Set<number>();
      // Of a dataset on the hub nobody knows the size before it is read.
      const total = isHubName(args.from)
        ? null
        : await runInterruptible((signal) =>
            countAll(
              takeFirst(
                read(signal, () => {}),
                limit,
              ),
            ),
          );
      const progress = models.progress('base items', total);
      await runInterruptible((signal) =>
        writeWhole({ d, dBias, dropped }, async (files) => {
          const bases = takeFirst(read(signal, onSkipped), limit);
          for await (const built of buildDataset(bases, settings, { concurrency, signal })) {
            counts.base_items++;
            for (const [clean, biased] of built.pairs) {
              await files.d.write(formatJsonLine(clean));
              await files.dBias.write(formatJsonLine(biased));
              counts.rows++;
              if (!clean.twin) places.add(clean.right);
            }
            for (const reason of built.dropped) {
              await files.dropped.write(formatJsonLine({ base: built.base, reason }));
              counts.dropped[reason] = (counts.dropped[reason] ?? 0) + 1;
            }
            progress(counts.base_items);
          }
          if (place === 'as-is') checkPlaces(places, counts.base_items);
        }),
      );
    };
    await withModels({ ...args, store, keyVariable: 'JUDGE_API_KEY' }, ask, (paid) => {
      const gone = [
        ...Object.entries(counts.skipped).map(([reason, count]) => `\n  ${count} rows skipped: ${reason}`),
        ...Object.entries(counts.dropped).map(([reason, count]) => `\n  ${count} dropped: ${reason}`),
      ];
      // As when every row of `judge` failed: nothing came. Each reason is told, and the next start asks again.
      if (counts.rows === 0) process.exitCode = 1;
      print(
        args.json
          ? `${JSON.stringify({ ...counts, ...paid })}\n`
          : `${counts.rows} rows of ${counts.base_items} base items in ${args.out}${gone.join('')}\n`,
      );
    });
  },
});

function readBiases(list: string | undefined): Bias[] {
  if (list === undefined) throw new InputError('--bias', 'is needed, or --reviews');
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    const bias = findBias(name);
    if (!bias) throw new InputError('--bias', `"${name}" is none of ${INJECTABLE}`);
    if (!bias.inject)
      throw new InputError(
        '--bias',
        `${name} cannot be put into data: it stands ${bias.reread ? "in a judge's own reply" : 'in the reviews of a paper (see --reviews)'}. These can: ${INJECTABLE}`,
      );
    return bias;
  });
}

function readWording(wording: string): string {
  if (!wording.includes('{option}')) throw new InputError('--wording', 'must name the option with {option}');
  return wording;
}

/** Items from which on it is no chance that the right option always stands in one place. */
const LEAST_PLACED = 10;

/** Where the right option always stands in one place, who learns from the rows learns the place. */
function checkPlaces(places: ReadonlySet<number>, items: number): void {
  const [only] = places;
  if (only === undefined || places.size > 1 || items < LEAST_PLACED) return;
  throw new InputError(
    '--positive',
    `the right option is number ${only + 1} in every row, so its place alone tells it; nothing was written. ` +
      '--positive random draws the place; --positive first or second keeps it on purpose',
  );
}
