import { money } from "@beatmarket/http/formats.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import Type, { type Static } from "typebox";
import type { Queryable } from "../../../database/connect.ts";
import { lockUser } from "../../audit/lock-user.ts";
import { changeLicenseDefaults, findLicenseDefaults, LicenseSettings, settingsOf } from "../licensing/settings.ts";
import type { EditContext } from "./own-beats.ts";
import {
  centsOf,
  genreIdOf,
  pricesOf,
  releaseMedia,
  requirePaid,
  requireTag,
  tagsOf,
  takeMedia,
} from "./read-fields.ts";
import { BeatFields } from "./schema.ts";

const { price } = BeatFields.properties;
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const priceOrNull = orNull(Type.Number({ minimum: 0, maximum: 21_474_836.47, multipleOf: 0.01 }));

/** The settings with which new drafts of the studio begin. */
export const DraftDefaults = Type.Object(
  {
    price: orNull(
      Type.Number({ ...price, description: "The price of the basic license. Null: each draft needs its own." }),
    ),
    license_prices: Type.Object(
      { premium: priceOrNull, unlimited: priceOrNull, exclusive: priceOrNull },
      { additionalProperties: false, description: "The price of the license. Null derives it from `price`." },
    ),
    genre: orNull(Type.String({ minLength: 1, maxLength: 100 })),
    tags: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 20, uniqueItems: true }),
    preview_tag: Type.String({ ...BeatFields.properties.preview_tag }),
    license_settings: LicenseSettings,
    free_download: Type.Boolean(),
  },
  { $id: "DraftDefaults", additionalProperties: false },
);
export type DraftDefaults = Static<typeof DraftDefaults>;

const licenses = ["premium", "unlimited", "exclusive"] as const;

export async function findDraftDefaults(db: Queryable, userId: number): Promise<DraftDefaults> {
  const row = await db
    .selectFrom("license_defaults")
    .leftJoin("genres", "genres.id", "license_defaults.genre_id")
    .select([
      ...(["price_cents", "premium_price_cents", "unlimited_price_cents", "exclusive_price_cents"] as const),
      ...(["tags", "preview_tag", "genres.name as genre"] as const),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const { has_free_download, ...columns } = await findLicenseDefaults(db, userId);
  const amount = (cents: number | null | undefined) => (cents == null ? null : money(cents));
  return {
    price: amount(row?.price_cents),
    license_prices: {
      premium: amount(row?.premium_price_cents),
      unlimited: amount(row?.unlimited_price_cents),
      exclusive: amount(row?.exclusive_price_cents),
    },
    genre: row?.genre ?? null,
    tags: row?.tags ?? [],
    preview_tag: row?.preview_tag ?? "default",
    license_settings: settingsOf(columns),
    free_download: has_free_download,
  };
}

/** Replaces the defaults. Throws 400 naming the field for defaults that no beat could have. */
export const changeDraftDefaults = (context: EditContext, userId: number, defaults: DraftDefaults): Promise<void> =>
  transact(context.db, async (transaction) => {
    const now = new Date(context.clock.nowMs());
    await lockUser(transaction, userId);
    const before = await findDraftDefaults(transaction, userId);
    const genreId = defaults.genre === null ? null : await genreIdOf(transaction, defaults.genre);
    if (defaults.free_download) requireTag(defaults.preview_tag, "free_download");
    if (defaults.preview_tag !== before.preview_tag)
      await takeMedia(transaction, context, userId, { preview_tag: defaults.preview_tag });
    const change = { settings: defaults.license_settings, hasFreeDownload: defaults.free_download };
    await changeLicenseDefaults(transaction, userId, change, { bounds: context.licenseBounds, now });
    await transaction
      .updateTable("license_defaults")
      .set({
        ...priceColumns(defaults),
        genre_id: genreId,
        tags: tagsOf(defaults.tags),
        preview_tag: defaults.preview_tag,
      })
      .where("user_id", "=", userId)
      .execute();
    if (defaults.preview_tag !== before.preview_tag)
      await releaseMedia(transaction, { preview_tag: before.preview_tag }, now);
  });

function priceColumns({ price: basic, license_prices }: DraftDefaults) {
  const prices = Object.fromEntries(licenses.map((type) => [type, license_prices[type] ?? undefined]));
  // Throws as for a beat with these prices.
  if (basic !== null) requirePaid(pricesOf(centsOf(basic), prices));
  const cents = (amount: number | null) => (amount === null ? null : centsOf(amount));
  return {
    price_cents: cents(basic),
    premium_price_cents: cents(license_prices.premium),
    unlimited_price_cents: cents(license_prices.unlimited),
    exclusive_price_cents: cents(license_prices.exclusive),
  };
}

/** The license prices, tags and preview tag of the defaults, as fields of a new beat. */
export function fieldsOfDefaults(defaults: DraftDefaults) {
  const prices = licenses.flatMap((type) => {
    const amount = defaults.license_prices[type];
    return amount === null ? [] : [[type, amount] as const];
  });
  return {
    ...(prices.length > 0 && { license_prices: Object.fromEntries(prices) }),
    ...(defaults.tags.length > 0 && { tags: defaults.tags }),
    preview_tag: defaults.preview_tag,
  };
}

/** Deletes the defaults. The recording of the preview tag expires unless a beat uses it. */
export async function eraseDraftDefaults(transaction: Queryable, userId: number, now: Date): Promise<void> {
  const row = await transaction
    .deleteFrom("license_defaults")
    .where("user_id", "=", userId)
    .returning("preview_tag")
    .executeTakeFirst();
  if (row !== undefined) await releaseMedia(transaction, row, now);
}
