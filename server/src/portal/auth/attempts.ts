import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { ApiError } from "../../errors.ts";

/** At most `limit` attempts in a window of `windowSeconds`, which starts at the first. */
export interface AttemptLimit {
  limit: number;
  windowSeconds: number;
}

const maxSubjectLength = 300;

/**
 * Counts an attempt of a subject, such as `sign-in of ada@example.com`, across all instances. 429 with Retry-After above
 * the limit. Refused attempts do not extend the window.
 */
export async function countAttempt(
  db: Queryable,
  subject: string,
  { limit, windowSeconds }: AttemptLimit,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  const { count, window_ends_at } = await db
    .insertInto("portal_attempts")
    .values({
      subject: subject.slice(0, maxSubjectLength),
      count: 1,
      window_ends_at: new Date(nowMs + windowSeconds * 1000),
    })
    .onConflict((known) =>
      known.column("subject").doUpdateSet({
        count: sql`case when portal_attempts.window_ends_at <= ${now} then 1 else portal_attempts.count + 1 end`,
        window_ends_at: sql`case when portal_attempts.window_ends_at <= ${now} then excluded.window_ends_at
                                 else portal_attempts.window_ends_at end`,
      }),
    )
    .returning(["count", "window_ends_at"])
    .executeTakeFirstOrThrow();
  if (count <= limit) return;
  const waitSeconds = Math.ceil((window_ends_at.getTime() - nowMs) / 1000);
  throw new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many tries",
    `This was tried too often; try again in ${inWords(waitSeconds)}.`,
    { headers: { "retry-after": String(waitSeconds) }, refusedBy: "limit:attempts" },
  );
}

/** Resets a subject's attempts after a success. */
export async function forgetAttempts(db: Queryable, subject: string): Promise<void> {
  await db.deleteFrom("portal_attempts").where("subject", "=", subject.slice(0, maxSubjectLength)).execute();
}

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
