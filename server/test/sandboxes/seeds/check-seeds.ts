import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../../src/database/connect.ts";
import { beancountText } from "../../../src/resources/ledger/journal.ts";
import type { AdvanceRequest } from "../../../src/resources/sandboxes/control.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;

/** Long enough for refunds, decided disputes, and two days of payouts. */
export const usualDays = 62;

/** A seed that failed, and the extent of the failed run. */
export interface KeptSeed {
  seed: string;
  days: number;
  copies: number;
}

/** Faults of every kind, with enough orders for each. */
const requestOf = (days: number): AdvanceRequest => ({
  byMs: days * dayMs,
  ordersPerDay: 3,
  outages: [],
  bouncedPerMille: 200,
  disputedPerMille: 100,
  failedPayoutsPerMille: 200,
});

/** Advances a sandbox by days, with as many calls as necessary. Returns the sums of their results. */
export async function pass(world: Pick<World, "control">, id: string, days: number, request = requestOf(days)) {
  const totals = { orders: 0, refunds: 0, disputes: 0, payouts: 0 };
  for (let byMs = request.byMs; byMs > 0; ) {
    const { advance } = await world.control.advance(id, { ...request, byMs });
    for (const figure of ["orders", "refunds", "disputes", "payouts"] as const) totals[figure] += advance[figure];
    byMs = advance.leftMs;
  }
  return totals;
}

/** The faults of a sandbox; empty for none. */
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
 * Two SHA-256 without the sandbox's id. `whole`: of the event log, the catalogue, the orders, the mails and the ledger's
 * export. `facts`: only of the event log and the ledger's export, which do not change with a new column of a table.
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

interface SeedOutcome {
  seed: string;
  /** The fingerprints of the sandboxes of the seed. They are equal unless there is a fault. */
  fingerprints: string[];
  /** The fingerprint of the event log and the ledger's export of the first sandbox. */
  facts: string;
  faults: string[];
}

/**
 * Advances sandboxes of one seed by the same time, and compares them. `harm` causes a difference in the last one, to test
 * the detection.
 */
export async function checkSeed(
  world: World,
  seed: string,
  {
    copies = 1,
    days = usualDays,
    harm,
  }: { copies?: number; days?: number; harm?: (db: Database["query"]) => Promise<unknown> },
): Promise<SeedOutcome> {
  const outcome: SeedOutcome = { seed, fingerprints: [], facts: "", faults: [] };
  for (let copy = 1; copy <= copies; copy++) {
    const { id } = await world.control.create({ seed, catalogue: "demo", webhookUrl: "https://receiver.example/" });
    await pass(world, id, days);
    await world.within(id, async (db) => {
      if (copy === copies) await harm?.(db);
      const { whole, facts } = await fingerprintsOf(db, id);
      outcome.fingerprints.push(whole);
      if (copy === 1) outcome.facts = facts;
      outcome.faults.push(...(await faultsOf(db)));
    });
    await world.control.delete(id);
  }
  if (new Set(outcome.fingerprints).size > 1)
    outcome.faults.push(`the same calls left ${outcome.fingerprints.map((print) => print.slice(0, 12)).join(" and ")}`);
  return outcome;
}
