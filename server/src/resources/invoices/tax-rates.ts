import { isCountryCode } from "@beatmarket/foundation/country.ts";
import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The tax that prices include in a country, for sales in a period of days (UTC). */
export interface TaxRate {
  /** ISO 3166-1 alpha-2. */
  country: string;
  name: string;
  basisPoints: number;
  /** The first day: `2026-01-01`. */
  from: string;
  /** The last day; null: no end. */
  to: string | null;
}

/** All rates, by country and day. */
export async function listTaxRates(db: Queryable): Promise<TaxRate[]> {
  const { rows } = await sql<TaxRate>`
    select country, name, basis_points as "basisPoints", valid_from::text as "from", valid_to::text as "to"
    from tax_rates order by country, valid_from`.execute(db);
  return rows;
}

/**
 * Adds a rate. Throws 400 naming the wrong value, and 409 if another rate of the country covers one of the days. Issued
 * invoices keep their tax.
 */
export async function addTaxRate(db: Queryable, rate: TaxRate): Promise<void> {
  const { country, name, basisPoints, from, to } = rate;
  if (!isCountryCode(country))
    throw invalidRequest(`The country is "${country}"; it takes the two letters of ISO 3166-1, such as DE or GB.`);
  if (name.trim() === "" || name.length > 40) throw invalidRequest("The name of a tax has 1 to 40 characters.");
  if (!Number.isInteger(basisPoints) || basisPoints < 1 || basisPoints > 10_000)
    throw invalidRequest("A rate is a whole number of basis points from 1 to 10000; 1900 are 19 %.");
  for (const day of [from, ...(to === null ? [] : [to])])
    if (!isDay(day)) throw invalidRequest(`"${day}" is not a day such as 2026-01-01.`);
  if (to !== null && to < from) throw invalidRequest(`The last day, ${to}, is before the first, ${from}.`);
  await transact(db, async (transaction) => {
    await sql`lock table tax_rates in share row exclusive mode`.execute(transaction);
    const { rows } = await sql<{ from: string }>`
      select valid_from::text as "from" from tax_rates where country = ${country}
        and valid_from <= coalesce(${to}::date, 'infinity') and coalesce(valid_to, 'infinity') >= ${from}::date`.execute(
      transaction,
    );
    const [other] = rows;
    if (other !== undefined)
      throw conflict(
        `${country} has a rate from ${other.from} that includes days of this one. End that rate first: \`beatmarket taxes end ${country} --from ${other.from} --to …\``,
      );
    await transaction
      .insertInto("tax_rates")
      .values({
        country,
        name: name.trim(),
        basis_points: basisPoints,
        valid_from: sql`${from}::date`,
        valid_to: sql`${to}::date`,
      })
      .execute();
  });
}

/**
 * Sets the last day of a rate. Throws 400 for an invalid day and for a last day before the first, and 404 for an
 * unknown rate and for one that ends earlier.
 */
export async function endTaxRate(
  db: Queryable,
  { country, from, to }: Pick<TaxRate, "country" | "from"> & { to: string },
): Promise<void> {
  if (!isDay(from) || !isDay(to)) throw invalidRequest("A day is written such as 2026-01-01.");
  if (to < from) throw invalidRequest(`The last day, ${to}, is before the first, ${from}.`);
  const { rows } = await sql`
    update tax_rates set valid_to = ${to}::date where country = ${country} and valid_from = ${from}::date
      and ${to}::date <= coalesce(valid_to, 'infinity') returning country`.execute(db);
  if (rows.length === 0)
    throw notFound(
      `${country} has no rate from ${from} that continues after ${to}. \`beatmarket taxes list\` shows all rates.`,
    );
}

const isDay = (text: string): boolean => {
  const time = new Date(`${text}T00:00:00Z`);
  return /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};
