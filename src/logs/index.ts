/** The model calls in the logs of evaluation tools, whoever wrote them. */
import { benchmarkGames } from './benchmark-games.ts';
import { inspectLog } from './inspect.ts';
import { langfuseExport } from './langfuse-export.ts';
import { langsmithRuns } from './langsmith-runs.ts';
import type { LogContent, LogFormat, LoggedCall } from './logged-call.ts';
import { otlpSpans } from './otlp-spans.ts';
import { promptfooResults } from './promptfoo.ts';

export type { LoggedCall };

const FORMATS: readonly LogFormat[] = [
  inspectLog,
  promptfooResults,
  langfuseExport,
  langsmithRuns,
  otlpSpans,
  benchmarkGames,
];

/**
 * @param value a whole log, or one line or entry of one, as JSON
 * @returns null where no tool that is known wrote it: it may be a request as it stands
 *
 * @example findLoggedCalls({ resourceSpans: [ … ] }) // { calls: [{ path, body, response }], missing: [] }
 */
export function findLoggedCalls(value: unknown): LogContent | null {
  for (const format of FORMATS) {
    const found = format.find(value);
    if (found) return found;
  }
  return null;
}
