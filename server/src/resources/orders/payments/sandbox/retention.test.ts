import { expect, test } from "vitest";
import { insertBeats } from "../../../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../../../users/accounts.ts";
import { deleteOldSandboxPayments, deleteOldSandboxRefunds } from "./sandbox.ts";

test("sandbox payments are deleted after 30 days if their orders and refunds are final; orders stay", async () => {
  const database = await testDatabase();
  const { driver, query: db } = database;
  const { id: buyer } = await findOrCreateAccount(db, { email: "buyer@example.com" });
  const [beat] = await insertBeats(database, [{ producer: "P", genre: "Trap", title: "T", tempo: 90, keyCode: 0 }]);
  const orders: [kind: string, days: number, status: string, refund: "pending" | "succeeded" | null][] = [
    ["old", 31, "completed", null],
    ["refunded", 31, "failed", "succeeded"],
    ["young", 29, "completed", null],
    ["open", 31, "pending", null],
    ["refund pending", 31, "failed", "pending"],
  ];
  const now = new Date("2026-03-01T12:00:00Z");
  for (const [kind, days, status, refund] of orders) {
    const time = new Date(now.getTime() - days * 86_400_000);
    await driver`
      with made as (
        insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency,
          status, failure_reason, payment_method, payment_provider, payment_key, created_at, completed_at)
        values (${buyer}, ${beat ?? 0}, 'T', ${buyer}, 'P', 'basic', 100, 'USD', ${status},
          ${status === "failed" ? "Sold." : null}, 'pm_card_visa', 'sandbox', ${kind}, ${time},
          ${status === "completed" ? time : null})
        returning id
      ), refunded as (
        insert into refunds (order_id, amount_cents, status, origin, created_at, settled_at)
        select id, 100, ${refund}, 'unfulfilled', ${time}, ${refund === "succeeded" ? time : null} from made
        where ${refund !== null}
      )
      insert into sandbox_payments (order_id, amount_cents, currency, payment_method, status)
      select id, 100, 'USD', 'pm_card_visa', 'succeeded' from made`;
  }
  expect(await deleteOldSandboxPayments(db, now)).toBe(2);
  const rows = await driver`
    select payment_key from orders join sandbox_payments on order_id = orders.id order by orders.id`;
  expect(rows.map(({ payment_key }) => payment_key)).toEqual(["young", "open", "refund pending"]);
  expect(await db.selectFrom("orders").select("id").execute()).toHaveLength(5);
});

test("final sandbox refunds are deleted after 30 days", async () => {
  const { driver, query: db } = await testDatabase();
  const now = new Date("2026-03-01T12:00:00Z");
  for (const [key, days, status] of [
    ["old", 31, "succeeded"],
    ["young", 29, "failed"],
    ["open", 31, "pending"],
  ] as const)
    await driver`insert into sandbox_refunds (order_id, key, amount_cents, status, created_at)
      values (1, ${key}, 100, ${status}, ${new Date(now.getTime() - days * 86_400_000)})`;
  expect(await deleteOldSandboxRefunds(db, now)).toBe(1);
  const rows = await driver`select key from sandbox_refunds order by id`;
  expect(rows.map(({ key }) => key)).toEqual(["young", "open"]);
});
