import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../../test/harness/database/database.ts";
import { numbersOf, testSeller, upTo } from "../../../../test/harness/seller.ts";
import { type Purchase, runOrderWork } from "../../../../test/processes/order-work.ts";
import { stopsAfter } from "../../../../test/processes/stopped-work.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import { Reconciler } from "./reconciler.ts";

const program = join(import.meta.dirname, "../../../../test/processes/orders.main.ts");
/** The number of statements that are tried at the same time. */
const parallel = 4;

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver, query: db } = database;
const api = await testApi({ database, seller: testSeller });
const log = pino({ level: "silent" });
const checkout = {
  db,
  clock: systemClock,
  log,
  payments: [new Sandbox(db)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: testSeller,
  publicUrl: "https://beats.example",
};
const reconciler = new Reconciler(checkout, new CatalogueVersion());

/**
 * The statement after which a separate process is killed. After any other statement, the work stops within this
 * process.
 */
const killedAfter = 3;

/** Stops the work after a statement. Returns false if the work finishes before. */
async function isStopped(statement: number, work: Purchase | "reconcile"): Promise<boolean> {
  if (statement !== killedAfter) return stopsAfter(url, statement, (db) => runOrderWork(db, work));
  const { ended } = startProgram(process.execPath, [program, String(statement), JSON.stringify(work)], {
    env: { ...process.env, DATABASE_URL: url },
  });
  const { code, signal, stderr } = await ended;
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`The program failed: ${stderr}`);
  return signal === "SIGKILL";
}

/**
 * Runs `work` for statement 1, 2, … until it returns false, because there is no such statement. Returns the number of
 * statements.
 */
async function forEachStatement(work: (statement: number) => Promise<boolean>): Promise<number> {
  for (let first = 1; ; first += parallel) {
    const statements = Array.from({ length: parallel }, (_, index) => first + index);
    const stopped = await Promise.all(statements.map(work));
    if (stopped.includes(false)) return first - 1 + stopped.indexOf(false);
  }
}

async function newPurchase(license_type: Purchase["body"]["license_type"], payment_method: string): Promise<Purchase> {
  const [beat_id = 0] = await insertBeats(database, [{}]);
  return { userId: api.userId, key: `crash-${beat_id}`, body: { beat_id, payment_method, license_type } };
}

const buy = ({ body, key }: Purchase) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}`, "idempotency-key": key },
    payload: body,
  });

/** Returns the state, the number of charges and the number of events of each order of a purchase. */
const outcome = ({ body }: Purchase) =>
  driver`select status,
      (select count(*) from sandbox_payments p where p.order_id = orders.id) as charges,
      (select count(*) from events where type = 'beat.purchased'
        and (payload::jsonb -> 'data' ->> 'beat_id')::bigint = beat_id) as events
    from orders where beat_id = ${body.beat_id}`;

describe.each([
  ["basic", "pm_card_visa", { status: "completed", charges: 1, events: 1 }],
  ["exclusive", "pm_card_visa", { status: "completed", charges: 1, events: 1 }],
  ["exclusive", "pm_card_visa_chargeDeclined", { status: "failed", charges: 1, events: 0 }],
] as const)(
  "a purchase of the %s license with %s, stopped after each of its statements",
  (license, method, expected) => {
    it("has one order in one final state, charged once, after each kind of recovery", async () => {
      const count = await forEachStatement(async (statement) => {
        const purchase = await newPurchase(license, method);
        if (!(await isStopped(statement, purchase))) return false;
        const message = `stopped after statement ${statement}`;
        if (statement % 2 === 0) {
          await reconciler.run();
          // After a restart no order is pending. The buyer retries if the order was not stored.
          const orders = await outcome(purchase);
          expect(orders, message).toEqual(orders.length === 0 ? [] : [expected]);
        }
        // The stopped work has leased the key for a minute. End the lease.
        await driver`update idempotency_keys set leased_until = now() where key = ${purchase.key}`;
        expect((await buy(purchase)).statusCode, message).toBe(201);
        expect(await outcome(purchase), message).toEqual([expected]);
        return true;
      });
      // The statements store the key, the order, the payment, the settlement and the response.
      expect(count).toBeGreaterThan(7);
    });
  },
);

describe("a reconciler stopped after each of its statements", () => {
  it("leaves a state that the next reconciler completes", async () => {
    const purchases: Purchase[] = [];
    for (let statement = 1; ; statement++) {
      const purchase = await newPurchase("exclusive", "pm_card_authenticationRequired");
      purchases.push(purchase);
      await buy(purchase);
      await driver`update sandbox_payments set status = 'succeeded' where status = 'pending'`;
      if (!(await isStopped(statement, "reconcile"))) break;
      await reconciler.run();
    }
    expect(purchases.length).toBeGreaterThan(7);
    for (const purchase of purchases)
      expect(await outcome(purchase)).toEqual([{ status: "completed", charges: 1, events: 1 }]);
  });
});

it("every completed order of these tests has one invoice, and the numbers have no gap", async () => {
  const [{ sold = 0, invoiced = 0 } = {}] = await driver`
    select count(*)::int as sold, count(distinct invoices.order_id)::int as invoiced
    from orders left join invoices on invoices.order_id = orders.id where status = 'completed'`;
  expect(sold).toBeGreaterThan(7);
  expect(invoiced).toBe(sold);
  expect(await numbersOf(database)).toEqual({ [`invoice ${new Date().getUTCFullYear()}`]: upTo(sold) });
});
