import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createEndpoint, createOwner, rules } from "../testing/fixture.ts";
import { webhooksDatabase } from "../testing/webhooks-database.ts";
import {
  countUndelivered,
  type DeliveryFilter,
  findDelivery,
  pageDeliveries,
  summarizeDeliveries,
} from "./deliveries.ts";
import { eventId } from "./events/event-ids.ts";

const { query: db } = await webhooksDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const timeAt = (second: number) => new Date(now.getTime() + second * 1000);
const userId = await createOwner(db);
const context = { allowPrivate: false, now };
const { endpoint } = await createEndpoint(db, { userId, url: "https://a.example/" }, context);
const { endpoint: other } = await createEndpoint(db, { userId, url: "https://b.example/" }, context);

const states = ["succeeded", "failed", "skipped", "pending"] as const;
const types = ["beat.created", "beat.purchased", "user.updated"] as const;
const ids = Array.from({ length: 60 }, (_, n) => eventId(timeAt(n).getTime(), rules.randomBytes));

/** Delivery n has second n, state n % 4 and type n % 3. Every fifth belongs to the other endpoint. */
const isOurs = (n: number) => n % 5 !== 0;
const expected = (matches: (n: number) => boolean) => ids.filter((_, n) => isOurs(n) && matches(n)).reverse();

beforeAll(async () => {
  for (const [n, id] of ids.entries()) {
    const type = types[n % 3] ?? "";
    const state = states[n % 4] ?? "";
    await db
      .insertInto("events")
      .values({ id, type, created_at: timeAt(n), payload: "{}", audience: null })
      .execute();
    await db
      .insertInto("webhook_deliveries")
      .values({
        endpoint_id: isOurs(n) ? endpoint.id : other.id,
        event_id: id,
        // Instances older than the column wrote an empty type.
        type: n < 10 ? "" : type,
        state,
        attempts: state === "skipped" ? 0 : 1,
        next_attempt_at: state === "pending" ? timeAt(n) : null,
        ordered: false,
        created_at: timeAt(n),
      })
      .execute();
  }
});

const eventIdsOf = async (filter: DeliveryFilter, limit = 100) =>
  (await pageDeliveries(db, endpoint.id, { ...filter, limit, cursor: undefined }, rules)).deliveries.map(
    ({ eventId }) => eventId,
  );

describe("the deliveries of an endpoint are listed newest first", () => {
  test.each<[string, DeliveryFilter, (n: number) => boolean]>([
    ["all", {}, () => true],
    ["of one state", { states: ["failed"] }, (n) => n % 4 === 1],
    ["of some states", { states: ["failed", "skipped"] }, (n) => n % 4 === 1 || n % 4 === 2],
    ["of one type", { types: ["beat.purchased"] }, (n) => n % 3 === 1 && n >= 10],
    [
      "of a state and a type",
      { states: ["succeeded"], types: ["user.updated"] },
      (n) => n % 4 === 0 && n % 3 === 2 && n >= 10,
    ],
    ["from a time on and before another", { from: timeAt(20), to: timeAt(30) }, (n) => n >= 20 && n < 30],
    [
      "of a time range and a state",
      { from: timeAt(20), to: timeAt(30), states: ["pending"] },
      (n) => n >= 20 && n < 30 && n % 4 === 3,
    ],
    ["of nothing", { states: [] }, () => false],
  ])("%s", async (_, filter, matches) => {
    expect(await eventIdsOf(filter)).toEqual(expected(matches));
  });

  test.each<[string, DeliveryFilter, (n: number) => boolean]>([
    ["all", {}, () => true],
    ["filtered", { states: ["succeeded", "failed"] }, (n) => n % 4 < 2],
  ])("by pages to older ones without gaps or repetitions, and back without gaps: %s", async (_, filter, matches) => {
    const expectedIds = expected(matches);
    const page = (cursor: Parameters<typeof pageDeliveries>[2]["cursor"]) =>
      pageDeliveries(db, endpoint.id, { ...filter, limit: 7, cursor }, rules);
    const down: string[][] = [];
    let current = await page(undefined);
    expect(current.newer).toBeNull();
    for (;;) {
      down.push(current.deliveries.map(({ eventId }) => eventId));
      if (current.older === null) break;
      current = await page({ olderThan: current.older });
    }
    expect(down.flat()).toEqual(expectedIds);
    const up: string[][] = [];
    for (;;) {
      up.push(current.deliveries.map(({ eventId }) => eventId));
      if (current.newer === null) break;
      current = await page({ newerThan: current.newer });
    }
    expect(new Set(up.flat())).toEqual(new Set(expectedIds));
    expect(up.at(-1)).toEqual(down[0]);
  });
});

test("a query filtered by state or type reads few of 50,000 deliveries", async () => {
  // Enough rows that the sample for PostgreSQL's statistics includes every state and type.
  await sql`
    insert into webhook_deliveries (endpoint_id, event_id, type, state, ordered, created_at)
    select 1000000, 'evt_' || lpad(n::text, 26, '0'), case when n <= 20 then 'user.updated' else 'beat.created' end,
           case when n <= 40 then 'failed' else 'succeeded' end, false, ${now}
    from generate_series(1, 50000) n`.execute(db);
  await sql`
    insert into events (id, type, created_at, payload)
    select event_id, type, created_at, '{}' from webhook_deliveries where endpoint_id = 1000000 and state = 'failed'`.execute(
    db,
  );
  await sql`analyze webhook_deliveries`.execute(db);
  const countReadRows = async () => {
    const { rows } = await sql<{ count: number }>`
      select idx_tup_fetch + seq_tup_read as count from pg_stat_xact_user_tables
      where relname = 'webhook_deliveries'`.execute(transaction);
    return rows[0]?.count ?? 0;
  };
  const transaction = await db.startTransaction().execute();
  const before = await countReadRows();
  const filters: DeliveryFilter[] = [{ states: ["failed"] }, { types: ["user.updated"] }];
  for (const filter of filters)
    await pageDeliveries(transaction, 1_000_000, { ...filter, limit: 50, cursor: undefined }, rules);
  expect((await countReadRows()) - before).toBeLessThan(500);
  await transaction.rollback().execute();
});

test("pending, failed and skipped deliveries are counted, in a summary up to a limit", async () => {
  const count = (state: number) => expected((n) => n % 4 === state).length;
  expect(await countUndelivered(db, endpoint.id)).toEqual({ pending: count(3), failed: count(1), skipped: count(2) });
  const summaries = await summarizeDeliveries(db, [endpoint.id, other.id, 999], { newest: 3, atMost: 5 });
  expect(summaries.get(endpoint.id)).toMatchObject({ pending: 5, failed: 5, skipped: 5 });
  expect(summaries.get(other.id)).toMatchObject({ pending: 3, failed: 3, skipped: 3 });
  expect(summaries.get(999)).toEqual({ recent: [], attempted: 0, succeeded: 0, pending: 0, failed: 0, skipped: 0 });
});

test("the summary counts how many of the newest deliveries were attempted, and how many succeeded", async () => {
  const summaries = await summarizeDeliveries(db, [endpoint.id], { newest: 5, atMost: 5 });
  expect(summaries.get(endpoint.id)).toMatchObject({
    recent: ["retrying", "skipped", "failed", "succeeded", "skipped"],
    attempted: 3,
    succeeded: 1,
  });
});

test("a delivery has its newest fifty attempts, the newest one last", async () => {
  const [delivery] = (await pageDeliveries(db, endpoint.id, { limit: 1, cursor: undefined }, rules)).deliveries;
  const id = delivery?.id ?? 0;
  for (let n = 0; n < 55; n++)
    await db
      .insertInto("webhook_attempts")
      .values({ delivery_id: id, attempted_at: timeAt(n), status: 500, duration_ms: n, error: "No.", answer: "" })
      .execute();
  const { history, lastAttemptAt } = await findDelivery(db, id, { ownerId: userId });
  expect(history.map(({ duration_ms }) => duration_ms)).toEqual(Array.from({ length: 50 }, (_, n) => n + 5));
  expect(lastAttemptAt).toEqual(timeAt(54));
});
