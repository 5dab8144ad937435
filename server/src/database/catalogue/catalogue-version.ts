import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Listener } from "@beatmarket/postgres/connection/listener.ts";
import type { Replica } from "@beatmarket/postgres/connection/replica.ts";
import type { ReadServer } from "../connect.ts";

/** The channel that the change stream notifies at commit (migration 0024). */
const channel = "catalogue";
/** The payload of the notice that the name of a genre or producer has changed (migration 0010). */
const namesNotice = "names";
/** The payload of the notice that a beat was taken down or restored (migration 0057). */
const takedownsNotice = "takedowns";

// The indexes of the numbers in memory. Each number begins at 0.
const currentAt = 0;
const namesAt = 1;
const takedownsAt = 2;
/** The index of a number that is 1 while notices are lost. */
const isLostAt = 3;
const bytes = 4 * 8;

/** Gets the position of the newest change of a beat; null if notices may have been missed. */
type PositionObserver = (position: number | null) => void;

/**
 * Numbers that change with the catalogue: `current` changes with every change. Writes of this process increment it at
 * once; writes of other processes do so through the notices of the change stream. Data that was read under an earlier
 * number may be stale. While the connection for notices is lost, each read of `current` or `names` returns another
 * number, so that nothing is cached.
 */
export class CatalogueVersion {
  readonly #numbers: BigInt64Array;
  readonly #observers = new Set<PositionObserver>();

  /** `memory` is a result of `allocate`, whose numbers all threads of the process share. */
  constructor(memory: ArrayBufferLike = new ArrayBuffer(bytes)) {
    this.#numbers = new BigInt64Array(memory);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(bytes);
  }

  get current(): number {
    return this.isFollowed ? this.#numberAt(currentAt) : this.#increment(currentAt);
  }

  /** While notices arrive, changes only when the name of a genre or a producer may have changed, which is rare. */
  get names(): number {
    return this.isFollowed ? this.#numberAt(namesAt) : this.#increment(namesAt);
  }

  /** Changes when a beat may have been taken down or restored. Does not change while notices are lost. */
  get takedowns(): number {
    return this.#numberAt(takedownsAt);
  }

  /** Whether notices of the writes of other processes arrive. */
  get isFollowed(): boolean {
    return Atomics.load(this.#numbers, isLostAt) === 0n;
  }

  /** Call this after a write that changed no name. */
  bump(): void {
    this.#increment(currentAt);
  }

  /** Call this after a write that may have changed names. */
  bumpAll(): void {
    this.#increment(namesAt);
    this.#increment(currentAt);
  }

  #numberAt(index: number): number {
    return Number(Atomics.load(this.#numbers, index)) + 1;
  }

  #increment(index: number): number {
    return Number(Atomics.add(this.#numbers, index, 1n)) + 2;
  }

  /** Calls `observer` for every notice of changed beats, and when notices may have been missed. */
  observePositions(observer: PositionObserver): void {
    this.#observers.add(observer);
  }

  /** Subscribes to the database's notices until the returned function is called. `onLost` is called when they stop. */
  follow(listener: Listener, onLost: () => void = () => {}): Promise<() => void> {
    return listener.subscribe(channel, {
      onNotification: (notice) => this.#advance(notice),
      onListening: () => {
        Atomics.store(this.#numbers, isLostAt, 0n);
        this.#increment(takedownsAt);
        this.bumpAll();
        for (const observe of this.#observers) observe(null);
      },
      onLost: () => {
        Atomics.store(this.#numbers, isLostAt, 1n);
        onLost();
      },
    });
  }

  /**
   * A notice is the position of the newest change of a beat, `names`, `takedowns`, or the name of another changed
   * table.
   */
  #advance(notice: string): void {
    if (notice === namesNotice) this.bumpAll();
    else this.bump();
    if (notice === takedownsNotice) this.#increment(takedownsAt);
    const position = Number(notice || Number.NaN);
    if (!Number.isNaN(position)) for (const observe of this.#observers) observe(position);
  }
}

/**
 * The code of a statement that PostgreSQL cancelled at the time limit. The statement would take as long on the primary.
 */
const queryCanceled = "57014";

/**
 * Routes reads of the catalogue: to the replica while it has every change that this process knows, otherwise to the
 * primary. All statements of one read run on one server, so that no statement sees less than the previous statement.
 */
export class CatalogueReads {
  readonly counts = { primary: 0, replica: 0 };
  readonly #primary: ReadServer;
  readonly #replica: Replica | null;

  constructor(primary: ReadServer, replica: Replica | null) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** Repeats a failed read on the primary, unless it was refused or took too long. `read` must have no effects. */
  async run<T>(read: (server: ReadServer) => Promise<T>): Promise<T> {
    const replica = this.#replica?.current() ?? null;
    if (replica !== null) {
      this.counts.replica++;
      try {
        return await read(replica);
      } catch (error) {
        if (error instanceof ApiError || (error as { code?: string }).code === queryCanceled) throw error;
      }
    }
    this.counts.primary++;
    return read(this.#primary);
  }
}
