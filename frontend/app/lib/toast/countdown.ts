/** A time that runs out once, and stands still while it is paused. */
export class Countdown {
  readonly #end: () => void;
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `end` after `length` milliseconds of not being paused. It begins paused. */
  constructor(length: number, end: () => void) {
    this.#left = length;
    this.#end = end;
  }

  resume(): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(this.#end, this.#left);
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#since;
  }
}
