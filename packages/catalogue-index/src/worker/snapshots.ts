import { rmSync } from "node:fs";
import type { Engine, SavedArrays } from "../engine/engine.ts";
import type { StreamPlace } from "./change-stream.ts";
import { type EarlySnapshot, programDigest } from "./early-snapshot.ts";
import type { Follower } from "./follower.ts";
import { readSnapshot, type Snapshot, type SnapshotOwner, UnusableSnapshot, writeSnapshot } from "./snapshot-file.ts";
import type { Query } from "./snapshot-reader.ts";

export interface SnapshotOptions {
  file: string;
  /** A smaller catalogue loads as fast from its rows as from a snapshot. */
  fromBeats: number;
  /** Minimum time between two snapshots if a fiftieth of the catalogue has changed; six times as long if less has. */
  minAgeMs: number;
}

/** A snapshot of this database and release. */
export interface UsableSnapshot {
  place: StreamPlace;
  /** Throws if the arrays are damaged. */
  openEngine(): Engine;
}

interface SnapshotsParts {
  options: SnapshotOptions;
  openEngine: (saved: SavedArrays) => Engine;
  /** The snapshot that was opened before its database was known. */
  early: EarlySnapshot | null;
  /** Reports problems with a snapshot. */
  warn: (text: string) => void;
}

/** No changes are applied while arrays are written. After this time the snapshot is given up if queries wait. */
const maxReadMs = 2_000;

/** The snapshot of the index on disk: whether it can be used, and when another is due. */
export class Snapshots {
  readonly #options: SnapshotOptions;
  readonly #openEngine: SnapshotsParts["openEngine"];
  readonly #warn: SnapshotsParts["warn"];
  #early: EarlySnapshot | null;
  #owner: SnapshotOwner | null = null;
  #written: { position: number; applied: number; atMs: number } | null = null;
  #madeAtMs: number | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor({ options, openEngine, early, warn }: SnapshotsParts) {
    this.#options = options;
    this.#openEngine = openEngine;
    this.#early = early;
    this.#warn = warn;
  }

  /** The owner of snapshots of this database and release; null before `read`. */
  get owner(): SnapshotOwner | null {
    return this.#owner;
  }

  /** When the snapshot on disk was made, in milliseconds since 1970; null without one. */
  get madeAtMs(): number | null {
    return this.#madeAtMs;
  }

  /** Returns the snapshot of this database if there is a usable one. */
  async read(query: Query): Promise<UsableSnapshot | null> {
    const owner = await ownerOf(query);
    this.#owner = owner;
    const early = this.#early;
    this.#early = null;
    try {
      if (early !== null && isSame(early.owner, owner)) return this.#use(early.snapshot, () => early.engine);
      const snapshot = readSnapshot(this.#options.file, owner);
      return snapshot && this.#use(snapshot, () => this.#openEngine(snapshot.arrays));
    } catch (error) {
      this.refuse(error instanceof UnusableSnapshot ? error.message : `it cannot be read: ${(error as Error).message}`);
      return null;
    }
  }

  #use({ place, madeAtMs }: Pick<Snapshot, "place" | "madeAtMs">, openEngine: () => Engine): UsableSnapshot {
    this.#madeAtMs = madeAtMs;
    this.#written = { position: place.position, applied: 0, atMs: performance.now() };
    return { place, openEngine };
  }

  /** Discards the snapshot on disk, and logs the reason. */
  refuse(reason: string): void {
    this.#warn(`the snapshot ${this.#options.file} is not used, since ${reason}`);
    this.discard();
  }

  /** Discards the snapshot on disk; the next one is then due immediately. */
  discard(): void {
    this.#written = null;
    this.#madeAtMs = null;
    try {
      rmSync(this.#options.file, { force: true });
    } catch {
      // The next snapshot overwrites the file.
    }
  }

  isDue({ engine, place, applied }: Follower): boolean {
    if (engine.beats < this.#options.fromBeats) return false;
    if (this.#written === null) return true;
    if (this.#written.position === place.position) return false;
    const ageMs = performance.now() - this.#written.atMs;
    const hasChangedMuch = applied - this.#written.applied >= engine.beats / 50;
    return ageMs >= this.#options.minAgeMs * (hasChangedMuch ? 1 : 6);
  }

  /** Whether to write a snapshot at shutdown: the last one is absent or out of date. */
  isOutdated({ engine, place }: Follower): boolean {
    return engine.beats >= this.#options.fromBeats && this.#written?.position !== place.position;
  }

  /**
   * Writes a snapshot. Resolves when the engine may change again; `settled` waits for the rest. `mayGiveUp` returns
   * whether a question is waiting. A failure is only reported.
   */
  write({ engine, place, applied }: Follower, mayGiveUp: () => boolean): Promise<void> {
    const owner = this.#owner;
    if (owner === null) return Promise.resolve();
    const arraysRead = Promise.withResolvers<void>();
    const startedMs = performance.now();
    const madeAtMs = Date.now();
    this.#written = { position: place.position, applied, atMs: startedMs };
    while (engine.compact());
    const previous = this.#writing;
    this.#writing = previous
      .then(() =>
        writeSnapshot(
          this.#options.file,
          owner,
          { place, madeAtMs, arrays: engine.save() },
          {
            onRead: () => arraysRead.resolve(),
            check: () => {
              if (performance.now() - startedMs > maxReadMs && mayGiveUp())
                throw new Error("the disk is too slow, and queries are waiting");
            },
          },
        ),
      )
      .then(
        () => {
          this.#madeAtMs = madeAtMs;
        },
        (error: Error) => {
          this.#written = { position: Number.NaN, applied: Number.NEGATIVE_INFINITY, atMs: startedMs };
          this.#warn(`the snapshot ${this.#options.file} could not be written: ${error.message}; going on without it`);
        },
      )
      .finally(() => arraysRead.resolve());
    return arraysRead.promise;
  }

  /** Resolves when no snapshot is being written. */
  settled(): Promise<void> {
    return this.#writing;
  }
}

async function ownerOf(query: Query): Promise<SnapshotOwner> {
  const [row] = await query<{ cluster: string; database: string }>(
    "identity",
    `select (select system_identifier::text from pg_control_system()) as cluster,
            (select oid::text from pg_database where datname = current_database()) as database`,
  );
  if (row === undefined) throw new Error("The database returned no row.");
  return { ...row, program: programDigest() };
}

const isSame = (one: SnapshotOwner, other: SnapshotOwner): boolean =>
  one.program === other.program && one.cluster === other.cluster && one.database === other.database;
