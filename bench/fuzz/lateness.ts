/** How late a thread is with everything that it does: a busy machine's doing, or a long turn of its own. */

/** Between two looks, in milliseconds. */
const EVERY_MS = 20;

/**
 * Watches the thread that it is called on, for as long as that lives.
 *
 * @param total how late it has been, in milliseconds, all told; may be shared with another thread
 * @param turn called with the CPU time, in milliseconds, that the thread itself took without looking up
 */
export function watchLateness(total: Float64Array, turn: (cpuMs: number) => void = () => undefined): void {
  let at = performance.now();
  let used = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(used);
    const now = performance.now();
    total[0] = (total[0] ?? 0) + Math.max(0, now - at - EVERY_MS);
    turn((user + system) / 1_000);
    at = now;
    used = process.threadCpuUsage();
    setTimeout(look, EVERY_MS).unref();
  };
  setTimeout(look, EVERY_MS).unref();
}
