/** How a sandbox judge and its planted weights are named on a command line. */
import { expect, test } from 'vitest';
import { readModelSpec } from '../../src/cli/open-models.ts';

const read = (spec: string) => readModelSpec(spec, '--judge');

test('weights are declared, and the name says what was planted', () => {
  expect(read('sandbox').where).toEqual({ kind: 'sandbox', options: { weights: {} } });
  const { name, where } = read('sandbox:recency=1,chance=0.25,provenance=-0.5,acknowledges=1');
  expect(name).toBe('sandbox:recency=1,chance=0.25,provenance=-0.5,acknowledges=1');
  const weights = { recency: 1, chance: 0.25, provenance: -0.5 };
  expect(where).toEqual({ kind: 'sandbox', options: { weights, acknowledges: 1 } });
});

test('a model that is called so is a model', () => {
  expect(read('sandbox@http://127.0.0.1:1').where.kind).toBe('endpoints');
  expect(read('sandbox:v2@http://127.0.0.1:1').name).toBe('sandbox:v2');
});

test.each([
  ['sandbox:', /"" is no weight=number/],
  ['sandbox:fame=1', /"fame=1" is no weight=number .* it has quality, length, .* acknowledges, heeds/],
  ['sandbox:recency=much', /"recency=much"/],
  ['sandbox:recency=1,recency=2', /gives recency twice/],
  ['sandbox:acknowledges=2', /acknowledges must lie between 0 and 1/],
  ['sandbox:toString=1', /"toString=1"/],
])('%s says what is wrong', (spec, message) => {
  expect(() => read(spec)).toThrow(message);
});
