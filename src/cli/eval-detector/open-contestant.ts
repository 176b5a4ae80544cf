/** The detectors that `remand eval detector` measures, from what the command line says of them. */

import type { DetectorRow } from '../../dataset/index.ts';
import {
  createHuggingFaceDetectorModel,
  createOpenAiDetectorModel,
  createRbdDetector,
  DETECTORS,
  type Detector,
  type DetectorModel,
  findDetector,
  listModelDetectors,
} from '../../detect/index.ts';
import { InputError } from '../../errors.ts';
import {
  createPromptedDetector,
  createRecordedDetectorModel,
  createShots,
  listUnrecorded,
  type ShotRow,
  toDetectorModel,
  withJudge,
} from '../../evaluate/index.ts';
import { createStoredFetch, type Model, nameEndpoint } from '../../models/index.ts';
import type { Fetch } from '../../ports.ts';
import { readConfig } from '../../proxy/config.ts';
import type { Models } from '../open-models.ts';

export interface Contestant {
  readonly name: string;
  readonly detector: Detector;
  /** Answers come from the rows themselves, so there are none for other rows. */
  readonly replayed: boolean;
}

/** A detector model that is no detector of ours: a plain prompt, with or without examples. */
const PLAIN_PROMPTS = ['zero-shot', 'zero-shot-named', 'four-shot', 'four-shot-reasons'] as const;
/** Kinds that ask a model given as `kind=model@url`. */
const PROMPTED = [...listModelDetectors(), ...PLAIN_PROMPTS];
const ALONE = DETECTORS.flatMap(({ name, needsModel }) => (needsModel ? [] : [name]));
export const CONTESTANT_KINDS = [...ALONE, 'recorded', ...PROMPTED].join(', ');
/** Detectors that need `--judge`, as a sentence names them. */
export const ASKING_JUDGE = DETECTORS.flatMap(({ name, asksJudge }) => (asksJudge ? [name] : [])).join(
  ' and ',
);

interface ContestantTools {
  readonly rows: readonly DetectorRow[];
  readonly template: string | undefined;
  /** Null where none were given. */
  readonly shots: readonly ShotRow[] | null;
  readonly models: Models;
  /** Whom `probe` and `panel` ask again; null where no judge was given. */
  readonly judge: Model | null;
}

/** The parts of a list, with `,` or `;` between them; further URLs of a fleet belong to the part before. */
export function splitList(list: string): string[] {
  const parts: string[] = [];
  for (const piece of list.split(/[;,]/).map((one) => one.trim())) {
    const before = parts.at(-1);
    if (/^https?:/.test(piece) && before?.includes('@')) parts[parts.length - 1] = `${before},${piece}`;
    else if (piece !== '') parts.push(piece);
  }
  return [...new Set(parts)];
}

/** @throws InputError naming what is unknown or missing */
export async function openContestant(what: string, tools: ContestantTools): Promise<Contestant> {
  const { rows, template } = tools;
  const wording = template === undefined ? {} : { template };
  const at = what.indexOf('=');
  const kind = PROMPTED.find((one) => at > 0 && one === what.slice(0, at));
  if (kind) {
    const model = await tools.models.open(what.slice(at + 1), '--detector');
    const name = `${kind}=${model.name}`;
    const detector = prompted(kind, toDetectorModel(model), tools);
    return { name, detector, replayed: false };
  }
  if (what === 'recorded') {
    const [missing] = listUnrecorded(rows);
    if (missing !== undefined) throw new InputError('--rows', `${missing} has no recorded label to replay`);
    const model = createRecordedDetectorModel(rows, template);
    return { name: what, detector: createRbdDetector(model, wording), replayed: true };
  }
  const entry = findDetector(what);
  // Of those that need a model, the one that needs nothing else is asked with the proxy's own.
  if (entry && !(entry.needsModel && entry.asksJudge)) {
    const detector = entry.needsModel ? entry.create(configuredModel(tools.models), wording) : entry.create();
    return {
      name: what,
      detector: entry.asksJudge ? withJudge(detector, judgeFor(what, tools)) : detector,
      replayed: false,
    };
  }
  if (PROMPTED.some((one) => one === what))
    throw new InputError('--detector', `${what} needs a model: ${what}=model@url`);
  throw new InputError('--detector', `there is no ${what}; known: ${CONTESTANT_KINDS}`);
}

function judgeFor(what: string, { judge }: ContestantTools): Model {
  if (judge) return judge;
  throw new InputError(
    '--judge',
    `is needed by ${what}, which asks the judge again: behind recorded rows there is none`,
  );
}

function prompted(kind: (typeof PROMPTED)[number], model: DetectorModel, tools: ContestantTools): Detector {
  const { template, shots } = tools;
  const entry = findDetector(kind);
  if (entry?.needsModel) {
    const detector = entry.create(model, template === undefined ? {} : { template });
    return entry.asksJudge ? withJudge(detector, judgeFor(kind, tools)) : detector;
  }
  switch (kind) {
    case 'zero-shot':
      return createPromptedDetector(model, { told: 'all', shots: [] });
    case 'zero-shot-named':
      return createPromptedDetector(model, { told: 'named', shots: [] });
    default: {
      if (shots === null) throw new InputError('--shots', `is needed by ${kind}`);
      return createPromptedDetector(model, {
        told: 'named',
        shots: createShots(shots, kind === 'four-shot-reasons'),
      });
    }
  }
}

/** The one that the proxy would use, as the environment says. */
function configuredModel(models: Models): DetectorModel {
  const config = readConfig(process.env);
  const { RBD_MODEL: model, RBD_BASE_URL: baseURL, RBD_API_KEY: apiKey, HF_TOKEN: token } = config;
  const direct: Fetch = (url, init) => globalThis.fetch(url, init as RequestInit);
  const name = model ?? '';
  const fetch = createStoredFetch(models.direct({ name, model: name }, direct), {
    store: models.store,
    identify: (url) => ({ endpoint: nameEndpoint(url), model: name, attempt: 0 }),
    accept: isJson,
  });
  if (model !== undefined && baseURL !== undefined)
    return createOpenAiDetectorModel({ baseURL, model, apiKey: apiKey ?? null, fetch });
  if (model !== undefined && token !== undefined)
    return createHuggingFaceDetectorModel({ model, token, fetch });
  throw new InputError(
    'RBD_MODEL',
    'the rbd detector needs RBD_MODEL and RBD_BASE_URL, or RBD_MODEL and HF_TOKEN; or give rbd=model@url',
  );
}

/** A reply of such an endpoint is an object with choices; anything else is asked for again. */
function isJson(reply: string): boolean {
  try {
    return Array.isArray(JSON.parse(reply)?.choices);
  } catch {
    // No JSON, so no reply.
    return false;
  }
}
