/** What may be told of a template: what it reads, how often, and one request with its slots marked. */
import * as z from 'zod';
import {
  type LearnMode,
  matchTemplate,
  mayAct,
  type Pipeline,
  type Prompt,
  parseTemplate,
  type ReaderRecord,
  type Slot,
  type Template,
  type TemplateFile,
  templateFile,
} from '../../case/index.ts';

/** Characters of each text that are shown of a request. */
const SHOWN = 2_000;

/** A piece of a request's text: literal where `slot` is null; `text` is null where only the template is known. */
export interface SamplePiece {
  readonly slot: string | null;
  readonly text: string | null;
}

export interface TemplateStatus {
  readonly id: string;
  /** Id of the key whose requests it reads; null for requests without a key. */
  readonly key: string | null;
  /** Name of that key, for whoever may administer keys. */
  readonly key_name?: string;
  readonly path: string;
  readonly state: Pipeline['state'];
  /** Whether judgments are read by it. */
  readonly acts: boolean;
  readonly requests: number;
  /** Requests in which every slot was certain. */
  readonly read: number;
  readonly replies: number;
  readonly replies_read: number;
  /** ISO 8601; null where no person has decided. */
  readonly decided: string | null;
  /** What came of asking a model about it; null where none was asked. */
  readonly reader: {
    readonly model: string;
    /** ISO 8601. */
    readonly asked: string;
    readonly outcome: ReaderRecord['outcome'];
    /** Why nothing was taken over; null where something was. */
    readonly reason: string | null;
    readonly tokens: ReaderRecord['tokens'];
  } | null;
  /** As it stands in a file; null before the second request, and where it cannot be written as text. */
  readonly template: TemplateFile | null;
  /** The latest request that was learned from; the template alone where no such text may be shown or none is there. */
  readonly sample: readonly { readonly role: string; readonly pieces: readonly SamplePiece[] }[];
}

/** @param from.texts whether texts of requests may be shown */
export function templateStatus(
  pipeline: Pipeline,
  { texts, learn }: { readonly texts: boolean; readonly learn: LearnMode },
): TemplateStatus {
  const { id, origin, state, requests, read, replies, repliesRead, decided, template } = pipeline;
  return {
    ...{ id, key: origin.tenant || null, path: origin.path, state },
    acts: mayAct(pipeline, learn),
    ...{ requests, read, replies, replies_read: repliesRead },
    decided: decided === undefined ? null : new Date(decided).toISOString(),
    reader: readerStatus(pipeline),
    template: template && templateFile(template),
    sample: template ? sampleOf(template, texts ? promptOf(pipeline) : null) : [],
  };
}

function readerStatus({ reader }: Pipeline): TemplateStatus['reader'] {
  if (!reader) return null;
  const { model, asked, outcome, reason, tokens } = reader;
  return { model, asked: new Date(asked).toISOString(), outcome, reason, tokens };
}

/** Of a pipeline that holds no judgment no text is shown: such requests leave no trace either. */
function promptOf({ template, samples }: Pipeline): Prompt | null {
  const judges = template?.parts.some(({ slots }) => slots.some(({ role }) => role === 'option'));
  return judges ? (samples.at(-1)?.prompt ?? null) : null;
}

function sampleOf(template: Template, prompt: Prompt | null): TemplateStatus['sample'] {
  const match = prompt && matchTemplate(template, prompt);
  const filled = match?.kind === 'slots' ? match.slots : [];
  return template.parts.map(({ role, literals, slots }, part) => {
    const text = prompt?.parts[part]?.text ?? '';
    const here = filled.filter((one) => one.part === part);
    const pieces = literals.flatMap((literal, n): SamplePiece[] => {
      const slot = slots[n];
      const at = here[n]?.at;
      return [
        ...(literal === '' ? [] : [{ slot: null, text: short(literal) }]),
        ...(slot ? [{ slot: nameOf(slot), text: at ? short(text.slice(at.start, at.end)) : null }] : []),
      ];
    });
    return { role, pieces };
  });
}

const short = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const nameOf = ({ role, label }: Slot) => (label === '' ? role : `${role} ${label}`);

/** Why an edited template cannot be used, in words that name the field. */
export type EditComplaint = { readonly complaint: string };

/** @param text the file's JSON, as text or parsed */
export function editedTemplate(pipeline: Pipeline, text: unknown): Template | EditComplaint {
  let edited: Template;
  try {
    edited = parseTemplate(typeof text === 'string' ? JSON.parse(text) : text);
  } catch (error) {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      return { complaint: `${issue?.path.join('.') || 'template'}: ${issue?.message}` };
    }
    if (error instanceof SyntaxError) return { complaint: `template: is no JSON: ${error.message}` };
    if (error instanceof Error) return { complaint: error.message };
    throw error;
  }
  const rolesOf = ({ parts }: Template) => parts.map(({ role }) => role).join(', ');
  const roles = pipeline.template ? rolesOf(pipeline.template) : null;
  return roles === null || rolesOf(edited) === roles
    ? edited
    : { complaint: `parts: must have the roles that the requests have (${roles})` };
}
