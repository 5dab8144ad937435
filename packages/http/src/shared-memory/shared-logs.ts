import { SharedTable, type TableMemory } from "./shared-table.ts";

export interface LogsMemory {
  buckets: TableMemory;
  chunks: SharedArrayBuffer;
}

/** A chunk has the number of the next chunk (0 in the last chunk), then times. For chunk 0 see `beginChunks`. */
const chunkSize = 32;
export const timesInChunk = chunkSize - 1;

// The fields of a bucket. The fields of its windows follow them.
const lastChunkOf = 0;
const lastUsedOf = 1;
export const firstSeenMsOf = 2;
export const firstSeenAtMsOf = 3;
export const lastSeenMsOf = 4;
/** The deadline of the thread that loads the bucket from the log; 0 when the bucket is loaded. */
export const loadingUntilMsOf = 5;
/** The time of the next retry of a failed load; 0 without a failure. */
export const retryAtMsOf = 6;
const windowsOf = 7;

// The fields of a window: the chunk and the place of its oldest time, and the number of times.
const chunkOf = 0;
const placeOf = 1;
const countOf = 2;
const windowFields = 3;

/**
 * The times of admitted requests by bucket, ascending, in chunks of shared memory. Each window of a bucket refers to
 * its oldest time, so that a decision takes constant time on average. Call all methods inside `table.run`.
 */
export class SharedLogs {
  readonly table: SharedTable;
  /** The lengths of the windows, ascending. */
  readonly #windowsMs: readonly number[];
  readonly #chunks: Float64Array;

  constructor({ buckets, chunks }: LogsMemory, windowsMs: readonly number[]) {
    this.table = new SharedTable(buckets);
    this.#windowsMs = windowsMs;
    this.#chunks = new Float64Array(chunks);
  }

  static allocate(maxBuckets: number, maxChunks: number, windows: number): LogsMemory {
    const memory = {
      buckets: SharedTable.allocate(maxBuckets, windowsOf + windows * windowFields),
      chunks: new SharedArrayBuffer(8 * chunkSize * (maxChunks + 1)),
    };
    beginChunks(new Float64Array(memory.chunks), maxChunks);
    return memory;
  }

  /** Drops all buckets, for example after a thread ended in the middle of a change. */
  clear(): void {
    this.table.clear();
    beginChunks(this.#chunks, this.maxChunks);
  }

  get freeChunks(): number {
    return this.#chunks[2] as number;
  }

  get maxChunks(): number {
    return this.#chunks.length / chunkSize - 1;
  }

  add(bucket: number): number {
    const record = this.table.add(bucket);
    this.#begin(record);
    return record;
  }

  /** Frees the times of a bucket that is being removed. */
  release(record: number): void {
    this.#freeFrom(this.#get(record + this.#longest + chunkOf));
  }

  /**
   * Counts the times in a window, at most `limit`. `oldestMs`: the oldest of the counted times; `nowMs` if there are
   * none.
   */
  countWithin(record: number, window: number, nowMs: number, limit: number): { used: number; oldestMs: number } {
    this.#advance(record, nowMs);
    const from = record + windowsOf + window * windowFields;
    const count = this.#get(from + countOf);
    if (count === 0) return { used: 0, oldestMs: nowMs };
    let chunk = this.#get(from + chunkOf);
    let place = this.#get(from + placeOf);
    // A window has more times than the limit after a change of the plan.
    for (let excess = count - limit; excess > 0; ) {
      const step = Math.min(excess, timesInChunk - place);
      excess -= step;
      place += step;
      if (place === timesInChunk) {
        chunk = this.#chunks[chunk * chunkSize] as number;
        place = 0;
      }
    }
    return { used: Math.min(count, limit), oldestMs: this.#timeAt(chunk, place) };
  }

  /** Appends a time, which must not be older than the newest time. */
  push(record: number, timeMs: number): void {
    if (this.#get(record + lastUsedOf) === timesInChunk) this.#extend(record);
    const lastUse = this.#get(record + lastUsedOf);
    this.#chunks[this.#get(record + lastChunkOf) * chunkSize + 1 + lastUse] = timeMs;
    this.table.values[record + lastUsedOf] = lastUse + 1;
    for (let window = 0; window < this.#windowsMs.length; window++)
      this.#add(record + windowsOf + window * windowFields + countOf, 1);
  }

  /** Inserts older times, ascending, before the existing times. */
  prepend(record: number, earlier: readonly number[]): void {
    const later = [...this.#times(record)];
    this.#freeFrom(this.#get(record + this.#longest + chunkOf));
    this.#begin(record);
    for (const timeMs of earlier) this.push(record, timeMs);
    for (const timeMs of later) this.push(record, timeMs);
  }

  /** The position of the longest window's fields in a record: its oldest time is the oldest of the bucket. */
  get #longest(): number {
    return windowsOf + (this.#windowsMs.length - 1) * windowFields;
  }

  *#times(record: number): Generator<number> {
    const from = record + this.#longest;
    let chunk = this.#get(from + chunkOf);
    let place = this.#get(from + placeOf);
    for (let remaining = this.#get(from + countOf); remaining > 0; remaining--) {
      yield this.#timeAt(chunk, place);
      if (++place < timesInChunk) continue;
      chunk = this.#chunks[chunk * chunkSize] as number;
      place = 0;
    }
  }

  /** Drops the times that have left their windows. The longest window comes last, since it frees the chunks. */
  #advance(record: number, nowMs: number): void {
    for (let window = 0; window < this.#windowsMs.length; window++) {
      const from = record + windowsOf + window * windowFields;
      const windowMs = this.#windowsMs[window] as number;
      let count = this.#get(from + countOf);
      let chunk = this.#get(from + chunkOf);
      let place = this.#get(from + placeOf);
      while (count > 0 && this.#timeAt(chunk, place) + windowMs <= nowMs) {
        count--;
        if (++place < timesInChunk) continue;
        const next = this.#chunks[chunk * chunkSize] as number;
        if (next === 0) continue;
        if (window === this.#windowsMs.length - 1) this.#free(chunk);
        chunk = next;
        place = 0;
      }
      this.table.values.set([chunk, place, count], from);
    }
  }

  /** Gives a bucket without times its first chunk. */
  #begin(record: number): void {
    const { values } = this.table;
    const chunk = this.#take();
    values[record + lastChunkOf] = chunk;
    values[record + lastUsedOf] = 0;
    for (let window = 0; window < this.#windowsMs.length; window++)
      values.set([chunk, 0, 0], record + windowsOf + window * windowFields);
  }

  /** Adds a chunk to a bucket. An empty window begins in the new chunk. */
  #extend(record: number): void {
    const { values } = this.table;
    const last = this.#get(record + lastChunkOf);
    const chunk = this.#take();
    this.#chunks[last * chunkSize] = chunk;
    values[record + lastChunkOf] = chunk;
    values[record + lastUsedOf] = 0;
    for (let window = 0; window < this.#windowsMs.length; window++) {
      const from = record + windowsOf + window * windowFields;
      if (this.#get(from + chunkOf) !== last || this.#get(from + placeOf) !== timesInChunk) continue;
      values.set([chunk, 0, 0], from);
      if (window === this.#windowsMs.length - 1) this.#free(last);
    }
  }

  #take(): number {
    const chunks = this.#chunks;
    let chunk = chunks[0] as number;
    if (chunk !== 0) chunks[0] = chunks[chunk * chunkSize] as number;
    else if (this.freeChunks > 0) {
      chunk = (chunks[1] as number) + 1;
      chunks[1] = chunk;
    } else throw new Error("The memory of the limits is full.");
    chunks[2] = this.freeChunks - 1;
    chunks[chunk * chunkSize] = 0;
    return chunk;
  }

  #free(chunk: number): void {
    this.#chunks[chunk * chunkSize] = this.#chunks[0] as number;
    this.#chunks[0] = chunk;
    this.#chunks[2] = this.freeChunks + 1;
  }

  #freeFrom(first: number): void {
    let last = first;
    let count = 1;
    for (
      let next = this.#chunks[last * chunkSize] as number;
      next !== 0;
      next = this.#chunks[last * chunkSize] as number
    ) {
      last = next;
      count++;
    }
    this.#chunks[last * chunkSize] = this.#chunks[0] as number;
    this.#chunks[0] = first;
    this.#chunks[2] = this.freeChunks + count;
  }

  #timeAt(chunk: number, place: number): number {
    return this.#chunks[chunk * chunkSize + 1 + place] as number;
  }

  #get(index: number): number {
    return this.table.values[index] as number;
  }

  #add(index: number, count: number): void {
    this.table.values[index] = this.#get(index) + count;
  }
}

/**
 * Chunk 0 has the first free chunk that was used before, the number of chunks ever used, and the number of free chunks.
 */
const beginChunks = (chunks: Float64Array, maxChunks: number): void => chunks.set([0, 0, maxChunks]);
