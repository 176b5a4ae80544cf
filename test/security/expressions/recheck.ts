/**
 * Checks every regular expression anew and writes the list: `npm run check:expressions`. Takes minutes; with `-- --new`
 * only those that are not on the list are checked. `RECHECK_BACKEND=native` is faster where recheck has a binary.
 */
import { type Checked, checkExpression, keyOf, loadChecked, saveChecked } from './check.ts';
import { extractExpressions } from './extract.ts';

const onlyNew = process.argv.includes('--new');
const known = loadChecked();
const places = new Map(extractExpressions().map((place) => [keyOf(place), place]));
const checked = new Map<string, Checked>();
for (const [key, { at, source, flags }] of places) {
  const result = (onlyNew && known.get(key)) || (await checkExpression(source, flags));
  checked.set(key, result);
  // What was known before stays until all is checked: a run that is stopped loses nothing.
  saveChecked([...new Map([...known, ...checked]).values()]);
  if (result.growth !== 'linear' && result.growth !== 'bounded')
    process.stdout.write(`${result.growth}\t${at}\t${key}\n`);
}
saveChecked([...checked.values()]);
// recheck keeps a process of its own.
process.exit(0);
