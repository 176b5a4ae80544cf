/**
 * Asks the registry whether a weakness of high severity is known of a package that Remand runs with: `npm run
 * check:dependencies`. Ends with 1 where one is. Where the registry does not answer that question (a mirror, no network),
 * it says so and ends with 0: the next run that reaches it will tell. Arguments go to `npm audit`.
 */
import { spawnSync } from 'node:child_process';
import * as z from 'zod';

/** For the whole question, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** What npm writes with `--json`; without an answer, an error's text. */
const report = z.union([
  z.object({ vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })) }),
  z.object({ message: z.string() }),
]);

const options = ['--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0'];
const { status, stdout, error } = spawnSync('npm', ['audit', ...options, ...process.argv.slice(2)], {
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 1 << 28,
});

const answer = read(stdout);
if (answer === null || 'message' in answer) {
  const why = answer?.message ?? error?.message ?? 'npm said nothing that can be read';
  console.log(`Dependencies were NOT checked for known weaknesses: ${why}`);
} else {
  const found = Object.entries(answer.vulnerabilities);
  for (const [name, { severity, range }] of found) console.log(`${severity}: ${name} ${range}`);
  console.log(
    status === 0
      ? 'No weakness of high severity is known of the packages Remand runs with.'
      : 'Raise the packages above: a weakness of high severity is known (npm audit --omit=dev).',
  );
  process.exitCode = status === 0 ? 0 : 1;
}

function read(text: string | null): z.output<typeof report> | null {
  try {
    return report.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch (cause) {
    // Killed in its middle, or an error before there was any JSON.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
