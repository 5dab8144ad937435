import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Order, orderColumns } from "../orders/order.ts";

/** The purchases of an e-mail address. */
export interface Library {
  id: number;
  email: string;
  links_ended_at: Date | null;
}

/** An order with the id of its license. */
export interface LibraryOrder extends Order {
  /** The id of the license's public page; null before the certificate is issued. */
  license_id: string | null;
}

/** The paid orders of the account with this address, and of checkouts whose receipt went to the address. */
const isBoughtWith = (email: string): RawBuilder<boolean> => sql`
  (orders.status = 'completed' or orders.refunded_at is not null) and orders.id in (
    select id from orders where user_id = (select id from users where email = ${email})
    union select orders.id from checkouts join orders on orders.checkout_key = checkouts.payment_key where checkouts.email = ${email})`;

export const findLibrary = (db: Queryable, id: number): Promise<Library | undefined> =>
  db.selectFrom("libraries").select(["id", "email", "links_ended_at"]).where("id", "=", id).executeTakeFirst();

/** Finds or creates the library of an address; undefined for an address without orders. */
export async function openLibrary(db: Queryable, email: string, now: Date): Promise<Library | undefined> {
  const { rows } = await sql<Library>`
    insert into libraries (email, created_at)
    select ${email}, ${now}::timestamptz where exists (select from orders where ${isBoughtWith(email)})
    on conflict (email) do update set email = excluded.email returning id, email, links_ended_at`.execute(db);
  return rows[0];
}

/** The orders of an address from an offset on, newest first. */
export async function listOrdersOf(
  db: Queryable,
  email: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<LibraryOrder[]> {
  return db
    .selectFrom("orders")
    .leftJoin("licenses", "licenses.order_id", "orders.id")
    .select([...orderColumns, "licenses.id as license_id"])
    .$narrowType<Pick<Order, "license_type" | "status">>()
    .where(isBoughtWith(email))
    .orderBy("orders.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** One of the orders of an address; undefined for another buyer's order. */
export const findOrderOf = (
  db: Queryable,
  email: string,
  id: number,
): Promise<Pick<Order, "id" | "user_id"> | undefined> =>
  db
    .selectFrom("orders")
    .select(["orders.id", "orders.user_id"])
    .where("orders.id", "=", id)
    .where(isBoughtWith(email))
    .executeTakeFirst();

/** Ends all links to the library of an address. */
export async function endLinks(db: Queryable, email: string, now: Date): Promise<void> {
  await db.updateTable("libraries").set({ links_ended_at: now }).where("email", "=", email).execute();
}

/** Deletes the library of an erased user. Must run before the address is erased. */
export async function eraseLibrary(transaction: Queryable, userId: number): Promise<void> {
  await sql`delete from libraries using users where users.id = ${userId} and users.email = libraries.email`.execute(
    transaction,
  );
}

/** The lifetime of a link in days. */
export const linkDays = 30;
const linkMs = linkDays * 86_400_000;

/** The content of a signed link. */
export interface LibraryLink {
  libraryId: number;
  issuedAtMs: number;
}

type Keys = Pick<SecretBox, "downloadKeys">;

const signatureOf = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(`library/${text}`).digest("base64url");

/** The token of a new link: the library, the time of issue, and a signature of the service. */
export function signLink({ downloadKeys }: Keys, { libraryId, issuedAtMs }: LibraryLink): string {
  const text = `${libraryId.toString(36)}.${issuedAtMs.toString(36)}`;
  return `${text}.${signatureOf(downloadKeys[0], text)}`;
}

/** Reads a token. Null for a token without a valid signature. */
export function readLink({ downloadKeys }: Keys, token: string): LibraryLink | null {
  const [, text = "", id = "", issuedText = "", signature = ""] =
    /^(([1-9a-z][0-9a-z]{0,9})\.([1-9a-z][0-9a-z]{0,9}))\.([\w-]{43})$/.exec(token) ?? [];
  const received = Buffer.from(signature);
  const isSigned = downloadKeys.some((key) => {
    const expected = Buffer.from(signatureOf(key, text));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  return isSigned ? { libraryId: Number.parseInt(id, 36), issuedAtMs: Number.parseInt(issuedText, 36) } : null;
}

/** Whether a link is too old, or was issued no later than the time at which all links of the library ended, if any. */
export const isExpired = ({ issuedAtMs }: LibraryLink, linksEndedAt: Date | null, nowMs: number): boolean =>
  nowMs >= issuedAtMs + linkMs || (linksEndedAt !== null && issuedAtMs <= linksEndedAt.getTime());
