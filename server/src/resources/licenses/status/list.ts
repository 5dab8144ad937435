import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import type { ChangedLimits } from "../../beats/licensing/limits.ts";
import { lastDayOf } from "../answers/judge.ts";
import { dayOf } from "../answers/read-question.ts";
import { findTerms } from "../terms/terms.ts";
import { encodedList } from "./bitstring.ts";
import { entriesOfList, type ListedStatus, statuses, statusListUrl } from "./entry.ts";

/** How long a list may be cached, in milliseconds. */
export const listTtlMs = 60_000;
/** No term is shorter. */
const shortestTerm = "1 year";

interface Row {
  status_index: number;
  is_refunded: boolean;
  is_replaced: boolean;
  license_type: LicenseType;
  terms_version: string | null;
  license_limits: ChangedLimits | null;
  purchased_at: Date;
}

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
    const status = await statusOf(db, row, now);
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

async function statusOf(db: Queryable, row: Row, now: Date): Promise<ListedStatus> {
  if (row.is_refunded) return "refunded";
  if (row.is_replaced) return "replaced";
  const { limits, clauses } = await findTerms(db, row.terms_version, row.license_type, row.license_limits);
  const lastDay = lastDayOf({ purchasedAt: row.purchased_at, isRefunded: false, files: [], limits, clauses });
  return lastDay !== null && dayOf(now) > lastDay ? "expired" : "valid";
}
