import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { codePattern, type Discount, discountColumns, normalCode, stateOf } from "./discount.ts";

/** The maximum number of a producer's discounts that are not ended. */
const maxDiscounts = 200;
/**
 * The maximum number of scheduled and running discounts without a code: each is tried on every basket with the
 * producer's beats.
 */
const maxAutomatic = 3;

/** The range of each number, by column. Uses are counted in a 32-bit integer. */
const numberRanges = {
  percent: [1, 100],
  pack_size: [2, 10],
  pack_paid: [1, 9],
  max_uses: [1, 1_000_000],
  max_uses_per_buyer: [1, 1_000_000],
} as const;
const maxBeats = 200;

type BoundedFields = Pick<
  Discount,
  keyof typeof numberRanges | "code" | "valid_from" | "valid_until" | "beat_ids" | "license_types"
>;

export type DiscountFields = Omit<Discount, "id" | "user_id" | "uses_count" | "created_at" | "ended_at">;

const selectDiscounts = (db: Queryable) => db.selectFrom("discounts").select(discountColumns).$narrowType<Discount>();

/** A producer's discounts, newest first, including ended discounts; at most 500. */
export const listDiscounts = (db: Queryable, userId: number): Promise<Discount[]> =>
  selectDiscounts(db).where("user_id", "=", userId).orderBy("id", "desc").limit(500).execute();

/**
 * Creates a discount. Throws 400 naming the field for values that are out of range or exclude each other, and for beats
 * of other producers. Throws 409 for a code that another of the producer's discounts has, and above the maximum number
 * of discounts.
 */
export async function createDiscount(
  db: Queryable,
  { userId, fields, now }: { userId: number; fields: DiscountFields; now: Date },
): Promise<Discount> {
  const discount = { ...fields, code: fields.code === null ? null : normalCode(fields.code) };
  requireBounds(discount);
  requireConsistent(discount, now);
  return transact(db, async (transaction) => {
    await lockUser(transaction, userId);
    const others = await selectDiscounts(transaction)
      .where("user_id", "=", userId)
      .where("ended_at", "is", null)
      .execute();
    requireRoom(discount, others, now);
    await requireOwnBeats(transaction, userId, discount.beat_ids);
    return transaction
      .insertInto("discounts")
      .values({ ...discount, user_id: userId, created_at: now })
      .returning(discountColumns)
      .$narrowType<Discount>()
      .executeTakeFirstOrThrow();
  });
}

/** Throws 400 naming the first field outside its range. */
function requireBounds(discount: BoundedFields): void {
  const { code, beat_ids, license_types } = discount;
  if (code !== null && !codePattern.test(code))
    throw invalidRequest("The code field takes 3 to 32 letters, digits, - and _, such as SPRING-20.", "code");
  for (const [field, [min, max]] of Object.entries(numberRanges) as [
    keyof typeof numberRanges,
    readonly [number, number],
  ][]) {
    const value = discount[field];
    if (value !== null && (value < min || value > max))
      throw invalidRequest(`The ${field} field must be from ${min} to ${max.toLocaleString("en")}.`, field);
  }
  for (const field of ["valid_from", "valid_until"] as const)
    if (Number.isNaN(discount[field]?.getTime() ?? 0))
      throw invalidRequest(`The ${field} field must be a time in ISO 8601, such as 2026-12-24T18:00:00Z.`, field);
  if (beat_ids !== null && (beat_ids.length === 0 || beat_ids.length > maxBeats))
    throw invalidRequest(`The beat_ids field names 1 to ${maxBeats} beats; leave it out for all of yours.`, "beat_ids");
  if (license_types?.length === 0)
    throw invalidRequest("The license_types field names at least 1; leave it out for all.", "license_types");
}

/** The columns of each kind, which are null for other kinds. */
const columnsOfKind = {
  percent: ["percent"],
  amount: ["amount_cents"],
  pack: ["pack_size", "pack_paid"],
  ownership: [],
} as const satisfies Record<Discount["kind"], readonly (keyof DiscountFields)[]>;

function requireConsistent(discount: DiscountFields, now: Date): void {
  const { kind, pack_size, pack_paid, valid_from, valid_until } = discount;
  const requiredColumns: readonly string[] = columnsOfKind[kind];
  for (const column of ["percent", "amount_cents", "pack_size", "pack_paid"] as const) {
    const field = column.replace("_cents", "");
    if (requiredColumns.includes(column) && discount[column] === null)
      throw invalidRequest(`The ${field} field is needed for a discount of kind ${kind}.`, field);
    if (!requiredColumns.includes(column) && discount[column] !== null)
      throw invalidRequest(`The ${field} field does not go with a discount of kind ${kind}: leave it out.`, field);
  }
  if (pack_size !== null && pack_paid !== null && pack_paid >= pack_size)
    throw invalidRequest("The pack_paid field must be less than pack_size.", "pack_paid");
  if (valid_until !== null && valid_until <= (valid_from ?? now))
    throw invalidRequest(
      `The valid_until field must be after ${valid_from === null ? "this moment" : "valid_from"}.`,
      "valid_until",
    );
}

function requireRoom({ code }: DiscountFields, others: readonly Discount[], now: Date): void {
  const discountWithCode = others.find((other) => code !== null && other.code === code);
  if (discountWithCode !== undefined)
    throw conflict(
      `Your discount ${JSON.stringify(discountWithCode.name)} has the code ${code}. End it first, or choose another code.`,
    );
  if (others.length >= maxDiscounts) throw conflict(`You have ${maxDiscounts} discounts; end one first.`);
  const automatic = others.filter((other) => other.code === null && isScheduledOrRunning(other, now));
  if (code === null && automatic.length >= maxAutomatic)
    throw conflict(
      `At most ${maxAutomatic} discounts apply without a code at a time. End one first, or give this one a code.`,
    );
}

const isScheduledOrRunning = (discount: Discount, now: Date): boolean =>
  ["scheduled", "running"].includes(stateOf(discount, now.getTime()));

async function requireOwnBeats(db: Queryable, userId: number, beatIds: readonly number[] | null): Promise<void> {
  if (beatIds === null) return;
  const ownBeats = await db
    .selectFrom("beats")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "in", beatIds)
    .execute();
  const ids = new Set(ownBeats.map(({ id }) => id));
  const foreignBeatId = beatIds.find((id) => !ids.has(id));
  if (foreignBeatId !== undefined)
    throw invalidRequest(`The beat_ids field names beat ${foreignBeatId}, which is none of yours.`, "beat_ids");
}

/** Ends a discount. An ended discount stays unchanged. Throws 404 for another producer's discount. */
export async function endDiscount(
  db: Queryable,
  { userId, id, now }: { userId: number; id: number; now: Date },
): Promise<Discount> {
  await db
    .updateTable("discounts")
    .set({ ended_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
  const discount = await selectDiscounts(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  if (discount === undefined) throw notFound(`You have no discount ${id}.`);
  return discount;
}

/** Ends the discounts of an erased producer, and erases names and codes. Checkouts keep their reductions. */
export async function eraseDiscounts(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await transaction
    .updateTable("discounts")
    .set(({ fn, val }) => ({ ended_at: fn.coalesce("ended_at", val(now)), name: "Deleted", code: null }))
    .where("user_id", "=", userId)
    .execute();
}
