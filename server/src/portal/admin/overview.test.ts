import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { saveBankAccount } from "../../resources/payouts/payout-accounts.ts";
import { markOperator } from "../../resources/users/standing.ts";

const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
let portal: TestPortal;
let olga: SignedInVisitor;
let ada: SignedInVisitor;
const byOperator = () => ({ author: "operator" as const, now: clock.now() });

beforeAll(async () => {
  portal = await testPortal({ clock });
  olga = await portal.signUp("olga@example.com", "Olga Operator");
  ada = await portal.signUp("ada@example.com", "Ada Producer");
  await markOperator(portal.database.query, olga.email, true, byOperator());
  await olga.addAuthenticator();
  const { driver, query: db } = portal.database;
  const [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight", priceCents: 2_990 }]);
  await driver`update beats set user_id = ${ada.userId} where id = ${beat}`;
  await driver`update users set is_producer = true where id = ${ada.userId}`;
  const buyer = await portal.signUp("buyer@example.com");
  const { key } = (await makeKey(buyer)).json();
  const purchase = await portal.api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa" },
  });
  if (purchase.statusCode !== 201) throw new Error(purchase.body);
  await saveBankAccount(db, ada.userId, { holder: "Ada", iban: "NL91 ABNA 0417 1643 00" }, byOperator());
  // The database sets created_at of new accounts from the system clock, not from the test's clock.
  await driver`update users set created_at = ${clock.now()} where email is not null`;
  await driver`update payout_accounts set blocked_reason = 'Account closed'`;
  await driver`
    insert into beat_reports (beat_id, email, reason, details, state, created_at)
    values (${beat}, 'r@example.com', 'other', 'Mine', 'open', ${clock.now()})`;
});

test("the overview has each figure with a state in words and a link to the remedy, in one response", async () => {
  const { figures } = (await olga.get("/admin/overview")).json();
  const figure = (name: string) => figures.find((each: { name: string }) => each.name === name);
  expect(figure("Sales")).toEqual({
    name: "Sales",
    value: "1",
    state: "ok",
    detail: "29.90 USD in the last 24 hours.",
    remedy: null,
    page: "/admin/orders",
  });
  expect(figure("Sign-ups")).toMatchObject({ value: "4", page: "/admin/accounts" });
  expect(figure("Uploads")).toMatchObject({ value: "0", state: "ok" });
  expect(figure("Open reports")).toMatchObject({ value: "1", state: "warning", detail: "1 report waits for you." });
  expect(figure("Payouts")).toMatchObject({
    value: null,
    state: "warning",
    detail: "The newest payout of 1 producer failed.",
    page: "/admin/payouts",
  });
  for (const name of ["Open payments", "Mails", "Webhook deliveries", "Webhook endpoints", "Media jobs", "Disk"])
    expect(figure(name)).toMatchObject({ name, detail: expect.stringMatching(/\.$/) });
  expect(figure("Backups")).toMatchObject({ state: "unused", detail: expect.stringContaining("BACKUP_VAULT") });
  expect(figure("Limits")).toMatchObject({ state: "unused", detail: expect.stringContaining("REDIS_URL") });
  expect((await ada.get("/admin/overview")).statusCode).toBe(404);
  expect((await portal.visitor().get("/admin/overview")).statusCode).toBe(404);
});

test("figures cover the last 24 hours", async () => {
  clock.advance(86_400_001);
  const { figures } = (await olga.get("/admin/overview")).json();
  const [sales, signUps] = figures;
  expect([sales.value, sales.detail, signUps.value]).toEqual(["0", "Nothing was sold in the last 24 hours.", "0"]);
});

test("an account shows its sales and balance, and an operator sets its commission with a reason", async () => {
  const path = `/admin/accounts/${ada.userId}`;
  expect((await olga.get(path)).json().shop).toMatchObject({
    currency: "USD",
    balance: 29.9,
    due: 0,
    payout_details: "blocked",
    commission_basis_points: 0,
    has_own_commission: false,
    sold: [{ currency: "USD", sales: 1, amount: 29.9 }],
    sales: [{ title: "Midnight", amount: 29.9, status: "completed" }],
    beats: [{ title: "Midnight", status: "published" }],
    payouts: [],
    reports: [{ title: "Midnight", state: "open" }],
  });
  const set = (basis_points: number | null) =>
    olga.send("POST", `${path}/commission`, { basis_points, reason: "A large catalogue." });
  expect((await set(1_000)).json().shop).toMatchObject({ commission_basis_points: 1_000, has_own_commission: true });
  expect((await set(10_001)).statusCode).toBe(400);
  expect((await set(null)).json().shop).toMatchObject({ commission_basis_points: 0, has_own_commission: false });
  const entries = await portal.database.driver`
    select subject from audit_entries where user_id = ${ada.userId} and action = 'account.commission_changed' order by id`;
  expect(entries.map(({ subject }) => subject)).toEqual([
    "To 1000 basis points: A large catalogue.",
    "To the default: A large catalogue.",
  ]);
  expect((await ada.send("POST", `${path}/commission`, { basis_points: 0, reason: "Mine." })).statusCode).toBe(404);
});

test("imports are listed, one import is shown, and its rejected rows are sent as a file", async () => {
  expect((await olga.get("/admin/imports")).json()).toEqual({ imports: [] });
  const file = '{"line":3,"reason":"the title is empty","row":"2,,\\udce9"}\n';
  const [run] = await portal.database.driver`
    insert into import_runs (state, file, mapping, started_at, progressed_at, read_rows, rejected, reasons, rejects)
    values ('failed', 'beats.csv', 'plain', '2026-11-20T12:00Z', '2026-11-20T12:00Z', 2, 1,
      '[{"reason":"title: empty","times":1,"first_lines":[3]}]', ${file}) returning id::int`;
  const listed = (await olga.get("/admin/imports")).json().imports;
  expect(listed).toMatchObject([{ id: run?.id, state: "failed", by: "command", size_bytes: null }]);
  const path = `/admin/imports/${run?.id}`;
  expect((await olga.get(path)).json()).toEqual({
    ...listed[0],
    reasons: [{ reason: "title: empty", times: 1, first_lines: [3] }],
    rejects: [JSON.parse(file)],
  });
  // The portal's OpenAPI document does not describe files.
  const download = await portal.api.request({
    method: "GET",
    url: `/portal/api${path}/rejects`,
    headers: { cookie: olga.cookie() },
  });
  expect([download.body, download.headers["content-disposition"], download.headers["cache-control"]]).toEqual([
    file,
    `attachment; filename="import-${run?.id}.rejects.jsonl"`,
    "no-store",
  ]);
  for (const unknown of ["/admin/imports/999", "/admin/imports/999/rejects"])
    expect((await olga.get(unknown)).statusCode).toBe(404);
});
