import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { releaseUploads, useUpload } from "../../uploads/queries.ts";
import type { UploadKind } from "../../uploads/upload.ts";
import { canonicalTags } from "../beat.ts";
import { freeLicense, type LicensePrices, licensePrices, usualPrices } from "../licensing/licenses.ts";
import type { PublishingContext } from "./own-beats.ts";

// Converts fields of a body into columns of a beat. A function that refuses a value throws invalid_request naming the
// field.

/** Finds a genre by its id, or by its name in any case. Returns its id. */
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
  const suggestion = nearestName(
    genre,
    names.map(({ name }) => name),
  );
  throw invalidRequest(
    `The genre field names no genre: ${JSON.stringify(quoted(genre))}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`} The genres are at GET /genres.`,
    "genre",
  );
}

/** Tags in stored form. No tag has a comma, since a comma separates tags in filters. */
export function tagsOf(texts: readonly string[]): string[] {
  const tagWithComma = texts.find((tag) => tag.includes(","));
  if (tagWithComma !== undefined)
    throw invalidRequest(
      `The tags field has a tag with a comma, ${JSON.stringify(quoted(tagWithComma))}; send the parts as separate tags.`,
      "tags",
    );
  return canonicalTags(texts);
}

export interface KeyColumns {
  key: string;
  key_code: number;
}

export const unknownKey: KeyColumns = { key: "", key_code: unknownKeyCode };

/** Reads a musical key with its mode. */
export function keyOf(text: string): KeyColumns {
  const { key, keyCode } = parseKey(text);
  if (keyCode !== unknownKeyCode) return { key, key_code: keyCode };
  throw invalidRequest(
    `The key field is not a musical key: ${JSON.stringify(quoted(text))}. Write it as A minor, Am or 8A.`,
    "key",
  );
}

/** Converts a decimal number of the API to integer cents. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

/** The license prices that a body names. */
export interface NamedPrices {
  premium?: number | undefined;
  unlimited?: number | undefined;
  exclusive?: number | undefined;
}

/** The named prices as columns. */
export const priceColumnsOf = (prices: NamedPrices): Partial<LicensePrices> => ({
  ...(prices.premium !== undefined && { premium_price_cents: centsOf(prices.premium) }),
  ...(prices.unlimited !== undefined && { unlimited_price_cents: centsOf(prices.unlimited) }),
  ...(prices.exclusive !== undefined && { exclusive_price_cents: centsOf(prices.exclusive) }),
});

/** The four prices. Prices that the body does not name are derived from the basic price, as for imports. */
export function pricesOf(priceCents: number, ownPrices: NamedPrices): LicensePrices {
  const namedColumns = priceColumnsOf(ownPrices);
  const derived = priceCents === 0 ? null : licensePrices(usualPrices, priceCents);
  const prices = { ...derived, ...namedColumns };
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

/** Throws 400 if the unlimited or exclusive license has the price 0. */
export function requirePaid<Prices extends LicensePrices>(prices: Prices): Prices {
  const free = freeLicense(prices);
  if (free === undefined) return prices;
  throw invalidRequest(
    `The license_prices.${free} field is 0, and an ${free} license is never free; name a price of 0.01 or more.`,
    `license_prices.${free}`,
  );
}

/** Throws 400 for a free download without a preview tag. */
export function requireTag(previewTag: string | undefined, field: "free_download" | "preview_tag"): void {
  if (previewTag !== "none") return;
  throw invalidRequest(
    field === "preview_tag"
      ? "The preview_tag field cannot be none while the preview is a free download; set free_download to false as well."
      : "The free_download field needs a preview with a tag; set preview_tag to default, or to an upload of your own.",
    field,
  );
}

/** Whether another account has published a beat with exactly this recording: the same file, by its SHA-256. */
export async function isPublishedByAnother(db: Queryable, userId: number, sha256: string): Promise<boolean> {
  const beat = await db
    .selectFrom("beat_files")
    .innerJoin("beats", "beats.id", "beat_files.beat_id")
    .select("beat_id")
    .where("beat_files.name", "=", "master")
    .where("beat_files.sha256", "=", sha256)
    .where("beats.user_id", "<>", userId)
    .limit(1)
    .executeTakeFirst();
  return beat !== undefined;
}

export const duplicateReason =
  "Another producer has published this very recording. If it is yours, write to the marketplace, which can allow it.";

/** The 409 for a recording that another account has published. */
export const duplicate = (): ApiError =>
  new ApiError(409, "invalid_request", "Duplicate", duplicateReason, { refusedBy: "duplicate" });

/** The body fields that name uploads. Null removes the file. */
export interface MediaFields {
  audio?: string | undefined;
  cover?: string | null | undefined;
  stems?: string | null | undefined;
  preview_tag?: string | undefined;
}

/** Columns of `beat_productions`. */
export interface MediaColumns {
  audio_upload_id?: string | null;
  cover_upload_id?: string | null;
  stems_upload_id?: string | null;
  preview_tag?: string;
}

/**
 * Marks the uploads of a body as used, so that they do not expire, and returns their columns. Throws 400 naming the
 * field for an unusable upload, and 409 for a recording that another account has published.
 */
export async function takeMedia(
  transaction: Queryable,
  { clock, allowsDuplicates }: Pick<PublishingContext, "clock" | "allowsDuplicates">,
  userId: number,
  { audio, cover, stems, preview_tag }: MediaFields,
): Promise<MediaColumns> {
  const now = new Date(clock.nowMs());
  const take = (id: string, kind: UploadKind, field: string) =>
    useUpload(transaction, { id, userId, kind, field, now });
  const audioUpload = audio === undefined ? null : await take(audio, "audio", "audio");
  if (audioUpload !== null && audioUpload.sha256 !== null && !allowsDuplicates)
    if (await isPublishedByAnother(transaction, userId, audioUpload.sha256)) throw duplicate();
  if (typeof cover === "string") await take(cover, "cover", "cover");
  if (typeof stems === "string") await take(stems, "stems", "stems");
  if (preview_tag !== undefined && isUpload(preview_tag)) await take(preview_tag, "audio", "preview_tag");
  return {
    ...(audio !== undefined && { audio_upload_id: audio }),
    ...(cover !== undefined && { cover_upload_id: cover }),
    ...(stems !== undefined && { stems_upload_id: stems }),
    ...(preview_tag !== undefined && { preview_tag }),
  };
}

/** The uploads that a beat uses now. */
export const mediaOf = (db: Queryable, beatId: number): Promise<MediaColumns> =>
  db
    .selectFrom("beat_productions")
    .select(["audio_upload_id", "cover_upload_id", "stems_upload_id", "preview_tag"])
    .where("beat_id", "=", beatId)
    .executeTakeFirstOrThrow();

export const isUpload = (previewTag: string): boolean => previewTag !== "default" && previewTag !== "none";

/** Releases those of the uploads that no beat and no defaults use any more, so that they expire. */
export async function releaseMedia(
  transaction: Queryable,
  { audio_upload_id, cover_upload_id, stems_upload_id, preview_tag }: MediaColumns,
  now: Date,
): Promise<void> {
  const ids = [audio_upload_id, cover_upload_id, stems_upload_id, preview_tag].filter(
    (id) => typeof id === "string" && isUpload(id),
  ) as string[];
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as given (id)
    where not exists (
      select from beat_productions where given.id in (audio_upload_id, cover_upload_id, stems_upload_id, preview_tag))
      and not exists (select from license_defaults where preview_tag = given.id)`.execute(transaction);
  await releaseUploads(
    transaction,
    rows.map(({ id }) => id),
    now,
  );
}
