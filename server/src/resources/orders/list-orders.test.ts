import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import type { OrderStatus } from "./order.ts";
import { tallyOrders } from "./tally.ts";

const api = await testApi();
const { driver, query: db } = api.database;
const [beat = 0] = await insertBeats(api.database, [{}]);
const statuses: OrderStatus[] = ["completed", "failed", "pending"];

/** Inserts orders in every state. Many have the same second. */
async function insertOrders(count: number, userId = api.userId): Promise<void> {
  await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      failure_reason, completed_at, payment_method, payment_provider, payment_key, created_at)
    select ${userId}, ${beat}, 'Midnight', user_id, 'Nightowl', 'basic', n, 'USD', status,
      case status when 'failed' then 'declined' end, case status when 'completed' then now() end,
      'pm_card_visa', 'sandbox', gen_random_uuid()::text, timestamptz '2026-01-01' + n / 7 * interval '1 second'
    from generate_series(1, ${count}) n, beats,
      lateral (select (array['completed', 'completed', 'failed', 'pending'])[1 + n * 7919 % 4] as status) states
    where beats.id = ${beat}`;
}

beforeAll(async () => {
  const [stranger] = await driver<{ id: number }[]>`
    insert into users (username, display_name) values ('stranger', 'S') returning id`;
  await insertOrders(50, stranger?.id ?? 0);
  await insertOrders(400);
  await tallyOrders(db);
  await insertOrders(13);
});

const idsInOrder = async (status?: OrderStatus): Promise<number[]> =>
  (
    await driver<{ id: number }[]>`
      select id from orders where user_id = ${api.userId} and (${status ?? null}::text is null or status = ${status ?? null})
      order by created_at desc, id desc`
  ).map(({ id }) => id);

async function list(path: string) {
  const response = await api.get(path);
  expect(response.statusCode, response.body).toBe(200);
  const { orders, pagination } = response.json().data;
  return { ids: orders.map(({ id }: { id: number }) => id) as number[], pagination };
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

describe("GET /orders", () => {
  it("lists the newest orders first, in both forms", async () => {
    const expected = await idsInOrder();
    const { ids, pagination } = await list("/v1/orders");
    expect(ids).toEqual(expected.slice(0, 20));
    expect(pagination).toMatchObject({ total: 413, per_page: 20, current_page: 1, last_page: 21, prev_page_url: null });
    const console = (await api.get("/api/v1/orders?limit=100&page=2", { accept: consoleType })).json();
    expect(console.data.map(({ id }: { id: number }) => id)).toEqual(expected.slice(100, 200));
    expect(console.meta).toEqual({ page: 2, limit: 100, total: 413 });
  });

  it.each([undefined, ...statuses])(
    "pages forwards and backwards through all orders with status %s",
    async (status) => {
      const expected = await idsInOrder(status);
      expect(expected.length).toBeGreaterThan(90);
      const filter = status === undefined ? "" : `&status=${status}`;
      expect((await readAllPages(`/v1/orders?limit=37${filter}`, "next_page_url")).flat()).toEqual(expected);
      const last = Math.ceil(expected.length / 37);
      const backwards = await readAllPages(`/v1/orders?limit=37&page=${last}${filter}`, "prev_page_url");
      expect(backwards.toReversed().flat()).toEqual(expected);
    },
  );

  it("every numbered page equals the same slice of all orders", async () => {
    const expected = new Map(
      await Promise.all([undefined, ...statuses].map(async (status) => [status, await idsInOrder(status)] as const)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(undefined, ...statuses),
        fc.integer({ min: 1, max: 430 }),
        fc.integer({ min: 1, max: 100 }),
        async (status, page, limit) => {
          const expectedIds = expected.get(status) ?? [];
          const { ids, pagination } = await list(
            `/v1/orders?page=${page}&limit=${limit}${status === undefined ? "" : `&status=${status}`}`,
          );
          expect(ids).toEqual(expectedIds.slice((page - 1) * limit, page * limit));
          expect(pagination.total).toBe(expectedIds.length);
          expect(pagination.next_page_url !== null).toBe(page * limit < expectedIds.length);
          expect(pagination.prev_page_url !== null).toBe(page > 1);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("has exact totals before and after the orders are tallied", async () => {
    for (let round = 0; round < 3; round++) {
      await insertOrders(5);
      for (const status of statuses)
        expect((await list(`/v1/orders?status=${status}`)).pagination.total).toBe((await idsInOrder(status)).length);
      expect((await list("/v1/orders")).pagination.total).toBe((await idsInOrder()).length);
      await tallyOrders(db);
      for (const status of statuses)
        expect((await list(`/v1/orders?status=${status}`)).pagination.total).toBe((await idsInOrder(status)).length);
    }
  });

  it("returns an empty page with the exact total for a page number after the last page", async () => {
    const { ids, pagination } = await list("/v1/orders?page=2147483647&limit=100");
    expect(ids).toEqual([]);
    expect(pagination).toMatchObject({ total: (await idsInOrder()).length, next_page_url: null });
  });

  it.each([
    "limit=0",
    "limit=101",
    "page=0",
    "status=COMPLETED",
    "status=",
    "status=failed&status=failed",
    "sort=newest",
  ])("answers 400 to %s", async (query) => {
    const response = await api.get(`/v1/orders?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(query.split("=")[0]);
  });

  it.each(["1.5", "one", "1e3", "0x1", "%20"])("answers 400 to the id %s", async (id) => {
    expect((await api.get(`/v1/orders/${id}`)).statusCode).toBe(400);
  });

  it.each(["0", "-1", "99999999999999999999999999"])("answers 404 to the id %s", async (id) => {
    expect((await api.get(`/v1/orders/${id}`)).statusCode).toBe(404);
  });
});
