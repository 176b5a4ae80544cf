/** A verdict said in the form that the request asks for. */
import type { Case, Verdict } from '../case/types.ts';
import { writeVerdict } from '../case/verdict.ts';
import { kindOf, labelsOf } from '../case/verdicts/index.ts';

export interface Manner {
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
  if (form.kind === 'ranking') {
    const ranked = writeVerdict(verdict, form, subject.options) ?? '';
    if (form.field === null || !isObject(schema)) return ranked;
    const list: unknown = JSON.parse(ranked);
    return JSON.stringify({
      ...filled(schema, form.field, verdict, subject, reason),
      ...(isObject(list) ? list : {}),
    });
  }
  if (form.kind === 'list')
    return JSON.stringify(
      isObject(schema) ? filled(schema, null, verdict, subject, reason) : { [form.field]: [] },
    );
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
  if (verdict.kind === 'score') return verdict.score;
  if (verdict.kind === 'pass') return passValue(verdict.pass, property);
  const { form } = subject;
  const written =
    form.kind === 'list' ? null : writeVerdict(verdict, { ...form, field: null }, subject.options);
  const label = written ?? plainLabel(verdict, subject);
  const number = property.type === 'integer' || property.type === 'number';
  return number && label.trim() !== '' && Number.isFinite(Number(label)) ? Number(label) : label;
}

function passValue(pass: boolean, property: Schema): unknown {
  if (Array.isArray(property.enum)) {
    const wanted = pass ? /^(?:y|c|pass|true|1|met)/i : /^(?:n|i|fail|false|0|unmet)/i;
    return property.enum.find((word) => wanted.test(String(word))) ?? property.enum[pass ? 0 : 1];
  }
  if (property.type === 'integer' || property.type === 'number') return pass ? 1 : 0;
  return property.type === 'string' ? (pass ? 'yes' : 'no') : pass;
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

/** Ways of saying pass and fail, by what the prompt speaks of; the first that fits. */
const PASS_WORDS: readonly (readonly [asked: RegExp, pass: string, fail: string])[] = [
  [/\bGRADE:/, 'GRADE: C', 'GRADE: I'],
  [/\bPASS\b/, 'PASS', 'FAIL'],
  [/\byes\b/i, 'Yes', 'No'],
  [/\bincorrect\b/i, 'CORRECT', 'INCORRECT'],
];

/** Where the request does not say how a verdict is to be written. */
function plainLabel(verdict: Verdict, subject: Case): string {
  if (verdict.kind !== 'pass') return kindOf(verdict).plain?.(verdict, labelsOf(subject)) ?? 'Tie';
  const asked = subject.prompt.parts.map((part) => part.text).join('\n');
  const [, pass, fail] = PASS_WORDS.find(([words]) => words.test(asked)) ?? [null, 'Y', 'N'];
  return verdict.pass ? pass : fail;
}
