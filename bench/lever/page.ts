/** docs/lever.md: what is turned, by setting and judge, and which settings turn more than 1 % of right verdicts wrong. */
import type { LeverCase } from './cases.ts';
import { JUDGES, type JudgeName, WAVERS } from './judges.ts';
import { DEFAULTS, type Lever } from './run.ts';

export interface Row extends Lever {
  readonly setting: string;
  readonly judge: JudgeName;
}

/** More of a judge's right verdicts turned wrong than this is too many. */
export const MOST = 0.01;

export const isAbove = ({ rightToWrong, right }: Lever): boolean => rightToWrong > MOST * right;

const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`);

/** One line a setting; a judge without verdicts of the kind has a dash. */
function line(setting: string, rows: readonly Row[]): string {
  const of = (judge: JudgeName) => rows.find((row) => row.setting === setting && row.judge === judge);
  const turned = JUDGES.map((judge) => {
    const row = of(judge);
    return row ? `${share(row.rightToWrong, row.right)}${isAbove(row) ? ' \\*' : ''}` : '';
  });
  const tied = Math.max(...JUDGES.map((judge) => (of(judge)?.rightToTie ?? 0) / (of(judge)?.right ?? 1)));
  const swayed = of('swayed');
  const mended = swayed ? share(swayed.wrongToRight, swayed.wrong) : '';
  return `| ${[setting, ...turned, share(tied, 1), mended].join(' | ')} |`;
}

const PLANTED = '## An answer that speaks against itself';

/** What an answer gains by planting cues against itself or for its opponent, as a section of the page. */
export function plantedSection(
  rows: readonly { readonly judge: JudgeName; readonly lever: Lever }[],
  cases: readonly LeverCase[],
  day: string,
): string {
  const lines = rows.map(({ judge, lever: { right, wrong, rightToWrong, wrongToRight } }) => {
    const after = wrong - wrongToRight + rightToWrong;
    return `| ${judge} | ${right + wrong} | ${wrong} | ${after} | ${rightToWrong} |`;
  });
  return `${PLANTED}

Whoever loses could plant a cue against itself or for its opponent, so that the right verdict looks swayed and is turned.
${cases.length} such cases, with the defaults; made on ${day} by \`npm run bench:lever -- planted\`. The credulous judge is the
sandbox judge with formatting, orders, second thoughts, experts, names, rubrics and references in its weights, too.
\`test/security/lever.test.ts\` keeps it so with a quarter of them.

| judge | cases | wrong without Remand | wrong with Remand | turned wrong by it |
|---|---:|---:|---:|---:|
${lines.join('\n')}

The plants:

${[...new Set(cases.map(({ scenario }) => scenario))].map((plant) => `- ${plant}`).join('\n')}
`;
}

/** The page with another section of plants. */
export const withPlantedSection = (page: string, section: string): string =>
  `${page.split(PLANTED)[0]?.trimEnd()}\n\n${section}`;

export function leverPage(rows: readonly Row[], cases: readonly LeverCase[], day: string): string {
  const promised = rows.filter(({ judge }) => judge !== 'wavering');
  const above = [...new Set(promised.filter(isAbove).map(({ setting }) => setting))];
  const wavering = rows.filter(({ judge }) => judge === 'wavering');
  const held = [...new Set(wavering.filter((row) => !isAbove(row)).map(({ setting }) => setting))];
  const scenarios = [...new Set(cases.map(({ scenario }) => scenario))];
  const defaults = rows.find(({ setting, judge }) => setting === DEFAULTS.name && judge === 'wavering');
  return `# How often Remand turns a verdict

**A simulation.** Judges are scripted and cases are made, so what is right is known. It says which settings give an
attacker a lever, and nothing about how often real judges err. Made on ${day} by \`npm run bench:lever\`.

The loop runs as the proxy runs it, with ${cases.length} cases: ${scenarios.length} scenarios, two templates (LLMBar's and MT-Bench's), both orders.

| judge | what it does |
|---|---|
| fair | goes by merit, and keeps its verdict when it is sent back |
| yielding | goes by merit, and turns its verdict round whenever it is sent back |
| swayed | the sandbox judge with its usual weights: place, length, crowds and tone sway it, and it heeds what it is told |
| wavering | as yielding, and gives ${(100 * WAVERS).toFixed(0)} of 100 first verdicts, swaps and probes against its own judgment |

**The defaults turn no more than 1 % of the right verdicts of the fair, the yielding and the swayed judge wrong.**
\`test/security/lever.test.ts\` keeps it so. The defaults are the probe, 2 rounds, \`REMAND_POLICY=last-word\`.

These settings turn more than 1 % wrong for at least one of these three judges:

${above.map((setting) => `- ${setting}`).join('\n')}

${oneRound(rows)}A detector that errs is a lever: whatever it says goes to the judge, and a judge that yields gives in. Set
\`REMAND_POLICY=original\` with 2 rounds or more, or calibrate (\`remand calibrate\`), before a detector model is trusted with such a judge.

**A judge that wavers and yields is not covered by the promise.** A verdict that flips by chance looks like a bias: the
defaults turn ${defaults ? share(defaults.rightToWrong, defaults.right) : '–'} of its right verdicts wrong. \`remand calibrate\` measures it (the placebo arm), and its
rulings \`flag\` and \`tie\` hold it. These settings stay at or under 1 % for it:

${held.map((setting) => `- ${setting}`).join('\n')}

Without Remand these shares of the verdicts are wrong: ${JUDGES.map((judge) => `${alone(rows, judge)} (${judge} judge)`).join(', ')}.

- *right → wrong*: of the verdicts that are right without Remand; marked \\*: above 1 %. *right → tie*: the most of any judge.
- *wrong → right*: of the swayed judge's verdicts that are wrong without Remand.

| setting | right → wrong: fair | yielding | swayed | wavering | right → tie | wrong → right |
|---|---|---|---|---|---|---|
${[...new Set(rows.map(({ setting }) => setting))].map((setting) => line(setting, rows)).join('\n')}

The scenarios:

${scenarios.map((scenario) => `- ${scenario}`).join('\n')}
`;
}

function alone(rows: readonly Row[], judge: JudgeName): string {
  const row = rows.find((one) => one.judge === judge && one.setting === DEFAULTS.name);
  return row ? share(row.wrong, row.right + row.wrong) : '–';
}

/** Why one round is worse than two, where it is. */
function oneRound(rows: readonly Row[]): string {
  const one = rows.find(
    ({ setting, judge }) => setting === 'probe, 1 round, last-word' && judge === 'swayed',
  );
  if (!one || !isAbove(one)) return '';
  return `With one round, a judge that is told of one bias can follow another one. ${share(one.rightToWrong, one.right)} of the swayed judge's right verdicts
are lost (${one.where.join('; ')}), where one bias had made up for another. The second round finds that.

`;
}
