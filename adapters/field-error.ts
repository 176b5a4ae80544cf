/** What is wrong with a request, said by the name of its field: `messages[0].content[1].text`. */
import type * as z from 'zod';
import { InputError } from '../src/errors.ts';

/** @param value the request that was refused */
export function toFieldError(error: z.ZodError, value: unknown): InputError {
  const issue = deepest(error.issues[0]);
  const field = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
    '',
  );
  const missing =
    issue.code === 'invalid_type' && issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return new InputError(field || 'body', missing ? 'is required' : issue.message);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code: string | undefined;
}

/** Of a union's complaints the one that got furthest is about what the client meant. */
function deepest(issue: z.core.$ZodIssue | undefined): Issue {
  if (!issue) return { path: [], message: 'is not a request of this protocol', code: undefined };
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flatMap((issues) => issues.slice(0, 1).map(deepest))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!inner || inner.path.length === 0) return issue;
  return { ...inner, path: [...issue.path, ...inner.path] };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
