import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import Value from "typebox/value";
import { beforeEach, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { readBalances } from "../ledger/journal.ts";
import { recordRefund, recordSales } from "../ledger/record.ts";
import { clearedBefore, listHeld, readBalance, readClearing } from "./balances.ts";
import { bankFile } from "./bank-file.ts";
import { PayoutSchema } from "./events.ts";
import { type Payout, selectPayouts } from "./payout.ts";
import { saveBankAccount, saveStripeAccount } from "./payout-accounts.ts";
import { retryPayout, runPayouts } from "./run-payouts.ts";
import type { TransferOutcome, Transfers } from "./send.ts";
import { confirmFailed, confirmPaid, markPaid } from "./settle.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const dayMs = 86_400_000;
const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
const now = () => new Date(clock.nowMs());
const decision = () => ({ author: "operator" as const, now: now() });
const currency = "EUR";
const publicUrl = "https://beats.example";
const debtor = { name: "Müller & Söhne Beats", iban: "DE89370400440532013000", bic: null };
const iban = "NL91 ABNA 0417 1643 00";
let producer = 0;
let buyer = 0;
let beat = 0;
let refunds = 0;

/** A provider that stores its transfers, and whose requests and responses can be lost. */
class Bank implements Transfers {
  readonly transfers = new Map<string, { payout: Payout; reference: string }>();
  trouble: "none" | "lost before" | "lost after" = "none";
  refuses: TransferOutcome | null = null;

  async find({ id }: Payout): Promise<string | null> {
    return [...this.transfers.values()].find(({ payout }) => payout.id === id)?.reference ?? null;
  }

  async make(payout: Payout): Promise<TransferOutcome> {
    if (this.refuses !== null) return this.refuses;
    if (this.trouble === "lost before") throw new Error("no connection");
    const key = `${payout.id}_${payout.refusals}`;
    const transfer = this.transfers.get(key) ?? { payout, reference: `tr_${payout.id}` };
    this.transfers.set(key, transfer);
    if (this.trouble === "lost after") throw new Error("no connection");
    return { status: "paid", reference: transfer.reference };
  }
}
let bank = new Bank();

beforeEach(async () => {
  await driver`truncate users, beats, orders, ledger_transactions, ledger_entries, payout_runs, payouts, outgoing_mails, events restart identity cascade`;
  [beat = 0] = await insertBeats(database, [{ title: "Midnight", producer: "Nightowl" }]);
  producer = Number((await driver`select user_id from beats`)[0]?.user_id);
  await driver`update users set email = 'owl@example.com' where id = ${producer}`;
  buyer = Number((await driver`insert into users (username, display_name) values ('b', 'B') returning id`)[0]?.id);
  bank = new Bank();
  refunds = 0;
});

async function sell(amountCents: number, daysAgo = 30, producerId = producer): Promise<number> {
  const time = new Date(clock.nowMs() - daysAgo * dayMs);
  const [row] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, created_at)
    values (${buyer}, ${beat}, 'Midnight', ${producerId}, 'P', 'basic', ${amountCents}, ${currency}, 'completed', ${time}, 'pm', 'stripe',
      gen_random_uuid()::text, ${time}) returning id`;
  const orderId = Number(row?.id);
  await recordSales(db, [{ orderId, provider: "stripe", producerId, amountCents, currency, at: time }]);
  return orderId;
}
const refund = (orderId: number, amountCents: number) =>
  recordRefund(db, {
    orderId,
    provider: "stripe",
    producerId: producer,
    amountCents,
    currency,
    at: now(),
    refundId: ++refunds,
  });
const run = (method: "csv" | "sepa" | "stripe" = "csv") =>
  runPayouts({ db, now, publicUrl, transfers: bank }, { method, currency, cleared: clearedBefore(clock.nowMs(), 7) });
const retry = (id: number) =>
  retryPayout({ db, now, publicUrl, transfers: bank }, id, { cleared: clearedBefore(clock.nowMs(), 7) });
const balance = () => readBalance(db, producer, { currency, cleared: clearedBefore(clock.nowMs(), 7) });
const ledgerBalances = async () => {
  const balances: Record<string, number> = {};
  for await (const page of readBalances(db, null))
    for (const { account, amount_cents } of page) balances[account] = amount_cents;
  return balances;
};
const payouts = async () =>
  (
    await driver`select id::int, user_id::int, amount_cents::int, status, reference, failure_reason from payouts order by id`
  ).map((row) => ({ ...row }));
const mails = async () =>
  (await driver`select template from outgoing_mails order by created_at, template`).map(({ template }) => template);
/** Returns the events of payouts in their sequence: type, amount, status, destination and reason. */
const payoutEvents = async () =>
  (await driver`select payload::json as event, audience::int[] from events where type like 'payout.%' order by id`).map(
    ({ event: { type, data }, audience }) => {
      expect(audience).toEqual([producer]);
      expect(Value.Check(PayoutSchema, data)).toBe(true);
      return [type, data.amount, data.status, data.destination, data.failure_reason];
    },
  );
const textOf = async (runId: number) => {
  const row = await db.selectFrom("payout_runs").selectAll().where("id", "=", runId).executeTakeFirstOrThrow();
  let fileText = "";
  for await (const part of bankFile(db, row as Parameters<typeof bankFile>[1], debtor)) fileText += part;
  return fileText;
};

describe("a balance", () => {
  test("has a due amount without uncleared sales, which are listed by the midnight after they clear", async () => {
    await sell(1_000);
    await sell(300, 2);
    expect(await balance()).toEqual({ balanceCents: 1_300, dueCents: 1_000 });
    const cleared = clearedBefore(clock.nowMs(), 7);
    expect(await readClearing(db, producer, { currency, cleared, clearingDays: 7 })).toEqual([
      { clearsAt: new Date("2026-11-26T00:00:00Z"), cents: 300 },
    ]);
  });

  test("has a due amount, which only refunds of cleared sales reduce", async () => {
    const cleared = await sell(1_000);
    const young = await sell(300, 2);
    await refund(young, 300);
    expect(await balance()).toEqual({ balanceCents: 1_000, dueCents: 1_000 });
    await refund(cleared, 400);
    expect(await balance()).toEqual({ balanceCents: 600, dueCents: 600 });
  });

  test("is a debt after a refund of paid-out money, and later sales settle the debt", async () => {
    await saveBankAccount(db, producer, { holder: "Nightowl", iban }, decision());
    const sold = await sell(1_000);
    await run();
    await refund(sold, 1_000);
    expect(await balance()).toEqual({ balanceCents: -1_000, dueCents: 0 });
    await sell(600);
    expect((await run()).count).toBe(0);
    await sell(700);
    expect((await run()).cents).toBe(300);
    expect(await balance()).toEqual({ balanceCents: 0, dueCents: 0 });
  });
});

describe("payout details", () => {
  test.each([
    ["NL92 ABNA 0417 1643 00", "its check digits do not fit"],
    ["NL91 ABNA 0417 1643 0", "another length"],
    ["XX91 ABNA 0417 1643 00", "no country"],
    ["", "it is empty"],
  ])("with the IBAN %s are rejected with the reason", async (wrong, reason) => {
    await expect(saveBankAccount(db, producer, { holder: "Nightowl", iban: wrong }, decision())).rejects.toMatchObject({
      status: 400,
      details: expect.stringContaining(reason),
    });
    expect(await driver`select from payout_accounts`).toEqual([]);
  });

  test("with an invalid holder or Stripe account are rejected", async () => {
    await expect(saveBankAccount(db, producer, { holder: " ", iban }, decision())).rejects.toMatchObject({
      status: 400,
    });
    await expect(saveBankAccount(db, producer, { holder: "달빛", iban }, decision())).rejects.toMatchObject({
      details: expect.stringContaining("Latin letters"),
    });
    await expect(saveStripeAccount(db, producer, "acct 1", decision())).rejects.toMatchObject({ status: 400 });
  });
});

describe("a run with a file for the bank", () => {
  beforeEach(() => saveBankAccount(db, producer, { holder: "Nightowl", iban }, decision()));

  test("moves due money through the clearing account once, and always writes the same file", async () => {
    await sell(1_000);
    const { run: first, count, cents } = await run();
    expect({ count, cents }).toEqual({ count: 1, cents: 1_000 });
    expect(await ledgerBalances()).toEqual({ "assets:stripe": 1_000, "liabilities:clearing": -1_000 });
    const text = await textOf(first.id);
    expect(text).toBe(
      `reference,user_id,holder,iban,amount,currency\r\nPAYOUT-1,${producer},"Nightowl",NL91ABNA0417164300,10.00,EUR\r\n`,
    );
    expect(await textOf(first.id)).toBe(text);
    expect((await run()).count).toBe(0);
    expect(await mails()).toEqual(["payout-sent"]);
    expect(await payoutEvents()).toEqual([["payout.sent", 10, "sent", "bank", null]]);
    clock.advance(1);
    const unknown = { status: 404, details: expect.stringContaining("Payout 9 ") };
    await expect(confirmPaid(db, { ids: [1, 9] }, now())).rejects.toMatchObject(unknown);
    expect(await confirmPaid(db, { runId: first.id }, now())).toBe(1);
    expect(await confirmPaid(db, { ids: [1] }, now())).toBe(0);
    expect(await payoutEvents()).toEqual([
      ["payout.sent", 10, "sent", "bank", null],
      ["payout.paid", 10, "paid", "bank", null],
    ]);
    expect(await ledgerBalances()).toEqual({ "assets:stripe": 1_000, "assets:bank": -1_000 });
    await expect(textOf(first.id)).rejects.toMatchObject({
      status: 409,
      details: expect.stringContaining("pay it again"),
    });
  });

  test("writes a SEPA file with only the characters that banks accept", async () => {
    await saveBankAccount(db, producer, { holder: "Zoë <Søren> & Łukasz", iban }, decision());
    await sell(123_456);
    const text = await textOf((await run("sepa")).run.id);
    expect(text).toContain("<Dbtr><Nm>Muller . Sohne Beats</Nm></Dbtr>");
    expect(text).toContain("<CtrlSum>1234.56</CtrlSum>");
    expect(text).toContain(
      '<Amt><InstdAmt Ccy="EUR">1234.56</InstdAmt></Amt><Cdtr><Nm>Zoe .Soren. . Lukasz</Nm></Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct>',
    );
  });

  test("returns the money of a failed payout, does not pay to the same details, and allows one retry", async () => {
    await sell(1_000);
    await run();
    await confirmPaid(db, { ids: [1] }, now());
    await driver`delete from events`;
    await confirmFailed(db, 1, "Account closed", { publicUrl, now: now() });
    expect(await payoutEvents()).toEqual([["payout.failed", 10, "failed", "bank", "Account closed"]]);
    expect(await ledgerBalances()).toEqual({ "assets:stripe": 1_000, [`liabilities:producers:${producer}`]: -1_000 });
    expect((await run()).count).toBe(0);
    expect(await listHeld(db, { currency, cleared: now(), limit: 9 })).toEqual([
      { userId: producer, name: "Nightowl", dueCents: 1_000, because: "refused" },
    ]);
    expect((await retry(1)).count).toBe(1);
    await expect(retry(1)).rejects.toMatchObject({ status: 409, details: expect.stringContaining("is in payout 2") });
    await expect(retry(2)).rejects.toMatchObject({ status: 409 });
    await expect(retry(9)).rejects.toMatchObject({ status: 404 });
    await expect(confirmFailed(db, 1, "Again", { publicUrl, now: now() })).rejects.toMatchObject({ status: 409 });
    await expect(confirmPaid(db, { ids: [1] }, now())).rejects.toMatchObject({ status: 409 });
    expect(await ledgerBalances()).toEqual({ "assets:stripe": 1_000, "liabilities:clearing": -1_000 });
    expect(await mails()).toEqual(["payout-failed", "payout-sent", "payout-sent"]);
  });

  test("pays a failed payout again without a retry after the details change", async () => {
    await sell(1_000);
    await run();
    await confirmFailed(db, 1, "Account closed", { publicUrl, now: now() });
    await saveBankAccount(db, producer, { holder: "Nightowl", iban: debtor.iban }, decision());
    expect((await run()).count).toBe(1);
  });

  test("does not pay a suspended account until the suspension ends", async () => {
    await sell(1_000);
    await driver`update users set suspended_at = now(), suspension_reason = 'Fraud.' where id = ${producer}`;
    expect((await run()).count).toBe(0);
    expect(await listHeld(db, { currency, cleared: now(), limit: 9 })).toMatchObject([{ because: "suspended" }]);
    await driver`update users set suspended_at = null, suspension_reason = null where id = ${producer}`;
    expect((await run()).count).toBe(1);
  });

  test("does not pay a bank account that its method cannot reach", async () => {
    await sell(1_000);
    await saveBankAccount(db, producer, { holder: "Nightowl", iban: "TR330006100519786457841326" }, decision());
    expect(await listHeld(db, { currency, cleared: now(), limit: 9 })).toEqual([]);
    expect((await run("sepa")).count).toBe(0);
    expect(await listHeld(db, { currency, cleared: now(), limit: 9 })).toMatchObject([{ because: "other method" }]);
    expect((await run("csv")).count).toBe(1);
    expect(await listHeld(db, { currency, cleared: now(), limit: 9 })).toEqual([]);
  });

  test("emits events in the sequence of payout ids, even if the rows have another sequence", async () => {
    await sell(1_000);
    const second = Number(
      (await driver`insert into users (username, display_name) values ('s', 'S') returning id`)[0]?.id,
    );
    await saveBankAccount(db, second, { holder: "Second", iban }, decision());
    await sell(700, 30, second);
    const { run: newRun, count } = await run();
    expect(count).toBe(2);
    clock.advance(1);
    // This update moves the first payout to the end of its table, so a scan of the table returns it last.
    await driver`update payouts set created_at = created_at where id = 1`;
    await transact(db, async (transaction) => {
      await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
        transaction,
      );
      const sent = await selectPayouts(transaction).where("run_id", "=", newRun.id).execute();
      expect(sent.map(({ id }) => id)).toEqual([2, 1]);
      await markPaid(transaction, sent, now());
    });
    const reported = await driver`select type, payload::json -> 'data' ->> 'id' as payout from events order by id`;
    expect(reported.map(({ type, payout }) => `${type} ${payout}`)).toEqual([
      "payout.sent 1",
      "payout.sent 2",
      "payout.paid 1",
      "payout.paid 2",
    ]);
  });

  test("pays each balance once if several processes run it", async () => {
    await sell(1_000);
    await Promise.allSettled([run(), run(), run()]);
    expect(await payouts()).toMatchObject([{ amount_cents: 1_000, status: "sent" }]);
    expect(await ledgerBalances()).toEqual({ "assets:stripe": 1_000, "liabilities:clearing": -1_000 });
  });
});

describe("a run of transfers", () => {
  beforeEach(async () => {
    await saveStripeAccount(db, producer, "acct_1N", decision());
    await sell(1_000);
  });

  test("pays immediately, with the provider's reference", async () => {
    expect((await run("stripe")).stopped).toBeNull();
    expect(await payouts()).toMatchObject([{ status: "paid", reference: "tr_1" }]);
    expect(await ledgerBalances()).toEqual({});
    expect(await mails()).toEqual(["payout-sent"]);
    expect(await payoutEvents()).toEqual([["payout.paid", 10, "paid", "stripe", null]]);
  });

  test.each(["lost before", "lost after"] as const)(
    "makes one transfer if the connection is %s it",
    async (trouble) => {
      bank.trouble = trouble;
      await expect(run("stripe")).rejects.toThrow("no connection");
      expect(await payouts()).toMatchObject([{ status: "sent", reference: null }]);
      await expect(run("csv")).rejects.toMatchObject({ status: 409, details: expect.stringContaining("not finished") });
      bank.trouble = "none";
      await run("stripe");
      expect(bank.transfers.size).toBe(1);
      expect(await payouts()).toMatchObject([{ status: "paid", reference: "tr_1" }]);
      expect(await ledgerBalances()).toEqual({});
    },
  );

  test("stops while the provider's balance is too low, and then tries again with another idempotency key", async () => {
    bank.refuses = { status: "unfunded", reason: "Add money." };
    expect((await run("stripe")).stopped).toEqual({ reason: "Add money." });
    expect(await payouts()).toMatchObject([{ status: "pending" }]);
    bank.refuses = null;
    expect((await run("stripe")).stopped).toBeNull();
    expect([...bank.transfers.keys()]).toEqual(["1_1"]);
  });

  test("marks a payout as failed if the provider refuses it, and a retry makes a new transfer", async () => {
    bank.refuses = { status: "failed", reason: "No such destination." };
    await run("stripe");
    expect(await payouts()).toMatchObject([{ status: "failed", failure_reason: "No such destination." }]);
    bank.refuses = null;
    await retry(1);
    expect(await payouts()).toMatchObject([{ status: "failed" }, { status: "paid", reference: "tr_2" }]);
    expect(await ledgerBalances()).toEqual({});
  });

  test("rejects an outcome from the operator while the real outcome is unknown", async () => {
    bank.trouble = "lost after";
    await expect(run("stripe")).rejects.toThrow("no connection");
    const refusal = { status: 409, details: expect.stringContaining("beatmarket payouts resume") };
    await expect(confirmFailed(db, 1, "It looks lost", { publicUrl, now: now() })).rejects.toMatchObject(refusal);
    await expect(confirmPaid(db, { ids: [1] }, now())).rejects.toMatchObject(refusal);
    await expect(confirmPaid(db, { runId: 1 }, now())).rejects.toMatchObject(refusal);
    bank.trouble = "none";
    await run("stripe");
    await expect(retry(1)).rejects.toMatchObject({ status: 409 });
    expect(bank.transfers.size).toBe(1);
    expect(await payouts()).toMatchObject([{ status: "paid", reference: "tr_1" }]);
    expect(await ledgerBalances()).toEqual({});
    await confirmFailed(db, 1, "Came back", { publicUrl, now: now() });
    expect(await payouts()).toMatchObject([{ status: "failed", failure_reason: "Came back" }]);
  });

  test("stops with the reason if there is no provider", async () => {
    const outcome = await runPayouts(
      { db, now, publicUrl, transfers: null },
      { method: "stripe", currency, cleared: now() },
    );
    expect(outcome.stopped?.reason).toContain("STRIPE_SECRET_KEY");
  });
});
