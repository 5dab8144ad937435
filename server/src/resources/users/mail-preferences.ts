import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Queryable } from "../../database/connect.ts";

/** The preferences for mails to an account. */
export interface MailPreferences {
  /** The time zone for mails, such as Europe/Berlin; null until it is known, which means UTC. */
  time_zone: string | null;
  /** Whether it gets a mail for each sale. */
  sale_mails: boolean;
}

export const findMailPreferences = (db: Queryable, userId: number): Promise<MailPreferences> =>
  db.selectFrom("users").select(["time_zone", "sale_mails"]).where("id", "=", userId).executeTakeFirstOrThrow();

/** Changes the given preferences. Throws 400 for a time zone that does not exist. */
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

/** Stores the time zone that a buyer's browser reported, unless one is known. */
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
