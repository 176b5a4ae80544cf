/** Cases that the client declares (`remand: { case: … }`). */
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/case/errors.ts';
import { findCase } from '../../src/case/read.ts';
import { expectInPlace, found, prompt } from './requests.ts';

describe('a declared case', () => {
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

  test('is found escaped inside JSON', () => {
    const request = prompt(JSON.stringify({ left: 'a "b"\n', right: 'c' }));
    expect(found(request, { declared: { options: ['a "b"\n', 'c'] } }).options[0]?.text).toBe('a \\"b\\"\\n');
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
