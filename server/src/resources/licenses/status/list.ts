import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { encodedList } from "./bitstring.ts";
import { entriesOfList, statuses, statusListUrl } from "./entry.ts";
import { type LicensedOrder, statusOfOrder } from "./status-of-order.ts";

/** How long a list may be cached, in milliseconds. */
export const listTtlMs = 60_000;
/** No term is shorter. */
const shortestTerm = "1 year";

type Row = LicensedOrder & { status_index: number };

/** The statuses of a list as a credential (Verifiable Credentials Data Model 2.0); null for a list without licenses. */
export async function statusListCredential(
  db: Queryable,
  list: number,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<object | null> {
  const from = list * entriesOfList;
  const until = from + entriesOfList;
  const lastList = await db
    .selectFrom("licenses")
    .select("id")
    .where("status_index", ">=", from)
    .where("status_index", "<", until)
    .limit(1)
    .executeTakeFirst();
  if (lastList === undefined) return null;
  const values: [number, number][] = [];
  for (const row of await readSuspects(db, { from, until, now })) {
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

/** Licenses that may no longer be valid. */
async function readSuspects(
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
