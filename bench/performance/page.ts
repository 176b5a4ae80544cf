/** docs/performance.md, from one run. */
import { cpus } from 'node:os';
import type { Rate, Target } from './load.ts';
import type { Look } from './memory.ts';
import { byCalls, MEMORY_AT_ONCE, required, written } from './required.ts';
import type { Results } from './results.ts';
import { BYTES, type Targets } from './targets.ts';
import { type Rates, ratio, spread } from './turns.ts';

export function pageOf(results: Results): string {
  const { targets, rounds, seconds, atOnce, warm, passing, judging, streaming, memory } = results;
  const { upstream, plain, portkey, bypassed, elsewhere, between, keyed, probed, swapped, cached, detected } =
    targets;
  const judged = [probed, swapped, detected, cached, between];
  const cores = cpus();
  return `# Performance

\`npm run bench:performance\` wrote this page, on ${day()}, on ${cores.length} shared cores (${cores[0]?.model ?? 'unknown'}), Node
${process.versions.node}. Everything was on loopback: requests of ${BYTES / 1024} KB that differ, ${atOnce} at once. Each figure is a median of ${rounds} rounds of ${seconds} s where
requests are passed through, and of half as many elsewhere. The lines of a table were taken in turn, after ${warm.passed} s of the same load, or ${warm.judged} s where there is judging: V8 has compiled all of a judgment after some 15,000. Read the ratios: both sides of one were measured within seconds of each other, on the same
machine; the absolute figures are the machine's, and all processes share it. In brackets: the lowest and the highest of the rounds.

| what has to hold | found | has to be | |
|---|---|---|---|
${required(results)
  .map(
    ({ name, found, bound, met }) =>
      `| ${name} | **${written(found)}** | ${bound} | ${met ? 'met' : 'NOT MET'} |`,
  )
  .join('\n')}

- **The upstream** is \`node:http\` with a reply that is ready: a model that takes no time, so that the proxies are what is slow.
- **Plain Hono** is what anybody would write first: \`@hono/node-server\` and undici's pool, headers copied, the body streamed, nothing else.
- **Portkey's gateway** is the published npm package, started by its own script, with \`x-portkey-provider\` and
  \`x-portkey-custom-host\` naming the upstream. Nothing of it is switched on. It runs on @hono/node-server 1.13.7, which is
  in its range: with the newest of it (1.19) its streams end in a 500 on this Node ("immutable").
- **Remand** is \`remand serve\` with its defaults: the check of who asks, limits, breakers, metrics, a line of log for each
  request of a judging path, and for each judgment a trace in an SQLite file. *Passed through* is the same request on the
  same path, with \`x-remand-mode: off\`; on a path that is no judging one less is to be done. That server judged for
  ${warm.judged} s before the first round. One line below shows a server that also judges in each round.
- **A judgment** is all of Remand: the case is found, biases are looked for, and the judge is asked in both orders. Where a crowd is
  quoted for the answer that it chose, the judge is asked once more without the crowd (the probe).

## Passing through

${table(
  ['requests/s', 'p50', 'p99', 'of plain Hono', "of Portkey's gateway"],
  [upstream, plain, portkey, bypassed, elsewhere, keyed],
  (target) => [
    ...speed(passing, target),
    written(ratio(passing, target, plain)),
    written(ratio(passing, target, portkey)),
  ],
)}

## Judging

${table(
  ['requests/s', 'p50', 'p99', 'calls for each', 'upstream calls/s, of passing through'],
  judged,
  (target) => {
    const calls = target.told?.calls ?? 0;
    return [
      ...speed(judging, target),
      String(calls),
      calls === 0 ? '' : written(byCalls(ratio(judging, target, bypassed), calls)),
    ];
  },
)}

The CPU of a judgment without its model calls and HTTP: ${results.cpu
    .map(({ bytes, ms }) => `${ms.toFixed(2)} ms at ${(bytes / 1024).toFixed(0)} KB`)
    .join(', ')}. A model call takes seconds.

## Streaming

The same, asked for as a stream of events. A judgment is examined before its first event goes out.

${table(['streams/s', 'p50', 'p99', 'of plain Hono', "of Portkey's gateway"], streams(targets), (target) => [
  ...speed(streaming, target),
  written(ratio(streaming, target, targets.streamPlain)),
  written(ratio(streaming, target, targets.streamPortkey)),
])}

## How many at once

Requests a second; behind it the p99 in milliseconds.

${levelsTable(results)}

## Memory

Resident memory of a server that has just been started, under judgments of both orders with a probe in each, ${MEMORY_AT_ONCE} at once, as fast as it can:

| seconds | judgments so far | MiB |
|---:|---:|---:|
${memory.map(({ seconds: so, mib }, look) => `| ${so.toFixed(0)} | ${whole(answeredBy(memory, look))} | ${mib.toFixed(0)} |`).join('\n')}

V8 collects when it has to: what is held for good shows in \`npm run soak\`, which looks for half an hour, after collections.

## Workers

The script as it would be deployed, in workerd on this machine, ${atOnce} at once, without a database.

${table(['requests/s', 'p50', 'p99'], [...results.edge.keys()], (target) => speed(results.edge, target))}

What a judgment costs of a Workers plan is counted by \`npm run bench:edge\` and in [deploy.md](deploy.md).
`;
}

function streams({ streamPlain, streamPortkey, streamBypassed, streamProbed }: Targets): Target[] {
  return [streamPlain, streamPortkey, streamBypassed, streamProbed];
}

function table(
  columns: readonly string[],
  targets: readonly Target[],
  cells: (target: Target) => readonly string[],
): string {
  const head = `| | ${columns.join(' | ')} |\n|---|${columns.map(() => '---:|').join('')}\n`;
  return head + targets.map((target) => `| ${target.name} | ${cells(target).join(' | ')} |`).join('\n');
}

function speed(rates: Rates, target: Target): [string, string, string] {
  return [
    whole(middle(rates, target, ({ perSecond }) => perSecond)),
    `${middle(rates, target, ({ p50 }) => p50).toFixed(0)} ms`,
    `${middle(rates, target, ({ p99 }) => p99).toFixed(0)} ms`,
  ];
}

function levelsTable({ levels, targets: { portkey, plain, bypassed, probed } }: Results): string {
  const all = [portkey, plain, bypassed, probed];
  const head = `| at once | ${all.map(({ name }) => name).join(' | ')} |\n|---:|${all.map(() => '---:|').join('')}\n`;
  const rows = [...levels].map(([level, rates]) => {
    const cells = all.map((target) => {
      const [perSecond, , p99] = speed(rates, target);
      return `${perSecond}, ${p99}`;
    });
    return `| ${level} | ${cells.join(' | ')} |`;
  });
  return head + rows.join('\n');
}

function answeredBy(looks: readonly Look[], last: number): number {
  return looks.slice(0, last + 1).reduce((sum, { answered }) => sum + answered, 0);
}

function middle(rates: Rates, target: Target, pick: (rate: Rate) => number): number {
  return spread((rates.get(target) ?? []).map(pick)).median;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function day(): string {
  return new Date().toISOString().slice(0, 10);
}
