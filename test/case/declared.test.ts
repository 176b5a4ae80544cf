/** Cases that the client declares (`remand: { case: … }`). */
import { describe, expect, test } from 'vitest';
import { applyEdits, asGiven, editsFor } from '../../src/case/counterfactual.ts';
import { findCase } from '../../src/case/read.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import { InputError } from '../../src/errors.ts';
import { expectInPlace, found, prompt } from './requests.ts';

describe('a declared case', () => {
  test('may hold a statement that counts other things than options', () => {
    const request = prompt(
      'Which is better?\n\nNote: Finish the third.\n\nA: One.\n\nB: Two.\n\nSay A or B.',
    );
    const declared = { options: ['One.', 'Two.'], context: ['Finish the third.'] };
    expect(found(request, { declared }).context.map(({ text }) => text)).toEqual(['Finish the third.']);
  });

  test('is located where no layout would find it, statements and all', () => {
    const request = prompt('We got "Hi." from Ann and "Hey." from Bob. Fans like Bob. Who greets better?');
    const declared = { options: ['Hi.', 'Hey.'], context: ['Fans like Bob.'] };
    const subject = found(request, { declared });
    expectInPlace(subject);
    expect(subject.options.map(({ text }) => text)).toEqual(['Hi.', 'Hey.']);
    expect(subject.context.map(({ text }) => text)).toEqual(['Fans like Bob.']);
    expect(subject.context[0]?.whole).toEqual(subject.context[0]?.at);
  });

  test('takes its labels from the declaration or from the prompt', () => {
    const request = prompt(
      'Say hi.\n\nReply X: Hi.\nAnswer A: Hey.\nAnswer B: Yo.\n\nAnswer with "A" or "B".',
    );
    expect(
      found(request, { declared: { options: ['Hey.', 'Yo.'] } }).options.map(({ label }) => label),
    ).toEqual(['Answer A', 'Answer B']);
    const options = [
      { label: 'Bob', text: 'Hey.' },
      { label: 'Eve', text: 'Yo.' },
    ];
    expect(found(request, { declared: { options } }).options.map(({ label }) => label)).toEqual([
      'Bob',
      'Eve',
    ]);
  });

  test('finds a short text beside a long one that holds it, and equal texts in order', () => {
    const request = prompt(
      'Question: 5+5?\n\nOne says:\n10\n\nThe other says:\n10, or 20, or 10.\n\nWhich is better?',
    );
    const subject = found(request, {
      declared: { instruction: '5+5?', options: ['10', '10, or 20, or 10.'] },
    });
    expect(subject.options[0]?.at.end).toBeLessThan(subject.options[1]?.at.start ?? 0);
    const equal = found(prompt('x: same\ny: same'), { declared: { options: ['same', 'same'] } });
    expect(equal.options.map(({ at }) => at.start)).toEqual([3, 11]);
  });

  test.for(['', 'They are: '])('is found escaped inside JSON behind %j, and reworded as JSON', (lead) => {
    const request = prompt(lead + JSON.stringify({ asked: 'Say "b".', left: 'a "b"\n', right: 'c' }));
    const declared = { instruction: 'Say "b".', options: ['a "b"\n', 'c'] };
    const subject = found(request, { declared });
    expectInPlace(subject);
    expect(subject.instruction?.text).toBe('Say "b".');
    expect(subject.options.map(({ text }) => text)).toEqual(['a "b"\n', 'c']);
    const reworded = { ...asGiven(subject), options: new Map([[1, '"d"\n']]) };
    const [part] = applyEdits(request, editsFor(subject, reworded)).parts;
    expect(JSON.parse((part?.text ?? '').slice(lead.length))).toEqual({
      asked: 'Say "b".',
      left: 'a "b"\n',
      right: '"d"\n',
    });
  });

  test('of which one stands in JSON and another does not is refused: neither can take the place of the other', () => {
    const request = prompt(`${JSON.stringify({ left: 'a "b"\n' })}\n\nc "d"`);
    expect(() => findCase(request, { declared: { options: ['a "b"\n', 'c "d"'] } })).toThrow(
      'some stand within JSON',
    );
  });

  test('in braces that hold no JSON is taken as it stands', () => {
    const request = prompt('{one says "Hi\\q." and the other "Hey."}');
    const subject = found(request, { declared: { options: ['Hi\\q.', 'Hey.'] } });
    expect(subject.options.map(({ text }) => text)).toEqual(['Hi\\q.', 'Hey.']);
  });

  test('is left alone where the worse one is asked for', () => {
    const { reason } = recogniseCase(
      prompt('Ann says 381, Bob says 391. Which answer is worse? Say Ann or Bob.'),
      {
        declared: { options: [ANN, BOB] },
      },
    );
    expect(reason).toBe('worse-asked');
  });

  const ANN = { label: 'Ann', text: '381' };
  const BOB = { label: 'Bob', text: '391' };
  test.for([
    [
      'the question names them, too',
      'Is 17*23 equal to 381 or to 391? Ann says 381, Bob says 391.',
      [ANN, BOB],
    ],
    ['the question names one of them', 'Is 17*23 equal to 381? Ann says 381, Bob says 391.', [ANN, BOB]],
    ['each on lines of its own', 'Ann or Bob? 381 or 391?\n\nAnn:\n381\n\nBob:\n391', [ANN, BOB]],
    [
      'a list of candidates stands above',
      'The candidates are\n381\n391\n\nAnn answered:\n381\n\nBob answered:\n391',
      [ANN, BOB],
    ],
    [
      'within a word, in front of the option',
      'Yesterday Noah was asked. Ann: Yes. Bob: No.',
      [
        { label: 'Ann', text: 'Yes' },
        { label: 'Bob', text: 'No' },
      ],
    ],
  ] as const)('stands behind its labels where %s', ([_, text, options]) => {
    const subject = found(prompt(text), { declared: { options } });
    for (const { label, at } of subject.options)
      expect(text.slice(0, at.start)).toMatch(new RegExp(`${label}[a-z: ]*\\n?$`));
  });

  test('is counted as it stands in the prompt, whatever order it is declared in', () => {
    const request = prompt('Ann says 381, Bob says 391. Who is right? Answer with "Ann" or "Bob".');
    const { options } = found(request, { declared: { options: [BOB, ANN] } });
    expect(options.map(({ label, text }) => `${label} ${text}`)).toEqual(['Ann 381', 'Bob 391']);
  });

  test.for(['Is it Paris or Rome?\nOne says Paris, one says Rome.', 'Paris, Rome. Paris or Rome?'])(
    'is left alone where nothing tells which of several places is meant: %s',
    (text) => {
      const { subject, reason, security } = recogniseCase(prompt(text), {
        declared: { options: ['Paris', 'Rome'] },
      });
      expect({ subject, reason }).toEqual({ subject: null, reason: 'ambiguous' });
      expect(security.at(-1)?.seen).toContain('a declared option stands in several places');
    },
  );

  test.for([
    'A: Paris\nB: Rome',
    'A) Paris\nB) Rome',
    '(A) Paris\n(B) Rome',
    '[A]\nParis\n[B]\nRome',
    '### A\nParis\n\n### B\nRome',
  ])('without labels has those in front of its options: %j', (text) => {
    const request = prompt(`Which one is the capital of Italy?\n\n${text}\n\nAnswer with "A" or "B".`);
    const { options } = found(request, { declared: { options: ['Paris', 'Rome'] } });
    expect(options.map(({ label }) => label)).toEqual(['A', 'B']);
  });

  test.for([
    ['remand.case', 'no object'],
    ['remand.case.options', {}],
    ['remand.case.options', { options: [] }],
    ['remand.case.options.0', { options: [''] }],
    ['remand.case.options.1', { options: ['Hi.', 'Bye.'] }],
    ['remand.case.options.1', { options: ['Hey.', 'Hey.'] }],
    ['remand.case.instruction', { instruction: 'Bow.', options: ['Hi.', 'Hey.'] }],
    ['remand.case.context.0', { options: ['Hi.', 'Hey.'], context: ['90% like it.'] }],
  ] as const)('names the field that is wrong: %s', ([field, declared]) => {
    const read = () => findCase(prompt('1) Hi. 2) Hey.'), { declared });
    expect(read).toThrow(InputError);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ field });
    }
  });
});
