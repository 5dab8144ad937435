import { createPublicKey } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { verifierKey } from "@beatmarket/transparency-log/note.ts";
import type { StoredCheckpoint } from "@beatmarket/transparency-log/witness-server.ts";
import type { OpenedDatabase } from "../../src/database/open.ts";
import { type AuditReport, auditLog } from "../../src/resources/licenses/log/audit.ts";
import { LicenseLog } from "../../src/resources/licenses/log/license-log.ts";
import { recordTerms } from "../../src/resources/licenses/terms.ts";
import { insertSoldOrder } from "../harness/database/orders.ts";

const secretKey = "the key that seals, and long enough for that";
const origin = "beats.example.com/licenses/log";

/** The license log of a data folder, as a server publishes it. */
export class PublishedLog {
  readonly #database: OpenedDatabase;
  readonly #log: LicenseLog;

  private constructor(database: OpenedDatabase, log: LicenseLog) {
    this.#database = database;
    this.#log = log;
  }

  static async open(database: OpenedDatabase, dataDir: string): Promise<PublishedLog> {
    await recordTerms(database.query, builtInTerms, new Date());
    const { files } = await openStorage({ folder: join(dataDir, "objects"), isNamed: false });
    const log = new LicenseLog({
      db: database.query,
      clock: systemClock,
      log: { error: () => {} },
      publicUrl: "https://beats.example.com",
      files: () => files,
      box: await openSecretBox({ dataDir, secretKey }),
    });
    return new PublishedLog(database, log);
  }

  /** Sells a license, and publishes its leaf. */
  async sell(): Promise<void> {
    await insertSoldOrder(this.#database, { purchasedAt: new Date() });
    await this.#log.publish();
  }

  async audit(storedCheckpoint: StoredCheckpoint | null = null): Promise<AuditReport> {
    const { name, privateKey } = await this.#log.key.signer(origin, new Date());
    const key = verifierKey({ name, publicKey: createPublicKey(privateKey) });
    return auditLog(this.#log.files.read, { key, storedCheckpoint });
  }
}
