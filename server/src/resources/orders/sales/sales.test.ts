import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../../test/harness/documents/promised-responses.ts";
import { tallyOrders } from "../tally.ts";

const api = await testApi();
const { driver, query: db } = api.database;
const [, otherBeat = 0, joinedBeat = 0] = await insertBeats(api.database, [
  {},
  { producer: "Other" },
  { producer: "Joined" },
]);

let beat = 0;
let second = 0;
let buyer = 0;
beforeAll(async () => {
  const beats = await insertBeats(api.database, [{ title: "Midnight" }, { title: "Noon" }]);
  [beat = 0, second = 0] = beats;
  await driver`update beats set user_id = ${api.userId} where id = any(${beats})`;
  await driver`update users set joined_user_id = ${api.userId} where display_name = 'Joined'`;
  [{ id: buyer }] = (await driver`
    insert into users (username, display_name, email) values ('maya', 'Maya Now', 'maya@example.com') returning id::int`) as [
    { id: number },
  ];
  await insertOrders(beat, 40);
  await insertOrders(second, 25);
  await insertOrders(joinedBeat, 10);
  await insertOrders(otherBeat, 5);
  await tallyOrders(db);
  await insertOrders(beat, 12);
  await insertOrders(joinedBeat, 3);
});

/**
 * Inserts orders of a beat in every state. The times of completion begin on 1 January at 06:00 and are five hours
 * apart. Up to three orders have the same time.
 */
const insertOrders = (id: number, count: number, fields: { buyerName?: string | null } = {}) =>
  driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      failure_reason, completed_at, payment_method, payment_provider, payment_key, created_at, buyer_name)
    select ${buyer}, ${id}, title, user_id, 'Nightowl', 'basic', n, 'USD', status,
      case status when 'failed' then 'declined' end,
      case status when 'completed' then timestamptz '2026-01-01T06:00Z' + n / 3 * interval '5 hours' end,
      'pm_card_visa', 'sandbox', gen_random_uuid()::text, '2026-01-01', ${fields.buyerName ?? null}
    from generate_series(1, ${count}) n, beats,
      lateral (select (array['completed', 'completed', 'failed', 'pending'])[1 + (n * 7919 + 1) % 4] as status) states
    where beats.id = ${id}`;

interface Filter {
  from?: string;
  to?: string;
  beat?: number;
}

/** The expected ids, newest first. PostgreSQL has no year 0, so the year 1 replaces it. */
const idsInOrder = async ({ from, to, beat: ofBeat }: Filter = {}): Promise<number[]> =>
  (
    await driver<{ id: number }[]>`
      select id from orders where beat_id in (${beat}, ${second}, ${joinedBeat}) and status = 'completed'
        and completed_at >= ${from?.replace("0000", "0001") ?? "-infinity"}::timestamptz and completed_at < ${to ?? "infinity"}::timestamptz
        and (${ofBeat ?? null}::bigint is null or beat_id = ${ofBeat ?? null})
      order by completed_at desc, id desc`
  ).map(({ id }) => id);

const parametersOf = (filter: Filter) =>
  new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));

async function list(path: string) {
  const response = await api.get(path);
  expect(response.statusCode, response.body).toBe(200);
  const { sales, pagination } = response.json().data;
  return { ids: sales.map(({ id }: { id: number }) => id) as number[], pagination };
}

async function readAllPages(path: string, direction: "next_page_url" | "prev_page_url"): Promise<number[][]> {
  const pages: number[][] = [];
  for (let page: string | null = path; page !== null; ) {
    const { ids, pagination } = await list(page);
    pages.push(ids);
    const url = pagination[direction] as string | null;
    page = url === null ? null : new URL(url).pathname + new URL(url).search;
  }
  return pages;
}

const filters: Filter[] = [
  {},
  { from: "2026-01-02", to: "2026-01-04" },
  { from: "2026-01-01T06:00:00Z", to: "2026-01-03T11:00:00Z" },
  { from: "2026-01-01T21:00:00.001Z", to: "2026-01-01T22:00:00Z" },
  { from: "2026-01-02T12:00:00+09:00" },
  { to: "2026-01-02T21:00:00Z" },
  { from: "2027-01-01" },
  { from: "0000-01-01", to: "9999-12-31T23:59:59-12:00" },
];

describe("GET /users/me/sales", () => {
  it.each([...filters.map((filter) => ({ filter })), { filter: { of: "one beat" } }])(
    "lists all sales of $filter, newest first, forwards and backwards, with the exact total",
    async ({ filter }) => {
      const usedFilter: Filter = "of" in filter ? { beat: second } : filter;
      const expected = await idsInOrder(usedFilter);
      const parameters = parametersOf(usedFilter);
      const { ids, pagination } = await list(`/v1/users/me/sales?limit=100&${parameters}`);
      expect(ids).toEqual(expected);
      expect(pagination.total).toBe(expected.length);
      expect((await readAllPages(`/v1/users/me/sales?limit=7&${parameters}`, "next_page_url")).flat()).toEqual(
        expected,
      );
      const last = Math.max(1, Math.ceil(expected.length / 7));
      const backwards = await readAllPages(`/v1/users/me/sales?limit=7&page=${last}&${parameters}`, "prev_page_url");
      expect(backwards.toReversed().flat()).toEqual(expected);
    },
  );

  it("shows only the buyer's name at purchase, or the current name if the order has none, in both forms", async () => {
    await insertOrders(beat, 1, { buyerName: "Zoë Ω 🎵" });
    const [id = 0] = (await driver<{ id: number }[]>`select id::int from orders where buyer_name is not null`).map(
      (row) => row.id,
    );
    await driver`update orders set refunded_cents = 1, refunded_at = '2026-02-03T04:05:06.789Z' where id = ${id}`;
    await driver`insert into order_downloads values (${id}, 'mp3', now()), (${id}, 'license', now())`;
    const reference = await api.get("/v1/users/me/sales?limit=100");
    const sale = reference.json().data.sales.find((sale: { id: number }) => sale.id === id);
    expect(sale).toEqual({
      id,
      beat: { id: beat, title: "Midnight" },
      license_type: "basic",
      amount: 0.01,
      refunded_amount: 0.01,
      currency: "USD",
      buyer: { name: "Zoë Ω 🎵" },
      license_id: null,
      downloads: 2,
      completed_at: "2026-01-01T06:00:00Z",
      refunded_at: "2026-02-03T04:05:06Z",
    });
    const others = reference.json().data.sales.filter((sale: { id: number }) => sale.id !== id);
    expect(new Set(others.map((other: { buyer: object }) => JSON.stringify(other.buyer)))).toEqual(
      new Set(['{"name":"Maya Now"}']),
    );
    expect(reference.body).not.toContain("maya@example.com");
    const console = await api.get("/v1/users/me/sales?limit=100", { accept: consoleType });
    expect(console.json().data).toEqual(reference.json().data.sales);
    expect(console.json().meta).toMatchObject({ page: 1, limit: 100 });
    await driver`delete from order_downloads`;
    await driver`delete from orders where id = ${id}`;
  });

  it("lists no sales for an account without sales, and for another producer's beat", async () => {
    const key = await api.makeKey({ email: "stranger@example.com" });
    const response = await api.get("/v1/users/me/sales", { key });
    expect(response.json().data).toMatchObject({ sales: [], pagination: { total: 0 } });
    expect((await list(`/v1/users/me/sales?beat=${otherBeat}`)).pagination.total).toBe(0);
    expect((await list("/v1/users/me/sales?beat=999999999999999999999")).ids).toEqual([]);
  });

  it.each([
    ["from=yesterday", "The from parameter must be an ISO 8601 time"],
    ["to=2026-02-30", "The to parameter must be an ISO 8601 time"],
    ["from=2026-02-02&to=2026-02-01", "`from` (2026-02-02) is not before `to` (2026-02-01)"],
    ["from=2026-02-02&to=2026-02-02", "is not before `to`"],
    ["beat=x", "The beat parameter must be a valid integer"],
    ["after=AAAAAAAAAAAAAAAA", "The after parameter is damaged"],
  ])("answers 400 to %s, with the parameter's name", async (query, details) => {
    const response = await api.get(`/v1/users/me/sales?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(details);
  });

  it("answers 403 without sales:read, even if the key may read orders", async () => {
    const key = await api.makeKey({ permissions: ["orders:read", "orders:write"] });
    for (const path of ["/v1/users/me/sales", "/v1/users/me/sales.csv?month=2026-01"])
      expect((await api.get(path, { key })).statusCode).toBe(403);
  });
});

describe("GET /users/me/sales.csv", () => {
  it("answers 304 to a client that has the same file", async () => {
    const url = "/v1/users/me/sales.csv?month=2026-01";
    const { headers } = await api.get(url);
    expect(headers.etag).toMatch(/^"/);
    const again = await api.get(url, { headers: { "if-none-match": String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const other = await api.get("/v1/users/me/sales.csv?month=2026-02", {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect(other.statusCode).toBe(200);
  });

  const rowsOf = (body: string) =>
    parse(body, { bom: true, columns: true, record_delimiter: "\r\n" }) as Record<string, string>[];

  it("has the sales of the month, oldest first", async () => {
    const response = await api.get("/v1/users/me/sales.csv?month=2026-01");
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="sales-2026-01.csv"',
    });
    expect(unpromised("exportSales", response)).toBeNull();
    // Without a byte order mark, Excel reads UTF-8 as Windows-1252.
    expect(response.body.startsWith("\ufefforder_id,")).toBe(true);
    const rows = rowsOf(response.body);
    const expected = await idsInOrder({ from: "2026-01-01", to: "2026-02-01" });
    expect(rows.map(({ order_id }) => Number(order_id))).toEqual(expected.toReversed());
    expect(rows[0]).toEqual({
      order_id: expect.any(String),
      completed_at: "2026-01-01T06:00:00Z",
      beat_id: expect.any(String),
      title: expect.any(String),
      license_type: "basic",
      buyer: "Maya Now",
      amount: "0.01",
      refunded_amount: "0.00",
      currency: "USD",
      refunded_at: "",
      license_id: "",
      downloads: "0",
    });
    expect(rowsOf((await api.get("/v1/users/me/sales.csv?month=2026-02")).body)).toEqual([]);
    const head = await api.request({
      method: "HEAD",
      url: "/v1/users/me/sales.csv?month=2026-01",
      headers: { authorization: `Bearer ${api.key}` },
    });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
  });

  it("has all sales if there are several batches, including sales of the same moment", async () => {
    await driver`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, created_at)
      select ${buyer}, ${beat}, 'Many', ${api.userId}, 'N', 'basic', 2147483647, 'USD', 'completed',
        timestamptz '2025-03-01T00:00Z' + n / 1500 * interval '1 day', 'pm', 'sandbox', gen_random_uuid()::text, '2025-03-01'
      from generate_series(1, 3000) n`;
    const rows = rowsOf((await api.get("/v1/users/me/sales.csv?month=2025-03")).body);
    expect(new Set(rows.map(({ order_id }) => order_id)).size).toBe(3_000);
    expect(rows.at(-1)?.amount).toBe("21474836.47");
    await driver`delete from orders where title = 'Many'`;
  });

  it("has an ETag up to 20,000 sales, and none above", async () => {
    const insertMany = (count: number) => driver`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, created_at)
      select ${buyer}, ${beat}, 'Many', ${api.userId}, 'N', 'basic', 1, 'USD', 'completed', '2025-04-01T00:00Z', 'pm',
        'sandbox', gen_random_uuid()::text, '2025-04-01'
      from generate_series(1, ${count}::int) n`;
    const url = "/v1/users/me/sales.csv?month=2025-04";
    const countLines = (body: string) => body.split("\r\n").length;
    // The triggers would take longer than the rest of the test.
    await driver`alter table orders disable trigger all`;
    await insertMany(20_000);
    // The header line and the end of the last line make two lines more than there are sales.
    const largest = await api.get(url);
    expect([largest.headers.etag, countLines(largest.body)]).toEqual([expect.any(String), 20_002]);
    await insertMany(1);
    const larger = await api.get(url);
    expect([larger.headers.etag, countLines(larger.body)]).toEqual([undefined, 20_003]);
    await driver`delete from orders where title = 'Many'`;
    await driver`alter table orders enable trigger all`;
  });

  it.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", " =1", "＝1"])(
    "escapes %j, which a spreadsheet would read as a formula",
    async (name) => {
      await insertOrders(beat, 1, { buyerName: `${name}, "quoted"` });
      const rows = rowsOf((await api.get("/v1/users/me/sales.csv?month=2026-01")).body);
      expect(rows.map(({ buyer }) => buyer)).toContain(`'${name}, "quoted"`);
      await driver`delete from orders where buyer_name is not null`;
    },
  );

  it.each(["2026-13", "9999-12", "0000-01", "2026-00", "2026-1", "202611", "November"])(
    "answers 400 to the month %s, with the parameter's name",
    async (month) => {
      const response = await api.get(`/v1/users/me/sales.csv?month=${month}`);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain("The month parameter must be a year and a month such as 2026-11");
    },
  );

  it("has only the account's own sales", async () => {
    const key = await api.makeKey({ email: "stranger@example.com" });
    expect(rowsOf((await api.get("/v1/users/me/sales.csv?month=2026-01", { key })).body)).toEqual([]);
  });
});

test("a total includes orders that an instance of an earlier release tallies", async () => {
  const before = (await list("/v1/users/me/sales")).pagination.total;
  await insertOrders(beat, 1);
  await driver`update orders set tallied = true where not tallied and status <> 'pending'`;
  expect((await list("/v1/users/me/sales")).pagination.total).toBe(before + 1);
});
