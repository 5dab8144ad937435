import type { Queryable } from "../../database/connect.ts";
import { sweepInvitations } from "../../resources/organisations/invitations.ts";
import { sweepSessions } from "./sessions.ts";

/** Deletes ended sessions, expired mailed links and invitations, and attempts whose window is over. */
export async function sweepAuth(db: Queryable, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await sweepSessions(db, now);
  await db.deleteFrom("portal_mail_links").where("expires_at", "<", now).execute();
  await sweepInvitations(db, now);
  await db.deleteFrom("portal_attempts").where("window_ends_at", "<", now).execute();
}
