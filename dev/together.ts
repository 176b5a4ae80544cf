/**
 * `node dev/together.ts command …` runs a command for as long as its own standard input is open. Whoever started it holds the
 * other end of that, and a process that is gone, even by SIGKILL, holds nothing: then all of the process group ends. To be
 * started as the leader of a group of its own (`detached`); leaves with the command's exit status.
 */
import { spawn } from 'node:child_process';

/** What is still there then is ended without asking. */
const PATIENCE_MS = 5_000;

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let orphaned = false;

// Signals to the group reach the command as well: this process stays to see it out.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

child.once('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(1);
});
child.once('exit', (status) => {
  // The command may have left others behind, and nobody else is there to end them.
  if (orphaned) end('SIGKILL');
  process.exit(status ?? 1);
});
process.stdin.resume().once('close', () => {
  orphaned = true;
  end('SIGTERM');
  setTimeout(() => end('SIGKILL'), PATIENCE_MS);
});

/** The whole group, this process in it. */
function end(signal: NodeJS.Signals): void {
  process.kill(-process.pid, signal);
}
