/**
 * `remand eval detector`: how often detectors get the bias label of recorded verdicts right, on the published
 * rows and, with `--twins`, on their counterbalanced twins. One JSON document or a table on standard output.
 */
import { defineCommand } from 'citty';
import * as z from 'zod';
import { InputError } from '../case/errors.ts';
import { type DetectorRow, detectorRow } from '../dataset/detector-row.ts';
import { createHuggingFaceDetectorModel } from '../detect/rbd/huggingface.ts';
import type { DetectorModel } from '../detect/rbd/model.ts';
import { createOpenAiDetectorModel } from '../detect/rbd/openai.ts';
import { createRbdDetector } from '../detect/rbd.ts';
import { createRulesDetector } from '../detect/rules.ts';
import type { Detector } from '../detect/types.ts';
import { examineRows, type Finding, scoreFindings } from '../evaluate/detector.ts';
import { createRecordedDetectorModel, unrecorded } from '../evaluate/recorded-detector.ts';
import { scoreTwin, type Twin, type TwinScores } from '../evaluate/twins.ts';
import type { Fetch } from '../judge/types.ts';
import { readConfig } from '../proxy/config.ts';
import { writeJsonl } from '../records/jsonl.ts';
import type { CaseLine } from '../report/cases.ts';
import { detectorLine } from './eval-detector/case-lines.ts';
import { readRows, readText, readTwins } from './eval-detector/files.ts';
import { type Scores, table } from './eval-detector/table.ts';

export const evalDetector = defineCommand({
  meta: { name: 'detector', description: 'Measure detectors on verdicts whose bias label is known.' },
  args: {
    rows: { type: 'string', required: true, description: 'JSONL with the columns of the published dataset' },
    detector: {
      type: 'string',
      default: 'rules',
      description:
        'comma separated: rules, recorded (the labels in the rows), rbd (RBD_BASE_URL or HF_TOKEN, RBD_MODEL)',
    },
    twins: { type: 'string', description: 'folder of the bias4-eval files: measure on the twins, too' },
    template: {
      type: 'string',
      description: 'file with the prompt template that the rbd model was trained on',
    },
    concurrency: { type: 'string', default: '8', description: 'rows examined at a time' },
    records: {
      type: 'string',
      description: 'JSONL to write every finding to; beside x.json, x.jsonl is read by report',
    },
    json: { type: 'boolean', default: false, description: 'one JSON document on standard output' },
  },
  async run({ args }) {
    const stop = new AbortController();
    const onInterrupt = () => stop.abort(new Error('interrupted'));
    process.once('SIGINT', onInterrupt);
    try {
      const rows = await readRows(args.rows, detectorRow, '--rows');
      const concurrency = z.coerce.number().int().min(1).max(256).safeParse(args.concurrency);
      if (!concurrency.success) throw new InputError('--concurrency', 'must be a whole number from 1 to 256');
      const twins = args.twins === undefined ? null : await readTwins(args.twins, log);
      const template = args.template === undefined ? undefined : readText(args.template, '--template');
      const contestants = namesOf(args.detector).map((name) => contestant(name, rows, template));
      const results: Record<string, Scores> = {};
      const lines: CaseLine[] = [];
      for (const { name, detector, replayed } of contestants) {
        const examine = (some: readonly DetectorRow[], what: string) =>
          examineRows(detector, some, {
            concurrency: concurrency.data,
            signal: stop.signal,
            ...showProgress(`${name}, ${what}`),
          });
        const findings = await examine(rows, 'rows');
        const keep = (twin: string | null, some: readonly Finding[]) => {
          if (args.records !== undefined) lines.push(...some.map((one) => detectorLine(name, twin, one)));
        };
        keep(null, findings);
        const scores = scoreFindings(findings);
        if (twins && replayed) log(`${name}: there are no recordings for the twins`);
        results[name] =
          twins && !replayed
            ? { ...scores, twins: await scoreTwins(twins, findings, examine, keep) }
            : scores;
      }
      if (args.records !== undefined) await writeJsonl(args.records, lines);
      process.stdout.write(args.json ? `${JSON.stringify(results, null, 2)}\n` : table(results));
    } finally {
      process.removeListener('SIGINT', onInterrupt);
    }
  },
});

interface Contestant {
  readonly name: string;
  readonly detector: Detector;
  /** Answers come from the rows themselves, so there are none for other rows. */
  readonly replayed: boolean;
}

function namesOf(list: string): string[] {
  return [
    ...new Set(
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ];
}

function contestant(name: string, rows: readonly DetectorRow[], template: string | undefined): Contestant {
  const wording = template === undefined ? {} : { template };
  switch (name) {
    case 'rules':
      return { name, detector: createRulesDetector(), replayed: false };
    case 'recorded': {
      const [missing] = unrecorded(rows);
      if (missing !== undefined) throw new InputError('--rows', `${missing} has no recorded label to replay`);
      const model = createRecordedDetectorModel(rows, template);
      return { name, detector: createRbdDetector(model, wording), replayed: true };
    }
    case 'rbd':
      return { name, detector: createRbdDetector(configuredModel(), wording), replayed: false };
    case 'probe':
    case 'panel':
      throw new InputError(
        'detector',
        `${name} asks the judge again, and behind recorded rows there is none`,
      );
    default:
      throw new InputError('--detector', `there is no ${name}; known: rules, recorded, rbd`);
  }
}

function configuredModel(): DetectorModel {
  const config = readConfig(process.env);
  const { RBD_MODEL: model, RBD_BASE_URL: baseURL, RBD_API_KEY: apiKey, HF_TOKEN: token } = config;
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init as RequestInit);
  if (model !== undefined && baseURL !== undefined)
    return createOpenAiDetectorModel({ baseURL, model, apiKey: apiKey ?? null, fetch });
  if (model !== undefined && token !== undefined)
    return createHuggingFaceDetectorModel({ model, token, fetch });
  throw new InputError(
    'RBD_MODEL',
    'the rbd detector needs RBD_MODEL and RBD_BASE_URL, or RBD_MODEL and HF_TOKEN',
  );
}

async function scoreTwins(
  twins: Readonly<Record<string, Twin>>,
  published: readonly Finding[],
  examine: (rows: readonly DetectorRow[], what: string) => Promise<Finding[]>,
  keep: (twin: string, findings: readonly Finding[]) => void,
): Promise<Record<string, TwinScores>> {
  const scores: Record<string, TwinScores> = {};
  for (const [name, twin] of Object.entries(twins)) {
    const findings = await examine(twin.rows, name);
    keep(name, findings);
    scores[name] = scoreTwin(findings, published);
  }
  return scores;
}

function showProgress(what: string): { onProgress?: (done: number, total: number) => void } {
  if (!process.stderr.isTTY) return {};
  return {
    onProgress: (done, total) =>
      process.stderr.write(`\r${what}: ${done}/${total}${done === total ? '\n' : ''}`),
  };
}

function log(message: string): void {
  process.stderr.write(`${message}\n`);
}
