import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { type LicenseType, licenseTypes, soldTypes } from "@beatmarket/license-terms/license-types.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { isAvailable } from "../beats/licensing/exclusive.ts";
import { isPaid, licensePriceColumns } from "../beats/licensing/licenses.ts";
import { shownSql } from "../beats/state.ts";
import { dueCents, noCredit } from "../orders/upgrade.ts";
import { maxItems } from "./checkout.ts";
import { type Credit, findCredits } from "./upgrade-items.ts";

/** A license that a buyer wants to buy. */
export interface BasketItem {
  beatId: number;
  licenseType: LicenseType;
  /** The price that the buyer saw. */
  shownCents: number;
  /** The account's license that the item upgrades or renews; null for a new license. */
  upgrades: string | null;
}

/** An item with its current price and state. */
export interface PricedItem extends BasketItem {
  title: string;
  producerId: number;
  producerName: string;
  priceCents: number;
  /** Whether the license can be bought. */
  isOnSale: boolean;
  /** The type of the license that the item upgrades or renews; null for a new license. */
  upgradesFrom: LicenseType | null;
  /** The reason why the license can no longer be upgraded; null without a problem, and for other items. */
  problem: string | null;
  /** Whether an operator took the beat down. Then the basket shows neither the title nor the producer's name. */
  isTakenDown: boolean;
}

/** The cookie with the basket of a buyer without an account. Scripts read it to show the number of items. */
export const basketCookie = "basket";

const separator = "_";

/** The basket of a buyer without an account, as the cookie stores it: `12.premium.5990_7.basic.2990`. */
export const formatBasket = (items: readonly BasketItem[]): string =>
  items.map(({ beatId, licenseType, shownCents }) => `${beatId}.${licenseType}.${shownCents}`).join(separator);

/**
 * Reads the basket of a cookie. Omits parts that are not items, earlier items of the same beat, and items above
 * `maxItems`.
 */
export function parseBasket(text: string): BasketItem[] {
  const items = text.split(separator).flatMap((part) => {
    const [, beatId, type, cents] = /^([1-9]\d{0,8})\.([a-z]+)\.(\d{1,9})$/.exec(part) ?? [];
    const licenseType = licenseTypes.find((candidate) => candidate === type);
    return beatId === undefined || licenseType === undefined
      ? []
      : [{ beatId: Number(beatId), licenseType, shownCents: Number(cents), upgrades: null }];
  });
  return items.reduce<BasketItem[]>((basket, item) => withItem(basket, item), []).slice(0, maxItems);
}

/** The basket in the value of the header `Cookie`. */
export function basketInCookies(header: string): BasketItem[] {
  const pair = header.split(/; */).find((part) => part.startsWith(`${basketCookie}=`));
  return pair === undefined ? [] : parseBasket(pair.slice(basketCookie.length + 1));
}

/** Adds an item to a basket, or replaces the item of the same beat. */
export const withItem = (basket: readonly BasketItem[], item: BasketItem): BasketItem[] =>
  basket.some(({ beatId }) => beatId === item.beatId)
    ? basket.map((other) => (other.beatId === item.beatId ? item : other))
    : [...basket, item];

export const withoutItem = (basket: readonly BasketItem[], beatId: number): BasketItem[] =>
  basket.filter((item) => item.beatId !== beatId);

/** Throws 409 if the basket has more items than a checkout accepts. */
export function requireRoom(basket: readonly BasketItem[]): void {
  if (basket.length > maxItems)
    throw conflict(`A basket has at most ${maxItems} licenses. Pay for these first, or remove some.`);
}

/** The basket of an account, oldest first. */
export async function findBasket(db: Queryable, userId: number): Promise<BasketItem[]> {
  const rows = await db
    .selectFrom("basket_items")
    .select(["beat_id", "license_type", "seen_cents", "upgrades_license"])
    .where("user_id", "=", userId)
    .orderBy("added_at")
    .orderBy("beat_id")
    .$narrowType<{ license_type: LicenseType }>()
    .execute();
  return rows.map((row) => ({
    beatId: row.beat_id,
    licenseType: row.license_type,
    shownCents: row.seen_cents,
    upgrades: row.upgrades_license,
  }));
}

/**
 * Adds items to the basket of an account, or changes their license. Omits items of unknown beats, and the newest items
 * above `maxItems`.
 */
export async function addToBasket(
  db: Queryable,
  userId: number,
  items: readonly BasketItem[],
  now: Date,
): Promise<void> {
  for (const { beatId, licenseType, shownCents, upgrades } of items)
    await sql`
      insert into basket_items (user_id, beat_id, license_type, seen_cents, upgrades_license, added_at)
      select ${userId}, id, ${licenseType}, ${shownCents}, ${upgrades}::uuid, ${now}::timestamptz from beats where id = ${beatId}
      on conflict (user_id, beat_id)
        do update set license_type = excluded.license_type, seen_cents = excluded.seen_cents,
          upgrades_license = excluded.upgrades_license`.execute(db);
  await sql`
    delete from basket_items where user_id = ${userId} and beat_id in (
      select beat_id from basket_items where user_id = ${userId} order by added_at, beat_id offset ${maxItems})`.execute(
    db,
  );
}

export async function removeFromBasket(db: Queryable, userId: number, beatIds: readonly number[]): Promise<void> {
  if (beatIds.length === 0) return;
  await db.deleteFrom("basket_items").where("user_id", "=", userId).where("beat_id", "in", beatIds).execute();
}

/**
 * The items of an account, or of a buyer without one, with current prices, in the order of the items. Items of beats
 * that are no longer visible are omitted, except those that an operator took down.
 */
export async function showBasket(
  db: Queryable,
  items: readonly BasketItem[],
  { userId, currency, now }: { userId: number | null; currency: string; now: Date },
): Promise<PricedItem[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<
    Record<string, number> & {
      id: number;
      title: string;
      user_id: number;
      producer_name: string;
      on_sale: boolean;
      is_taken_down: boolean;
      unsold_licenses: string[];
    }
  >`
    select beats.id, beats.title, beats.user_id, users.display_name as producer_name, ${isAvailable(now)} as on_sale,
      is_taken_down,
      price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents, unsold_licenses
    from beats join users on users.id = beats.user_id
    where beats.id = any (${items.map(({ beatId }) => beatId)}::bigint[])
      and (${sql.raw(shownSql)} or is_taken_down)`.execute(db);
  const beats = new Map(rows.map((row) => [row.id, row]));
  const upgrades = new Map<number, Upgrading>();
  for (const item of items)
    if (item.upgrades !== null) upgrades.set(item.beatId, await upgradingOf(db, item, { userId, currency, now }));
  return items.flatMap((item) => {
    const beat = beats.get(item.beatId);
    if (beat === undefined) return [];
    const fullCents = beat[licensePriceColumns[item.licenseType]] ?? 0;
    const { credit, problem } = upgrades.get(item.beatId) ?? { credit: null, problem: null };
    const priceCents = dueCents(fullCents, credit?.credit ?? noCredit);
    const isSold = soldTypes(beat).includes(item.licenseType);
    const isFree = isPaid(item.licenseType) && fullCents === 0;
    const isOnSale = beat.on_sale && isSold && !isFree && problem === null;
    const { is_taken_down: isTakenDown, user_id: producerId } = beat;
    const names = isTakenDown
      ? { title: `Beat ${item.beatId}`, producerName: "" }
      : { title: beat.title, producerName: beat.producer_name };
    const upgradesFrom = credit?.from ?? null;
    return [{ ...item, ...names, producerId, priceCents, isOnSale, isTakenDown, upgradesFrom, problem }];
  });
}

interface Upgrading {
  credit: Credit | null;
  problem: string | null;
}

async function upgradingOf(
  db: Queryable,
  item: BasketItem,
  buyer: { userId: number | null; currency: string; now: Date },
): Promise<Upgrading> {
  try {
    const credits = await findCredits(db, [item], { ...buyer, lock: false });
    return { credit: credits.get(item.beatId) ?? null, problem: null };
  } catch (error) {
    if (error instanceof ApiError) return { credit: null, problem: error.details };
    throw error;
  }
}
