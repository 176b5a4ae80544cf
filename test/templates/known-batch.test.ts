/** What a shipped template must not read, beside the requests from which it was made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCase } from '../../src/case/read.ts';
import { JudgeTemplate } from './schema.ts';
import { promptOf } from './truth.ts';

test('of a batch of different pairs none is taken for the one that is judged', () => {
  const file = join(import.meta.dirname, 'seen/alpaca-farm.json');
  const [request] = JudgeTemplate.parse(JSON.parse(readFileSync(file, 'utf8'))).requests;
  const padded = request ? promptOf(request) : { parts: [] };
  expect(findCase(padded)?.options).toHaveLength(2);
  const parts = padded.parts.map((part) => ({ ...part, text: part.text.replaceAll('1+1=\n', '1+2=\n') }));
  expect(findCase({ parts })).toBeNull();
});
