import { countryCode } from "@beatmarket/foundation/country.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { type AuditAuthor, recordAudit } from "../audit/queries.ts";
import type { Billing } from "./invoice.ts";

const maxLineLength = 100;

/** Invoice details as a person typed them. The address may have several lines. */
export interface TypedBilling {
  name: string;
  address: string;
  country: string;
  vatId: string;
}

/** Reads the typed fields; null if all are empty. Throws 400 naming the field and the expected value. */
export function readBilling({ name, address, country, vatId }: TypedBilling): Billing | null {
  const nameLine = oneLine(name);
  const countryLine = oneLine(country).toUpperCase();
  const code = countryCode(countryLine);
  const vatIdLine = oneLine(vatId);
  const lines = address
    .split(/\r?\n/)
    .map(oneLine)
    .filter((line) => line !== "");
  if ([nameLine, countryLine, vatIdLine, ...lines].join("") === "") return null;
  if (nameLine === "" || nameLine.length > maxLineLength)
    throw invalidRequest(`An invoice needs a name of at most ${maxLineLength} characters.`, "name");
  if (lines.length > 3 || lines.some((line) => line.length > maxLineLength))
    throw invalidRequest(`The address has at most three lines of ${maxLineLength} characters.`, "address");
  if (countryLine !== "" && code === null)
    throw invalidRequest("The country is two letters (ISO 3166-1), such as DE.", "country");
  const compact = vatIdLine.replaceAll(/[\s.-]/g, "").toUpperCase();
  if (compact !== "" && !/^[A-Z]{2}[A-Z0-9+*]{2,13}$/.test(compact))
    throw invalidRequest("A VAT number begins with its country, such as DE123456789.", "vat_id");
  return {
    name: nameLine,
    address: lines,
    country: code,
    vatId: compact === "" ? null : compact,
  };
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/** The invoice details of an account; null if none are stored. */
export async function findBilling(db: Queryable, userId: number): Promise<Billing | null> {
  const row = await db
    .selectFrom("billing_details")
    .select(["name", "address", "country", "vat_id"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row === undefined ? null : { name: row.name, address: row.address, country: row.country, vatId: row.vat_id };
}

/**
 * Sets the account's details for later invoices. Null deletes them: later invoices then have only the name on the
 * license. Issued invoices stay unchanged.
 */
export const saveBilling = (
  db: Queryable,
  userId: number,
  billing: Billing | null,
  { author, now }: { author: AuditAuthor; now: Date },
): Promise<void> =>
  transact(db, async (transaction) => {
    if (billing === null) await eraseBilling(transaction, userId);
    else {
      const { name, address, country, vatId: vat_id } = billing;
      const details = { name, address: [...address], country, vat_id, updated_at: now };
      await transaction
        .insertInto("billing_details")
        .values({ user_id: userId, ...details })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(details))
        .execute();
    }
    await recordAudit(transaction, { userId, action: "account.billing_changed", author, at: now });
  });

/** Deletes the account's invoice details. Issued invoices stay, as business records. */
export async function eraseBilling(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("billing_details").where("user_id", "=", userId).execute();
}
