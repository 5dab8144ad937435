import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Follower } from "./follower.ts";
import { readSnapshot, type Snapshot, type SnapshotOwner, UnusableSnapshot, writeSnapshot } from "./snapshot-file.ts";
import type { Query } from "./snapshot-reader.ts";

export interface SnapshotOptions {
  file: string;
  /** A smaller catalogue is loaded as fast as a snapshot of it is read. */
  fromBeats: number;
  /** Between two, where a fiftieth of the catalogue has changed; six times as long where less has. */
  minAgeMs: number;
}

/** Where the thread says what became of a snapshot. */
type Warn = (text: string) => void;

/** While arrays are written nothing is applied. Beyond this, with queries waiting, a snapshot is given up. */
const maxReadMs = 2_000;

/** The snapshot of the index on disk: whether it can be used, and when another is due. */
export class Snapshots {
  readonly #options: SnapshotOptions;
  readonly #warn: Warn;
  #owner: SnapshotOwner | null = null;
  #written: { position: number; applied: number; atMs: number } | null = null;
  #madeAtMs: number | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: SnapshotOptions, warn: Warn) {
    this.#options = options;
    this.#warn = warn;
  }

  /** When that on disk was made, in milliseconds since 1970; null: there is none. */
  get madeAtMs(): number | null {
    return this.#madeAtMs;
  }

  /** The snapshot of this database, if there is one that can be used. */
  async read(query: Query): Promise<Snapshot | null> {
    const owner = await ownerOf(query);
    this.#owner = owner;
    try {
      const snapshot = readSnapshot(this.#options.file, owner);
      if (snapshot === null) return null;
      this.#madeAtMs = snapshot.madeAtMs;
      this.#written = { position: snapshot.place.position, applied: 0, atMs: performance.now() };
      return snapshot;
    } catch (error) {
      this.refuse(error instanceof UnusableSnapshot ? error.message : `it cannot be read: ${(error as Error).message}`);
      return null;
    }
  }

  /** Discards what is on disk, and says why. */
  refuse(reason: string): void {
    this.#warn(`the snapshot ${this.#options.file} is not used, since ${reason}; the index is built anew`);
    this.discard();
  }

  /** Discards what is on disk, after which the next one is due at once. */
  discard(): void {
    this.#written = null;
    this.#madeAtMs = null;
    try {
      rmSync(this.#options.file, { force: true });
    } catch {
      // The next one takes its place.
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

  /** Whether there is anything to write at the end. */
  isOutdated({ engine, place }: Follower): boolean {
    return engine.beats >= this.#options.fromBeats && this.#written?.position !== place.position;
  }

  /**
   * Writes one. Resolves when the engine may change again; what is left, `settled` waits for. `mayGiveUp` says whether
   * somebody is waiting. A failure is reported, and nothing else.
   */
  write({ engine, place, applied }: Follower, mayGiveUp: () => boolean): Promise<void> {
    const owner = this.#owner;
    if (owner === null) return Promise.resolve();
    const read = Promise.withResolvers<void>();
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
            onRead: () => read.resolve(),
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
      .finally(() => read.resolve());
    return read.promise;
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
  if (row === undefined) throw new Error("The database answered nothing.");
  return { ...row, program: programDigest() };
}

/** Of the code that makes the arrays, whose meaning changes with it. */
function programDigest(): string {
  const digest = createHash("sha256").update(process.version);
  const foundation = dirname(fileURLToPath(import.meta.resolve("@beatmarket/foundation/clock.ts")));
  for (const folder of [join(import.meta.dirname, "../engine"), join(foundation, "text"), join(foundation, "music")])
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
        digest.update(name).update(readFileSync(join(folder, name)));
  return digest.digest("base64url");
}
