/** The templates that were learned from the given requests: their names, why one does not act yet, their files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CASES_TO_CONFIRM,
  type Obstacle,
  obstacleOf,
  type Pipeline,
  type Template,
  templateFile,
} from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import { writeWhole } from '../../records/node.ts';

export interface LearnedTemplate {
  readonly name: string;
  /** The pipeline by whose requests it was learned. */
  readonly id: string;
  readonly template: Template;
  readonly requests: number;
  /** Why it does not act; null where it does. */
  readonly open: string | null;
}

/** @param pipelines those of one request have no template yet and are left out */
export function listLearned(pipelines: readonly Pipeline[]): LearnedTemplate[] {
  const taken = new Set<string>();
  return pipelines.flatMap((pipeline): LearnedTemplate[] => {
    const { id, template, requests } = pipeline;
    if (!template) return [];
    const name = freeName(slugOf(template), taken);
    taken.add(name);
    return [{ name, id, template: { ...template, name }, requests, open: whyOpen(pipeline, template) }];
  });
}

/** Words of a template's text that make its name. */
const WORDS_OF_NAME = 6;
const LONGEST_NAME = 48;

/** From the first words that all requests share. Letters and digits only, so it can be a file's name. */
function slugOf({ parts }: Template): string {
  const text = parts.flatMap(({ literals }) => literals).join(' ');
  const words = text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu);
  const first = [...words.take(WORDS_OF_NAME)].map(([word]) => word).join('-');
  return [...first].slice(0, LONGEST_NAME).join('').replace(/-$/, '') || 'template';
}

function freeName(slug: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? slug : `${slug}-${n}`;
    if (!taken.has(name)) return name;
  }
}

function whyOpen(pipeline: Pipeline, template: Template): string | null {
  const { state, reader } = pipeline;
  if (state === 'confirmed') return null;
  const why = whyUnconfirmed(pipeline, template);
  return reader?.reason ? `${why}; asked about it, ${reader.model} was no help: ${reader.reason}` : why;
}

/** What keeps a template from acting, and what helps. */
const WHY: Readonly<Record<Obstacle, string>> = {
  replies: 'fewer than 95 % of the replies that came could be read as a verdict in the form that it asks for',
  cases: `not ${CASES_TO_CONFIRM} different cases were found with slots whose edges are certain`,
  labels: 'what stands between an option’s name and its text is not the same for all options',
  exchange:
    'no verdict is asked for that fits its options, or the options could not be exchanged for certain',
  judged: 'it is not certain which of its slots is judged: no name says so',
  form: 'the prompt does not say plainly how the verdict is written; in front of a judge its replies tell after the first few',
};

function whyUnconfirmed(pipeline: Pipeline, { parts }: Template): string {
  const { samples } = pipeline;
  if (samples.length < CASES_TO_CONFIRM)
    return `it takes ${CASES_TO_CONFIRM} different requests to confirm it, and ${samples.length} were given`;
  if (!parts.some(({ slots }) => slots.some(({ role }) => role === 'option')))
    return 'none of its slots is known to hold what is judged';
  return WHY[obstacleOf(pipeline) ?? 'cases'];
}

/** A written template, and where it lies. */
export interface WrittenTemplate {
  readonly name: string;
  /** Null where it cannot be written: a literal or a label of it would be read back as a slot. */
  readonly file: string | null;
  /** Whether it is to be looked at first: `REMAND_TEMPLATES` passes over it until it is renamed. */
  readonly draft: boolean;
}

/**
 * Writes each template as a file of its own: `name.json`, or `name.json.draft` for one that is not confirmed.
 *
 * @param force whether files that are there already are replaced
 * @throws InputError where there is none, or a file is there already; then nothing is written
 */
export async function writeLearned(
  folder: string,
  learned: readonly LearnedTemplate[],
  force: boolean,
): Promise<WrittenTemplate[]> {
  if (learned.length === 0)
    throw new InputError(
      '--learn',
      `nothing was learned: it takes ${CASES_TO_CONFIRM} different requests of one pipeline that no template of REMAND_TEMPLATES fits`,
    );
  const made = learned.map(({ name, template, open }) => {
    const content = templateFile(template);
    const draft = open !== null;
    return {
      name,
      draft,
      content,
      file: content && join(folder, draft ? `${name}.json.draft` : `${name}.json`),
    };
  });
  const there = force ? undefined : made.find(({ file }) => file !== null && existsSync(file));
  if (there) throw new InputError('--learn', `${there.file} is there already; --force replaces it`);
  const paths = Object.fromEntries(made.flatMap(({ name, file }) => (file === null ? [] : [[name, file]])));
  await writeWhole(paths, async (files) => {
    for (const { name, content } of made) await files[name]?.write(`${JSON.stringify(content, null, 2)}\n`);
  });
  return made.map(({ name, file, draft }) => ({ name, file, draft }));
}
