import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Queryable } from "../../database/connect.ts";

/** How an account is written to. */
export interface MailPreferences {
  /** The zone of the times in mails, such as Europe/Berlin; null until it is known: UTC. */
  time_zone: string | null;
  /** Whether it gets a mail for each sale. */
  sale_mails: boolean;
}

export const findMailPreferences = (db: Queryable, userId: number): Promise<MailPreferences> =>
  db.selectFrom("users").select(["time_zone", "sale_mails"]).where("id", "=", userId).executeTakeFirstOrThrow();

/** Changes what is given. Throws 400 for a zone that does not exist. */
export async function changeMailPreferences(
  db: Queryable,
  userId: number,
  { time_zone, sale_mails }: Partial<MailPreferences>,
): Promise<MailPreferences> {
  if (time_zone != null && !isTimeZone(time_zone))
    throw invalidRequest(
      `There is no time zone ${quoted(time_zone)}. Zones are named such as Europe/Berlin.`,
      "time_zone",
    );
  return db
    .updateTable("users")
    .set({ ...(time_zone !== undefined && { time_zone }), ...(sale_mails !== undefined && { sale_mails }) })
    .where("id", "=", userId)
    .returning(["time_zone", "sale_mails"])
    .executeTakeFirstOrThrow();
}

/** Remembers the zone of a buyer whose browser said it, unless one is known. */
export async function rememberTimeZone(db: Queryable, userId: number, zone: string): Promise<void> {
  await db
    .updateTable("users")
    .set({ time_zone: zone })
    .where("id", "=", userId)
    .where("time_zone", "is", null)
    .execute();
}

/** Whether it names a zone of the time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}
