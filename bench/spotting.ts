/**
 * What each entry of the catalogue sees among cues and texts that look like them, in six languages: `npm run bench:spotting`.
 * The closed half of the corpus is counted and never shown. It prints the table of docs/spotting.md; `--verbose` lists
 * what is missed and what is a false alarm among the texts that rules may be written from.
 */
import { parseArgs } from 'node:util';
import { CATALOGUE } from '../src/bias/index.ts';
import { caseWith, type Half, isSpotted, negativesOf, POSITIVES } from '../test/bias/corpus/wordings.ts';

const { values } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } });
const HALVES: readonly Half[] = ['seen', 'unseen'];

const share = (part: number, all: number) =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} % (${part} of ${all})`;

console.log('| entry | found, seen | found, unseen | false alarms, seen | false alarms, unseen |');
console.log('|---|---|---|---|---|');
for (const bias of CATALOGUE) {
  const positives = POSITIVES.filter((one) => one.bias.name === bias.name);
  if (positives.length === 0) continue;
  const found = HALVES.map((half) => {
    const some = positives.filter((one) => one.half === half);
    const missed = some.filter((one) => !isSpotted(one));
    if (values.verbose && half === 'seen')
      for (const { text } of missed) console.error(`${bias.name}: missed: ${text}`);
    return share(some.length - missed.length, some.length);
  });
  const alarms = HALVES.map((half) => {
    const some = negativesOf(bias).filter((one) => one.half === half);
    const wrong = some.filter((one) => bias.spot(caseWith(one, bias)).length > 0);
    if (values.verbose && half === 'seen')
      for (const { text } of wrong) console.error(`${bias.name}: false alarm: ${text}`);
    return share(wrong.length, some.length);
  });
  console.log(`| ${[bias.name, ...found, ...alarms].join(' | ')} |`);
}
