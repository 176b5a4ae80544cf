/** Readings as one JSON document. */

import { describeForm, templateFile } from '../../case/index.ts';
import type { WrittenTemplate } from './learned.ts';
import type { Readings, RequestReading } from './readings.ts';
import { summariseReadings } from './summarise-readings.ts';

/** @param written the files of `--learn`; null where it was not asked for */
export function createReadingDocument(
  { requests, learned }: Readings,
  written: readonly WrittenTemplate[] | null,
): unknown {
  return {
    requests: requests.map(requestOf),
    templates: learned.map(({ name, template, requests: count, open }) => {
      const file = written?.find((one) => one.name === name)?.file;
      return {
        name,
        requests: count,
        open,
        ...(file !== undefined && { file }),
        // Null where it cannot be written as a file.
        template: templateFile(template),
      };
    }),
    summary: summariseReadings(requests),
  };
}

function requestOf({ given, subject, slots, ...rest }: RequestReading): unknown {
  const { place, protocol, request } = given;
  const { parts } = request.prompt;
  return {
    place,
    protocol,
    read: subject !== null,
    by: rest.by,
    template: rest.template,
    open: rest.open,
    reason: rest.reason,
    advice: rest.advice,
    roles: parts.map(({ role }) => role),
    slots: slots.map(({ role, label, at }) => ({
      role,
      label,
      ...at,
      text: parts[at.part]?.text.slice(at.start, at.end) ?? '',
    })),
    case: subject && {
      layout: subject.layout,
      instruction: subject.instruction?.text ?? null,
      options: subject.options.map(({ label, text }) => ({ label, text })),
      context: subject.context.map(({ text }) => text),
    },
    verdict: subject && {
      words: describeForm(
        subject.form,
        subject.options.map(({ label }) => label),
      ),
      form: subject.form,
    },
    security: rest.security,
  };
}
