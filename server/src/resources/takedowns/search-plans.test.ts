import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import type { Queryable } from "../../database/connect.ts";
import { listAllOrders } from "../orders/all-orders.ts";
import { searchBeats } from "./takedowns.ts";

// Operators' searches use the trigram indexes, even if the search has other filters.

const rows = 20_000;
const database = await testDatabase();
const { driver } = database;
const [first = 0] = await insertBeats(database, [{ title: "Midnight Lantern", producer: "Nightowl" }]);
const [{ owner = 0 } = {}] = await driver`select user_id::int as owner from beats where id = ${first}`;
await driver`
  insert into users (username, display_name, is_producer) select 'p' || n, md5('name' || n), true from generate_series(0, ${rows - 1}::int) n`;
await driver`
  insert into beats (user_id, genre_id, title, tempo, key, key_code, tags, duration_seconds, price_cents, premium_price_cents,
    unlimited_price_cents, exclusive_price_cents, play_count, popularity)
  select (select id from users where username = 'p' || (n % ${rows}::int)), genre_id, md5('title' || n), tempo, key, key_code, tags, duration_seconds, price_cents, premium_price_cents,
    unlimited_price_cents, exclusive_price_cents, play_count, popularity
  from beats, generate_series(1, ${rows}::int) n where id = ${first}`;
await driver`
  insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status, payment_method,
    payment_provider, payment_key, created_at, completed_at)
  select ${owner}, (select min(id) from beats where id > ${first}) + n % ${rows}::int, case n when 7 then 'Midnight Lantern' when 3 then '100% _raw_' when 1 then '月光' when ${rows}::int then '月光' else md5('title' || n) end,
    (select id from users where username = 'p' || (n % ${rows}::int)), case n when 5 then 'Night Owl' else md5('name' || n) end, 'basic', 2990, 'USD',
    'completed', 'pm', 'sandbox', 'key_' || n, now(), now() from generate_series(1, ${rows}::int) n`;
await driver`analyze`;

/** Returns the steps of the query plan of a search, and the maximum number of rows of a step. */
async function planOf(search: (db: Queryable) => Promise<unknown>): Promise<{ steps: string[]; maxRows: number }> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  await search(
    database.withStatementLog((statement) => {
      statements.push(statement);
    }),
  );
  const [{ sql, parameters } = { sql: "", parameters: [] }] = statements;
  const plan = await driver.unsafe<{ "QUERY PLAN": unknown }[]>(
    `explain (analyze, format json, costs off, timing off) ${sql}`,
    parameters as never[],
  );
  const steps: string[] = [];
  let maxRows = 0;
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    const {
      "Node Type": type,
      "Relation Name": table = "",
      "Index Name": index = "",
      "Actual Rows": own = 0,
      "Rows Removed by Filter": removed = 0,
    } = node as Record<string, string & number>;
    if (type !== undefined) steps.push(`${type} ${table}${index}`.trim());
    maxRows = Math.max(maxRows, Number(own) + Number(removed));
    for (const child of Object.values(node)) walk(child);
  };
  walk(plan[0]?.["QUERY PLAN"]);
  return { steps, maxRows };
}

test.each([
  [
    "orders by a title",
    (db: Queryable) => listAllOrders(db, { text: "night lan", limit: 51 }),
    "orders_title_parts",
    "orders_producer_name_parts",
  ],
  [
    "orders by a title in a state",
    (db: Queryable) => listAllOrders(db, { text: "night lan", status: "completed", beforeId: 1_000_000, limit: 51 }),
    "orders_title_parts",
    "orders_producer_name_parts",
  ],
  [
    "orders by a producer's name",
    (db: Queryable) => listAllOrders(db, { text: "night owl", limit: 51 }),
    "orders_title_parts",
    "orders_producer_name_parts",
  ],
  [
    "orders by a producer's username in a state",
    (db: Queryable) => listAllOrders(db, { text: "p12345", status: "completed", beforeId: 1_000_000, limit: 51 }),
    "orders_title_parts",
    "orders_producer_name_parts",
  ],
  [
    "beats by a title",
    (db: Queryable) => searchBeats(db, { search: "night lan", limit: 51 }),
    "beats_title_parts",
    "users_producer_name_parts",
  ],
  [
    "beats by a title, of those that are not taken down",
    (db: Queryable) => searchBeats(db, { search: "night lan", isTakenDown: false, limit: 51 }),
    "beats_title_parts",
    "users_producer_name_parts",
  ],
])("a search for %s does not scan a whole table", async (_name, search, ...indexes) => {
  expect(await search(database.query)).toHaveLength(1);
  const { steps, maxRows } = await planOf(search);
  for (const index of indexes) expect(steps).toContain(`Bitmap Index Scan ${index}`);
  expect(steps.filter((step) => /^Seq Scan (orders|beats|users)$/.test(step))).toEqual([]);
  expect(maxRows).toBeLessThanOrEqual(100);
});

test("a text without three consecutive letters is searched among the newest 10,000", async () => {
  const search = (db: Queryable) => listAllOrders(db, { text: "月光", limit: 51 });
  expect(await search(database.query)).toMatchObject([{ payment_key: `key_${rows}` }]);
  expect((await planOf(search)).maxRows).toBeLessThanOrEqual(10_000);
  const [{ newest = 0 } = {}] = await driver`select max(id)::int as newest from beats`;
  await driver`update beats set title = '月光' where id in (${first}, ${newest})`;
  expect((await searchBeats(database.query, { search: "月", limit: 51 })).map(({ id }) => id)).toEqual([newest]);
});

test("characters with a meaning in patterns match themselves", async () => {
  expect(await listAllOrders(database.query, { text: "100% _raw", limit: 51 })).toHaveLength(1);
  expect(await listAllOrders(database.query, { text: "100%raw", limit: 51 })).toEqual([]);
});
