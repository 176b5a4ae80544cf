/** Which methods a run of `audit authorship` uses, as its command line says it. */
import { InputError } from '../../../case/errors.ts';
import { readModelSpec } from '../../model-spec.ts';

export interface Setup {
  /** Path of the papers; null for none. */
  readonly papers: string | null;
  /** Specifications of the models that write anchors. */
  readonly anchorModels: readonly string[];
  /** Path of anchors that are there already; null for none. */
  readonly anchors: string | null;
  /** `wording`, or the specification of an embeddings endpoint. */
  readonly embedding: string;
  /** Endpoints that are asked for token probabilities of each review. */
  readonly tokenEndpoints: number;
}

export interface SetupArguments {
  readonly papers?: string | undefined;
  readonly anchor?: string | undefined;
  readonly anchors?: string | undefined;
  readonly embedding: string;
}

/** @throws InputError for arguments that do not go together */
export function readSetup({ papers, anchor, anchors, embedding }: SetupArguments): Setup {
  const anchorModels = listed(anchor);
  for (const spec of anchorModels) readModelSpec(spec, '--anchor');
  if (embedding !== 'wording') readModelSpec(embedding, '--embedding');
  if (anchorModels.length > 0 && papers === undefined)
    throw new InputError('--papers', 'is needed: anchors are reviews of the same papers');
  if (anchorModels.length === 0 && anchors === undefined)
    throw new InputError('--anchor', 'is needed, or --anchors, for something to compare with');
  return { papers: papers ?? null, anchorModels, anchors: anchors ?? null, embedding, tokenEndpoints: 0 };
}

function listed(specs: string | undefined): string[] {
  return (specs ?? '')
    .split(';')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
}
