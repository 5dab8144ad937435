import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { insertKey, lockKeys, privateKeyPlace } from "@beatmarket/signing-keys/keys.ts";
import type { Files } from "@beatmarket/storage/files.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { readEntries } from "@beatmarket/transparency-log/log-reader.ts";
import type { NoteSigner } from "@beatmarket/transparency-log/note.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Queryable } from "../../../database/connect.ts";
import { decodeLeaf, encodeLeaf, type Leaf } from "./entry.ts";
import { leafCount, readStoredEntries } from "./leaves.ts";

/** The folder of the log's files in the storage. */
export const licenseLogFolder = "licenses/log";

const batchLeaves = 2_048;
/** The name of the lock that the writing process holds. */
const lockName = "beatmarket:license log";

export interface LicenseLogParts {
  db: Queryable;
  clock: Clock;
  log: Pick<Logger, "error">;
  publicUrl: string;
  files: () => Files;
  box: SecretBox;
}

/** The license log as static files: publishes committed leaves as tiles and a signed checkpoint in the storage. */
export class LicenseLog {
  readonly files: LogFiles;
  readonly key: LogKey;
  readonly #parts: LicenseLogParts;
  /** The size that this process published last; null before. */
  #published: number | null = null;

  constructor(parts: LicenseLogParts) {
    this.#parts = parts;
    this.files = new LogFiles(parts.files(), licenseLogFolder);
    this.key = new LogKey(parts.db, parts.box);
  }

  /** Publishes the committed leaves. Does nothing while another process publishes. */
  async publish(): Promise<void> {
    const { db } = this.#parts;
    if (this.#published !== null && (await leafCount(db)) === this.#published) return;
    await runInOneProcess(db, lockName, async (connection) => {
      await this.#publishNew(connection);
    });
  }

  /**
   * Adds cosignatures to the published checkpoint. Does nothing if `note` is not the published checkpoint, or while a
   * process publishes.
   */
  async addSignatures(note: string, lines: string): Promise<void> {
    await runInOneProcess(this.#parts.db, lockName, async () => {
      await this.files.addSignatures(note, lines);
    });
  }

  async #publishNew(db: Queryable): Promise<void> {
    const { clock, log, publicUrl } = this.#parts;
    const now = new Date(clock.nowMs());
    const state = await db.selectFrom("license_log_published").select(["origin", "size"]).executeTakeFirst();
    const checkpoint = await this.files.checkpoint();
    if (checkpoint === null && state !== undefined && state.size > 0)
      log.error(
        { leaves: state.size },
        "the files of the license log are missing, so they are written again from the database. If the database was restored to an earlier moment, audits report a fork: put the files back from a copy of licenses/log/",
      );
    const origin = checkpoint?.origin ?? state?.origin ?? originOf(publicUrl);
    let size = checkpoint?.size ?? 0;
    if (size > (state?.size ?? 0)) {
      const lostLeaves = await reconcile(db, this.files, { from: state?.size ?? 0, size, now });
      if (lostLeaves > 0)
        log.error(
          { leaves: lostLeaves },
          "the database was restored to an earlier moment than the license log; a new leaf of the log names the lost leaves",
        );
    }
    const signers = [await this.key.signer(origin, now)];
    for (;;) {
      const entries = await readStoredEntries(db, size, batchLeaves);
      if (entries.length > 0 || checkpoint === null) size = (await this.files.append(origin, entries, signers)).size;
      if (size !== state?.size) await recordPublished(db, origin, size);
      if (entries.length < batchLeaves) break;
    }
    this.#published = size;
  }
}

/** The name of a new log in its checkpoints. It stays the same if PUBLIC_URL changes. */
const originOf = (publicUrl: string): string => `${new URL(publicUrl).host}/licenses/log`;

async function recordPublished(db: Queryable, origin: string, size: number): Promise<void> {
  await db.deleteFrom("license_log_published").execute();
  await db.insertInto("license_log_published").values({ origin, size }).execute();
}

const purpose = "license log";

/**
 * The key that signs checkpoints, created at the first use. It never changes, since auditors identify the log by it.
 */
export class LogKey {
  readonly #db: Queryable;
  readonly #box: SecretBox;
  #privateKey: KeyObject | null = null;

  constructor(db: Queryable, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  async signer(origin: string, now: Date): Promise<NoteSigner> {
    this.#privateKey ??= (await this.#find()) ?? (await this.#create(now));
    return { name: origin, privateKey: this.#privateKey };
  }

  /** The public key; null before the first checkpoint. */
  async publicKey(): Promise<KeyObject | null> {
    this.#privateKey ??= await this.#find();
    return this.#privateKey && createPublicKey(this.#privateKey);
  }

  async #create(now: Date): Promise<KeyObject> {
    await transact(this.#db, async (transaction) => {
      await lockKeys(transaction);
      const key = await select(transaction).executeTakeFirst();
      if (key === undefined) await insertKey(transaction, this.#box, now, purpose);
    });
    return (await this.#find()) as KeyObject;
  }

  async #find(): Promise<KeyObject | null> {
    const row = await select(this.#db).executeTakeFirst();
    return row === undefined ? null : createPrivateKey(this.#box.open(row.private_key, privateKeyPlace(row.kid)));
  }
}

const select = (db: Queryable) =>
  db.selectFrom("signing_keys").select(["kid", "private_key"]).where("purpose", "=", purpose);

interface Published {
  /** The size up to which the database has recorded its leaves as published. */
  from: number;
  /** The size of the published log. */
  size: number;
  now: Date;
}

const noSalt = Buffer.alloc(0);

/**
 * Reconciles the database with a longer published log. If leaves are missing, the database was restored to an earlier
 * time: inserts the published leaves and a leaf that names them as lost, and moves the newer leaves of the database
 * after it. So the log continues from its checkpoint. Returns the number of lost leaves; 0 if a process was only killed
 * before it recorded the checkpoint.
 */
const reconcile = (db: Queryable, files: LogFiles, published: Published): Promise<number> =>
  transact(db, async (transaction) => {
    await sql`select lock_commit_order()`.execute(transaction);
    const { from, size, now } = published;
    const storedEntries = await readStoredEntries(transaction, from, size - from);
    const publishedLeaves: Buffer[] = [];
    for await (const entry of readEntries(from, size, files.read)) publishedLeaves.push(entry);
    const first = publishedLeaves.findIndex((entry, index) => storedEntries[index]?.equals(entry) !== true);
    if (first === -1) return 0;
    const lostLeaves = publishedLeaves.slice(first);
    const begin = from + first;
    const last = decodeLeaf(publishedLeaves.at(-1) as Buffer);
    const time = new Date(Math.max(now.getTime(), Date.parse(last?.time ?? "") || 0));
    await moveLeaves(transaction, { begin, by: lostLeaves.length + 1, at: time });
    const leaf: Leaf = { v: 1, kind: "lost", time: timestamp(time), from: begin, to: size };
    const entries = [...lostLeaves, encodeLeaf(leaf)];
    await transaction
      .insertInto("license_log")
      .values(
        entries.map((entry, index) => ({
          index: begin + index,
          kind: decodeLeaf(entry)?.kind ?? "lost",
          beat_id: decodeLeaf(entry)?.beat ?? null,
          order_id: null,
          at: new Date(decodeLeaf(entry)?.time ?? time),
          salt: noSalt,
          entry,
        })),
      )
      .execute();
    return lostLeaves.length;
  });

async function moveLeaves(
  transaction: Queryable,
  { begin, by, at }: { begin: number; by: number; at: Date },
): Promise<void> {
  // Two steps, since each index must be unique after each row.
  await sql`update license_log set index = -1 - index where index >= ${begin}`.execute(transaction);
  await sql`update license_log set index = -1 - index + ${by}, at = greatest(at, date_trunc('second', ${at}::timestamptz))
            where index < 0`.execute(transaction);
}
