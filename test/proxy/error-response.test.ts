/** Whose fault it was: an error of ours is never told as the client's, nor a judge that is late as a client that left. */
import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { JudgeError } from '../../src/http/send.ts';
import { BodyError, toFault } from '../../src/proxy/error-response.ts';

const late = new DOMException('too late', 'TimeoutError');

test.each<[number, string, unknown, boolean]>([
  [400, 'the request cannot be read', new InputError('messages', 'is required'), false],
  [413, 'the request is too large', new BodyError(413, 'above 1 MB'), false],
  [415, 'the request is packed and has to be read', new BodyError(415, 'send it unpacked'), false],
  [502, 'the judge gave no reply', new JudgeError('connection refused'), false],
  [504, 'the judge was late', new JudgeError('no answer', { cause: late }), false],
  [499, 'the client left while the judge was late', new JudgeError('no answer', { cause: late }), true],
  [499, 'the client left', new DOMException('left', 'AbortError'), true],
  [500, 'an abort that the client has no part in', new DOMException('stopped', 'AbortError'), false],
  [500, 'a mistake of ours', new TypeError('x is undefined'), false],
  [500, 'an edit of ours outside of its text', new RangeError('no span'), false],
  [500, 'JSON of ours that is none', new SyntaxError('Unexpected token'), false],
])('%i where %s', (status, _, error, clientGone) => {
  const fault = toFault(error, clientGone);
  expect(fault.status).toBe(status);
  // What went wrong inside is for the log.
  if (status === 500) expect(fault.message).not.toContain((error as Error).message);
});
