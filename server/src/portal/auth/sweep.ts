import type { Queryable } from "../../database/connection/connect.ts";

/** Deletes expired sessions, mailed links and attempts. */
export async function sweepAuth(db: Queryable, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await db.deleteFrom("portal_sessions").where("expires_at", "<", now).execute();
  await db.deleteFrom("portal_mail_links").where("expires_at", "<", now).execute();
  await db.deleteFrom("portal_attempts").where("window_ends_at", "<", now).execute();
}
