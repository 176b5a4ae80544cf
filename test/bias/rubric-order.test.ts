/** Rubrics in another order: which lists are found in a prompt, and what is sent once they are turned round. */
import { describe, expect, test } from 'vitest';
import { rubricOrder } from '../../src/bias/rubric-order.ts';
import { applyEdits, editsFor, findCase } from '../../src/case/index.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { readTemplateFile } from '../../src/case/templates/recognition.ts';
import type { TemplateFile } from '../../src/case/templates/template.ts';
import { caseOf } from '../two-options.ts';

type Form = TemplateFile['verdict'];
const FIVE: Form = { kind: 'score', min: 1, max: 5 };

/** @param rubric stands in the template's own words; `{{rubric}}` for a slot */
function read(rubric: string, { form = FIVE, slot = '' }: { form?: Form; slot?: string } = {}) {
  const text = `Rate the answer.\n\n${rubric}\n\nQuestion: {{instruction}}\n\nAnswer: {{option}}\n\nGive a score from 1 to 5.`;
  const templates = readTemplateFile(
    {
      name: 'rubric',
      parts: [{ role: 'user', text }],
      ...(form && { verdict: form }),
    },
    'template',
  );
  const prompt = ['1: one\n2: two\n3: three', '1: mine\n2: yours\n3: theirs'].reduce(
    (all, value, n) => all.replace(['{{instruction}}', '{{option}}'][n] ?? '', value),
    text.replace('{{rubric}}', slot),
  );
  const book = createTemplateBook({ templates, learn: 'off', id: () => 'none' });
  const reading = book.read(
    { tenant: '', path: '/', schema: null },
    { parts: [{ role: 'user', text: prompt }] },
    null,
  );
  if (reading.kind !== 'case') throw new Error(`no case is read: ${reading.kind}`);
  return reading.subject;
}

/** The prompt with the cue undone; null where none is seen. */
async function turned(subject: ReturnType<typeof read>): Promise<string | null> {
  const [cue] = rubricOrder.spot(subject);
  const of =
    cue && (await rubricOrder.undo(subject, cue, { rewrite: null, signal: AbortSignal.timeout(1000) }));
  return of ? (applyEdits(subject.prompt, editsFor(subject, of)).parts[0]?.text ?? null) : null;
}

describe('what is turned round', () => {
  test.each<[string, string, string, Form?]>([
    ['numbers', '1: Bad.\n2: Fair.\n3: Good.', '3: Good.\n2: Fair.\n1: Bad.'],
    ['named scores', 'Score 1 - Bad.\nScore 5 - Good.', 'Score 5 - Good.\nScore 1 - Bad.'],
    ['falling', '5 = Good.\n3 = Fair.\n1 = Bad.', '1 = Bad.\n3 = Fair.\n5 = Good.'],
    [
      'bold, with a blank line between',
      '- **1 (poor)**: Bad.\n\n- **2 (fair)**: Fair.\n\n- **3 (good)**: Good.',
      '- **3 (good)**: Good.\n\n- **2 (fair)**: Fair.\n\n- **1 (poor)**: Bad.',
    ],
    ['points', '0 points: no\n1 point: yes', '1 point: yes\n0 points: no'],
    ['German', 'Note 1: schlecht\nNote 2: gut', 'Note 2: gut\nNote 1: schlecht'],
    ['French', 'Niveau 1 : mauvais\nNiveau 2 : bon', 'Niveau 2 : bon\nNiveau 1 : mauvais'],
    ['Chinese', '1分：差\n2分：中\n3分：好', '3分：好\n2分：中\n1分：差'],
    ['Japanese', 'スコア1：悪い\nスコア2：良い', 'スコア2：良い\nスコア1：悪い'],
    [
      'further lines that are indented go with their entry',
      'Score 1: Bad.\n  It is wrong.\nScore 2: Good.\nReply with a number.',
      'Score 2: Good.\nScore 1: Bad.\n  It is wrong.\nReply with a number.',
    ],
    ['criteria', '## Criteria\n- It is true.\n- It is short.', '## Criteria\n- It is short.\n- It is true.'],
    ['Kriterien', 'Kriterien:\n* wahr\n* kurz', 'Kriterien:\n* kurz\n* wahr'],
    [
      'score names',
      '(A) It says less.\n(B) It says the same.\n(C) It says more.',
      '(C) It says more.\n(B) It says the same.\n(A) It says less.',
      { kind: 'category', labels: ['A', 'B', 'C'], template: 'Choice {}' } as Form,
    ],
  ])('%s', async (_, rubric, other, form = FIVE) => {
    const subject = read(rubric, { form });
    const before = subject.prompt.parts[0]?.text ?? '';
    expect(await turned(subject)).toBe(before.replace(rubric, () => other));
  });

  test('a rubric in a slot, which may stand in the middle of a line', async () => {
    const slot = '1: Bad.\r\n2: Fair.\r\n3: Good.';
    const subject = read('Rubric: {{rubric}}', { slot });
    expect(await turned(subject)).toBe(
      subject.prompt.parts[0]?.text.replace(slot, '3: Good.\r\n2: Fair.\r\n1: Bad.'),
    );
  });

  test('turned round twice, the bytes are those that were sent', async () => {
    const subject = read('Score 1: Bad.  \n\tIt is wrong.\n\nScore 2: Fair.\nScore 3: Good.\r');
    const once = await turned(subject);
    const again = read('{{rubric}}', {
      slot: once?.split('\n\nQuestion:')[0]?.slice('Rate the answer.\n\n'.length) ?? '',
    });
    expect(await turned(again)).toBe(subject.prompt.parts[0]?.text);
  });
});

describe('what is left as it is', () => {
  test.each<[string, string, Form?]>([
    ['steps', '1. Read the answer.\n2. Compare it.\n3. Rate it.'],
    ['steps under criteria', 'Criteria:\n1. True.\n2. Short.'],
    ['numbers off the scale', '10: Bad.\n20: Fair.\n30: Good.'],
    ['numbers that neither rise nor fall', '1: Bad.\n3: Good.\n2: Fair.'],
    ['two bare numbers', '1: Bad.\n2: Good.'],
    ['a list of something else', 'Output:\n- a score\n- a reason'],
    [
      'a list that speaks of a policy itself',
      'Levels:\n- mild: a policy is bent\n- grave: it is broken\n- worst: all is lost',
    ],
    ['a list below a sentence', 'Mind the criteria and write\n- a score\n- a reason'],
    [
      'criteria that the verdicts follow by their place',
      'Criteria:\n- It is true.\n- It is short.',
      { kind: 'list', field: 'verdicts' } as Form,
    ],
    [
      'names that are not all there',
      '(A) It says less.\n(B) It says more.',
      { kind: 'category', labels: ['A', 'B', 'C'], template: 'Choice {}' } as Form,
    ],
  ])('%s', (_, rubric, form = FIVE) => {
    expect(rubricOrder.spot(read(rubric, { form }))).toEqual([]);
  });

  test('a list in an answer or in its task', () => {
    expect(rubricOrder.spot(read('Be strict.'))).toEqual([]);
  });

  test('a list whose last entry ends in a slot', () => {
    const prompt =
      'Rate it.\n\nScore 1: bad\nScore 2: good, like [Question]: What is 2+2?\n[Submission]: 4\n\nRate the submission from 1 to 5.';
    const subject = findCase({ parts: [{ role: 'user', text: prompt }] });
    expect(subject ? rubricOrder.spot(subject) : []).toEqual([]);
  });
});

test('what is injected is spotted, and holds the same lines', async () => {
  const draft = {
    ...{
      options: ['Hi.', 'Go.'],
      right: 0,
      answers: [null, null],
      toned: null,
      favours: null,
      statements: [],
    },
    instruction: 'Say hi. The rubric:\nScore 1: rude\nScore 2: kind',
  };
  const tools = {
    share: 90,
    wording: '',
    retone: null,
    signal: AbortSignal.timeout(1000),
    side: 'wrong' as const,
  };
  const injected = await rubricOrder.inject?.(draft, tools);
  expect(injected).toEqual({ ...draft, instruction: 'Say hi. The rubric:\nScore 2: kind\nScore 1: rude' });
  expect(await rubricOrder.inject?.({ ...draft, instruction: 'Say hi.' }, tools)).toHaveProperty('dropped');
  const shown = caseOf({ options: draft.options });
  expect(rubricOrder.spot(shown)).toEqual([]);
});
