import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../../src/database/connect.ts";
import { beancountText } from "../../../src/resources/ledger/journal.ts";
import { placeOrder } from "../../../src/resources/orders/checkout/place-order.ts";
import type { CheckoutDependencies } from "../../../src/resources/orders/checkout.ts";
import type { Order } from "../../../src/resources/orders/order.ts";
import type { AdvanceRequest } from "../../../src/resources/sandboxes/control.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;

/** How the sandboxes of a seed are made, and for how long they are advanced. */
export interface SeedExtent {
  days: number;
  copies: number;
  /** Whether events are sent to a receiver. Without one, orders are placed together. */
  hasReceiver: boolean;
}

/** Long enough for refunds, decided disputes, and the payouts of two months. */
export const comparedExtent: SeedExtent = { days: 62, copies: 2, hasReceiver: true };

/** Long enough for the first payouts to arrive, and for the first disputes to be decided. */
export const shortExtent: SeedExtent = { days: 43, copies: 1, hasReceiver: false };

/** For a test that damages the last sandbox of a seed: the check must report the damage. */
export const plantedExtent: SeedExtent = { days: 2, copies: 2, hasReceiver: true };

/** A seed that failed, and the extent of the failed run. */
export interface KeptSeed extends SeedExtent {
  seed: string;
}

/** Faults of every kind, with enough orders for each. */
const requestOf = (days: number): AdvanceRequest => ({
  byMs: days * dayMs,
  ordersPerDay: 3,
  outages: [{ fromMs: 5 * dayMs, toMs: 6 * dayMs }],
  bouncedPerMille: 200,
  disputedPerMille: 100,
  failedPayoutsPerMille: 200,
});

/** Advances a sandbox by days, with as many calls as necessary. Returns the sums of their results. */
export async function pass(world: Pick<World, "control">, id: string, days: number, request = requestOf(days)) {
  const totals = { orders: 0, refunds: 0, disputes: 0, payouts: 0 };
  for (let byMs = request.byMs; byMs > 0; ) {
    // Outages count from the beginning of a call.
    const passedMs = request.byMs - byMs;
    const outages = request.outages.map(({ fromMs, toMs }) => ({ fromMs: fromMs - passedMs, toMs: toMs - passedMs }));
    const { advance } = await world.control.advance(id, { ...request, byMs, outages });
    for (const figure of ["orders", "refunds", "disputes", "payouts"] as const) totals[figure] += advance[figure];
    byMs = advance.leftMs;
  }
  return totals;
}

/** The faults of a sandbox; empty without faults. */
export async function faultsOf(db: Database["query"]): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'ledger transaction ' || transaction_id || ' sums to ' || sum(amount_cents) as fault
    from ledger_entries group by transaction_id, currency having sum(amount_cents) <> 0
    union all
    select 'the ledger sums to ' || sum(amount_cents) from ledger_entries group by currency having sum(amount_cents) <> 0
    union all
    select 'beat ' || beat_id || ' has ' || count(*) || ' exclusive licenses'
    from orders where license_type = 'exclusive' and status = 'completed'
      and not is_full_refund(refunded_at, refunded_cents, amount_cents)
    group by beat_id having count(*) > 1
    union all
    select 'order ' || id || ' is completed without a sale in the ledger' from orders
    where status = 'completed' and amount_cents > 0
      and not exists (select from ledger_transactions where order_id = orders.id and kind = 'sale')
    union all
    select 'order ' || id || ' is still pending' from orders where status = 'pending'
    union all
    select 'delivery ' || id || ' failed' from webhook_deliveries where state = 'failed'
    order by fault`.execute(db);
  return rows.map(({ fault }) => fault);
}

/** The rows that a sandbox shows and sends, each as one text. */
const rowExpressions = {
  events: "jsonb_build_array(id, type, payload, audience, created_at)",
  beats: "to_jsonb(beats)",
  orders: "to_jsonb(orders)",
  payouts: "to_jsonb(payouts)",
  "sandbox.mails": "to_jsonb(mails)",
};

/**
 * Two SHA-256 without the sandbox's id. `whole`: of the event log, the catalogue, the orders, the payouts, the mails
 * and the ledger's export. `facts`: only of the event log and the ledger's export, which do not change with a new
 * column of a table.
 */
async function fingerprintsOf(db: Database["query"], id: string): Promise<{ whole: string; facts: string }> {
  const [whole, facts] = [createHash("sha256"), createHash("sha256")];
  for (const [table, row] of Object.entries(rowExpressions)) {
    const { rows } = await sql<{ row: string }>`
      select ${sql.raw(row)}::text as row from ${sql.table(table)} order by length(id::text), id::text collate "C"`.execute(
      db,
    );
    for (const { row: stored } of rows) {
      const text = stored.replaceAll(id, "ID");
      whole.update(text);
      if (table === "events") facts.update(text);
    }
  }
  for await (const text of beancountText(db, { siteName: "Sandbox", from: null, to: null })) {
    whole.update(text);
    facts.update(text);
  }
  return { whole: whole.digest("hex"), facts: facts.digest("hex") };
}

const buyExclusive = (
  checkout: CheckoutDependencies,
  { userId, beatId, paymentMethod }: { userId: number; beatId: number; paymentMethod: string },
): Promise<Order | null> =>
  placeOrder(checkout, {
    userId,
    beatId,
    licenseType: "exclusive",
    paymentMethod,
    run: null,
    requestId: "exclusive",
  }).catch(() => null);

/**
 * A buyer orders an exclusive license and does not approve the payment, so that the order holds the license. Meanwhile
 * another buyer cannot have it. After the hold, all buyers order it at once, and one of them gets it. Returns the
 * faults.
 */
async function contendForExclusive(world: World, id: string): Promise<string[]> {
  const { buyers, beatId, held, second } = await world.within(id, async (db, checkout) => {
    const { rows } = await sql<{ buyers: number[]; beatId: number }>`
      select array(select id from users where email like 'buyer-%' order by id) as buyers,
        (select min(id) from beats where is_listed and exclusive_state = 'available') as "beatId"`.execute(db);
    const { buyers = [], beatId = 0 } = rows[0] ?? {};
    const [userId = 0, otherId = 0] = buyers;
    const held = await buyExclusive(checkout, { userId, beatId, paymentMethod: "pm_card_authenticationRequired" });
    const second = await buyExclusive(checkout, { userId: otherId, beatId, paymentMethod: "pm_card_visa" });
    return { buyers, beatId, held, second };
  });
  if (held?.status !== "pending" || second !== null) return [`beat ${beatId} was not held for one buyer`];
  await world.control.advance(id, { ...requestOf(1), byMs: 3_600_000, ordersPerDay: 0 });
  return world.within(id, async (db, checkout) => {
    const orders = await Promise.all(
      buyers.map((userId) => buyExclusive(checkout, { userId, beatId, paymentMethod: "pm_card_visa" })),
    );
    const bought = orders.filter((order) => order?.status === "completed").length;
    const { status } = await db
      .selectFrom("orders")
      .select("status")
      .where("id", "=", held.id)
      .executeTakeFirstOrThrow();
    if (bought === 1 && status === "failed") return [];
    return [`${bought} of ${buyers.length} buyers have beat ${beatId}, and the order that held it is ${status}`];
  });
}

interface SeedOutcome {
  seed: string;
  /** The fingerprints of the sandboxes of the seed. They are equal unless there is a fault. */
  fingerprints: string[];
  /** The fingerprint of the event log and the ledger's export of the first sandbox. */
  facts: string;
  faults: string[];
}

/**
 * Advances sandboxes of one seed by the same time, and compares them. Then buyers contend for an exclusive license.
 * `harm` causes a difference in the last sandbox, to test the detection.
 */
export async function checkSeed(
  world: World,
  seed: string,
  { copies, days, hasReceiver }: SeedExtent,
  harm?: (db: Database["query"]) => Promise<unknown>,
): Promise<SeedOutcome> {
  const outcome: SeedOutcome = { seed, fingerprints: [], facts: "", faults: [] };
  for (let copy = 1; copy <= copies; copy++) {
    const webhookUrl = hasReceiver ? "https://receiver.example/" : null;
    const { id } = await world.control.create({ seed, catalogue: "demo", webhookUrl });
    try {
      await pass(world, id, days);
      await world.within(id, async (db) => {
        if (copy === copies) await harm?.(db);
        const { whole, facts } = await fingerprintsOf(db, id);
        outcome.fingerprints.push(whole);
        if (copy === 1) outcome.facts = facts;
        outcome.faults.push(...(await faultsOf(db)));
      });
      outcome.faults.push(...(await contendForExclusive(world, id)));
    } finally {
      await world.control.delete(id);
    }
  }
  if (new Set(outcome.fingerprints).size > 1)
    outcome.faults.push(`the same calls left ${outcome.fingerprints.map((print) => print.slice(0, 12)).join(" and ")}`);
  return outcome;
}
