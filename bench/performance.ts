/**
 * `npm run bench:performance`: how fast Remand is beside a plain Hono pass-through and Portkey's gateway, all in one run,
 * on this machine. Writes docs/performance.md. Ends in 1 where one of the ratios is not what it has to be. `--cpu` only
 * prints the CPU time of a judgment, in two minutes, and writes nothing; `--resident` only prints the resident memory of a
 * server, `--passed` only the CPU time of requests that are passed through, which a busy machine changes less than rates. Remand runs as it is installed: as `npm run build` makes it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startWorkerd } from './edge/workerd.ts';
import { type CpuResult, cpuPerJudgment } from './performance/cpu.ts';
import { load, type Pressure, prove, type Target } from './performance/load.ts';
import { cpuOf, memoryOver } from './performance/memory.ts';
import { pageOf } from './performance/page.ts';
import { Processes } from './performance/processes.ts';
import { MEMORY_AT_ONCE, required, written } from './performance/required.ts';
import type { Results } from './performance/results.ts';
import { atTheEdge, judgedTarget, passedTargets, startTargets, type Targets } from './performance/targets.ts';
import { inTurns, type Rates, spread } from './performance/turns.ts';

const { values } = parseArgs({
  options: {
    /** Of requests that are passed through; half as many of everything else. */
    rounds: { type: 'string', default: '24' },
    /** Of each target in each round. */
    seconds: { type: 'string', default: '1' },
    /** Under which memory is looked at. */
    memory: { type: 'string', default: '32' },
    cpu: { type: 'boolean', default: false },
    resident: { type: 'boolean', default: false },
    passed: { type: 'boolean', default: false },
    out: { type: 'string', default: fileURLToPath(new URL('../docs/performance.md', import.meta.url)) },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const AT_ONCE = 50;
/** What is not compared with anything that has to hold. */
const BRIEFLY = { rounds: 2, seconds: 1 };
const LEVELS = [1, 10, 50, 200, 500];
/**
 * Until the compiler is done: a server runs for days. A judgment runs through most of the code, and is not at its own
 * speed before some 15,000 of them.
 */
const WARM_S = { judged: 15, passed: 3 };

if (values.cpu) {
  for (const { bytes, ms } of await cpuOfJudgments())
    console.log(`CPU of a judgment of ${bytes} bytes, less model calls and HTTP: ${ms.toFixed(2)} ms`);
  process.exit();
}

const processes = new Processes();
if (values.resident || values.passed) {
  try {
    for (const line of await (values.resident ? residentLines() : passedLines())) console.log(line);
  } finally {
    await processes.end();
  }
  process.exit();
}
try {
  const results = await measured();
  await writeFile(values.out, pageOf(results));
  const found = required(results);
  for (const { words, met } of found) console.log(`${met ? 'met' : 'NOT MET'}: ${words}`);
  console.log(`written: ${values.out}`);
  process.exitCode = found.every(({ met }) => met) ? 0 : 1;
} finally {
  await processes.end();
}

async function measured(): Promise<Results> {
  const targets = await startTargets(processes);
  const { upstream, plain, portkey, bypassed, elsewhere, keyed, probed } = targets;
  // The server that only passes requests through has judged before, as one that runs for days has.
  await warm([judgedTarget(new URL(bypassed.url).origin), ...Object.values(targets)]);
  const how = { rounds, seconds, connections: AT_ONCE };
  const half = { ...how, rounds: Math.ceil(rounds / 2) };
  // Only what passes requests through: a target that is compared with another comes within seconds of it.
  const passing = await turns('passing through', [upstream, plain, bypassed, elsewhere, keyed, portkey], how);
  const { between, swapped, detected, cached } = targets;
  const judging = await turns('judging', [bypassed, between, probed, swapped, detected, cached], half);
  const { streamPlain, streamPortkey, streamBypassed, streamProbed } = targets;
  const streaming = await turns(
    'streaming',
    [streamPlain, streamPortkey, streamBypassed, streamProbed],
    half,
  );
  const compared = [portkey, plain, bypassed, probed];
  const levels = new Map<number, Rates>();
  for (const level of LEVELS)
    levels.set(level, await turns(`${level} at once`, compared, { ...BRIEFLY, connections: level }));
  const memory = await memoryRun(targets);
  const cpu = await cpuOfJudgments();
  return {
    targets,
    rounds,
    seconds,
    atOnce: AT_ONCE,
    warm: WARM_S,
    passing,
    judging,
    streaming,
    levels,
    memory,
    cpu,
    edge: await edgeRun(targets),
  };
}

/** As warm as the servers are. */
async function cpuOfJudgments(): Promise<[CpuResult, CpuResult]> {
  say('CPU of a judgment');
  return [
    await cpuPerJudgment({ bytes: 2_048, warm: 15_000, judgments: 500, runs: 7 }),
    await cpuPerJudgment({ bytes: 32_768, warm: 2_000, judgments: 100, runs: 7 }),
  ];
}

async function warm(targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    say(`warming up: ${target.name}`);
    const judged = target.told !== null && target.told.status !== 'bypassed';
    await load(target, { connections: AT_ONCE, seconds: judged ? WARM_S.judged : WARM_S.passed });
    await prove(target);
  }
}

function turns(what: string, targets: readonly Target[], how: Pressure & { rounds: number }): Promise<Rates> {
  return inTurns(targets, how.rounds, how, ({ name }, round) =>
    say(`${what}, round ${round + 1} of ${how.rounds}: ${name}`),
  );
}

/** A server of its own, so that its memory begins where it began. */
async function memoryRun({ upstream, probed }: Targets) {
  say('memory over time');
  const fresh = await processes.remand(new URL(upstream.url).origin);
  const target = { ...probed, url: `${fresh.url}${new URL(probed.url).pathname}` };
  return memoryOver(fresh.pid, target, {
    connections: MEMORY_AT_ONCE,
    seconds: Number(values.memory),
    looks: 8,
  });
}

/** At the start, and at its highest under judgments that are all under way at the same time. */
async function residentLines(): Promise<string[]> {
  const { url: judge } = await processes.script('upstream.ts');
  const { url, pid } = await processes.remand(judge);
  const target = judgedTarget(url);
  const looks = await memoryOver(pid, target, {
    connections: MEMORY_AT_ONCE,
    seconds: Number(values.memory),
    looks: 8,
  });
  const most = Math.max(...looks.map(({ mib }) => mib));
  return [
    `resident at the start: ${looks[0]?.mib.toFixed(0)} MiB`,
    `resident under ${MEMORY_AT_ONCE} judgments at once: ${most.toFixed(0)} MiB at most`,
  ];
}

/** CPU of each server's process for a request, beside that of plain Hono in the same round. */
async function passedLines(): Promise<string[]> {
  const { url: judge } = await processes.script('upstream.ts');
  const plain = await processes.script('plain.ts', judge);
  const remand = await processes.remand(judge);
  const judging = await processes.remand(judge);
  const targets = passedTargets(plain.url, remand.url);
  const after = passedTargets(plain.url, judging.url).bypassed;
  const servers = [
    { target: targets.plain, pid: plain.pid },
    { target: targets.bypassed, pid: remand.pid },
    { target: targets.elsewhere, pid: remand.pid },
    { target: { ...after, name: `${after.name}, after judgments` }, pid: judging.pid },
  ];
  await warm([judgedTarget(judging.url), ...servers.map(({ target }) => target)]);
  const found = servers.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++)
    for (const [at, { target, pid }] of servers.entries()) {
      const before = await cpuOf(pid);
      const { answered } = await load(target, { connections: AT_ONCE, seconds });
      found[at]?.push(((await cpuOf(pid)) - before) / answered);
    }
  return servers.map(({ target }, at) => {
    const ratios = (found[at] ?? []).map((ms, round) => (found[0]?.[round] ?? Number.NaN) / ms);
    const us = spread(found[at] ?? []).median * 1_000;
    return `${target.name}: ${us.toFixed(0)} µs of CPU a request; plain Hono takes ${written(spread(ratios))} times that`;
  });
}

async function edgeRun({ upstream }: Targets) {
  say('workerd');
  const folder = await mkdtemp(join(tmpdir(), 'remand-edge-'));
  const { child, url } = await startWorkerd(new URL(upstream.url).origin, folder);
  try {
    const targets = atTheEdge(url);
    await warm(targets);
    return await turns('workerd', targets, { ...BRIEFLY, seconds, connections: AT_ONCE });
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

function say(what: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${what}` : `${what}\n`);
}
