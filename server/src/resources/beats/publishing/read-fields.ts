import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { canonicalTags } from "../beat.ts";
import { freeLicense, type LicensePrices, licensePrices, usualPrices } from "../licensing/prices.ts";

// Fields of a body as columns of a beat. Each throws invalid_request naming the field.

/** The id of a genre, by its id or its name in any case. */
export async function genreIdOf(db: Queryable, genre: number | string): Promise<number> {
  const row = await db
    .selectFrom("genres")
    .select("id")
    .where(typeof genre === "number" ? sql<boolean>`id = ${genre}` : sql<boolean>`lower(name) = lower(${genre})`)
    .orderBy("id")
    .executeTakeFirst();
  if (row !== undefined) return row.id;
  if (typeof genre === "number")
    throw invalidRequest(`The genre field names no genre: ${genre}. The genres are at GET /genres.`, "genre");
  const names = await db.selectFrom("genres").select("name").orderBy("name").execute();
  const near = nearestName(
    genre,
    names.map(({ name }) => name),
  );
  throw invalidRequest(
    `The genre field names no genre: ${JSON.stringify(quoted(genre))}.${near === undefined ? "" : ` Did you mean ${near}?`} The genres are at GET /genres.`,
    "genre",
  );
}

/** Tags in stored form. No tag has a comma, since a comma separates tags in filters. */
export function tagsOf(texts: readonly string[]): string[] {
  const divided = texts.find((tag) => tag.includes(","));
  if (divided !== undefined)
    throw invalidRequest(
      `The tags field has a tag with a comma, ${JSON.stringify(quoted(divided))}; send what the comma divides as tags of their own.`,
      "tags",
    );
  return canonicalTags(texts);
}

export interface KeyColumns {
  key: string;
  key_code: number;
}

export const unknownKey: KeyColumns = { key: "", key_code: unknownKeyCode };

/** A key with its mode. */
export function keyOf(text: string): KeyColumns {
  const { key, keyCode } = parseKey(text);
  if (keyCode !== unknownKeyCode) return { key, key_code: keyCode };
  throw invalidRequest(
    `The key field is no musical key: ${JSON.stringify(quoted(text))}. Write it as A minor, Am or 8A.`,
    "key",
  );
}

/** Converts a decimal number of the API to integer cents. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

/** Prices of the licenses that the producer named. */
export interface GivenPrices {
  premium?: number | undefined;
  unlimited?: number | undefined;
  exclusive?: number | undefined;
}

/** The named prices as columns. */
export const pricesGiven = (prices: GivenPrices): Partial<LicensePrices> => ({
  ...(prices.premium !== undefined && { premium_price_cents: centsOf(prices.premium) }),
  ...(prices.unlimited !== undefined && { unlimited_price_cents: centsOf(prices.unlimited) }),
  ...(prices.exclusive !== undefined && { exclusive_price_cents: centsOf(prices.exclusive) }),
});

/** The four prices. Unnamed ones are derived from the basic one, by the rule of imports. */
export function pricesOf(priceCents: number, ownPrices: GivenPrices): LicensePrices {
  const named = pricesGiven(ownPrices);
  const derived = priceCents === 0 ? null : licensePrices(usualPrices, priceCents);
  const prices = { ...derived, ...named };
  const { premium_price_cents, unlimited_price_cents, exclusive_price_cents } = prices;
  if (premium_price_cents === undefined || unlimited_price_cents === undefined || exclusive_price_cents === undefined)
    throw invalidRequest(
      priceCents === 0
        ? "The price field is 0, and the prices of the other licenses cannot follow from it; name all three in license_prices. Unlimited and exclusive licenses are never free."
        : "The price field is so high that the prices of the other licenses cannot follow from it; name all three in license_prices.",
      "price",
    );
  return requirePaid({ price_cents: priceCents, premium_price_cents, unlimited_price_cents, exclusive_price_cents });
}

/** Throws 400 for prices that would give an unlimited or exclusive license away. */
export function requirePaid<Prices extends LicensePrices>(prices: Prices): Prices {
  const free = freeLicense(prices);
  if (free === undefined) return prices;
  throw invalidRequest(
    `The license_prices.${free} field is 0, and an ${free} license is never free; name a price of 0.01 or more.`,
    `license_prices.${free}`,
  );
}

/** Throws 400 for a free download without a tag in it. */
export function requireTag(previewTag: string | undefined, field: "free_download" | "preview_tag"): void {
  if (previewTag !== "none") return;
  throw invalidRequest(
    field === "preview_tag"
      ? "The preview_tag field cannot be none while the preview is a free download; set free_download to false as well."
      : "The free_download field needs a preview with a tag; set preview_tag to default, or to an upload of your own.",
    field,
  );
}
