/** Labelled judgments: of one arm, from the records that a comparison wrote; or of live ones, by what people said. */

import { InputError } from '../errors.ts';
import { findMajority } from '../stats/index.ts';
import type { ArmRecord } from './arms/run-arms.ts';
import type { LabelledJudgment } from './decide-calibration.ts';

/**
 * @param arm whose verdicts are meant
 * @returns judgments by judge, on D and D_bias, and the biases that were looked for
 * @throws InputError where the records hold no such arm
 */
export async function collectArmLabels(
  records: AsyncIterable<ArmRecord>,
  arm: string,
): Promise<{ judgments: Record<string, LabelledJudgment[]>; biases: string[] }> {
  const judgments = new Map<string, LabelledJudgment[]>();
  const biases = new Set<string>();
  const arms = new Set<string>();
  for await (const record of records) {
    arms.add(record.arm);
    if (record.arm !== arm) continue;
    for (const name of record.bias.split('+')) biases.add(name);
    const all = judgments.get(record.judge) ?? [];
    judgments.set(record.judge, all);
    for (const set of ['d', 'd_bias'] as const) {
      const outcome = record[set];
      if (outcome === null) continue;
      const before = outcome.first === record.right[set];
      const after = outcome.final === record.right[set];
      all.push({ item: record.id, biases: outcome.sent_back > 0 ? outcome.found : [], before, after });
    }
  }
  if (judgments.size === 0)
    throw new InputError(
      '--arm',
      `there are no judgments of "${arm}"; there are ${[...arms].join(', ') || 'none at all'}`,
    );
  return { judgments: Object.fromEntries(judgments), biases: [...biases] };
}

/**
 * @param labels what people said of verdicts that were given: whether the first was right, and whether the last was; of
 *   several people's words on one judgment what most of them say, and nothing where they are split
 * @returns judgments by judge, and the biases for which some were sent back
 * @throws InputError where there are none
 */
export async function collectPeopleLabels(
  labels: AsyncIterable<PersonLabel>,
): Promise<{ judgments: Record<string, LabelledJudgment[]>; biases: string[] }> {
  const said = new Map<string, PersonLabel[]>();
  for await (const label of labels) said.set(label.trace, [...(said.get(label.trace) ?? []), label]);
  if (said.size === 0) throw new InputError('--labels', 'there are no labels in it');
  const decided = [...said.values()].flatMap(
    (some) => findMajority(some, ({ before, after }) => `${before} ${after}`) ?? [],
  );
  const judgments = Map.groupBy(decided, ({ judge }) => judge);
  return {
    judgments: Object.fromEntries(
      [...judgments].map(([judge, some]) => [
        judge,
        some.map(({ trace, biases, before, after }) => ({ item: trace, biases, before, after })),
      ]),
    ),
    biases: [...new Set(decided.flatMap(({ biases }) => biases))],
  };
}

/** As the proxy exports it. */
interface PersonLabel {
  /** Id of the judgment's trace. */
  readonly trace: string;
  readonly judge: string;
  readonly biases: readonly string[];
  readonly before: boolean;
  readonly after: boolean;
}
