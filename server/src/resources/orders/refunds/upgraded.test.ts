import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { issueTestLicense } from "../../../../test/harness/database/licenses.ts";
import { pending, succeeded } from "../../../../test/harness/payments.ts";
import { openDispute, RefundingBank } from "../../../../test/harness/refunding-bank.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { findPublicLicense } from "../../licenses/queries.ts";
import { recordTerms } from "../../licenses/terms.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { placeOrder } from "../checkout/place-order.ts";
import { Reconciler } from "../checkout/reconciler.ts";
import type { CheckoutDependencies } from "../checkout.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { settle } from "../settle.ts";
import { disputeReported, refundReported } from "./reported.ts";

const database = await testDatabase();
const { query: db, driver } = database;
const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });
const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
await recordTerms(db, builtInTerms, clock.now());

let bank: RefundingBank;
let checkout: CheckoutDependencies;
let beat: number;
const errors: string[] = [];
beforeEach(async () => {
  errors.length = 0;
  bank = new RefundingBank();
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line).msg) });
  checkout = {
    db,
    clock,
    log,
    payments: [bank],
    currency: "USD",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl: "https://beats.example",
    termsVersion: builtInTerms.version,
  };
  [beat = 0] = await insertBeats(database, [{ priceCents: 2_990 }]);
  await driver`update beats set premium_price_cents = 5990, unlimited_price_cents = 9990 where id = ${beat}`;
});
const reconcile = () => new Reconciler(checkout, new CatalogueVersion()).run();

interface Purchase {
  orderId: number;
  licenseId: string;
}

/** Buys a license, optionally as an upgrade or renewal of `replaced`, and issues its certificate. */
async function buy(licenseType: LicenseType, replaced?: Purchase): Promise<Purchase> {
  const replaces = replaced && (await findPublicLicense(db, replaced.licenseId));
  const { id, status } = await placeOrder(checkout, {
    userId: buyer,
    beatId: beat,
    licenseType,
    paymentMethod: "pm_card_visa",
    run: null,
    requestId: "test",
    ...(replaces != null && { replaces }),
  });
  expect(status).not.toBe("failed");
  return { orderId: id, licenseId: status === "completed" ? await issueTestLicense(database, id) : "" };
}
const orderOf = ({ orderId }: Purchase) =>
  selectOrdersWithPayment(db).where("id", "=", orderId).executeTakeFirstOrThrow();
const reportRefund = async (purchase: Purchase, cents: number) =>
  refundReported(checkout, { order: await orderOf(purchase), state: bank.make(purchase, cents) });
const stateOf = async ({ licenseId }: Purchase) => {
  const license = await findPublicLicense(db, licenseId);
  return license?.refundedAt != null ? "refunded" : license?.replaced != null ? "replaced" : "valid";
};
const refundsOf = ({ orderId }: Purchase) =>
  driver`select origin, status, amount_cents::int from refunds where order_id = ${orderId} order by id`;
const providerBalance = async () => {
  const [row] = await driver`select coalesce(sum(ledger_entries.amount_cents), 0)::int as cents from ledger_entries
    join ledger_transactions on ledger_transactions.id = transaction_id
    join orders on orders.id = order_id where account = 'assets:stripe' and beat_id = ${beat}`;
  return row?.cents;
};

test("a refund of a license at the provider refunds its upgrades too, to the cent", async () => {
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  const unlimited = await buy("unlimited", premium);
  expect(await providerBalance()).toBe(9_990);
  await reportRefund(basic, 2_990);
  await reconcile();
  await reconcile();
  expect(await Promise.all([basic, premium, unlimited].map(stateOf))).toEqual(["refunded", "refunded", "refunded"]);
  expect(await refundsOf(premium)).toEqual([{ origin: "upgraded", status: "succeeded", amount_cents: 3_000 }]);
  expect(await refundsOf(unlimited)).toEqual([{ origin: "upgraded", status: "succeeded", amount_cents: 4_000 }]);
  expect(await providerBalance()).toBe(0);
});

test("a lost dispute refunds the upgrade too, but a partial refund does not", async () => {
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  await reportRefund(basic, 100);
  await reconcile();
  expect([await stateOf(premium), await refundsOf(premium)]).toEqual(["valid", []]);
  const order = await orderOf(basic);
  const dispute = openDispute({ amountCents: 2_890 });
  await disputeReported(checkout, { order, state: dispute });
  await reconcile();
  expect(await stateOf(premium)).toBe("valid");
  await disputeReported(checkout, { order, state: { ...dispute, status: "lost" } });
  await reconcile();
  expect(await stateOf(premium)).toBe("refunded");
  expect(await providerBalance()).toBe(0);
});

test("repeated and concurrent reports refund only the rest of the upgrade, and only once", async () => {
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  await reportRefund(premium, 1_000);
  const order = await orderOf(basic);
  const state = bank.make(basic, 2_990);
  await Promise.all([1, 2, 3].map(() => refundReported(checkout, { order, state })));
  await reconcile();
  expect(await refundsOf(premium)).toMatchObject([
    { origin: "provider", amount_cents: 1_000 },
    { origin: "upgraded", amount_cents: 2_000 },
  ]);
  expect(await providerBalance()).toBe(0);
});

test("a free upgrade ends when the first license is refunded", async () => {
  await driver`update beats set premium_price_cents = 2990 where id = ${beat}`;
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  await reportRefund(basic, 2_990);
  expect([await stateOf(premium), await refundsOf(premium)]).toEqual([
    "refunded",
    [{ origin: "upgraded", status: "succeeded", amount_cents: 0 }],
  ]);
});

test("an upgrade fails and is refunded if its payment succeeds after the refund of the first license", async () => {
  const basic = await buy("basic");
  bank.onConfirm = () => pending;
  bank.onQuery = () => pending;
  const premium = await buy("premium", basic);
  await reportRefund(basic, 2_990);
  await settle(checkout, premium.orderId, succeeded);
  expect(await orderOf(premium)).toMatchObject({ status: "failed", refunded_cents: 3_000 });
  expect(await stateOf(basic)).toBe("refunded");
  expect(await providerBalance()).toBe(0);
});

test("a renewal stays valid when the first license is refunded", async () => {
  const basic = await buy("basic");
  clock.advance(5 * 365.25 * 86_400_000);
  const renewed = await buy("basic", basic);
  await reportRefund(basic, 2_990);
  await reconcile();
  expect([await stateOf(renewed), await refundsOf(renewed)]).toEqual(["valid", []]);
});

test("a returned refund makes the first license valid again, but not its upgrade", async () => {
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  const refundAtBank = bank.make(basic, 2_990);
  const order = await orderOf(basic);
  await refundReported(checkout, { order, state: refundAtBank });
  await reconcile();
  await refundReported(checkout, {
    order,
    state: { ...refundAtBank, status: "failed", reason: "The account is closed." },
  });
  expect([await stateOf(basic), await stateOf(premium)]).toEqual(["valid", "refunded"]);
  expect(await providerBalance()).toBe(2_990);
});

test("an upgrade stays valid if the provider refuses its refund, and the log has an error with the remedy", async () => {
  const basic = await buy("basic");
  const premium = await buy("premium", basic);
  await reportRefund(basic, 2_990);
  bank.next.push({ refuse: "Insufficient funds." });
  await reconcile();
  expect(await stateOf(premium)).toBe("valid");
  expect(errors).toEqual([expect.stringContaining("refund it in the provider's dashboard")]);
});
