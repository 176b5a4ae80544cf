/** What counts as the verdict of a recorded reply: the winner that was recorded beside it, or what it says. */
import { expect, it } from 'vitest';
import { createProbeDetector } from '../../src/detect/probe.ts';
import { countReplies, judgeRecorded, type VerdictSource } from '../../src/evaluate/recorded-run.ts';
import { systemClock } from '../../src/ports.ts';
import { createRecords, verdictSchema } from '../../src/sandbox/recorded/records.ts';

type Winner = '1' | '2' | 'tie' | null;
const voice = { judge: 'J', strategy: 'CoT' };

/** One reply in the original order. In the swapped order the judge says the same as its recorded winner. */
const recordsOf = (text: string, winner: Winner) =>
  createRecords(
    [{ id: 'i', instruction: 'Which is better?', output_1: 'one', output_2: 'two', label: 1 }],
    [
      verdictSchema.parse({
        ...{ id: 'i', ...voice },
        rounds: [{ original: { text, winner }, swapped: { text: 'Output (a)', winner: '2' } }],
      }),
    ],
  );

async function decide(text: string, winner: Winner, verdictFrom?: VerdictSource) {
  const [[original] = []] = await judgeRecorded({
    ...{ records: recordsOf(text, winner), voice, detector: createProbeDetector(), biases: [] },
    ...{ rounds: 0, clock: systemClock, verdictFrom },
  });
  return original?.before;
}

const BOTH = 'Output (b) is better. Output (a) is off the point. Therefore, Output (a) is better.';

it.each<
  [what: string, text: string, winner: Winner, said: 1 | 2 | 'tie' | null, differ: number, unread: number]
>([
  ['says what was recorded', 'Therefore, Output (b) is better.', '2', 2, 0, 0],
  ['says something else', 'Output (b) is better.\n\nOutput (a) is too short.', '1', 2, 1, 0],
  ['concludes both ways', BOTH, '1', null, 1, 0],
  ['finds neither better', 'Therefore, neither output is better.', null, 'tie', 1, 0],
  ['cannot be read', 'I prefer the one with more detail.', '1', 1, 0, 1],
  ['cannot be read, and nothing was recorded', 'I prefer the one with more detail.', null, null, 0, 0],
])('a reply that %s', async (_, text, winner, said, differ, unread) => {
  const recorded = winner === '1' ? 1 : winner === '2' ? 2 : winner;
  expect(await decide(text, winner)).toMatchObject({ winner: recorded, recorded });
  expect(await decide(text, winner, 'reply')).toMatchObject({ winner: said, recorded });
  expect(countReplies({ records: recordsOf(text, winner), voice })).toEqual({ n: 2, differ, unread });
});
