/**
 * Checks every regular expression anew and writes the list: `npm run check:expressions`. Takes minutes; with `-- --new`
 * only those that are not on the list are checked. `RECHECK_BACKEND=native` is faster where recheck has a binary.
 */
import { type Checked, checkExpression, keyOf, loadChecked, saveChecked } from './check.ts';
import { extractExpressions } from './extract.ts';

const onlyNew = process.argv.includes('--new');
const known = onlyNew ? loadChecked() : new Map<string, Checked>();
const all = new Map(extractExpressions().map((place) => [keyOf(place), place]));
const checked: Checked[] = [];
for (const [key, { at, source, flags }] of all) {
  const result = known.get(key) ?? (await checkExpression(source, flags));
  checked.push(result);
  saveChecked([...new Map([...known.values(), ...checked].map((one) => [keyOf(one), one])).values()]);
  if (result.growth !== 'linear' && result.growth !== 'bounded')
    process.stdout.write(`${result.growth}\t${at}\t${key}\n`);
}
saveChecked(checked);
saveChecked(checked);
// recheck keeps a process of its own.
process.exit(0);
