/** Detectors that are a prompt to any model, live or recorded: what a fine-tuned one has to beat (arXiv 2505.17100 §4). */
import * as z from 'zod';
import { renderShots, SHOT_TEMPLATE, type Shot } from '../../prompts/index.ts';
import { CATALOGUE } from '../bias/index.ts';
import {
  createRowBrief,
  type DetectorRow,
  describeRow,
  detectorRow,
  renderDetectorPrompt,
} from '../dataset/index.ts';
import {
  type Detector,
  type DetectorModel,
  disarmTokens,
  readRbdAnalysis,
  renderBrief,
} from '../detect/index.ts';
import { InputError } from '../errors.ts';
import { JudgeError } from '../http/index.ts';
import type { Model } from '../models/index.ts';

// The examples of the few-shot baselines: labelled rows that are none of those measured.

/** The baselines are four-shot. */
const SHOT_COUNT = 4;

/** A row of the published columns, or an example that `remand distill` wrote. */
export const shotRow = detectorRow.extend({ reasoning: z.string().nullish() });
export type ShotRow = z.output<typeof shotRow>;

/**
 * @param rows the first four count
 * @param measured all rows that the baselines will be asked about, twins included
 * @throws InputError where there are too few, all have one label, or one belongs to what is measured
 */
export function checkShots(rows: readonly ShotRow[], measured: Iterable<DetectorRow>): readonly ShotRow[] {
  const shots = rows.slice(0, SHOT_COUNT);
  if (shots.length < SHOT_COUNT)
    throw new InputError('--shots', `has ${shots.length} rows; ${SHOT_COUNT} are needed`);
  if (new Set(shots.map((row) => row.bias_label)).size < 2)
    throw new InputError(
      '--shots',
      `has only ${shots[0]?.bias_label} among its first ${SHOT_COUNT} rows; both labels are needed`,
    );
  // Same question, same base item, whatever the judge or the bias: its right answer would be given away.
  const asked = new Map(shots.map((row) => [plain(row.instruction), row]));
  for (const row of measured) {
    const shot = asked.get(plain(row.instruction));
    if (shot)
      throw new InputError(
        '--shots',
        `${describeRow(shot)} has the instruction of a row that is measured (${describeRow(row)})`,
      );
  }
  return shots;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

/**
 * @param reasons whether the examples give theirs
 * @throws InputError where one has none that led to its label
 */
export function createShots(rows: readonly ShotRow[], reasons: boolean): Shot[] {
  return rows.map((row) => {
    // Nothing is asked of anybody, so nothing can be stopped.
    const brief = createRowBrief(row, new AbortController().signal);
    const reasoning = reasons ? reasoningOf(row) : null;
    if (reasons && reasoning === null)
      throw new InputError('--shots', `${describeRow(row)} has no reasoning that led to its label`);
    return {
      material: renderBrief(brief, { template: SHOT_TEMPLATE, once: true, biases: brief.biases }),
      reasoning: reasoning === null ? null : disarmTokens(reasoning),
      label: row.bias_label,
    };
  });
}

/** The published reasoning was written without the label: only where it came to it does it explain it. */
function reasoningOf(row: ShotRow): string | null {
  if (row.reasoning) return row.reasoning;
  return row.deepseek_prediction_bias_label === row.bias_label
    ? (row.without_bias_label_think_content ?? null)
    : null;
}

interface PromptingOptions {
  /** `all`: the definitions of the whole catalogue, and it is for the model to see which is at work. */
  readonly told: 'all' | 'named';
  readonly shots: readonly Shot[];
}

export function createPromptedDetector(model: DetectorModel, { told, shots }: PromptingOptions): Detector {
  return {
    name: 'prompted',
    async analyse(brief) {
      const biases = told === 'all' ? CATALOGUE : brief.biases;
      const question = renderBrief(brief, { biases });
      const prompt = shots.length === 0 ? question : renderShots(shots, question);
      const { biased, reasoning } = readRbdAnalysis(await model.complete(prompt, brief.signal));
      return {
        biased,
        biases: biased ? brief.biases.map(({ name }) => name) : [],
        reasoning,
        evidence: [],
      };
    },
  };
}

/**
 * @param rows those without a recording are left out
 * @param template the one the detector is given, if any: a row is found by the prompt it makes
 * @throws InputError as `renderDetectorPrompt`
 */
export function createRecordedDetectorModel(rows: readonly DetectorRow[], template?: string): DetectorModel {
  const wording = template === undefined ? {} : { template };
  // Two rows of the same content are two recordings, given out in turn.
  const answers = new Map<string, string[]>();
  for (const row of rows) {
    const label = row.deepseek_prediction_bias_label;
    if (!label) continue;
    const prompt = renderDetectorPrompt(row, wording);
    const answer = `<think>\n${row.without_bias_label_think_content ?? ''}\n</think>\n\n${label}`;
    answers.set(prompt, [...(answers.get(prompt) ?? []), answer]);
  }
  const given = new Map<string, number>();
  return {
    name: 'DeepSeek-R1 (recorded)',
    async complete(prompt, signal) {
      signal.throwIfAborted();
      const recorded = answers.get(prompt);
      if (!recorded) throw new JudgeError('no recording answers this prompt');
      const turn = given.get(prompt) ?? 0;
      given.set(prompt, turn + 1);
      const content = recorded[turn % recorded.length] ?? '';
      return { reasoning: null, content, finish: 'stop', tokens: null };
    },
  };
}

/** Rows that cannot be replayed, in words; empty where every row has a recording. */
export function listUnrecorded(rows: readonly DetectorRow[]): string[] {
  return rows.filter((row) => !row.deepseek_prediction_bias_label).map(describeRow);
}

export function toDetectorModel(model: Model): DetectorModel {
  return {
    name: model.name,
    async complete(prompt, signal) {
      const { text, reasoning, finish, tokens } = await model.ask({ system: null, user: prompt }, signal);
      return { content: text, reasoning, finish, tokens };
    },
  };
}
