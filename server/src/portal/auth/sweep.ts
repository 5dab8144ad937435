import type { Queryable } from "../../database/connection/connect.ts";

/** Forgets sessions and mailed links that have ended, and tries that count no more. */
export async function sweepAuth(db: Queryable, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await db.deleteFrom("portal_sessions").where("expires_at", "<", now).execute();
  await db.deleteFrom("portal_mail_links").where("expires_at", "<", now).execute();
  await db.deleteFrom("portal_attempts").where("window_ends_at", "<", now).execute();
}
