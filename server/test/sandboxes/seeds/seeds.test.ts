import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../harness/database/database.ts";
import { withTestMode } from "../../harness/sandboxes.ts";
import { checkSeed, comparedExtent, type KeptSeed, pass, plantedExtent, shortExtent } from "./check-seeds.ts";
import kept from "./kept-seeds.json" with { type: "json" };
import { openWorld, type World } from "./world.ts";

// A short part of `npm run faults -- --only time-machine`, with every seed that has failed.

/** The SHA-256 of the event log and the ledger's export of a seed, without the sandbox's id. */
const goldenOf = {
  first: "c515816f5448e97cf1b8c99601f9e5ec970cda51d8661ea21ce11e4bb35a6c68",
  second: "ba44505bef8856269900f58bc90c8000e4e657ae946dffe62a500514091a1c4d",
  third: "61fdc265a0daacfa5c7a5b188552f3379546d1c6d617be544827e23f08f91878",
};

let world: World;

beforeAll(async () => {
  const { sandboxServer, dataDir } = await withTestMode("seeds_");
  world = await openWorld(await testDatabase(), sandboxServer, dataDir);
}, 120_000);

afterAll(() => world.close());

/**
 * The results of seeds are the same on every machine: times come from the sandbox's clock, in UTC, and rows are ordered
 * without a collation. A change of an event, of the invented catalogue or of the order of random draws changes these
 * hashes. Then the failure message has the new hashes.
 */
test.each([
  { seed: "first", ...comparedExtent, golden: goldenOf.first },
  { seed: "second", days: 9, copies: 1, hasReceiver: true, golden: goldenOf.second },
  { seed: "third", days: 9, copies: 1, hasReceiver: true, golden: goldenOf.third },
  { seed: "fourth", ...shortExtent, golden: undefined },
  ...(kept as KeptSeed[]).map((each) => ({ ...each, golden: undefined })),
])(
  "seed $seed: each run of $days days has one result, a ledger that sums to zero, and exclusive licenses sold once",
  async ({ golden, ...extent }) => {
    const { faults, fingerprints, facts } = await checkSeed(world, extent.seed, extent);
    expect(faults).toEqual([]);
    expect(fingerprints).toHaveLength(extent.copies);
    if (golden !== undefined) expect(facts).toBe(golden);
  },
);

test.each([
  [
    "another payment key in the last sandbox",
    sql`set session_replication_role = replica; update orders set payment_key = payment_key || 'x' where id = 1`,
    /^the same calls left/,
  ],
  [
    "a ledger entry that is too high",
    sql`set session_replication_role = replica; update ledger_entries set amount_cents = amount_cents + 1 where transaction_id = 1 and amount_cents > 0`,
    /^ledger transaction 1 sums to 1/,
  ],
  [
    "a second exclusive license",
    sql`set session_replication_role = replica; update orders set license_type = 'exclusive', beat_id = 1 where id in (1, 2)`,
    /^beat 1 has 2 exclusive licenses/,
  ],
])("a planted fault is reported: %s", async (_, harm, fault) => {
  const { faults } = await checkSeed(world, "planted", plantedExtent, (db) => harm.execute(db));
  expect(faults).toContainEqual(expect.stringMatching(fault));
});

const request = {
  byMs: 2 * 86_400_000,
  ordersPerDay: 12,
  outages: [],
  bouncedPerMille: 0,
  disputedPerMille: 0,
  failedPayoutsPerMille: 0,
};

/** The request of a call that advances a sandbox to a moment. */
const until = async (id: string, moment: string) => ({
  ...request,
  byMs: new Date(moment).getTime() - (await timeOf(id)),
});

test("orders are placed once even if the database connection is lost meanwhile", async () => {
  const [whole, interrupted] = [await make(), await make()];
  await pass(world, whole, 2, request);
  await world.within(interrupted, (db) =>
    sql`
      create function lose_connection() returns trigger language plpgsql as $$
        begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
      create trigger lost before insert on orders for each row when (new.id = 15) execute function lose_connection()`.execute(
      db,
    ),
  );
  await expect(pass(world, interrupted, 2, request)).rejects.toThrow(/terminating connection/);
  await world.within(interrupted, (db) => sql`drop function lose_connection cascade`.execute(db));
  const before = await ordersOf(interrupted);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(24);
  await pass(world, interrupted, 2, await until(interrupted, "2026-01-03T00:00:00Z"));
  const orders = await ordersOf(interrupted);
  expect(orders.length).toBeGreaterThan(20);
  expect(orders).toEqual(await ordersOf(whole));
  for (const id of [whole, interrupted]) await world.control.delete(id);
});

test("an order that the database refuses fails one call of `advance`, and the next call continues after it", async () => {
  const [whole, interrupted] = [await make(), await make()];
  await pass(world, whole, 2, request);
  const placed = await ordersOf(whole);
  const refused = placed[4];
  await world.within(interrupted, (db) =>
    sql`
      create function refuse_order() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refused before insert on orders for each row
        when (new.created_at = ${sql.lit(refused?.created_at.toISOString())}) execute function refuse_order()`.execute(
      db,
    ),
  );
  await expect(pass(world, interrupted, 2, request)).rejects.toThrow("refused");
  await pass(world, interrupted, 2, await until(interrupted, "2026-01-03T00:00:00Z"));
  expect(await ordersOf(interrupted)).toEqual(placed.filter((order) => order !== refused));
  for (const id of [whole, interrupted]) await world.control.delete(id);
});

test("the disputes of a midnight are opened even if the database connection is lost meanwhile", async () => {
  const [whole, interrupted] = [await make(), await make()];
  const disputed = { ...request, disputedPerMille: 1_000, byMs: 12 * 86_400_000 };
  const disputesOf = (id: string) =>
    world.within(id, async (db) => {
      const { rows } = await sql<{ order_id: number }>`
        select order_id, opened_at from disputes order by opened_at, order_id`.execute(db);
      return rows;
    });
  await pass(world, whole, 12, disputed);
  const opened = await disputesOf(whole);
  const [, second] = opened;
  await world.within(interrupted, (db) =>
    sql`
      create function lose_connection() returns trigger language plpgsql as $$
        begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
      create trigger lost before insert on disputes for each row
        when (new.order_id = ${sql.lit(second?.order_id)}) execute function lose_connection()`.execute(db),
  );
  await expect(pass(world, interrupted, 12, disputed)).rejects.toThrow(/terminating connection/);
  expect(await disputesOf(interrupted)).toHaveLength(1);
  await world.within(interrupted, (db) => sql`drop function lose_connection cascade`.execute(db));
  const rest = { ...(await until(interrupted, "2026-01-13T00:00:00Z")), disputedPerMille: 1_000 };
  await pass(world, interrupted, 12, rest);
  expect(await disputesOf(interrupted)).toEqual(opened);
  for (const id of [whole, interrupted]) await world.control.delete(id);
});

const timeOf = async (id: string) => (await world.control.get(id)).now.getTime();
const ordersOf = (id: string) =>
  world.within(id, async (db) => {
    const orders = await sql<{ created_at: Date }>`
      select user_id, beat_id, license_type, created_at, status from orders order by created_at`.execute(db);
    return orders.rows;
  });

test("a time that passes in many calls has the same result as in one call", async () => {
  const [oneCall, split] = [await make(), await make()];
  await pass(world, oneCall, 4);
  for (const hours of [1, 10, 37, 48]) await pass(world, split, hours / 24);
  const texts = [];
  for (const id of [oneCall, split])
    texts.push(
      await world.within(id, async (db) => {
        const orders =
          await sql`select id, user_id, beat_id, license_type, created_at, payment_key from orders order by id`.execute(
            db,
          );
        return JSON.stringify(orders.rows);
      }),
    );
  expect(JSON.parse(texts[0] ?? "").length).toBeGreaterThan(9);
  expect(texts[1]).toBe(texts[0]);
  for (const id of [oneCall, split]) await world.control.delete(id);
});

test("an event shows the same count of orders wherever a call ends", async () => {
  // In seed-60, a beat is bought and then, in the night of day 44, sold exclusively.
  const calls = [[45], [43, 2]];
  const texts = [];
  for (const days of calls) {
    const id = await make("seed-60");
    for (const each of days) await pass(world, id, each);
    const { rows } = await world.within(id, (db) =>
      sql<{ payload: string }>`select payload from events where type = 'beat.updated' order by id`.execute(db),
    );
    texts.push(rows.map(({ payload }) => payload.replaceAll(id, "ID")));
    await world.control.delete(id);
  }
  expect(texts[0]).not.toEqual([]);
  expect(texts[1]).toEqual(texts[0]);
});

const make = async (seed = "split") => (await world.control.create({ seed, catalogue: "demo", webhookUrl: null })).id;
