import type { Clock } from "@beatmarket/foundation/clock.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Files } from "@beatmarket/storage/files.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import type { Logger } from "pino";
import type { Queryable } from "../../../database/connect.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { leafCount, readEntriesOf } from "./leaves.ts";
import { LogKey } from "./log-key.ts";
import { reconcile } from "./reconcile.ts";

const batchLeaves = 2_048;
/** The lock of the process that writes the files. */
const job = "beatmarket:license log";

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
  /** The size that this process published last. */
  #published: number | null = null;

  constructor(parts: LicenseLogParts) {
    this.#parts = parts;
    this.files = new LogFiles(parts.files(), "licenses/log");
    this.key = new LogKey(parts.db, parts.box);
  }

  /** Publishes the committed leaves. One process at a time does so; work of another process is left to it. */
  async publish(): Promise<void> {
    const { db } = this.#parts;
    if (this.#published !== null && (await leafCount(db)) === this.#published) return;
    await runInOneProcess(db, job, async (connection) => {
      await this.#publishNew(connection);
    });
  }

  /** Adds cosignatures to the published checkpoint, if it is still this one and no process publishes at the moment. */
  async addSignatures(note: string, lines: string): Promise<void> {
    await runInOneProcess(this.#parts.db, job, async () => {
      await this.files.addSignatures(note, lines);
    });
  }

  async #publishNew(db: Queryable): Promise<void> {
    const { clock, log, publicUrl } = this.#parts;
    const now = new Date(clock.nowMs());
    const state = await db.selectFrom("license_log_published").select(["origin", "size"]).executeTakeFirst();
    const checkpoint = await this.files.checkpoint();
    const origin = checkpoint?.origin ?? state?.origin ?? originOf(publicUrl);
    let size = checkpoint?.size ?? 0;
    if (size > (state?.size ?? 0)) {
      const lostLeaves = await reconcile(db, this.files, { from: state?.size ?? 0, size, now });
      if (lostLeaves > 0)
        log.error(
          { leaves: lostLeaves },
          "the database is of an earlier moment than the license log, which says so in a leaf",
        );
    }
    const signers = [await this.key.signer(origin, now)];
    for (;;) {
      const entries = await readEntriesOf(db, size, batchLeaves);
      if (entries.length > 0 || checkpoint === null) size = (await this.files.append(origin, entries, signers)).size;
      if (size !== state?.size) await recordPublished(db, origin, size);
      if (entries.length < batchLeaves) break;
    }
    this.#published = size;
  }
}

/** The name of the log in its checkpoints, which stays the same if PUBLIC_URL changes. */
const originOf = (publicUrl: string): string => `${new URL(publicUrl).host}/licenses/log`;

async function recordPublished(db: Queryable, origin: string, size: number): Promise<void> {
  await db.deleteFrom("license_log_published").execute();
  await db.insertInto("license_log_published").values({ origin, size }).execute();
}
