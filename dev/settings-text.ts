/** Files that are made from the list of settings, from the reasons why a verdict goes out unexamined, and from package.json. */
import { readFileSync } from 'node:fs';
import { wrapWords } from '../src/cli/terminal.ts';
import {
  explainUnexamined,
  explainUntested,
  UNEXAMINED_REASONS,
  UNTESTED_REASONS,
} from '../src/loop/index.ts';
import type { OperatorSetting } from '../src/proxy/setting-values.ts';
import { SETTING_GROUPS } from '../src/proxy/settings.ts';

const WIDTH = 120;

/** `src/version.ts` */
export function formatVersionFile(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return `/** The version of package.json, for code that cannot read files. \`npm run settings\` writes it. */\nexport const VERSION = '${version}';\n`;
}

/** `.env.example`: every setting, commented out, with its default or an example. */
export function formatEnvExample(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([title, settings]) =>
    [`# --- ${title} ---`, ...Object.entries(settings).map(formatLines)].join('\n\n'),
  );
  const head =
    '# Every setting, with its default or an example. remand.config.json takes the same names. docs/settings.md';
  return `${[head, ...groups].join('\n\n')}\n`;
}

function formatLines([name, one]: readonly [string, OperatorSetting]): string {
  const about = `# ${wrapWords(one.about, '# ', WIDTH)}`.split('\n');
  return [...about, `#${name}=${one.example ?? defaultOf(one) ?? ''}`].join('\n');
}

/** docs/settings.md: a table for each group. */
export function formatSettingsPage(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, one]) => `| ${formatCells(name, one).join(' | ')} |`);
    return [`## ${title}`, '', '| Setting | Default | What it is for |', '|---|---|---|', ...rows].join('\n');
  });
  return `${[HEAD, ...groups].join('\n\n')}\n`;
}

const HEAD = `# Settings

Made by \`npm run settings\` from [the list of settings](../src/proxy/settings.ts); do not edit it.

Each is a variable of the environment, or a field of \`remand.config.json\` in the folder where the server starts. The
environment comes first. An empty variable counts as unset. A value that cannot be meant stops the start with the
setting's name. Verdicts depend on the settings marked *: a cached answer is only given again under the same values.`;

/** docs/reasons.md: every value of `x-remand-reason`. */
export function formatReasonsPage(): string {
  const table = (title: string, reasons: readonly string[], explain: (reason: string) => string) => [
    `| ${title} | Meaning |`,
    '|---|---|',
    ...reasons.map(
      (reason) => `| \`${reason}\` | ${explain(reason).replaceAll(/REMAND_\w+|x-remand-\w+/g, '`$&`')} |`,
    ),
  ];
  return `${[
    REASONS_HEAD,
    '',
    ...table('`x-remand-reason`', UNEXAMINED_REASONS, explainUnexamined),
    '',
    UNTESTED_HEAD,
    '',
    ...table('`untested` in the trace', UNTESTED_REASONS, explainUntested),
  ].join('\n')}\n`;
}

const UNTESTED_HEAD = `## Cues that were not tested

\`x-remand-untested\` names the biases of cues that spoke for the verdict and were not tested. The trace says why, for each of them.
[What a case asks for](spotting.md#what-a-case-asks-for) says how the last of these is found.`;

const REASONS_HEAD = `# Reasons

Made by \`npm run settings\` from [the list of reasons](../src/loop/unexamined.ts); do not edit it.

Why a verdict went out without having been examined. Every answer with the status \`no-verdict\`, \`bypassed\` or
\`failed-open\` has one of these reasons. \`remand_unexamined_total\` counts them.
[What is left alone](left-alone.md) tells more about requests in which no case was found, and about limits.`;

function formatCells(name: string, one: OperatorSetting): string[] {
  const shown = defaultOf(one);
  const example = one.example === undefined ? '' : ` For example \`${one.example}\`.`;
  const cells = [
    `\`${name}\`${one.verdicts ? ' *' : ''}`,
    shown ? `\`${shown}\`` : '',
    `${one.about}${example}`,
  ];
  return cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;'));
}

/** As it is written in the environment; null where there is none. */
function defaultOf({ schema }: OperatorSetting): string | null {
  const { data } = schema.safeParse(undefined);
  if (data === undefined) return null;
  if (Array.isArray(data)) return data.join(',');
  if (typeof data === 'object') return JSON.stringify(data);
  return String(data);
}
