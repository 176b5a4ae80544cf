/**
 * Notices that the other side has been silent for too long. Timers come due before sockets are read, so after a long
 * piece of work of this process a timer alone proves nothing: what was sent meanwhile lies in the socket, unread.
 */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #verdict: NodeJS.Immediate | undefined;

  /**
   * @param limitMs in milliseconds, up to 2^31 - 1, which is as long as a timer can be
   * @param tooLong called once for each silence, after all that lay in the sockets has been read
   */
  constructor(limitMs: number, tooLong: () => void) {
    this.#timer = setTimeout(() => {
      // Node's event loop runs timers, then reads sockets, then runs immediates.
      this.#verdict = setImmediate(tooLong);
    }, limitMs);
    this.#timer.unref();
  }

  /** Something was heard, or may be heard again: from here on it counts anew. */
  broken(): void {
    clearImmediate(this.#verdict);
    this.#timer.refresh();
  }

  end(): void {
    clearImmediate(this.#verdict);
    clearTimeout(this.#timer);
  }
}
