/** What `remand audit perturb` prints on a terminal: the arrows, acceptance, and the verdict in words. */
import type { Comparison, DecisionTransitions } from '../../audit/node.ts';
import type { Tokens } from '../../ports.ts';
import { alignRows } from '../align-rows.ts';

interface PerturbSummary {
  readonly comparisons: readonly (Comparison & { readonly arrow: string; readonly fairness: string })[];
  readonly decided: readonly DecisionTransitions[];
  readonly verdicts: readonly { readonly verdict: string }[];
  readonly perturbations: Readonly<
    Record<
      string,
      {
        readonly made: number;
        readonly dropped: Readonly<Record<string, number>>;
        readonly refused: Readonly<Record<string, number>>;
      }
    >
  >;
  readonly unfit: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly judgments: number;
  readonly unread: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly calls: number;
  readonly tokens: Tokens;
}

const ARROW = { raised: '↑', lowered: '↓', same: '=', undecided: '?' } as const;

export function formatPerturbTable(audited: PerturbSummary): string {
  const { comparisons, decided, verdicts } = audited;
  const arrows = comparisons.map((one) => {
    const { interval } = one;
    const range = interval === null ? '-' : `${signed(interval.low)} to ${signed(interval.high)}`;
    const fair = one.fair === null ? '-' : one.fair ? 'fair' : 'unfair';
    return [
      ...[one.judge, one.role, one.mode, one.perturbation, one.measure, ARROW[one.observed], fair],
      ...[signed(one.difference), range, one.p_holm.toPrecision(2), `${one.n}`],
    ];
  });
  const head = [
    'judge',
    'role',
    'mode',
    'perturbation',
    'score',
    '',
    'as a judge',
    'mean',
    '95%',
    'p (Holm)',
    'n',
  ];
  const share = (value: number | null) => (value === null ? '-' : `${(100 * value).toFixed(0)}%`);
  const acceptance = decided.map(
    ({ judge, role, mode, perturbation, acceptance: of, kappa, n, unread, failed }) => [
      ...[judge, role, mode, perturbation, share(of.before), share(of.after)],
      ...[kappa.value === null ? '-' : kappa.value.toFixed(2), `${n}`, `${unread}`, `${failed}`],
    ],
  );
  const accepted = [
    'judge',
    'role',
    'mode',
    'perturbation',
    'accepted',
    'then',
    'kappa',
    'n',
    'unread',
    'failed',
  ];
  const words = verdicts.map(({ verdict }) => `\n${verdict}\n`).join('');
  return `${alignRows([head, ...arrows])}\n${alignRows([accepted, ...acceptance])}${words}${counted(audited)}`;
}

function counted({ perturbations, unfit, judgments, unread, failed, calls, tokens }: PerturbSummary): string {
  const reasons = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([reason, count]) => `${count} ${reason}`)
      .join('; ');
  const lines = Object.entries(perturbations).flatMap(([name, { made, dropped, refused }]) => [
    `${name}: ${made} made`,
    ...(Object.keys(dropped).length > 0 ? [`  not made: ${reasons(dropped)}`] : []),
    ...(Object.keys(refused).length > 0 ? [`  edits refused: ${reasons(refused)}`] : []),
  ]);
  const unfitLines = Object.entries(unfit).map(([role, of]) => `not judged by the ${role}: ${reasons(of)}`);
  const again = failed > 0 ? ' (start again to retry them)' : '';
  const could = Object.keys(unread).length > 0 ? `, not read: ${reasons(unread)}` : '';
  const last = `${judgments} judgments${could}, ${failed} failed${again}; ${calls} calls, ${tokens.input} tokens in, ${tokens.output} out`;
  return `\n${[...lines, ...unfitLines, last].join('\n')}\n`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
}
