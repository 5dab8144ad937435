import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@beatmarket/foundation/clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import pino from "pino";
import { expect, it } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { insertLicense } from "../../../test/harness/database/licenses.ts";
import { type Purchase, runCheckoutWork } from "../../../test/processes/checkout-work.ts";
import { stopsAfter } from "../../../test/processes/stopped-work.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { findPublicLicense } from "../licenses/queries.ts";
import { recordTerms } from "../licenses/terms.ts";
import { openTemplates } from "../mails/folder.ts";
import { sendDueMails } from "../mails/outbox.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { watchCheckouts } from "./checkout-watch.ts";

const program = join(import.meta.dirname, "../../../test/processes/checkouts.main.ts");

const concurrentPurchases = 2;
/**
 * The statement after which a separate process is killed. After every other statement, the work stops within this
 * process.
 */
const killedAfter = 12;

/** The prices of the license of `insertLicense` and of its upgrade. */
const basicCents = 2_990;
const premiumCents = 5_990;

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver, query: db } = database;
await recordTerms(db, builtInTerms, new Date());
const log = pino({ level: "silent" });
const mailFile = join(await mkdtemp(join(tmpdir(), "checkouts-")), "mails");
writeFileSync(mailFile, "");

/** A clock that is an hour ahead, so that leases and waits have expired. */
const later: Clock = { ...systemClock, nowMs: () => Date.now() + 3_600_000, monotonicMs: systemClock.monotonicMs };
const publicUrl = "https://beats.example";
const dependencies = {
  db,
  clock: later,
  log,
  payments: [new Sandbox(db)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  publicUrl,
};

async function newPurchase(statement: number): Promise<Purchase> {
  const beats = await insertBeats(database, [{ producer: "P" }, { producer: "P" }]);
  const [first = 0, second = 0] = beats;
  const email = `buyer-${statement}@example.com`;
  const { id: userId } = await findOrCreateAccount(db, { email });
  const ownLicense = await insertLicense(database, { buyerId: userId, purchasedAt: new Date() });
  await driver`update beats set premium_price_cents = ${premiumCents} where id = ${ownLicense.beatId}`;
  const items: Purchase["items"] = [
    { beatId: ownLicense.beatId, licenseType: "premium", upgrades: ownLicense.id },
    { beatId: first, licenseType: "exclusive" },
    { beatId: second, licenseType: "basic" },
  ];
  return { userId, email, key: `crash-${first}`, items };
}

/** Stops the work after a statement. Returns false if the work finishes before. */
async function isStopped(statement: number, purchase: Purchase): Promise<boolean> {
  if (statement !== killedAfter) return stopsAfter(url, statement, (db) => runCheckoutWork(db, purchase, mailFile));
  const { ended } = startProgram(process.execPath, [program, String(statement), JSON.stringify(purchase), mailFile], {
    env: { ...process.env, DATABASE_URL: url },
  });
  const { code, signal, stderr } = await ended;
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`The program failed: ${stderr}`);
  return signal === "SIGKILL";
}

const recover = async () => {
  await watchCheckouts(dependencies, new CatalogueVersion());
  await sendDueMails({
    db,
    log,
    clock: later,
    mailer: { send: async ({ to, messageId }) => appendFileSync(mailFile, `${to} ${messageId}\n`) },
    texts: await openTemplates(undefined),
    brand: { site: "Beats", logoUrl: null, footer: null, links: [] },
    libraryUrl: async () => null,
    unsubscribeUrl: () => publicUrl,
  });
};

/** The number of mails to an address. Mails with one Message-ID count once. */
const mailsTo = (email: string): number =>
  new Set(
    readFileSync(mailFile, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(`${email} `)),
  ).size;

it("a checkout with an upgrade is bought completely and once, or not at all, if it is stopped after any statement", async () => {
  const purchases: Purchase[] = [];
  let statements = 0;
  for (let first = 1; statements === 0; first += concurrentPurchases) {
    const stopped = await Promise.all(
      Array.from({ length: concurrentPurchases }, async (_, index) => {
        const purchase = await newPurchase(first + index);
        purchases.push(purchase);
        return isStopped(first + index, purchase);
      }),
    );
    if (stopped.includes(false)) statements = first - 1 + stopped.indexOf(false);
  }
  // Statements for the key, the checkout, the page, the payment, the orders with ledger, events and mails, and each
  // mail.
  expect(statements).toBeGreaterThan(25);
  await recover();
  await recover();
  let completed = 0;
  for (const { email, items } of purchases) {
    const [checkout] = await driver`select status, payment_key from checkouts where email = ${email}`;
    const orders = await driver`select beat_id, status, license_type, upgrades_license from orders
      where checkout_key = ${checkout?.payment_key ?? ""} order by license_type desc`;
    const [beat] = await driver`select exclusive_state from beats where id = ${items[1]?.beatId ?? 0}`;
    const isPaid = checkout?.status === "completed";
    completed += isPaid ? 1 : 0;
    expect([undefined, "completed", "expired"], email).toContain(checkout?.status);
    expect(orders, email).toEqual(
      isPaid
        ? items.map(({ beatId, licenseType, upgrades = null }) => ({
            beat_id: beatId,
            status: "completed",
            license_type: licenseType,
            upgrades_license: upgrades,
          }))
        : [],
    );
    expect(beat?.exclusive_state, email).toBe(isPaid ? "sold" : "available");
    const replaced = (await findPublicLicense(db, items[0]?.upgrades ?? ""))?.replaced;
    expect(replaced === null, email).toBe(!isPaid);
    expect(mailsTo(email), email).toBe(isPaid ? 1 : 0);
  }
  expect(completed).toBeGreaterThan(5);
  const [ledger] = await driver`select sum(amount_cents)::int as sum,
    count(distinct transaction_id)::int as sales from ledger_entries`;
  const [events] = await driver`select count(*)::int as purchases from events where type = 'beat.purchased'`;
  expect(ledger).toEqual({ sum: 0, sales: completed * 3 });
  expect(events).toEqual({ purchases: completed * 3 });
  const upgrades = await driver`select distinct amount_cents from orders where upgrades_license is not null`;
  expect(upgrades).toEqual([{ amount_cents: premiumCents - basicCents }]);
});
