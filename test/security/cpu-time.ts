/**
 * How the time of a function grows with its input, told so that a busy machine does not matter: what is compared is CPU
 * time of this thread, summed over as many runs as it takes for the clock of the kernel to be exact enough.
 */

/** A sort takes n log n, a table that grows a little more than its share, and clocks are wrong by some percent. */
export const LINEAR = 1.2;
/** Work that grows with the length has 1, work that compares each part with each other part has 2. */
export const BETWEEN = 1.5;

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
  let ms = leastWall(() => read(fourfold), 1);
  if (ms < FLOOR) return { ms, exponent: null };
  // Quick, and good enough to tell that all is well, for one run of the longest is no less than the least of several: only
  // what looks bad is measured with care.
  const least = leastWall(() => read(once), 3, 0);
  let exponent = Math.log2(ms / least) / 2;
  if (exponent > LINEAR) {
    ms = leastWall(() => read(fourfold), 3);
    if (ms < FLOOR) return { ms, exponent: null };
    exponent = Math.log2(ms / least) / 2;
  }
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

/**
 * How the longest step of a piece of work grows with its input, where a step goes from one checkpoint to the next. The
 * least of several runs counts for each length, since another process can only make a step longer.
 *
 * @param work calls the checkpoint between its steps
 * @returns p where the longest step of n and 4n characters grows as length to the power of p; null where it is too short to tell
 */
export function stepGrowth(
  work: (length: number, checkpoint: () => void) => unknown,
  n: number,
): number | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let exponent = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= ATTEMPTS && exponent >= BETWEEN; attempt++) {
    most = Math.min(
      most,
      longestStep((checkpoint) => work(4 * n, checkpoint)),
    );
    if (most < FLOOR) return null;
    least = Math.min(
      least,
      longestStep((checkpoint) => work(n, checkpoint)),
    );
    exponent = Math.log2(most / Math.max(least, FLOOR / 2)) / 2;
  }
  return exponent;
}

/** Milliseconds of CPU. */
function longestStep(work: (checkpoint: () => void) => unknown): number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [longest, last] = [0, used()];
  const checkpoint = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  };
  work(checkpoint);
  checkpoint();
  return longest;
}
