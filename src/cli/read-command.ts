/** `remand read`: how prompts are read, by which template, and why one is left alone. Asks no model unless one is named. */

import { existsSync, statSync } from 'node:fs';
import { describeForm, type PromptPart, whyOrderIsFixed } from '../case/index.ts';
import { InputError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { escapeControls } from '../records/index.ts';
import { formatJsonLine } from '../records/node.ts';
import { formatPercent } from '../stats/index.ts';
import { asText, createCommand, files, flag, onlyWith, optional, usual } from './command.ts';
import { dryRunOptions } from './dry-run.ts';
import { loadConfig } from './load-config.ts';
import { type ModelArguments, modelOptions, type StorePlace, withModels } from './model-arguments.ts';
import { readModelSpec } from './open-models.ts';
import { askReader } from './read/ask-reader.ts';
import {
  createDeclaration,
  createReadingDocument,
  type NameOpenSlots,
  type Readings,
  type ReadSlot,
  type RequestReading,
  readRequests,
  type Summary,
  summariseReadings,
  type WrittenTemplate,
  writeLearned,
} from './read/readings.ts';
import { readGivenRequests } from './read/requests.ts';
import { isStyled, print, printStyled, type Style, type StyledText, tell } from './terminal.ts';

/** Where `--learn` writes without a folder. */
const FOLDER = 'templates';

const options = {
  file: files(
    'prompt.txt (one message of a user), request.json (a body, or a list of them) or requests.jsonl (one a line: a body, {path, body}, or a line of a batch). Also logs of promptfoo, Inspect (.eval), Langfuse or OpenTelemetry. Any number of files',
  ),
  learn: {
    ...optional(
      asText,
      `write each learned template as a file (default: ${FOLDER}/); set REMAND_TEMPLATES to use them`,
    ),
    bare: FOLDER,
  },
  ...onlyWith('learn', { force: flag('replace files of templates that are there already') }),
  declare: flag(
    'print the `remand` field to send with each request, one JSON a line (null where there is none)',
  ),
  'reader-model': optional(
    asText,
    'a model that names what is open in the learned templates: one call for each, its answer checked as in the proxy; its key is REMAND_READER_API_KEY unless a variable is named',
  ),
  ...onlyWith('reader-model', {
    parameters: modelOptions.parameters,
    store: usual(
      asText,
      ':memory:',
      "file of the reader model's finished calls: started again with it, none is paid for twice",
    ),
    ...dryRunOptions,
  }),
  json: flag('one JSON document on standard output'),
};

export const readCommand = createCommand(options, async ({ args, files, print: answer }) => {
  if (args.json && args.declare) throw new InputError('--declare', 'cannot be combined with --json');
  const folder = args.learn === undefined ? null : folderOf(args.learn);
  if (files.length === 0)
    throw new InputError(
      'read',
      `no file is named; for instance: remand read requests.jsonl${folder === null ? '' : ' --learn'}`,
    );
  const { REMAND_READER_API_KEY: readerKey, ...env } = process.env;
  const reader = args['reader-model'];
  if (reader !== undefined) readModelSpec(reader, '--reader-model');
  // The key is for the model of the option, not for a model that the proxy would ask.
  const config = await loadConfig(reader === undefined ? process.env : env);
  const given = await readGivenRequests(files);
  if (given.length === 0) throw new InputError(files.join(', '), 'holds no request');
  const texts = config.REMAND_TRACE_TEXTS === 'on';
  const nameOpen = reader === undefined ? null : nameSlotsBy(reader, args, texts);
  const readings = await readRequests(given, config, nameOpen);
  process.stdout.once('error', endWithReader);
  const written = folder === null ? null : await writeLearned(folder, readings.learned, args.force);
  if (args.declare) declareAll(readings);
  else if (args.json) answer(createReadingDocument(readings, written), () => '');
  else showAll(readings);
  if (!args.json && written && folder !== null) tellWritten(written, folder);
  if (config.REMAND_LEARN !== 'auto' && readings.learned.length > 0)
    tell(
      `The proxy would not use what was learned by itself: REMAND_LEARN is ${config.REMAND_LEARN}. Set REMAND_TEMPLATES.\n`,
    );
});

/** Asks the model that `--reader-model` names. */
function nameSlotsBy(spec: string, args: ModelArguments & StorePlace, texts: boolean): NameOpenSlots {
  return (book) =>
    withModels({ ...args, keyVariable: 'REMAND_READER_API_KEY' }, async (models, signal) => {
      const model = await models.open(spec, '--reader-model');
      await askReader(book, model, {
        clock: systemClock,
        texts,
        signal,
        chosen: (open) => open,
        failed: (error) => {
          throw error;
        },
      });
    });
}

function folderOf(said: string): string {
  const folder = said === '' ? FOLDER : said;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new InputError(
      '--learn',
      `${folder} is a file, and a folder is written to; for requests write: remand read ${folder} --learn`,
    );
  return folder;
}

/** `remand read … | head`: who reads has seen enough. */
function endWithReader(cause: Error): void {
  if (!('code' in cause) || cause.code !== 'EPIPE') throw cause;
  process.exit(0);
}

function showAll({ requests }: Readings): void {
  const styled = isStyled();
  const advised = new Map<string, string>();
  for (const reading of requests) {
    const { advice, given } = reading;
    const earlier = advice === null ? undefined : advised.get(advice);
    if (advice !== null && earlier === undefined) advised.set(advice, given.place);
    printStyled(showReading(earlier ? { ...reading, advice: `as for ${earlier}` } : reading, styled));
  }
  if (requests.length > 1) printStyled(showSummary(summariseReadings(requests)));
}

function declareAll({ requests }: Readings): void {
  for (const reading of requests) {
    const declared = createDeclaration(reading);
    const none = typeof declared === 'string';
    print(formatJsonLine(none ? null : { remand: { case: declared } }));
    if (none) tell(`${reading.given.place}: nothing to declare: ${declared}\n`);
  }
}

function tellWritten(written: readonly WrittenTemplate[], folder: string): void {
  for (const { name, file, draft } of written)
    if (file === null)
      tell(`Not written: ${name}: a literal or a label of it would be read back as a slot\n`);
    else tell(`${draft ? 'Draft, to be looked at and renamed to .json' : 'Template'}: ${file}\n`);
  if (written.some(({ file, draft }) => file !== null && !draft))
    tell(`To use them: REMAND_TEMPLATES=${folder}\n`);
}

// A reading in words: the text with its slots set off, and what was found in it.

/** Options take turns. */
const OPTION_STYLES: readonly Style[] = ['green', 'yellow', 'magenta', 'blueBright'];
const STYLES: Readonly<Record<Exclude<ReadSlot['role'], 'option'>, Style>> = {
  instruction: 'cyan',
  reference: 'blue',
  rubric: 'blue',
  context: 'gray',
  schema: 'dim',
  note: 'dim',
  '*': 'dim',
  '?': 'red',
};

/** What a slot begins and ends with where there are no colours. A text's own are escaped. */
const [OPENS, CLOSES] = ['⟦', '⟧'];
const MARKS = new RegExp(`[${OPENS}${CLOSES}]`, 'g');
const escapedMark = (mark: string) => `\\u${mark.charCodeAt(0).toString(16)}`;

/** @param styled whether colours are shown; where they are not, slots are marked */
function showReading(reading: RequestReading, styled: boolean): StyledText[] {
  const { given, subject, slots, template, security, advice } = reading;
  const fixed = subject && whyOrderIsFixed(subject);
  const row = (name: string, text: string): StyledText[] => [
    { text: `  ${name.padEnd(9)}`, style: 'dim' },
    { text: `${oneLine(text)}\n` },
  ];
  const rows = [
    ...row('read by', readByInWords(reading)),
    ...(template === null || subject ? [] : row('template', template)),
    ...(subject ? optionsRow(reading, row) : []),
    ...(subject
      ? row(
          'verdict',
          describeForm(
            subject.form,
            subject.options.map(({ label }) => label),
          ),
        )
      : []),
    ...(fixed === null ? [] : row('order', `the options keep their places: ${fixed}`)),
    ...security.flatMap(({ seen }) => row('notice', seen)),
    ...(advice ? row('why', advice) : []),
    ...(given.unread === null
      ? []
      : row('reply', `what stands beside the request cannot be read: ${given.unread}`)),
  ];
  const parts = given.request.prompt.parts.flatMap((part, n) =>
    showPart(
      part,
      slots.filter(({ at }) => at.part === n),
      optionStyles(slots),
      styled,
    ),
  );
  return [
    { text: oneLine(given.place), style: 'bold' },
    { text: `  ${given.protocol}  ` },
    subject ? { text: 'read\n', style: 'green' } : { text: `left alone: ${reading.reason}\n`, style: 'red' },
    ...rows,
    ...parts,
    { text: '\n' },
  ];
}

function readByInWords({ by, template, open, subject }: RequestReading): string {
  const learning = open === null ? '' : ` The template ${template} does not decide yet: ${open}.`;
  switch (by) {
    case 'declared':
      return 'what the request itself declares (remand.case)';
    case 'operator':
      return `the template ${template} of REMAND_TEMPLATES`;
    case 'learned':
      return `the template ${template}, learned from these requests`;
    case 'known':
      return `the template ${template} of a known client`;
    case 'guess':
      return `a first guess (${subject?.layout ?? ''}), as no template decides.${learning}`;
    case null:
      return 'nothing';
  }
}

function optionsRow(
  { subject }: RequestReading,
  row: (name: string, text: string) => StyledText[],
): StyledText[] {
  const options = subject?.options ?? [];
  return options.length > 1
    ? row('options', options.map(({ label }) => label).join(', '))
    : row('judged', options[0]?.label ?? '');
}

/** The style of each option by its label. */
function optionStyles(slots: readonly ReadSlot[]): ReadonlyMap<string, Style> {
  const labels = new Set(slots.flatMap(({ role, label }) => (role === 'option' ? [label] : [])));
  return new Map([...labels].map((label, n) => [label, OPTION_STYLES[n % OPTION_STYLES.length] ?? 'green']));
}

function showPart(
  { role, text }: PromptPart,
  slots: readonly ReadSlot[],
  options: ReadonlyMap<string, Style>,
  styled: boolean,
): StyledText[] {
  const asText = (from: number, to?: number) => {
    const said = text.slice(from, to);
    return styled ? said : said.replace(MARKS, escapedMark);
  };
  const pieces: StyledText[] = [{ text: `── ${oneLine(role)} ──\n`, style: 'dim' }];
  let from = 0;
  for (const slot of slots) {
    const name = oneLine(slot.label === '' ? slot.role : `${slot.role} ${slot.label}`);
    const style = slot.role === 'option' ? (options.get(slot.label) ?? 'green') : STYLES[slot.role];
    const said = asText(slot.at.start, slot.at.end);
    pieces.push({ text: asText(from, slot.at.start) });
    if (styled)
      pieces.push({ text: ` ${name} `, style: [style, 'inverse'].flat() as Style }, { text: said, style });
    else
      pieces.push({ text: `${OPENS}${name.replace(MARKS, escapedMark)}${CLOSES}${said}${OPENS}/${CLOSES}` });
    from = slot.at.end;
  }
  pieces.push({ text: `${asText(from)}\n` });
  return pieces;
}

const oneLine = (text: string) => escapeControls(text).replace(/\s+/g, ' ');

/** @param share of 1 */

function showSummary({ requests, read, ambiguous, pipelines }: Summary): StyledText[] {
  const total: StyledText[] = [
    { text: 'Summary', style: 'bold' },
    {
      text: `: ${requests} requests, ${read} read (${formatPercent(read / requests)}), ${requests - read} left alone, ${ambiguous} of them ambiguous\n`,
    },
  ];
  const rows = pipelines.map(
    (one): StyledText => ({
      text: `  ${one.read}/${one.requests} read, ${one.ambiguous} ambiguous: ${one.name}${one.open === null ? '' : ` (does not decide yet: ${one.open})`}\n`,
    }),
  );
  return [...total, ...rows];
}
