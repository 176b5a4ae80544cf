/**
 * How the time of a function grows with its input, told so that a busy machine does not matter: what is compared is CPU
 * time of this thread, summed over as many runs as it takes for the clock of the kernel to be exact enough.
 */

/** A sort takes n log n, a table that grows a little more than its share, and clocks are wrong by some percent. */
export const LINEAR = 1.2;

/** Milliseconds; what takes less for the largest input says more about the clock than about growth. */
const FLOOR = 10;
/** Milliseconds of CPU that are summed up for one length. Some kernels count in ticks of 10 ms. */
const ENOUGH = 100;
const ATTEMPTS = 4;

export interface Growth {
  /** Milliseconds for the largest input. */
  readonly ms: number;
  /** p where time grows as length to the power of p; null where the work is too short to tell. */
  readonly exponent: number | null;
}

/**
 * Runs a reader on inputs of n, 2n and 4n. What looks like more than linear is measured again, longer each time, and the
 * least counts.
 *
 * @param make an input of about so many characters
 */
export function growthOf(
  make: (length: number) => string,
  read: (text: string) => unknown,
  n: number,
): Growth {
  const [once, twice, fourfold] = [n, 2 * n, 4 * n].map(make) as [string, string, string];
  const ms = leastWall(() => read(fourfold), 3);
  if (ms < FLOOR) return { ms, exponent: null };
  // Quick, and good enough to tell that all is well: only what looks bad is measured with care.
  let exponent = Math.log2(leastWall(() => read(fourfold), 3, 0) / leastWall(() => read(once), 3, 0)) / 2;
  for (let attempt = 1; attempt <= ATTEMPTS && exponent > LINEAR; attempt++) {
    const [one, two, four] = [once, twice, fourfold].map((text) =>
      meanCpu(() => read(text), attempt * ENOUGH),
    ) as [number, number, number];
    if (four < FLOOR / 2) return { ms: four, exponent: null };
    exponent = Math.min(
      exponent,
      Math.log2(four / one) / 2,
      Math.max(Math.log2(four / two), Math.log2(two / one)),
    );
  }
  return { ms, exponent };
}

/** Milliseconds that a call takes at least; another process can only make it more. */
function leastWall(work: () => unknown, repeats: number, enough = FLOOR): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats && least >= enough; i++) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** Milliseconds of CPU that a call takes on average. */
function meanCpu(work: () => unknown, enough: number): number {
  const before = process.threadCpuUsage();
  let [used, runs] = [0, 0];
  while (used < enough) {
    work();
    runs++;
    const { user, system } = process.threadCpuUsage(before);
    used = (user + system) / 1000;
  }
  return used / runs;
}
