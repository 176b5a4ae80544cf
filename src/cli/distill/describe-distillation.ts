/** The report of a distillation in words. */
import type { DistilCounts, DistilReport } from '../../dataset/index.ts';

/** @param folder where the files are */
export function describeDistillation(report: DistilReport, folder: string): string {
  const { splits, teacher, token_lengths: lengths } = report;
  const sides = Object.entries(splits).map(
    ([split, { rows, yes, no }]) => `  ${split}: ${rows} (${yes} Yes, ${no} No)`,
  );
  const groups = (['by_bias', 'by_label', 'by_judge'] as const).flatMap((by) =>
    Object.entries(report[by]).map(([name, counts]) => `  ${by.slice(3)} ${name}: ${counted(counts)}`),
  );
  return [
    `${report.kept} examples of ${report.rows} rows in ${folder}`,
    ...sides,
    ...groups,
    ...(teacher ? taught(teacher) : []),
    `tokens (${lengths.encoding}):`,
    ...(['prompt', 'completion', 'both'] as const).map((part) => {
      const { p50, p95, max, over } = lengths[part];
      const beyond = Object.entries(over).map(([limit, count]) => `${count} above ${limit}`);
      return `  ${part}: half up to ${p50 ?? '-'}, 95% up to ${p95 ?? '-'}, longest ${max ?? '-'}; ${beyond.join(', ')}`;
    }),
    ...(report.dropped.failed
      ? [
          `${report.dropped.failed} rows failed at the teacher's endpoint: started again, they are asked again`,
        ]
      : []),
  ].join('\n');
}

function counted({ rows, kept, dropped }: DistilCounts): string {
  const gone = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  return `${kept} of ${rows}${gone.length > 0 ? `; dropped: ${gone.join(', ')}` : ''}`;
}

function taught(teacher: NonNullable<DistilReport['teacher']>): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  return [
    `${teacher.name}'s label at the first attempt${teacher.label_shown ? ' (it was shown the true one)' : ''}:`,
    ...teacher.accuracy.map(({ bias, n, unread, right, share, interval }) =>
      share === null || !('low' in interval)
        ? `  ${bias}: none of ${n} could be read`
        : `  ${bias}: ${percent(share)} right (95%: ${percent(interval.low)} to ${percent(interval.high)}), ` +
          `${right} of ${n - unread}${unread > 0 ? `, ${unread} not read` : ''}`,
    ),
    ...Object.entries(teacher.attempts_of_kept).map(
      ([nth, rows]) => `  right at attempt ${nth}: ${rows} rows`,
    ),
  ];
}
