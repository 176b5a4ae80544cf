/** A newcomer can follow a judgment: few functions, few files, from the app to the judge and back. */
import { expect, test } from 'vitest';
import { COMPARISON, listFiles, measureJudgmentPath, REPLY } from './judgment-path.ts';

test('a judgment goes to the judge and back in at most 12 frames and 6 files', async () => {
  const path = await measureJudgmentPath(COMPARISON, REPLY);
  expect(path.there.at(0)).toMatchObject({ file: 'src/proxy/app.ts' });
  expect(path.there.at(-1)).toMatchObject({ name: 'sendRequest' });
  expect(path.back.at(-1)).toMatchObject({ name: 'createReplyResponse' });
  expect(path.there.length).toBeLessThanOrEqual(12);
  expect(path.back.length).toBeLessThanOrEqual(12);
  expect(listFiles(path).length).toBeLessThanOrEqual(6);
});
