import type { Queryable } from "../../database/connection/connect.ts";

const daySeconds = 86_400;

/** A session ends when it is not used for this long. */
export const sessionIdleSeconds = 7 * daySeconds;
/** A session ends this long after its sign-in, however much it is used. */
const sessionLifeMs = 30 * daySeconds * 1000;
/** Of one account, the demo's too. Beyond it those used longest ago end. */
const maxSessions = 500;

/** Bound to the host: no subdomain and no plain HTTP can set it. */
export const cookiePrefix = "__Host-beatmarket";
export const sessionCookie = `${cookiePrefix}.session_token`;

/** When the session of a sign-in ends at the latest. */
export const sessionEnd = (signedInAt: Date): Date => new Date(signedInAt.getTime() + sessionLifeMs);

/** Deletes the sessions that have ended by idleness or by age. */
export async function sweepSessions(db: Queryable, now: Date): Promise<void> {
  await db
    .deleteFrom("portal_sessions")
    .where(({ eb, or }) =>
      or([eb("expires_at", "<", now), eb("created_at", "<", new Date(now.getTime() - sessionLifeMs))]),
    )
    .execute();
}

/** Ends the sessions of an account beyond its most, those used longest ago first. */
export async function endExcessSessions(db: Queryable, accountId: string): Promise<void> {
  await db
    .deleteFrom("portal_sessions")
    .where("id", "in", (sessions) =>
      sessions
        .selectFrom("portal_sessions")
        .select("id")
        .where("user_id", "=", accountId)
        .orderBy("updated_at", "desc")
        .orderBy("id")
        .offset(maxSessions),
    )
    .execute();
}
