/** What one run finds. */
import type { CpuResult } from './cpu.ts';
import type { Look } from './memory.ts';
import type { Targets } from './targets.ts';
import type { Rates } from './turns.ts';

export interface Results {
  readonly targets: Targets;
  /** Of what is passed through; judging and streaming have half as many. */
  readonly rounds: number;
  readonly seconds: number;
  readonly atOnce: number;
  /** Seconds under load before anything is measured. */
  readonly warm: { readonly judged: number; readonly passed: number };
  readonly passing: Rates;
  readonly judging: Rates;
  readonly streaming: Rates;
  /** By how many ask at once. */
  readonly levels: ReadonlyMap<number, Rates>;
  readonly memory: readonly Look[];
  /** Of a short request, and of a long one. */
  readonly cpu: readonly [CpuResult, CpuResult];
  readonly edge: Rates;
}
