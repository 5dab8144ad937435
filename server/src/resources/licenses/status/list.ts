import { gzipSync } from "node:zlib";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { bitsOfEntry, entriesOfList, statuses, statusListUrl } from "@beatmarket/license-terms/status-entry.ts";
import type { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type LicensedOrder, statusOfOrder } from "./status-of-order.ts";

/** How long a list may be cached, in milliseconds. */
export const listTtlMs = 60_000;
/** The shortest term that a license can have. */
const shortestTerm = "1 year";

type Row = LicensedOrder & { status_index: number };

/**
 * Returns the statuses of a list as a credential (Verifiable Credentials Data Model 2.0), and null for a list without
 * licenses.
 */
async function statusListCredential(
  db: Queryable,
  list: number,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<object | null> {
  const from = list * entriesOfList;
  const until = from + entriesOfList;
  const anyLicense = await db
    .selectFrom("licenses")
    .select("id")
    .where("status_index", ">=", from)
    .where("status_index", "<", until)
    .limit(1)
    .executeTakeFirst();
  if (anyLicense === undefined) return null;
  const values: [number, number][] = [];
  for (const row of await readPossiblyInvalid(db, { from, until, now })) {
    const status = await statusOfOrder(db, row, now);
    if (status !== "valid") values.push([row.status_index - from, statuses.indexOf(status)]);
  }
  const id = statusListUrl(publicUrl, list);
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer: publicUrl,
    validFrom: now.toISOString().replace(/\.\d+Z$/, "Z"),
    credentialSubject: {
      id: `${id}#list`,
      type: "BitstringStatusList",
      statusPurpose: "message",
      encodedList: encodedList(values),
      ttl: listTtlMs,
    },
  };
}

/** Reads the licenses that may no longer be valid. */
async function readPossiblyInvalid(
  db: Queryable,
  { from, until, now }: { from: number; until: number; now: Date },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (
      select status_index, is_full_refund(refunded_at, refunded_cents, amount_cents) as is_refunded,
        exists (select from orders later where later.upgrades_license = licenses.id and later.status = 'completed'
          and not is_full_refund(later.refunded_at, later.refunded_cents, later.amount_cents)) as is_replaced,
        license_type, terms_version, license_limits, coalesce(completed_at, created_at) as purchased_at
      from licenses join orders on orders.id = licenses.order_id
      where status_index >= ${from} and status_index < ${until}) as listed
    where is_refunded or is_replaced or purchased_at <= ${now}::timestamptz - ${shortestTerm}::interval`.execute(db);
  return rows;
}

/**
 * Returns the `encodedList` of these values; every other index has the value 0. The first bit of the string is the
 * highest bit of the first byte. The first bit of an entry is the highest bit of its value. The result is GZIP in
 * Multibase base64url, as the specification requires.
 */
export function encodedList(values: Iterable<readonly [index: number, value: number]>): string {
  const bytes = new Uint8Array((entriesOfList * bitsOfEntry) / 8);
  for (const [index, value] of values) {
    if (index < 0 || index >= entriesOfList || value >= 2 ** bitsOfEntry)
      throw new RangeError(`A status list has no place ${index} for the value ${value}.`);
    const bit = index * bitsOfEntry;
    const byte = bit >> 3;
    bytes[byte] = (bytes[byte] ?? 0) | (value << (8 - bitsOfEntry - (bit & 7)));
  }
  return `u${gzipSync(bytes).toString("base64url")}`;
}

const maxCachedLists = 16;

interface SignedList {
  at: number;
  list: Promise<string | null>;
}

/**
 * Status lists, signed with the key of certificates. A list stays cached for a minute, so it is signed only once for
 * all requests of that minute. The cache has the last 16 lists.
 */
export class SignedStatusLists {
  readonly #parts: { db: Queryable; clock: Clock; keys: SigningKeys; publicUrl: string };
  readonly #cache = new Map<number, SignedList>();

  constructor(parts: { db: Queryable; clock: Clock; keys: SigningKeys; publicUrl: string }) {
    this.#parts = parts;
  }

  /** Returns the list as `application/vc+jwt`, and null for a list without licenses. */
  async list(list: number): Promise<string | null> {
    const now = this.#parts.clock.nowMs();
    const cached = this.#cache.get(list);
    if (cached !== undefined && now - cached.at < listTtlMs) return cached.list;
    const entry = { at: now, list: this.#sign(list, new Date(now)) };
    this.#cache.delete(list);
    this.#cache.set(list, entry);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > maxCachedLists && oldest !== undefined) this.#cache.delete(oldest);
    const removeFromCache = () => {
      if (this.#cache.get(list) === entry) this.#cache.delete(list);
    };
    // A list without licenses may get one soon, so it is not cached.
    entry.list.then((signed) => signed === null && removeFromCache(), removeFromCache);
    return entry.list;
  }

  async #sign(list: number, now: Date): Promise<string | null> {
    const { db, keys, publicUrl } = this.#parts;
    const credential = await statusListCredential(db, list, { publicUrl, now });
    return credential && keys.sign(credential, "vc+jwt", now);
  }
}
