import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../harness/database/database.ts";
import type { TestDatabase } from "../harness/database/driver.ts";
import { inSandbox, withTestMode } from "../harness/sandboxes.ts";
import { faultsOf, pass } from "./seeds/check-seeds.ts";
import { openWorld, type World } from "./seeds/world.ts";

const database = await testDatabase();
let world: World;
let testMode: Awaited<ReturnType<typeof withTestMode>>;
let id: string;
let advanced: Awaited<ReturnType<typeof pass>>;

const dayMs = 86_400_000;
const request = {
  byMs: 75 * dayMs,
  ordersPerDay: 3,
  outages: [],
  bouncedPerMille: 500,
  disputedPerMille: 200,
  failedPayoutsPerMille: 300,
};

beforeAll(async () => {
  testMode = await withTestMode("advance_");
  world = await openWorld(database, testMode.sandboxServer, testMode.dataDir);
  id = (await world.control.create({ seed: "people", catalogue: "demo", webhookUrl: null })).id;
  advanced = await pass(world, id, 75, request);
}, 240_000);

afterAll(() => world.close());

const ask = <T extends object>(
  work: (driver: TestDatabase["driver"]) => Promise<readonly T[]>,
): Promise<readonly T[]> => inSandbox(testMode, id, work);

test("payouts are sent on the 1st and settle on the 3rd of a month, with ledger transactions and events", async () => {
  const payouts = await ask(
    (driver) => driver`
      select payouts.status, to_char(sent_at, 'MM-DD') as sent, to_char(settled_at, 'MM-DD') as settled,
        (select count(*)::int from ledger_transactions where source = 'payout ' || payouts.id) as movements,
        (select array_agg(distinct type order by type) from events
         where type like 'payout.%' and (payload::jsonb -> 'data' ->> 'id')::int = payouts.id) as events
      from payouts order by id`,
  );
  expect(payouts.length).toBe(advanced.payouts);
  expect(new Set(payouts.map(({ sent }) => sent))).toEqual(new Set(["02-01", "03-01"]));
  expect(new Set(payouts.map(({ settled }) => settled))).toEqual(new Set(["02-03", "03-03"]));
  expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(["paid", "failed"]));
  for (const { movements } of payouts) expect(movements).toBe(2);
  const late = payouts.filter(({ sent }) => sent === "03-01");
  for (const { status, events } of late) expect(events).toEqual([`payout.${status}`, "payout.sent"].sort());
});

test("a producer whose payout failed is paid by the next run", async () => {
  const failed = await ask(
    (driver) => driver`
      select earlier.amount_cents as cents, later.amount_cents as later from payouts earlier
      join payouts later on later.user_id = earlier.user_id and later.run_id > earlier.run_id
      where earlier.status = 'failed'`,
  );
  expect(failed.length).toBeGreaterThan(0);
  for (const { cents, later } of failed) expect(Number(later)).toBeGreaterThan(Number(cents) / 2);
});

test("a refund that bounces fails ten minutes after it was accepted, and moves no money", async () => {
  const refunds = await ask(
    (driver) => driver`
      select refunds.status, payment_method = 'pm_card_refundFail' as bounces, refunded_cents as refunded,
        orders.amount_cents as paid, refunds.failure_reason is not null as "hasReason",
        extract(minute from settled_at - refunds.created_at)::int as minutes,
        (select coalesce(sum(amount_cents), 0)::int from ledger_entries join ledger_transactions moved
           on moved.id = transaction_id and moved.source = 'refund ' || refunds.id
         where account = 'assets:sandbox') as moved
      from refunds join orders on orders.id = order_id
      where not exists (select from disputes where order_id = orders.id) order by refunds.id`,
  );
  expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set(["succeeded", "failed"]));
  for (const { status, bounces, refunded, paid, hasReason, minutes, moved } of refunds)
    expect({ status, refunded, hasReason, minutes, moved }).toEqual(
      bounces
        ? { status: "failed", refunded: 0, hasReason: true, minutes: 10, moved: 0 }
        : { status: "succeeded", refunded: paid, hasReason: false, minutes: 0, moved: -paid },
    );
  expect(await world.within(id, faultsOf)).toEqual([]);
});

test("disputes are opened at the first midnight after ten days, and won or lost thirty days later", async () => {
  const disputes = await ask(
    (driver) => driver`
      select disputes.status, extract(day from opened_at - date_trunc('day', created_at))::int as after,
        extract(day from closed_at - opened_at)::int as took, is_withdrawn, refunded_cents = orders.amount_cents as refunded,
        (select count(*)::int from ledger_transactions where source = 'dispute ' || reference) as movements
      from disputes join orders on orders.id = order_id order by reference`,
  );
  expect(disputes).toHaveLength(advanced.disputes);
  expect(new Set(disputes.map(({ status }) => status))).toEqual(new Set(["open", "won", "lost"]));
  for (const { status, after, took, is_withdrawn, refunded, movements } of disputes) {
    expect([after, took]).toEqual([11, status === "open" ? null : 30]);
    expect([is_withdrawn, refunded]).toEqual([status !== "won", status === "lost"]);
    expect(movements).toBe(status === "won" ? 2 : 1);
  }
});

test("a sandbox without requests for 30 days is deleted completely, and a sandbox in use is not", async () => {
  const idle = await world.control.create({ seed: "idle", catalogue: "empty", webhookUrl: null });
  const age = (sandbox: string, seconds: number) =>
    database.driver`update sandboxes set used_at = now() - ${seconds} * interval '1 second' where id = ${sandbox}`;
  const monthSeconds = (30 * dayMs) / 1_000;
  await age(idle.id, monthSeconds + 60);
  await age(id, monthSeconds - 60);
  await world.sweep();
  await expect(world.control.get(idle.id)).rejects.toMatchObject({ status: 404 });
  expect(await database.driver`select from pg_database where datname like ${`%${idle.id}`}`).toHaveLength(0);
  expect(await world.control.get(id)).toMatchObject({ id, seed: "people" });
});

test("no mail leaves the sandbox, and every mail has the sandbox's time", async () => {
  const [row] = await ask(
    (driver) => driver`
      select count(*)::int as sent, min(sent_at) >= '2026-01-01' as begun, max(sent_at) <= '2026-03-17' as ended,
        (select count(*)::int from outgoing_mails where sent_at is null) as waiting from sandbox.mails`,
  );
  expect(row).toMatchObject({ begun: true, ended: true, waiting: 0 });
  expect(row).not.toMatchObject({ sent: 0 });
});

test("data with a retention of thirty days is deleted in the sandbox's time", async () => {
  const [row] = await ask(
    (driver) => driver`select min(created_at) > '2026-02-01' as "areDeleted", count(*)::int as count from events`,
  );
  expect(row).toMatchObject({ areDeleted: true });
  expect(row).not.toMatchObject({ count: 0 });
});
