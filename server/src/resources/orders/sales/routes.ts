import { Readable } from "node:stream";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { byteOrderMark, csvText } from "@beatmarket/foundation/text/csv.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { fileRoute, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../../database/connect.ts";
import { listSales, type Period, type Sale, salesOf, selectSales, sellersOf } from "./list-sales.ts";
import { SalesMonthQuery, SalesQuery, SalesResponse, salesConsole, salesReference } from "./present.ts";

export const salesRoutes = [
  route({
    operationId: "listSales",
    client: "sales.list",
    method: "GET",
    path: "/users/me/sales",
    tag: "Sales",
    summary: "List your sales",
    description:
      "Returns the completed orders of beats that the key's account sold, newest first, one page at a time. Sales of imported producers that the account has claimed are included.",
    permission: "sales:read",
    query: SalesQuery,
    response: SalesResponse,
    present: { reference: salesReference, console: salesConsole },
    examples: {
      success: { parameters: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z", limit: 2 } },
      invalid: { parameters: { from: "yesterday" } },
    },
    handle: ({ db, caller, query }) => listSales(db, { ...query, userId: caller.userId }),
  }),
  fileRoute({
    operationId: "exportSales",
    client: "sales.export",
    method: "GET",
    path: "/users/me/sales.csv",
    tag: "Sales",
    summary: "Download a month of sales",
    description:
      "Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a header line. Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an apostrophe.",
    permission: "sales:read",
    query: SalesMonthQuery,
    file: {
      name: "sales.csv",
      contentType: "text/csv",
      headers: { "Content-Disposition": Type.String({ description: "A name for the file." }) },
      shown: "path",
    },
    examples: { success: { parameters: { month: "2026-11" } }, invalid: { parameters: { month: "November" } } },
    handle: (call) => exportSales(call),
  }),
];

const columns: [name: string, value: (sale: Sale) => string][] = [
  ["order_id", ({ id }) => String(id)],
  ["completed_at", ({ completed_at }) => timestamp(completed_at)],
  ["beat_id", ({ beat_id }) => String(beat_id)],
  ["title", ({ title }) => csvText(title)],
  ["license_type", ({ license_type }) => license_type],
  ["buyer", ({ buyer_name }) => csvText(buyer_name)],
  ["amount", ({ amount_cents }) => formatCents(amount_cents)],
  ["refunded_amount", ({ refunded_cents }) => formatCents(refunded_cents)],
  ["currency", ({ currency }) => currency],
  ["refunded_at", ({ refunded_at }) => (refunded_at === null ? "" : timestamp(refunded_at))],
  ["license_id", ({ license_id }) => license_id ?? ""],
  ["downloads", ({ downloads }) => String(downloads)],
];

/** The header line. Lines end with CRLF (RFC 4180). */
const csvHeader = `${columns.map(([name]) => name).join(",")}\r\n`;
const csvRow = (sale: Sale): string => `${columns.map(([, value]) => value(sale)).join(",")}\r\n`;

const batchSize = 1_000;

type Call = Pick<KeyCall<object, { month: string }, object>, "db" | "context" | "query" | "underPermit"> & {
  caller: { userId: number };
};

/** The maximum number of sales in a file with an ETag. Such a file has about 3 MB. */
const maxSalesInMemory = 20_000;

/**
 * Returns the account's sales of a month (UTC) as CSV, oldest first (docs/api/sales.md, Download a month). Reads them
 * in batches, each under its own permit. A file with more than 20,000 sales is sent while it is read, so it has no
 * ETag. Throws 400, which names `month`, if `month` is not a month.
 */
export async function exportSales({ db, caller, context, query, underPermit }: Call): Promise<Content> {
  const { month } = query;
  const period = monthOf(month);
  const sellers = await underPermit(() => sellersOf(db, caller.userId));
  const batches = batchesOf((last) => underPermit(() => readBatch(db, sellers, period, last)));
  const parts = [byteOrderMark + csvHeader];
  let isWhole = false;
  for (let sales = 0; sales <= maxSalesInMemory && !isWhole; sales += batchSize) {
    const { value, done } = await batches.next();
    if (done === true) isWhole = true;
    else parts.push(value);
  }
  context.headers["content-disposition"] = `attachment; filename="sales-${month}.csv"`;
  if (isWhole) return new Representation(parts.join(""), contentType);
  const body = Readable.from(concatenate(parts, batches), { objectMode: false });
  return { status: 200, headers: { "content-type": contentType }, body };
}

const contentType = "text/csv; charset=utf-8";

async function* concatenate(first: string[], rest: AsyncGenerator<string, void>): AsyncGenerator<string> {
  yield* first;
  yield* rest;
}

/** Yields the CSV lines of each batch. */
async function* batchesOf(readBatchAfter: (last: Sale | undefined) => Promise<Sale[]>): AsyncGenerator<string, void> {
  let sales: Sale[] = [];
  do {
    sales = await readBatchAfter(sales.at(-1));
    if (sales.length > 0) yield sales.map(csvRow).join("");
  } while (sales.length === batchSize);
}

async function readBatch(
  db: Queryable,
  sellers: readonly number[],
  period: Period,
  last: Sale | undefined,
): Promise<Sale[]> {
  const afterLast =
    last === undefined ? sql`true` : sql`(completed_at, id) > (${last.completed_at}::timestamptz, ${last.id}::bigint)`;
  return selectSales(db)
    .innerJoin(
      sql<{ id: number }>`(
        select id from (${salesOf(sellers, period, undefined)}) as sales where ${afterLast}
        order by completed_at, id limit ${batchSize})`.as("batch"),
      (join) => join.onRef("batch.id", "=", "orders.id"),
    )
    .orderBy("orders.completed_at")
    .orderBy("orders.id")
    .execute();
}

function monthOf(text: string): Period {
  const [, year, month] = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (month === undefined)
    throw invalidRequest(
      `The month parameter must be a year and a month such as 2026-11. Given: ${JSON.stringify(quoted(text))}.`,
      "month",
    );
  const from = new Date(`${year}-${month}-01`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}
