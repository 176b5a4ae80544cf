/** A clock whose two readings a test moves by hand. */
import type { Clock } from '../src/ports.ts';

export interface ScriptedClock extends Clock {
  /** Sets the wall clock back (below zero) or forward, as an operator or NTP does. No time passes. */
  jump(ms: number): void;
  /** Lets time pass: both readings advance, and what was to ring until then rings. */
  pass(ms: number): void;
  /** Lets `ms` pass as soon as somebody waits for exactly so long. */
  passOnceAsked(ms: number): Promise<void>;
  /** Intervals that were asked for, in milliseconds, in their order. */
  readonly asked: readonly number[];
}

/** @param auto whether every wait passes at once, by its own length */
export function scriptedClock(wall: number, { auto = false } = {}): ScriptedClock {
  let elapsed = 0;
  let offset = wall;
  let alarms: { readonly at: number; readonly ms: number; readonly ring: () => void }[] = [];
  let expecting: { readonly ms: number; readonly tell: () => void }[] = [];
  const asked: number[] = [];

  function pass(ms: number): void {
    elapsed += ms;
    const due = alarms.filter(({ at }) => at <= elapsed);
    alarms = alarms.filter(({ at }) => at > elapsed);
    for (const { ring } of due) ring();
  }

  function alarm(ms: number, ring: () => void): () => void {
    asked.push(ms);
    const one = { at: elapsed + ms, ms, ring };
    alarms.push(one);
    for (const { tell } of expecting.filter((each) => each.ms === ms)) tell();
    expecting = expecting.filter((each) => each.ms !== ms);
    if (auto) pass(ms);
    return () => {
      alarms = alarms.filter((other) => other !== one);
    };
  }

  return {
    asked,
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    alarm,
    after(ms) {
      const controller = new AbortController();
      alarm(ms, () => controller.abort(new DOMException('the time is up', 'TimeoutError')));
      return controller.signal;
    },
    jump(ms) {
      offset += ms;
    },
    pass,
    async passOnceAsked(ms) {
      if (!alarms.some((each) => each.ms === ms)) {
        const { promise, resolve } = Promise.withResolvers<void>();
        expecting.push({ ms, tell: resolve });
        await promise;
      }
      pass(ms);
    },
  };
}
