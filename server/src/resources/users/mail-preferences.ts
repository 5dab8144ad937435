import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { type Selectable, sql } from "kysely";
import { isLanguage, type Language, languageCodes } from "../../../../contract/texts/languages.ts";
import type { Queryable } from "../../database/connect.ts";
import type { UsersTable } from "../../database/tables.ts";

/** The preferences for mails to an account. */
export interface MailPreferences {
  /** The time zone of mails, such as Europe/Berlin. Null for an unknown time zone, which means UTC. */
  time_zone: string | null;
  /** Whether the account gets a mail for each sale. */
  sale_mails: boolean;
  /** The language of mails. Null for an unknown language, which means English. */
  language: Language | null;
}

const columns = ["time_zone", "sale_mails", "language"] as const;

/** Converts a row. A language that this release does not have becomes null. */
const preferencesOf = ({
  language,
  ...others
}: Pick<Selectable<UsersTable>, (typeof columns)[number]>): MailPreferences => ({
  ...others,
  language: isLanguage(language) ? language : null,
});

export const findMailPreferences = async (db: Queryable, userId: number): Promise<MailPreferences> =>
  preferencesOf(await db.selectFrom("users").select(columns).where("id", "=", userId).executeTakeFirstOrThrow());

/** Changes the preferences that are set. Throws 400 for an unknown time zone or language. */
export async function changeMailPreferences(
  db: Queryable,
  userId: number,
  { time_zone, sale_mails, language }: Partial<MailPreferences>,
): Promise<MailPreferences> {
  if (time_zone != null && !isTimeZone(time_zone))
    throw invalidRequest(`There is no time zone ${quoted(time_zone)}. Use a name such as Europe/Berlin.`, "time_zone");
  if (language != null && !isLanguage(language))
    throw invalidRequest(`The language of mails is one of ${languageCodes.join(", ")}.`, "language");
  const updated = await db
    .updateTable("users")
    .set({
      ...(time_zone !== undefined && { time_zone }),
      ...(sale_mails !== undefined && { sale_mails }),
      ...(language !== undefined && { language }),
    })
    .where("id", "=", userId)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return preferencesOf(updated);
}

/** Stores the time zone of a buyer's browser, unless the account has a time zone. */
export async function rememberTimeZone(db: Queryable, userId: number, zone: string): Promise<void> {
  await db
    .updateTable("users")
    .set({ time_zone: zone })
    .where("id", "=", userId)
    .where("time_zone", "is", null)
    .execute();
}

/** Stores the language in which a buyer bought, unless the account has a language. */
export async function rememberLanguage(db: Queryable, userId: number, language: string): Promise<void> {
  await db.updateTable("users").set({ language }).where("id", "=", userId).where("language", "is", null).execute();
}

/** Returns the preferences of the account with an address, and null if there is no account. */
export async function preferencesOfAddress(db: Queryable, email: string): Promise<MailPreferences | null> {
  const account = await db
    .selectFrom("users")
    .select(columns)
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  return account === undefined ? null : preferencesOf(account);
}

/** Like `preferencesOfAddress`, for several addresses. The result is by address, in lower case. */
export async function preferencesOfAddresses(
  db: Queryable,
  emails: readonly string[],
): Promise<Map<string, MailPreferences>> {
  const addresses = [...new Set(emails.map((email) => email.toLowerCase()))];
  const accounts = await db
    .selectFrom("users")
    .select([...columns, "email"])
    .where(sql<boolean>`email = any(${addresses}::text[])`)
    .$narrowType<{ email: string }>()
    .execute();
  return new Map(accounts.map(({ email, ...account }) => [email, preferencesOf(account)]));
}

/** Whether the text names a zone of the time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}
