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

/** A file as it is named and measured in the storage. */
export interface StoredFile {
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
}

/** A put under way renews its row this often: far more often than the sweeper's grace period. */
const touchIntervalMs = 300_000;
const deletionPollMs = 200;

/**
 * The objects that the database knows. The row comes before the object. It goes before it, too, but then a row of
 * `object_deletions` stands for the object until that is gone, so that a kill leaves no object without a row.
 *
 * What was stored is kept for an hour (`sweepObjects`); by then a row of another table has to refer to it, by a foreign key.
 */
export class StoredObjects {
  readonly #db: StorageDatabase;
  readonly #storage: Storage & StorageUpkeep & PlaceOfFiles;
  readonly #identity: string | null;
  /** Those that are being computed, by hash. */
  readonly #checksums = new Map<string, Promise<number>>();

  /** `identity` is that of `claimStorage`; null stores in a storage that no one claimed, as tests do. */
  constructor(db: Queryable, storage: Storage & StorageUpkeep & PlaceOfFiles, identity: string | null = null) {
    this.#db = db;
    this.#storage = storage;
    this.#identity = identity;
  }

  /** Files of the storage beside the objects. */
  get files(): Files {
    return this.#storage.files;
  }

  /**
   * Stores a local file, which must not change in the meantime. Content that is there already is not copied again. Throws
   * StorageUnavailable, as the other methods do.
   */
  async store(file: string): Promise<StoredFile> {
    const stored = await hashFile(file);
    // The row is missing when the sweeper took it in the meantime, which only a process that was stopped for an hour sees.
    do await this.#put(file, stored);
    while (!(await this.#markStored(stored)));
    return stored;
  }

  /**
   * Resolves once the first bytes can be read. Throws ObjectNotFound. A whole object whose content has changed fails with
   * WrongContent before its last bytes, a part of one that was cut short at its end: no reader takes either for complete.
   */
  async open(sha256: string, range?: ObjectRange): Promise<Readable> {
    const content = await reaching(this.#storage.get(sha256, range));
    return range === undefined ? verified(content, sha256) : measured(content, sha256, range);
  }

  /** Throws StorageUnavailable when the storage cannot be reached, or is not the one that was opened. */
  requirePlace(): Promise<void> {
    return reaching(this.#storage.requirePlace());
  }

  head(sha256: string): Promise<{ bytes: number } | null> {
    return reaching(this.#storage.head(sha256));
  }

  /** The CRC-32 of the content, unsigned. Reads all of it the first time. Throws as `open` does. */
  checksum(sha256: string): Promise<number> {
    const computing =
      this.#checksums.get(sha256) ?? this.#findChecksum(sha256).finally(() => this.#checksums.delete(sha256));
    this.#checksums.set(sha256, computing);
    return computing;
  }

  async #findChecksum(sha256: string): Promise<number> {
    const row = this.#db.selectFrom("stored_objects").select("crc32").where("sha256", "=", sha256);
    const known = (await row.executeTakeFirst())?.crc32;
    if (known !== null && known !== undefined) return known;
    let checksum = 0;
    for await (const chunk of (await this.open(sha256)) as AsyncIterable<Buffer>) checksum = crc32(chunk, checksum);
    await this.#db.updateTable("stored_objects").set({ crc32: checksum }).where("sha256", "=", sha256).execute();
    return checksum;
  }

  /** A URL that anybody may GET until it expires; null where the service has to send the bytes itself. */
  link(sha256: string, options: LinkOptions): Promise<string | null> {
    return this.#storage.link(sha256, options);
  }

  /** Deletes what nothing refers to (`sweepObjects`). Returns the number of deleted objects. */
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
      () => {}, // The next one makes up for it.
    );
    try {
      await reaching(this.#storage.put(file, sha256, bytes));
    } finally {
      await stopTouching();
    }
  }

  /** Makes the row, or keeps it from the sweeper; only while this is the storage that the database knows. */
  async #touch({ sha256, bytes }: StoredFile): Promise<{ state: string }> {
    const known = this.#identity === null ? sql`` : sql`from storage_identity where id = ${this.#identity} for share`;
    const { rows } = await sql<{ state: string }>`
      insert into stored_objects (sha256, bytes, touched_at)
      select ${sha256}, ${bytes}, now() ${known}
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

  /** Waits while a sweeper deletes the object; takes over the deletion of one that has not ended within its lease. */
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

/** Tells faults of the storage from those of the database, which has the same error codes. */
const reaching = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof ObjectNotFound || error instanceof WrongContent ? error : new StorageUnavailable(error);
  });

/** The same bytes; the last ones only if all of them have this hash. */
function verified(content: Readable, sha256: string): Readable {
  const hash = createHash("sha256");
  let held: Buffer | null = null;
  return checked(content, {
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      const before = held;
      held = chunk;
      done(null, before);
    },
    flush(done) {
      if (hash.digest("hex") === sha256) done(null, held);
      else done(new WrongContent(`The object ${sha256} has other content.`));
    },
  });
}

/** The same bytes; fails at their end if they are fewer than the range has. */
function measured(content: Readable, sha256: string, { first, last }: ObjectRange): Readable {
  let missing = last - first + 1;
  return checked(content, {
    transform(chunk: Buffer, _encoding, done) {
      missing -= chunk.length;
      done(null, chunk);
    },
    flush(done) {
      done(missing === 0 ? null : new WrongContent(`The object ${sha256} was cut short.`));
    },
  });
}

function checked(content: Readable, options: TransformOptions): Readable {
  const check = new Transform(options);
  // The reader of `check` gets the error.
  return pipeline(content, check, () => {});
}

/** The SHA-256 and the size of a local file, in constant memory. `onBytes` is called with the size of each piece. */
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
