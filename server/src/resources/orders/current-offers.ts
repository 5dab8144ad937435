import { money } from "@beatmarket/http/formats.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { LicenseLimits } from "@beatmarket/license-terms/limits.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { licensePriceColumns, licensesOf } from "../beats/licensing/licenses.ts";
import type { Offer } from "../licenses/answers/ask.ts";
import type { PublicLicense } from "../licenses/queries.ts";
import { findTerms } from "../licenses/terms.ts";
import type { OfferParts } from "./fulfilment/offered-licenses.ts";
import { type BeatFilesRow, beatFilesColumns, beatsWithMaster, offeredFilesOf } from "./fulfilment/offered-licenses.ts";
import { creditFrom, dueCents, type PaidRow, paidColumns } from "./upgrade.ts";

type OfferRow = Record<(typeof licensePriceColumns)[LicenseType], number> & {
  is_listed: boolean;
  exclusive_state: string;
  unsold_licenses: LicenseType[];
  license_limits: LicenseLimits;
} & BeatFilesRow;

/**
 * Returns the licenses that are on sale now for the beat of `license`. With `asUpgrade`, the prices are those for the
 * holder of `license`, who pays the difference. A deleted beat has no licenses on sale.
 */
export async function currentOffers(
  db: Queryable,
  license: PublicLicense,
  { termsVersion, generatedSource, asUpgrade }: OfferParts & { asUpgrade: boolean },
): Promise<Offer[]> {
  const { beat, order_id: orderId } = license.claims;
  const { rows } = await sql<OfferRow & (PaidRow | Record<keyof PaidRow, null>)>`
    select ${sql.join(Object.values(licensePriceColumns).map((name) => sql.ref(name)))},
      is_listed, exclusive_state, unsold_licenses, license_limits, ${beatFilesColumns(generatedSource)},
      ${asUpgrade ? paidColumns(orderId) : sql`null as paid_cents, null as list_prices`}
    from ${beatsWithMaster} where beats.id = ${beat.id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return [];
  const files = offeredFilesOf(row);
  const priceOf = (type: LicenseType, price: number): number =>
    row.paid_cents === null ? price : money(dueCents(row[licensePriceColumns[type]], creditFrom(license, type, row)));
  return Promise.all(
    licensesOf(row)
      .filter(({ available }) => available)
      .map(async ({ type, price }) => ({
        type,
        price: priceOf(type, price),
        files: files[type],
        terms: await findTerms(db, termsVersion, type, row.license_limits[type] ?? null),
      })),
  );
}
