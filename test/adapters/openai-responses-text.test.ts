/** Putting another text where a response has its verdict, in all the places that say it, and moving nothing else. */
import { describe, expect, test } from 'vitest';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import {
  call,
  message,
  reasoning,
  refusal,
  response,
  stream,
  streamedCall,
  streamedMessage,
  WHOLE,
} from './responses-replies.ts';

const write = (body: string, text: string, asked = false) => openaiResponses.withText(body, asked, text);

describe('a whole response', () => {
  test('says it in its message; log-probabilities of words that are gone go, too', () => {
    const expected = WHOLE.replace('Output (a) \\u2014 better', 'Output (b)').replace(
      /"logprobs": \[\{.*\}\]/,
      '"logprobs": []',
    );
    expect(write(WHOLE, 'Output (b)')).toBe(expected);
  });

  test.each([
    ['in the call it makes', [reasoning, call('{}')], [reasoning, call('"C"')]],
    ['in the first of several calls', [call('{}'), call('[]')], [call('"C"'), call('[]')]],
    ['once, though there were two messages', [message('A'), message('B')], [message('"C"'), message('')]],
    ['beside a call that has text with it', [message('A'), call('{}')], [message('"C"'), call('{}')]],
    ['in the call where the message is empty', [message(''), call('{}')], [message(''), call('"C"')]],
    ['nowhere, where it has refused', [refusal('no')], [refusal('no')]],
    ['nowhere, where it has only thought', [reasoning], [reasoning]],
  ])('says it %s', (_, output, expected) => {
    const before = JSON.stringify(response(output), null, 1);
    expect(write(before, '"C"')).toBe(JSON.stringify(response(expected), null, 1));
  });

  test('and in the shortcut that gateways write beside it', () => {
    const of = (text: string) => JSON.stringify({ ...response([message(text)]), output_text: text });
    expect(write(of('A'), 'B')).toBe(of('B'));
  });
});

describe('a stream', () => {
  test('says it in the first piece and wherever the whole text stands', () => {
    const written = stream(streamedMessage('Output (b)'));
    const pieces = written.flatMap((event, i) => (event.includes('output_text.delta') ? [i] : []));
    const expected = written.map((event, i) =>
      i === pieces[0]
        ? event.replace('"Output "', '"Output (b)"')
        : event.replace('"delta":"(b)"', '"delta":""'),
    );
    expect(pieces).toHaveLength(2);
    expect(write(stream(streamedMessage('Output (a)')).join(''), 'Output (b)', true)).toBe(expected.join(''));
  });

  test('says it in the arguments of the call', () => {
    const body = write(stream(streamedCall('{"choice":"A"}')).join(''), '{"choice":"B"}', true);
    expect(body).not.toContain('\\"A\\"');
    expect(body.match(/\{\\"choice\\":\\"B\\"\}/g)).toHaveLength(4);
    expect(openaiResponses.readReply(body, true).texts).toEqual(['{"choice":"B"}']);
  });

  test('read from its pieces or from its last event, it says the same', () => {
    const body = write(stream(streamedMessage('I say Output (a), as ever')).join(''), 'no', true);
    const emptied = body.replace(/"output":\[\{.*\}\],"usage":\{/, '"output":[],"usage":{');
    expect(emptied).not.toBe(body);
    for (const one of [body, emptied, body.replaceAll('\n', '\r\n')])
      expect(openaiResponses.readReply(one, true).texts).toEqual(['no']);
  });

  test('of two messages says it once, however it is read', () => {
    const [, ...second] = streamedMessage('Output (b)').slice(4, -1);
    const last = { type: 'response.completed', response: response([message('(a) '), message('(b)')]) };
    const both = [
      ...streamedMessage('(a) ').slice(0, -1),
      ...second.map((event) => ({ ...event, output_index: 2 })),
    ];
    for (const end of [last, { ...last, response: response([]) }]) {
      const body = write(stream([...both, end]).join(''), 'Output (c)', true);
      expect(openaiResponses.readReply(body, true).texts).toEqual(['Output (c)']);
      const pieces = [...body.matchAll(/"delta":"(.*?)"/g)].map(([, piece]) => piece);
      expect(pieces.join('')).toBe('Output (c)');
    }
  });

  test('whose last event counts its items in another way still says it there', () => {
    const events = streamedMessage('Output (a)', { response: response([message('Output (a)')]) });
    const body = write(stream(events).join(''), 'Output (b)', true);
    expect(openaiResponses.readReply(body, true).texts).toEqual(['Output (b)']);
    expect(body).not.toContain('(a)');
  });
});
