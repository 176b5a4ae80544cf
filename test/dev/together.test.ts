/** What is started together ends together: however whoever started it ends, and however little is left of it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../proxy/servers.ts';

const TOGETHER = fileURLToPath(new URL('../../dev/together.ts', import.meta.url));

/** A process that starts the command, which starts another; all three told by their ids. */
async function started(command: string) {
  const starter = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, [${JSON.stringify(TOGETHER)}, 'sh', '-c', ${JSON.stringify(command)}], {
      detached: true, stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.on('exit', (status) => { process.exitCode = status; });`;
  const parent = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  parent.stdout.on('data', (piece) => {
    said += piece;
  });
  const ids = () => said.split('\n').filter(Boolean).map(Number);
  onTestFinished(() => {
    for (const id of [parent.pid ?? 0, ...ids()]) if (alive(id)) process.kill(id, 'SIGKILL');
  });
  return { parent, ids };
}

/** What has ended and was not taken note of by its parent (in a container, maybe nobody does) is not alive. */
function alive(id: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(id)], { encoding: 'utf8' });
  return /^\s*[^\sZ]/.test(stdout);
}

test.each([
  ['leaves when it is asked to', 'sleep 600 & echo $!; echo $$; wait'],
  ['does not listen', 'trap "" TERM; sleep 600 & echo $!; echo $$; wait'],
])('killed, it leaves nobody behind of a command that %s', async (_name, command) => {
  const { parent, ids } = await started(command);
  await until(() => ids().length === 2, 'the command runs');
  expect(ids().map(alive)).toEqual([true, true]);
  parent.kill('SIGKILL');
  await until(() => !ids().some(alive), 'nobody is left');
});

test('the command’s exit status is passed on', async () => {
  const { parent } = await started('exit 3');
  const [status] = await once(parent, 'exit');
  expect(status).toBe(3);
});
