/** `remand dataset build`: D and D_bias from base data. */
import { type Bias, CATALOGUE, findBias } from '../../bias/index.ts';
import {
  buildDataset,
  createNegatives,
  createRetone,
  isHubName,
  listDatasetFiles,
  RIGHT_PLACES,
  takeOneOfEachId,
  USUAL_BUILD,
} from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { formatJsonLine, writeWhole } from '../../records/node.ts';
import { addTo, countAll, type ReasonCounts, takeFirst } from '../arguments.ts';
import { claimOutput, overwriteOption } from '../claim-output.ts';
import {
  asList,
  asOneOf,
  asText,
  asWhole,
  atMost,
  concurrency,
  createCommand,
  flag,
  needed,
  optional,
  usual,
} from '../command.ts';
import { modelOptions, withModels } from '../model-arguments.ts';
import type { Models } from '../open-models.ts';
import { baseOptions, openBaseReader } from './base-data.ts';
import { buildReviews, reviewOptions } from './build-reviews.ts';
import { buildFromLangfuse, LANGFUSE, langfuseOptions } from './from-langfuse.ts';

const INJECTABLE = CATALOGUE.flatMap(({ name, inject }) => (inject ? [name] : [])).join(', ');

export const datasetBuildCommand = createCommand(
  {
    bias: optional(asList(','), `comma separated: ${INJECTABLE}`),
    ...baseOptions,
    from: {
      ...baseOptions.from,
      description: `${baseOptions.from.description}, or ${LANGFUSE}: judgments from use`,
    },
    out: needed(asText, 'folder to write to'),
    ...reviewOptions,
    ...langfuseOptions,
    positive: usual(
      asOneOf(RIGHT_PLACES),
      'as-is',
      `where the right option stands: ${RIGHT_PLACES.join(', ')}`,
    ),
    twins: flag('also the counterbalanced twin of every row: the bias speaks for the right option'),
    layout: usual(
      asOneOf(['own', 'published']),
      'own',
      "own, or published: with the published dataset's choices column",
    ),
    share: usual(asWhole(1, 100), String(USUAL_BUILD.tools.share), 'bandwagon: percent of the majority'),
    wording: usual(asWording, USUAL_BUILD.tools.wording, 'bandwagon: the statement'),
    weak: optional(asText, 'a weak model that gives negative answers, where the base data has none'),
    tone: optional(asText, 'a model that rewrites tones (sentiment)'),
    unchecked: flag('keep pairs whose negative answer is right, as the published data does'),
    limit: atMost('at most this many base items'),
    seed: usual(
      asWhole(0, 2 ** 31),
      '1',
      'seed of --positive random, and of which of several wrong options a statement is for',
    ),
    concurrency: concurrency('8', 'base items worked on at a time'),
    attempts: usual(asWhole(1, 100), '5', 'how often a model is asked until its text can be used'),
    check: optional(asText, 'a model that says whether a meaning stayed (default: that of --tone)'),
    ...modelOptions,
    // Several attempts are of use only where they differ: no temperature of 0 unless it is asked for.
    parameters: { ...modelOptions.parameters, default: '{}' },
    ...overwriteOption,
  },
  async ({ args, texts, defaults, print }) => {
    if (args.reviews) return buildReviews(args, print);
    if (args.from === LANGFUSE) return buildFromLangfuse(args, print);
    const { limit, concurrency, share, wording, attempts, seed, positive: place } = args;
    const biases = readBiases(args.bias);
    const read = await openBaseReader(args);
    await claimOutput({
      path: listDatasetFiles(args.out).d,
      command: 'dataset build',
      option: '--out',
      args: texts,
      defaults,
    });

    const counts = {
      base_items: 0,
      rows: 0,
      // Base items of which one of the two twins was dropped.
      twin_missing: 0,
      dropped: {} as ReasonCounts,
      skipped: {} as ReasonCounts,
      tones_rejected: 0,
    };
    const onSkipped = (reason: string) => addTo(counts.skipped, reason);
    const ask = async (models: Models, signal: AbortSignal) => {
      const weak = await models.openOptional(args.weak, '--weak');
      const tone = await models.openOptional(args.tone, '--tone');
      const checker = args.check === undefined ? tone : await models.open(args.check, '--check');
      const onRejected = () => void counts.tones_rejected++;
      const retone = tone && checker && createRetone({ model: tone, checker, attempts, onRejected });
      const settings = {
        biases,
        twins: args.twins,
        place,
        seed,
        checkNegatives: !args.unchecked,
        published: args.layout === 'published',
        tools: { share, wording, retone },
        negative: weak && createNegatives(weak, attempts),
      };
      const { d, dBias, dropped } = listDatasetFiles(await models.folder(args.out));
      const places = new Set<number>();
      const bases = (onSkip: (reason: string) => void) =>
        takeFirst(takeOneOfEachId(read(signal, onSkip), args.from, onSkip), limit);
      // Of a dataset on the hub nobody knows the size before it is read.
      const total = isHubName(args.from) ? null : await countAll(bases(() => {}));
      const progress = models.progress('base items', total);
      await writeWhole({ d, dBias, dropped }, async (files) => {
        for await (const built of buildDataset(bases(onSkipped), settings, { concurrency, signal })) {
          counts.base_items++;
          if (args.twins && built.pairs.length === 1) counts.twin_missing++;
          for (const [clean, biased] of built.pairs) {
            await files.d.write(formatJsonLine(clean));
            await files.dBias.write(formatJsonLine(biased));
            counts.rows++;
            if (!clean.twin) places.add(clean.right);
          }
          for (const reason of built.dropped) {
            await files.dropped.write(formatJsonLine({ base: built.base, reason }));
            addTo(counts.dropped, reason);
          }
          progress(counts.base_items);
        }
        if (place === 'as-is') checkPlaces(places, counts.base_items);
      });
    };
    await withModels({ ...args, folder: args.out }, ask, (paid) => {
      const gone = [
        ...Object.entries(counts.skipped).map(([reason, count]) => `\n  ${count} rows skipped: ${reason}`),
        ...Object.entries(counts.dropped).map(([reason, count]) => `\n  ${count} dropped: ${reason}`),
        ...(counts.twin_missing > 0
          ? [
              `\n  ${counts.twin_missing} base items have one of the two twins alone: the rows are not balanced`,
            ]
          : []),
      ];
      // As when every row of `judge` failed: nothing came. Each reason is told, and the next start asks again.
      if (counts.rows === 0) process.exitCode = 1;
      print(
        { ...counts, ...paid },
        () => `${counts.rows} rows of ${counts.base_items} base items in ${args.out}${gone.join('')}\n`,
      );
    });
  },
);

function readBiases(list: readonly string[] | undefined): Bias[] {
  if (list === undefined) throw new InputError('--bias', 'is needed, or --reviews');
  return [...new Set(list)].map((name) => {
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

function asWording(wording: string, option: string): string {
  if (!wording.includes('{option}')) throw new InputError(option, 'must name the option with {option}');
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
