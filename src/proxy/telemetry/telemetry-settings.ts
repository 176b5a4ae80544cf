/** What an operator sets so that judgments are told to Langfuse, to an OpenTelemetry collector, or to both. */
import * as z from 'zod';
import { InputError } from '../../errors.ts';
import { endpointUrl } from '../../http/index.ts';
import { setting, type ValuesOf } from '../setting-values.ts';

const url = endpointUrl();

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
  LANGFUSE_PUBLIC_KEY: setting(z.string().trim().min(1).optional(), {
    about: 'Judgments are sent to Langfuse if both of its keys are set. docs/tracing.md',
    verdicts: false,
  }),
  LANGFUSE_SECRET_KEY: setting(z.string().trim().min(1).optional(), {
    about: 'The other one.',
    secretsIn: (key) => [key],
    verdicts: false,
  }),
  LANGFUSE_BASE_URL: setting(url.default('https://cloud.langfuse.com'), {
    about: 'Where Langfuse is.',
    verdicts: false,
  }),
  LANGFUSE_TRACING_ENVIRONMENT: setting(z.string().min(1).optional(), {
    about: "Langfuse's name for where this runs, such as production.",
    verdicts: false,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url.optional(), {
    about: 'Any collector that takes OTLP over HTTP as JSON; /v1/traces is added.',
    example: 'http://localhost:4318',
    verdicts: false,
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(url.optional(), {
    about: 'The same, in full.',
    verdicts: false,
  }),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: setting(url.optional(), {
    about: 'Where events go, in full, with REMAND_TELEMETRY_EVALUATIONS: default /v1/logs of the collector.',
    verdicts: false,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(headerList.optional(), {
    about: 'name=value pairs with commas between them, values percent-encoded.',
    verdicts: false,
  }),
  REMAND_TELEMETRY_EVALUATIONS: setting(z.enum(['on', 'off']).default('off'), {
    about:
      'Whether a collector also gets each verdict, and whether it is biased, as gen_ai.evaluation.result events (logs).',
    verdicts: false,
  }),
  REMAND_TELEMETRY_TEXTS: setting(z.enum(['on', 'off']).default('on'), {
    about: 'Whether what is sent holds texts. It never holds more than traces may: see REMAND_TRACE_TEXTS.',
    verdicts: false,
  }),
};

export type TelemetrySettings = ValuesOf<typeof telemetrySettings>;

/** @throws InputError naming the setting that is missing beside another */
export function checkTelemetry(settings: TelemetrySettings): void {
  const { LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY, REMAND_TELEMETRY_EVALUATIONS: evaluations } = settings;
  if (
    evaluations === 'on' &&
    !settings.OTEL_EXPORTER_OTLP_ENDPOINT &&
    !(settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT && settings.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT)
  )
    throw new InputError(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must name the collector, since REMAND_TELEMETRY_EVALUATIONS is on',
    );
  if (LANGFUSE_PUBLIC_KEY === undefined && LANGFUSE_SECRET_KEY !== undefined)
    throw new InputError('LANGFUSE_PUBLIC_KEY', 'must be set, since LANGFUSE_SECRET_KEY is');
  if (LANGFUSE_PUBLIC_KEY !== undefined && LANGFUSE_SECRET_KEY === undefined)
    throw new InputError('LANGFUSE_SECRET_KEY', 'must be set, since LANGFUSE_PUBLIC_KEY is');
}
