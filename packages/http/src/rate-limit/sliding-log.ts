const initialCapacity = 16;

/**
 * The times of one bucket's admitted requests, ascending, in a ring buffer that grows on demand. `push` drops the times
 * that are `keepMs` old or older. All times come from one clock.
 */
export class SlidingLog {
  readonly #keepMs: number;
  #times = new Float64Array(initialCapacity);
  #head = 0;
  #count = 0;

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** The number of times that fit before the buffer grows. A time takes 8 bytes. */
  get capacity(): number {
    return this.#times.length;
  }

  /** Appends a time, which must not be older than the newest time. */
  push(timeMs: number): void {
    while (this.#count > 0 && this.#timeAt(0) + this.#keepMs <= timeMs) {
      this.#head = (this.#head + 1) & (this.capacity - 1);
      this.#count--;
    }
    if (this.#count === this.capacity) this.#resize(this.capacity * 2);
    this.#times[(this.#head + this.#count) & (this.capacity - 1)] = timeMs;
    this.#count++;
  }

  /** Inserts older times, ascending, before the existing times. */
  prepend(earlier: readonly number[]): void {
    const total = earlier.length + this.#count;
    let capacity = this.capacity;
    while (capacity < total) capacity *= 2;
    const later = this.#resize(capacity);
    later.copyWithin(earlier.length, 0, this.#count);
    later.set(earlier);
    this.#count = total;
  }

  /** Counts the times in the `windowMs` before `nowMs`, at most `atMost`. Takes O(log atMost). */
  countWithin(windowMs: number, nowMs: number, atMost: number): number {
    let outside = Math.max(0, this.#count - atMost);
    let inside = this.#count;
    while (outside < inside) {
      const middle = (outside + inside) >>> 1;
      if (this.#timeAt(middle) + windowMs > nowMs) inside = middle;
      else outside = middle + 1;
    }
    return this.#count - inside;
  }

  /** The nth newest time, from 1 to the count. */
  nthNewest(n: number): number {
    return this.#timeAt(this.#count - n);
  }

  #timeAt(index: number): number {
    return this.#times[(this.#head + index) & (this.capacity - 1)] as number;
  }

  /** Moves the times to the start of a new buffer. `capacity` is a power of two. */
  #resize(capacity: number): Float64Array {
    const times = new Float64Array(capacity);
    for (let i = 0; i < this.#count; i++) times[i] = this.#timeAt(i);
    this.#times = times;
    this.#head = 0;
    return times;
  }
}
