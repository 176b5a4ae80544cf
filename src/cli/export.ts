/** `remand export`: detector training data in the layouts trainers read, each file read back before it appears. */
import { join } from 'node:path';
import {
  EXPORT_FORMATS,
  type ExportResult,
  exportExamples,
  type FormatName,
  openExamples,
  SPLITS,
  surveyExamples,
} from '../dataset/index.ts';
import { InputError } from '../errors.ts';
import { runInterruptible } from './arguments.ts';
import { claimOutput, overwriteOption } from './claim-output.ts';
import { asOneOf, asSomeOf, asText, createCommand, flag, needed, optional } from './command.ts';
import { loadTokenCounter } from './process-setup.ts';
import { showProgress } from './progress.ts';

const NAMES = Object.keys(EXPORT_FORMATS) as FormatName[];

/** `remand export`, named for what it makes: `export` is a word of the language. */
export const exportCommand = createCommand(
  {
    in: needed(
      asText,
      "a distilled folder, or a .csv, .jsonl or .parquet with the published dataset's columns",
    ),
    out: needed(asText, 'folder to write to: one folder for each format'),
    format: needed(asSomeOf(NAMES), `comma separated: ${NAMES.join(', ')}`),
    'label-only': flag('the answer is the label, without reasons'),
    split: optional(asOneOf(SPLITS), `what a published file is for: ${SPLITS.join(', ')} (default: train)`),
    ...overwriteOption,
  },
  async ({ args, texts, defaults, print }) => {
    const { format: formats, 'label-only': labelOnly } = args;
    // Each format by itself: a further one goes beside those that are there. Of another source it is another export.
    const told = { ...texts, format: undefined };
    const claim = async (more: { readonly 'dry-run': boolean }) => {
      for (const name of formats)
        await claimOutput({
          path: join(args.out, name),
          command: 'export',
          args: { ...told, ...more },
          defaults,
          source: args.in,
          option: '--out',
        });
    };
    await claim({ 'dry-run': true });
    const tokens = await loadTokenCounter();
    const source = await openExamples(args.in, args.split ?? null);
    const survey = await surveyExamples(source, labelOnly);
    const examples = survey.splits.reduce((sum, one) => sum + one.examples, 0);
    if (examples === 0) throw new InputError('--in', `${args.in} has no examples`);

    const progress = showProgress('examples', examples * formats.length);
    let written = 0;
    const made = await runInterruptible((signal) =>
      exportExamples(source, survey, args.out, {
        formats,
        labelOnly,
        signal,
        tokens,
        onWritten: () => progress.update(++written),
        onChecked: () => claim({ 'dry-run': false }),
      }),
    ).finally(() => progress.stop());
    const { files, openai_tokens } = made;
    print({ ...made.survey, files, ...(openai_tokens && { openai_tokens }) }, () => inWords(made, args.out));
  },
);

function inWords({ survey, files, openai_tokens }: ExportResult, out: string): string {
  const { splits, without_reasoning, repairs } = survey;
  const lines = splits.map(
    ({ split, examples, labels }) => `${split}: ${examples} examples, ${labels.Yes} Yes, ${labels.No} No`,
  );
  if (without_reasoning > 0) lines.push(`${without_reasoning} of them are the label alone`);
  if (repairs.tokens_in_reasoning > 0)
    lines.push(
      `${repairs.tokens_in_reasoning} reasonings held tokens that end them: their brackets are ‹ › now`,
    );
  if (repairs.lone_surrogates > 0)
    lines.push(
      `${repairs.lone_surrogates} held lone surrogates, which UTF-8 cannot: U+FFFD stands there now`,
    );
  for (const [split, { total, longest, above_limit, limit, encoding }] of Object.entries(openai_tokens ?? {}))
    lines.push(
      `openai ${split}: ${total} tokens (${encoding}), at most ${longest} in one example, ${above_limit} above OpenAI's ${limit}`,
    );
  const paths = Object.values(files).flat();
  return `${[...lines, `Written and read back, in ${out}:`, ...paths.map((path) => `  ${path}`)].join('\n')}\n`;
}
