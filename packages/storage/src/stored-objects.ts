import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline, type Readable, Transform, type TransformOptions } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { Files, PlaceOfFiles } from "./files.ts";
import {
  type LinkOptions,
  ObjectNotFound,
  type ObjectRange,
  type Storage,
  StorageUnavailable,
  type StorageUpkeep,
  WrongContent,
} from "./storage.ts";
import { sweepObjects } from "./sweep-objects.ts";
import type { StorageDatabase } from "./tables.ts";

/** The hash and size of a file in the storage. */
export interface StoredFile {
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
}

/** A running put renews its row at this interval, which is far shorter than the sweeper's grace period. */
const touchIntervalMs = 300_000;
const deletionPollMs = 200;

/**
 * The objects that have a row in the database. The row is inserted before the object is written. For a deletion, a row
 * of `object_deletions` first replaces the row, and exists until the object is deleted. So a kill never leaves an
 * object without a row.
 *
 * Within an hour after an object is stored, a row of another table must refer to it by a foreign key. Otherwise
 * `sweepObjects` deletes the object.
 */
export class StoredObjects {
  readonly #db: StorageDatabase;
  readonly #storage: Storage & StorageUpkeep & PlaceOfFiles;
  readonly #identity: string | null;
  /** Running computations of checksums, by hash. */
  readonly #checksums = new Map<string, Promise<number>>();

  /** `identity` is the result of `claimStorage`; null for a storage that is not claimed, as in tests. */
  constructor(db: Queryable, storage: Storage & StorageUpkeep & PlaceOfFiles, identity: string | null = null) {
    this.#db = db;
    this.#storage = storage;
    this.#identity = identity;
  }

  /** Files of the storage that are not objects. */
  get files(): Files {
    return this.#storage.files;
  }

  /**
   * Stores a local file, which must not change during the call. Does not copy content that is already stored. Throws
   * StorageUnavailable, like the other methods.
   */
  async store(file: string): Promise<StoredFile> {
    const stored = await hashFile(file);
    // Repeats the put if the sweeper has deleted the row, which requires that this process was paused for an hour.
    do await this.#put(file, stored);
    while (!(await this.#markStored(stored)));
    return stored;
  }

  /**
   * Resolves when the first bytes can be read. Throws ObjectNotFound. So that a reader never takes damaged content for
   * complete, reading fails with WrongContent: before the last bytes of an object whose content has changed, and at the
   * end of a truncated range.
   */
  async open(sha256: string, range?: ObjectRange): Promise<Readable> {
    const content = await withStorageErrors(this.#storage.get(sha256, range));
    return range === undefined ? withHashCheck(content, sha256) : withSizeCheck(content, sha256, range);
  }

  /** Throws StorageUnavailable if the storage is unreachable, or is not the storage that was opened. */
  requirePlace(): Promise<void> {
    return withStorageErrors(this.#storage.requirePlace());
  }

  head(sha256: string): Promise<{ bytes: number } | null> {
    return withStorageErrors(this.#storage.head(sha256));
  }

  /** Returns the unsigned CRC-32 of the content. The first call reads the whole object. Throws the errors of `open`. */
  checksum(sha256: string): Promise<number> {
    const computing =
      this.#checksums.get(sha256) ?? this.#findChecksum(sha256).finally(() => this.#checksums.delete(sha256));
    this.#checksums.set(sha256, computing);
    return computing;
  }

  async #findChecksum(sha256: string): Promise<number> {
    const row = this.#db.selectFrom("stored_objects").select("crc32").where("sha256", "=", sha256);
    const storedCrc32 = (await row.executeTakeFirst())?.crc32;
    if (storedCrc32 !== null && storedCrc32 !== undefined) return storedCrc32;
    let checksum = 0;
    for await (const chunk of (await this.open(sha256)) as AsyncIterable<Buffer>) checksum = crc32(chunk, checksum);
    await this.#db.updateTable("stored_objects").set({ crc32: checksum }).where("sha256", "=", sha256).execute();
    return checksum;
  }

  /** Returns a URL that anyone may GET until it expires; null if the service must send the bytes itself. */
  link(sha256: string, options: LinkOptions): Promise<string | null> {
    return this.#storage.link(sha256, options);
  }

  /** Deletes unreferenced objects (`sweepObjects`). Returns the number of deleted objects. */
  sweep(stopping: AbortSignal): Promise<number> {
    return sweepObjects(this.#db, this.#storage, stopping);
  }

  async #put(file: string, { sha256, bytes }: StoredFile): Promise<void> {
    const { state } = await this.#touch({ sha256, bytes });
    await this.#awaitDeletion(sha256);
    if (state === "stored" && (await this.head(sha256))?.bytes === bytes) return;
    const stopTouching = repeat(
      touchIntervalMs,
      () => this.#touch({ sha256, bytes }),
      () => {}, // The next touch compensates for a failed touch.
    );
    try {
      await withStorageErrors(this.#storage.put(file, sha256, bytes));
    } finally {
      await stopTouching();
    }
  }

  /** Inserts the row, or renews it for the sweeper. Throws if another storage has been claimed for the database. */
  async #touch({ sha256, bytes }: StoredFile): Promise<{ state: string }> {
    const fromIdentity =
      this.#identity === null ? sql`` : sql`from storage_identity where id = ${this.#identity} for share`;
    const { rows } = await sql<{ state: string }>`
      insert into stored_objects (sha256, bytes, touched_at)
      select ${sha256}, ${bytes}, now() ${fromIdentity}
      on conflict (sha256) do update set touched_at = now()
      returning state`.execute(this.#db);
    const [row] = rows;
    if (row === undefined)
      throw new Error(
        "Another server has claimed another storage for this database; restart this one with its STORAGE_URL.",
      );
    return row;
  }

  async #markStored({ sha256 }: StoredFile): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("stored_objects")
      .set({ state: "stored", touched_at: sql<Date>`now()` })
      .where("sha256", "=", sha256)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Waits while a sweeper deletes the object. Removes a deletion whose lease has expired. */
  async #awaitDeletion(sha256: string): Promise<void> {
    for (;;) {
      await this.#db
        .deleteFrom("object_deletions")
        .where("sha256", "=", sha256)
        .where("leased_until", "<", sql<Date>`now()`)
        .execute();
      const deletion = this.#db.selectFrom("object_deletions").select("sha256").where("sha256", "=", sha256);
      if ((await deletion.executeTakeFirst()) === undefined) return;
      await sleep(deletionPollMs);
    }
  }
}

/** Wraps errors of the storage, since errors of the database have the same codes. */
const withStorageErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof ObjectNotFound || error instanceof WrongContent ? error : new StorageUnavailable(error);
  });

/** Passes the bytes through. Passes the last chunk only if the content has this hash. */
function withHashCheck(content: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  let buffered: Buffer | null = null;
  return withTransform(content, {
    transform(chunk: Buffer, _encoding, callback) {
      hash.update(chunk);
      const before = buffered;
      buffered = chunk;
      callback(null, before);
    },
    flush(callback) {
      if (hash.digest("hex") === sha256) callback(null, buffered);
      else callback(new WrongContent(`The object ${sha256} has other content.`));
    },
  });
}

/** Passes the bytes through. Fails at the end unless the content is as long as the range. */
function withSizeCheck(content: Readable, sha256: string, { first, last }: ObjectRange): Readable {
  let missing = last - first + 1;
  return withTransform(content, {
    transform(chunk: Buffer, _encoding, callback) {
      missing -= chunk.length;
      callback(null, chunk);
    },
    flush(callback) {
      callback(missing === 0 ? null : new WrongContent(`The object ${sha256} was cut short.`));
    },
  });
}

function withTransform(content: Readable, options: TransformOptions): Readable {
  const check = new Transform(options);
  // The reader of `check` gets the error.
  return pipeline(content, check, () => {});
}

/**
 * Computes the SHA-256 and the size of a local file, in constant memory. Calls `onBytes` with the size of each chunk.
 */
export async function hashFile(file: string, onBytes: (bytes: number) => void = () => {}): Promise<StoredFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(chunk.length);
  }
  return { sha256: hash.digest("hex"), bytes };
}
