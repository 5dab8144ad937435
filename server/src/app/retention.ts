import type { Clock } from "@beatmarket/foundation/clock.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Queryable } from "../database/connect.ts";
import { deleteOldMails } from "../mail/mail-files.ts";
import { deleteOldAudit } from "../resources/audit/retention.ts";
import { deleteOldChanges } from "../resources/changes/retention.ts";
import { deleteOldClaims } from "../resources/claims/claims.ts";
import { deleteUnusedRenditions } from "../resources/orders/delivery/renditions/renditions.ts";
import { deleteOldSandboxPayments, deleteOldSandboxRefunds } from "../resources/orders/payments/sandbox/retention.ts";

/** Deletes what is kept for a time only (docs/operating.md, What grows, and what bounds it). One process at a time works on the database. */
export async function applyRetention(db: Queryable, dataDir: string, clock: Clock): Promise<void> {
  await deleteOldMails(dataDir, clock.nowMs());
  await runInOneProcess(db, "beatmarket:retention", async () => {
    const now = new Date(clock.nowMs());
    await deleteOldAudit(db, now);
    await deleteOldChanges(db, now);
    await deleteOldClaims(db, now);
    await deleteOldSandboxPayments(db, now);
    await deleteOldSandboxRefunds(db, now);
    await deleteUnusedRenditions(db);
  });
}
