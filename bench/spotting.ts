/**
 * What each entry of the catalogue sees among cues and texts that look like them, in six languages: `npm run bench:spotting`.
 * The closed half of the corpus is counted and never shown; `--open` does not even count it, for whoever works on what is
 * looked for. It prints the table of docs/spotting.md; `--verbose` lists what is missed and what is a false alarm among the
 * texts that rules may be written from. Below it stands how many ordinary answers of the shared data have a cue, where that
 * data is at hand.
 */
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { tellsAuthor } from '../src/bias/author.ts';
import { findAuthorities } from '../src/bias/authority.ts';
import { namesItself } from '../src/bias/identity.ts';
import { CATALOGUE } from '../src/bias/index.ts';
import { findInstructions } from '../src/bias/instruction.ts';
import { findReflections } from '../src/bias/reflection.ts';
import {
  caseWith,
  type Half,
  isFoundBy,
  isSpotted,
  negativesOf,
  POSITIVES,
  STRANGERS,
} from '../test/bias/corpus/wordings.ts';
import { hasSharedData, readJsonl } from '../test/shared-data.ts';

const { values } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, open: { type: 'boolean', default: false } },
});
const HALVES: readonly Half[] = values.open ? ['seen'] : ['seen', 'unseen'];

const share = (part: number, all: number) =>
  all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} % (${part} of ${all})`;

const columns = ['found', 'false alarms'].flatMap((what) => HALVES.map((half) => `${what}, ${half}`));
console.log(`| entry | ${columns.join(' | ')} |`);
console.log(`|---|${columns.map(() => '---|').join('')}`);
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

console.log(
  '\n| entry | found, strangers’ open half | found, closed half | false alarms, open half | closed half |',
);
console.log('|---|---|---|---|---|');
for (const name of Object.keys(STRANGERS.open)) {
  const bias = CATALOGUE.find((one) => one.name === name);
  if (!bias) continue;
  const counts = (['open', 'closed'] as const).map((half) => {
    if (values.open && half === 'closed') return ['–', '–'];
    const { [name]: positives = [], ordinary = [] } = STRANGERS[half];
    const [found, alarms] = [positives, ordinary].map((all) => all.filter((one) => isFoundBy(bias, one)));
    if (values.verbose && half === 'open')
      for (const one of positives)
        if (!found?.includes(one)) console.error(`${name}: missed of strangers: ${one.text}`);
    return [share(found?.length ?? 0, positives.length), share(alarms?.length ?? 0, ordinary.length)];
  });
  console.log(
    `| ${[name, ...counts.map(([found]) => found), ...counts.map(([, alarms]) => alarms)].join(' | ')} |`,
  );
}

/** By entry, whether an answer has a cue of it. */
const IN_ANSWERS = {
  instruction: (text: string) => findInstructions(text).length > 0,
  reflection: (text: string) => findReflections(text).length > 0,
  authority: (text: string) => findAuthorities(text).length > 0,
  identity: namesItself,
  author: tellsAuthor,
};

if (hasSharedData) {
  const pair = z.object({ a: z.string(), b: z.string() });
  const outputs = z.object({
    ...{ baseline: z.string(), 'claude-2.1': z.string() },
    ...{ 'gpt-3.5-turbo-1106': z.string(), 'wizardlm-13b': z.string() },
  });
  const answers = new Set([
    ...readJsonl('auto-j/items.dev.jsonl', pair).flatMap(({ a, b }) => [a, b]),
    ...readJsonl('pandalm/items.dev.jsonl', pair).flatMap(({ a, b }) => [a, b]),
    ...readJsonl('nullmodel/texts.dev.jsonl', outputs).flatMap((row) => Object.values(row)),
  ]);
  console.log(`\n| entry | of ${answers.size} ordinary answers |\n|---|---|`);
  for (const [name, hasCue] of Object.entries(IN_ANSWERS)) {
    const found = [...answers].filter(hasCue);
    if (values.verbose) for (const text of found) console.error(`${name}: ${JSON.stringify(text)}`);
    console.log(`| ${name} | ${share(found.length, answers.size)} |`);
  }
}
