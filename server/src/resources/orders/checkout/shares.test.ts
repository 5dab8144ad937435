import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { readBalances } from "../../ledger/journal.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import { requestRefund } from "../refunds/request-refund.ts";
import { placeOrder } from "./place-order.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const checkout = {
  db,
  clock: systemClock,
  log: pino({ level: "silent" }),
  payments: [new Sandbox(db)] as const,
  currency: "USD",
  commissionBasisPoints: 1_500,
  seller: null,
  publicUrl: "https://beats.example",
  termsVersion: "1",
};
let beatId = 0;
let producerId = 0;
let friendId = 0;
let buyerId = 0;

beforeEach(async () => {
  await driver`truncate users, beats, orders, ledger_transactions, ledger_entries, sandbox_payments, sandbox_refunds restart identity cascade`;
  [beatId = 0] = await insertBeats(database, [{ title: "Midnight" }]);
  await driver`update beats set price_cents = 1001 where id = ${beatId}`;
  const rows = await driver`select user_id from beats`;
  producerId = Number(rows[0]?.user_id);
  friendId = (await findOrCreateAccount(db, { email: "friend@example.com" })).id;
  buyerId = (await findOrCreateAccount(db, { email: "buyer@example.com" })).id;
});

const buy = () =>
  placeOrder(checkout, {
    userId: buyerId,
    beatId,
    licenseType: "basic",
    paymentMethod: "pm_card_visa",
    run: null,
    requestId: "test",
  });
const offer = (accepted: boolean) =>
  driver`insert into beat_shares (beat_id, user_id, basis_points, invited_at, accepted_at)
    values (${beatId}, ${friendId}, 5000, now(), ${accepted ? new Date() : null})`;
const balances = async () => {
  const balanceOf: Record<string, number> = {};
  for await (const page of readBalances(db, null))
    for (const { account, amount_cents } of page) balanceOf[account] = amount_cents;
  return balanceOf;
};
const producer = (id: number, cents: number) => ({ [`liabilities:producers:${id}`]: cents });

test("a sale books the default commission, and a refund reverses it", async () => {
  const { id } = await buy();
  expect(await balances()).toEqual({
    "assets:sandbox": 1001,
    "income:commission": -150,
    ...producer(producerId, -851),
  });
  await requestRefund(checkout, id, { amountCents: null, origin: "operator" });
  expect(await balances()).toEqual({});
});

test("an order keeps the producer's commission at the time of sale", async () => {
  await driver`update users set commission_basis_points = 0 where id = ${producerId}`;
  const { id } = await buy();
  await driver`update users set commission_basis_points = 9000 where id = ${producerId}`;
  await requestRefund(checkout, id, { amountCents: 1, origin: "operator" });
  expect(await balances()).toEqual({ "assets:sandbox": 1000, ...producer(producerId, -1000) });
});

test("an accepted split shares the sale, and a later change does not affect the order", async () => {
  await offer(true);
  const { id } = await buy();
  const shared = { "assets:sandbox": 1001, "income:commission": -150 };
  // The odd cent goes to the lower id.
  const first = Math.min(producerId, friendId);
  const second = Math.max(producerId, friendId);
  expect(await balances()).toEqual({ ...shared, ...producer(first, -426), ...producer(second, -425) });
  await driver`delete from beat_shares`;
  await requestRefund(checkout, id, { amountCents: null, origin: "operator" });
  expect(await balances()).toEqual({});
});

test("a split does not apply until all collaborators have accepted it", async () => {
  await offer(true);
  await driver`insert into beat_shares (beat_id, email, basis_points, invited_at)
    values (${beatId}, 'late@example.com', 1000, now())`;
  await buy();
  expect(await balances()).toEqual({
    "assets:sandbox": 1001,
    "income:commission": -150,
    ...producer(producerId, -851),
  });
});
