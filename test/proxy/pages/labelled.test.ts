/** Labels in the list: a column and a filter that last from the list to a story, to the next one, and past a label. */
import { expect, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../judges.ts';
import { exchange, startProxy, startUpstream, until } from '../servers.ts';

async function judged() {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const { headers } = await exchange(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: pairwise(`${WRONG} (${n})`, RIGHT),
    });
    ids.push(String(headers['x-remand-trace']));
    await until(async () => (await exchange(`${url}/remand/traces/${ids.at(-1)}`)).status === 200, 'kept');
  }
  const get = async (path: string) =>
    (await exchange(`${url}${path}`, { headers: { accept: 'text/html' } })).body.toString();
  const label = (id: string, query: string) =>
    exchange(`${url}/remand/traces/${id}/label${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/html' },
      body: JSON.stringify({ right: 'last' }),
    });
  return { ids, get, label };
}

/** Ids of the stories that a page links to, in its order. */
const listed = (page: string) => [...page.matchAll(/href="[^"]*\/traces\/([\w-]+)[?"]/g)].map(([, id]) => id);

test('the list shows what was labelled, and only that or only the rest', async () => {
  const { ids, get, label } = await judged();
  const [oldest = '', middle = '', newest = ''] = ids;
  await label(middle, '');
  const all = await get('/remand');
  expect(listed(all)).toEqual([newest, middle, oldest]);
  expect(all.match(/✓ right/g)).toHaveLength(1);
  expect(listed(await get('/remand?labelled=yes'))).toEqual([middle]);
  expect(listed(await get('/remand?labelled=no'))).toEqual([newest, oldest]);
  expect(listed(await get(`/remand?labelled=no&before=${newest}`))).toEqual([oldest]);
});

test('a story leads to the next and the last of the list it was opened from, by links and keys', async () => {
  const { ids, get, label } = await judged();
  const [oldest = '', middle = '', newest = ''] = ids;
  await label(middle, '');
  const page = await get(`/remand/traces/${oldest}?labelled=no`);
  expect(page).toMatch(new RegExp(`traces/${newest}\\?labelled=no" rel="prev" data-key="k"`));
  expect(page).not.toContain('rel="next"');
  expect(await get(`/remand/traces/${newest}`)).toMatch(
    new RegExp(`traces/${middle}" rel="next" data-key="j"`),
  );
  const { headers } = await label(oldest, '?labelled=no');
  expect(headers.location).toMatch(new RegExp(`traces/${oldest}\\?labelled=no$`));
});

test('the figures above the list count what the filter leaves', async () => {
  const { get } = await judged();
  expect(await get('/remand')).toContain('<h1>3 judgments</h1>');
  const none = await get('/remand?status=unchanged');
  expect(none).toContain('<h1>0 judgments</h1>');
  expect(none).toContain('Counted: only unchanged.');
  expect(await get('/remand?bias=position')).toContain('<h1>3 judgments</h1>');
});
