/**
 * A thread that has the command line loaded and runs one command after the other, as processes would: own words, own
 * environment, own output, own exit code. JavaScript, because a thread that a test starts is Node's, not the test runner's.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

let [runs, out, err] = [0, '', ''];
/** As a stream's: the callback may be the second argument. */
const collect = (add) => (text, encoding, done) => {
  add(String(text));
  (typeof encoding === 'function' ? encoding : done)?.();
  return true;
};
process.stdout.write = collect((text) => {
  out += text;
});
process.stderr.write = collect((text) => {
  err += text;
});

parentPort?.on('message', async ({ args, env }) => {
  [out, err] = ['', ''];
  process.env = env;
  process.exitCode = undefined;
  process.argv = [process.argv[0], 'remand', ...args];
  let failed = false;
  // Another address each time: the entry runs again, what it imports stays loaded.
  await import(`${pathToFileURL(workerData)}?run=${runs++}`).catch((error) => {
    failed = true;
    err += error.stack;
  });
  // A process ends when nothing is under way any more.
  while (process.getActiveResourcesInfo().some((kind) => kind !== 'MessagePort'))
    await new Promise((resolve) => setTimeout(resolve, 1).unref());
  // It would have ended with them.
  process.stdout.removeAllListeners('error');
  parentPort?.postMessage({ code: failed ? 1 : Number(process.exitCode ?? 0), out, err });
});
