/** What an operator sets so that judgments are told to Langfuse, to an OpenTelemetry collector, or to both. */
import * as z from 'zod';
import { InputError } from '../../errors.ts';

const url = z
  .string()
  .regex(/^https?:\/\/[^\s?#]+$/, { error: 'must be an http(s) URL without query or fragment' })
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** `name=value,name=value`, values percent-encoded, as the OpenTelemetry specification writes them. */
const headerList = z.string().transform((text, context) => {
  const headers = new Headers();
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const at = pair.indexOf('=');
    try {
      headers.append(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()));
    } catch {
      context.addIssue({ code: 'custom', message: 'must be name=value pairs with commas between them' });
      return z.NEVER;
    }
  }
  return headers;
});

export const telemetrySettings = {
  /** Both, or none. */
  LANGFUSE_PUBLIC_KEY: z.string().min(1).optional(),
  LANGFUSE_SECRET_KEY: z.string().min(1).optional(),
  LANGFUSE_BASE_URL: url.default('https://cloud.langfuse.com'),
  LANGFUSE_TRACING_ENVIRONMENT: z.string().min(1).optional(),
  /** Any collector that takes OTLP over HTTP as JSON; `/v1/traces` is added. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** The same, in full. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.optional(),
  /** Whether what is told holds texts. Never more than traces may hold: see REMAND_TRACE_TEXTS. */
  REMAND_TELEMETRY_TEXTS: z.enum(['on', 'off']).default('on'),
};

const schema = z.object(telemetrySettings);
export type TelemetrySettings = z.output<typeof schema>;

/** @throws InputError naming the key that is missing beside the other */
export function checkTelemetry({ LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY }: TelemetrySettings): void {
  if (LANGFUSE_PUBLIC_KEY === undefined && LANGFUSE_SECRET_KEY !== undefined)
    throw new InputError('LANGFUSE_PUBLIC_KEY', 'must be set, since LANGFUSE_SECRET_KEY is');
  if (LANGFUSE_PUBLIC_KEY !== undefined && LANGFUSE_SECRET_KEY === undefined)
    throw new InputError('LANGFUSE_SECRET_KEY', 'must be set, since LANGFUSE_PUBLIC_KEY is');
}
