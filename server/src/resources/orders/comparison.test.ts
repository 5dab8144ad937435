import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { stripeApi } from "../../../test/harness/stripe.ts";
import { recordDispute, recordRefund } from "../ledger/record.ts";
import { ComparisonWatch, compareDay, compareDays, dayMs, inWords, newestSettledDay } from "./comparison.ts";
import { Sandbox } from "./payments/sandbox/sandbox.ts";

const shop = await stripeApi();
const { driver, query: db } = shop.api.database;
const { clock, payments, stripe } = shop;
const hourMs = 3_600_000;

const dayOf = (ms: number) => new Date(Math.floor(ms / dayMs) * dayMs);
const lines: { difference: object; msg: string }[] = [];
const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
const run = () => compareDays({ db, clock, log, payments: [payments] });
const comparisons = async () =>
  (await driver`select day, differences from ledger_comparisons order by day`).map(({ day, differences }) => [
    day.toISOString().slice(0, 10),
    differences,
  ]);

let day: Date;
beforeEach(async () => {
  lines.length = 0;
  await driver`truncate ledger_comparisons`;
  // Advance to noon of the next day.
  clock.advance(dayMs + dayMs / 2 - (clock.nowMs() % dayMs));
  day = dayOf(clock.nowMs());
});
const compare = () => compareDay(db, payments, day);
const paid = (orderId: number) => shop.paidOrderOf(orderId);

describe("a day", () => {
  test("has no differences if sales, refunds and disputes match; payments of other shops are ignored", async () => {
    const sold = await shop.buy("pm_card_visa");
    const { payment_reference, producer_id } = await paid(sold.id);
    const refund = stripe.account.refund(
      new URLSearchParams({ payment_intent: String(payment_reference), amount: "990" }),
    );
    const [row] = await driver`
      insert into refunds (order_id, amount_cents, status, origin, reference, created_at, settled_at)
      values (${sold.id}, 990, 'succeeded', 'provider', ${refund.id}, now(), now()) returning id::int`;
    const movement = {
      orderId: sold.id,
      provider: "stripe",
      producerId: producer_id,
      currency: "USD",
      at: new Date(clock.nowMs()),
    };
    await recordRefund(db, { ...movement, refundId: Number(row?.id), amountCents: 990 });
    const disputed = await shop.buy("pm_card_visa");
    const dispute = stripe.account.openDispute(String((await paid(disputed.id)).payment_reference));
    await recordDispute(db, { ...movement, orderId: disputed.id, reference: dispute.id, amountCents: 2_990 });
    const stranger = stripe.account.createIntent(
      new URLSearchParams({ amount: "700", currency: "usd", payment_method: "pm_card_visa" }),
    );
    stripe.account.confirmIntent(stranger.id, new URLSearchParams({ return_url: "https://other.example" }));
    expect(await compare()).toEqual([]);
    expect(await driver`select from ledger_transactions`).toHaveLength(4);
  });

  test("reports a charge that the ledger lacks, and a sale that the provider lacks", async () => {
    const [lost, invented] = [await shop.buy("pm_card_visa"), await shop.buy("pm_card_visa")];
    const references = [(await paid(lost.id)).payment_reference, (await paid(invented.id)).payment_reference];
    await forget(`order ${lost.id}`);
    for (const [id, charge] of stripe.account.charges)
      if (charge.payment_intent === references[1])
        for (const [movement, { source }] of stripe.account.balanceTransactions)
          if (source === id) stripe.account.balanceTransactions.delete(movement);
    const differences = await compare();
    expect(differences).toMatchObject([
      { kind: "charge", reference: references[1], order_id: invented.id, ledger_cents: 2_990, provider_cents: null },
      { kind: "charge", reference: references[0], order_id: lost.id, ledger_cents: null, provider_cents: 2_990 },
    ]);
    expect(differences.map((difference) => inWords(difference, "stripe").replace(/ on \S+,/, ","))).toEqual([
      `the charge ${references[1]} of order ${invented.id}, 29.90 USD, is missing at stripe.`,
      `the charge ${references[0]} of order ${lost.id}, 29.90 USD, is missing in the ledger.`,
    ]);
  });

  test("reports a different amount", async () => {
    const { id } = await shop.buy("pm_card_visa");
    for (const charge of stripe.account.charges.values()) charge.amount = 3_000;
    const [difference, ...others] = await compare();
    expect([difference, others]).toMatchObject([{ order_id: id, ledger_cents: 2_990, provider_cents: 3_000 }, []]);
    expect(difference && inWords(difference, "stripe")).toMatch(/is 29\.90 USD in the ledger and 30\.00 at stripe\.$/);
  });

  test("reports disputes and refunds that the ledger lacks, but no pending refunds", async () => {
    const [disputed, refunded, waiting] = [
      await shop.buy("pm_card_visa"),
      await shop.buy("pm_card_visa"),
      await shop.buy("pm_card_visa"),
    ];
    const dispute = stripe.account.openDispute(String((await paid(disputed.id)).payment_reference));
    const refundOf = async (orderId: number) => {
      const { payment_key, payment_reference } = await paid(orderId);
      return stripe.account.refund(
        new URLSearchParams({ payment_intent: String(payment_reference), "metadata[payment_key]": payment_key }),
      );
    };
    const refund = await refundOf(refunded.id);
    await driver`
      insert into refunds (order_id, amount_cents, origin, reference, created_at)
      values (${waiting.id}, 2990, 'operator', ${(await refundOf(waiting.id)).id}, now())`;
    expect((await compare()).map(({ kind, reference, order_id }) => [kind, reference, order_id]).sort()).toEqual([
      ["dispute", dispute.id, disputed.id],
      ["refund", refund.id, refunded.id],
    ]);
  });

  test("matches a movement that the two sides date on different days", async () => {
    clock.advance(dayMs / 2 - 2_000);
    const { id } = await shop.buy("pm_card_authenticationRequired");
    stripe.account.authenticate(String((await paid(id)).payment_reference), "succeeds");
    clock.advance(5_000);
    await shop.reconcile();
    expect([await compare(), await compareDay(db, payments, dayOf(clock.nowMs()))]).toEqual([[], []]);
  });

  test("compares the sandbox's payments too", async () => {
    const sandbox = new Sandbox(db);
    await driver`
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, payment_reference, created_at)
      select ${shop.api.userId}, id, title, user_id, 'P', 'basic', 500, 'USD', 'completed', ${day}, 'pm', 'sandbox', 'k1',
        'sandbox', ${day} from beats where id = ${shop.beat}`;
    const [order] =
      await driver`update orders set payment_reference = 'sandbox_' || id returning id::int, producer_id::int`;
    await driver`
      insert into sandbox_payments (order_id, amount_cents, currency, payment_method, status)
      values (${order?.id}, 500, 'USD', 'pm', 'succeeded')`;
    expect(await compareDay(db, sandbox, day)).toMatchObject([{ order_id: order?.id, provider_cents: 500 }]);
  });
});

/** Deletes a movement from the ledger. The triggers that prevent this are off. */
const forget = (source: string): Promise<void> =>
  driver.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await transaction`
      with forgotten as (delete from ledger_transactions where source = ${source} returning id)
      delete from ledger_entries where transaction_id in (select id from forgotten)`;
  });

describe("the job that compares days", () => {
  test("compares a day six hours after its end", () => {
    const midnight = Date.parse("2026-11-22T00:00:00Z");
    const settled = (ms: number) => newestSettledDay(ms).toISOString().slice(0, 10);
    expect([settled(midnight + 6 * hourMs - 1), settled(midnight + 6 * hourMs)]).toEqual(["2026-11-20", "2026-11-21"]);
  });

  test("compares each day once, also missed days, and compares days with differences again", async () => {
    const { id } = await shop.buy("pm_card_visa");
    await forget(`order ${id}`);
    clock.advance(dayMs);
    for (const _ of [1, 2]) await run();
    const first = day.toISOString().slice(0, 10);
    expect(await comparisons()).toEqual([[first, 1]]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^the ledger and stripe differ: the charge pi_\\w+ of order ${id} on .* is missing in the ledger\\.$`,
        ),
      ),
    ]);
    await driver`
      insert into ledger_transactions (kind, source, order_id, at) values ('sale', 'order 0', ${id}, ${day})`;
    clock.advance(3 * dayMs);
    await run();
    expect((await comparisons()).map(([, differences]) => differences)).toEqual([0, 0, 0, 0]);
    const watch = new ComparisonWatch();
    await watch.measure(db, new Date(clock.nowMs()));
    expect(watch.state).toEqual([
      { provider: "stripe", differences: 0, comparedUntilSeconds: (day.getTime() + 4 * dayMs) / 1_000 },
    ]);
  });

  test("retries a day if the provider did not answer", async () => {
    clock.advance(dayMs);
    stripe.trouble = () => "fails";
    await expect(run()).rejects.toThrow();
    stripe.trouble = () => null;
    expect(await comparisons()).toEqual([]);
    await run();
    expect(await comparisons()).toHaveLength(1);
  });

  test("reads all pages of Stripe's list", async () => {
    for (let sale = 0; sale < 120; sale++) {
      const intent = stripe.account.createIntent(
        new URLSearchParams({
          amount: "100",
          currency: "usd",
          payment_method: "pm_card_visa",
          "metadata[payment_key]": `k${sale}`,
        }),
      );
      stripe.account.confirmIntent(intent.id, new URLSearchParams({ return_url: "https://x.example" }));
    }
    expect(await compare()).toHaveLength(120);
  });
});
