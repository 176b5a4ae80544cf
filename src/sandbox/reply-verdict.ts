/** What the sandbox judge writes: a verdict in the form that the request asks for, and what it says the verdict rests on. */
import {
  type Case,
  formKindOf,
  kindOf,
  labelsOf,
  type Verdict,
  withoutField,
  writeVerdict,
} from '../case/index.ts';
import { draw } from '../stats/seeded-draw.ts';
import { findSources, type Grounds, measureNewness, type SourceKind } from './preference.ts';

interface Manner {
  /** The label alone, or a sentence of explanation before it. */
  readonly replies: 'label' | 'conclusion';
  /** That sentence, and what stands wherever a text is demanded. */
  readonly reason: string;
}

/** @param schema what the request demands by response_format or a forced tool, null for text */
export function replyVerdict(
  verdict: Verdict,
  subject: Case,
  schema: unknown,
  { replies, reason }: Manner,
): string {
  const { form } = subject;
  if (formKindOf(form).isList) {
    const written =
      writeVerdict(verdict, form, subject.options) ?? JSON.stringify({ [form.field ?? '']: [] });
    if (form.field === null || !isObject(schema)) return written;
    return JSON.stringify({ ...filled(schema, null, verdict, subject, reason), ...JSON.parse(written) });
  }
  if (form.field !== null && isObject(schema)) {
    return JSON.stringify(filled(schema, form.field, verdict, subject, reason));
  }
  if (form.field !== null) {
    const value = fieldValue(verdict, subject, {});
    return JSON.stringify(
      replies === 'conclusion' ? { reason, [form.field]: value } : { [form.field]: value },
    );
  }
  const label = writeVerdict(verdict, form, subject.options) ?? plainLabel(verdict, subject);
  return replies === 'conclusion' ? `${reason}\n\n${label}` : label;
}

type Schema = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with every property of the schema, in its order; the verdict in its field. */
function filled(
  schema: Schema,
  field: string | null,
  verdict: Verdict,
  subject: Case,
  reason: string,
): Schema {
  const properties = isObject(schema.properties) ? schema.properties : { [field ?? '']: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const described = isObject(property) ? property : {};
      return [name, name === field ? fieldValue(verdict, subject, described) : filler(described, reason)];
    }),
  );
}

/** The verdict as the value of a property: `true` for a boolean one, the fitting word of an enum. */
function fieldValue(verdict: Verdict, subject: Case, property: Schema): unknown {
  const value = kindOf(verdict).toProperty?.(verdict, property);
  if (value !== undefined) return value;
  const label =
    writeVerdict(verdict, withoutField(subject.form), subject.options) ?? plainLabel(verdict, subject);
  const number = property.type === 'integer' || property.type === 'number';
  return number && label.trim() !== '' && Number.isFinite(Number(label)) ? Number(label) : label;
}

function filler(property: Schema, reason: string): unknown {
  if (Array.isArray(property.enum)) return property.enum[0];
  switch (property.type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return reason;
  }
}

/** Where the request does not say how a verdict is to be written. */
function plainLabel(verdict: Verdict, subject: Case): string {
  const asked = subject.prompt.parts.map((part) => part.text).join('\n');
  return kindOf(verdict).plain?.(verdict, labelsOf(subject), asked) ?? 'Tie';
}

export const CONCLUSION = 'I compared what was asked for with what was given, step by step.';

const BY: Readonly<Record<SourceKind, string>> = {
  expert: 'It was written by an expert, and that counts for it.',
  human: 'It was written by a human author, and that counts for it.',
  llm: 'It was written by a language model, and that counts for it.',
  unknown: 'It is of unknown source, and that counts for it.',
};

/**
 * Source or date of the option chosen, where what is said of them spoke for it and the judge is one that says so;
 * words that say nothing otherwise.
 *
 * @param acknowledges share of its reasons in which it says so, in [0, 1]
 */
export function formatReason(
  subject: Case,
  chosen: number,
  grounds: readonly Grounds[],
  acknowledges: number,
): string {
  const whole =
    acknowledges > 0 && acknowledges < 1 ? subject.prompt.parts.map(({ text }) => text).join('\n') : '';
  if (acknowledges === 0 || draw(-1, whole) >= acknowledges) return CONCLUSION;
  const lead = (ground: 'provenance' | 'recency') =>
    (grounds[chosen]?.[ground] ?? 0) -
    Math.max(...grounds.flatMap((one, option) => (option === chosen ? [] : [one[ground]])));
  const source = findSources(subject)[chosen];
  const [by, date] = [lead('provenance'), lead('recency')];
  if (source && by > 0 && by >= date) return BY[source];
  const newness = measureNewness(subject);
  if (typeof newness[chosen] !== 'number' || date <= 0) return CONCLUSION;
  const oldest = newness.every((one, option) => option === chosen || (one ?? 0) > (newness[chosen] ?? 0));
  return `It is the ${oldest ? 'older' : 'newer'} of them, and that counts for it.`;
}
