/** The runtime itself, without what the simulator puts before it, with the script as it would be deployed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, COMPATIBILITY_DATE, WORKERD } from './build.ts';

/**
 * @param judge its URL, on this machine
 * @param folder for what is built; without a database, so that no traces are kept
 */
export async function startWorkerd(
  judge: string,
  folder: string,
): Promise<{ child: ChildProcess; url: string }> {
  await build(folder);
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "remand", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      compatibilityFlags = ["enable_request_signal"],
      bindings = [(name = "JUDGE_BASE_URL", text = "${judge}"), (name = "REMAND_TRACES", text = "off")],
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "remand")],
);`;
  await writeFile(join(folder, 'config.capnp'), config);
  const child = spawn(WORKERD, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  // The control channel tells which port it took.
  for await (const piece of child.stdio[3] as AsyncIterable<Buffer>) {
    const port = /"event":"listen".*"port":(\d+)/.exec(piece.toString())?.[1];
    if (port) return { child, url: `http://127.0.0.1:${port}` };
  }
  throw new Error('workerd does not start');
}
