import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { recordSales } from "../../resources/ledger/record.ts";
import { continueRun } from "../../resources/payouts/run-payouts.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
let beat = 0;

beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com", "Eve");
  [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight" }]);
  const { driver, query: db } = portal.database;
  await driver`update beats set user_id = ${ada.userId} where id = ${beat}`;
  const time = new Date("2026-01-05T12:00:00Z");
  const [order] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, created_at)
    values (${eve.userId}, ${beat}, 'Midnight', ${ada.userId}, 'Ada', 'basic', 2990, 'USD', 'completed', ${time}, 'pm', 'sandbox', 'k', ${time})
    returning id::int`;
  await recordSales(db, [
    {
      orderId: Number(order?.id),
      provider: "sandbox",
      producerId: ada.userId,
      amountCents: 2_990,
      currency: "USD",
      at: time,
    },
  ]);
});

/** Requests a file without the check against the portal's OpenAPI document, which does not describe files. */
const file = (path: string, visitor?: SignedInVisitor) =>
  portal.api.request({
    method: "GET",
    url: `/portal/api${path}`,
    headers: visitor === undefined ? {} : { cookie: visitor.cookie() },
  });

test("earnings are 401 without a session; others' splits, others' shares and the operators' payouts are 404", async () => {
  for (const path of ["/earnings", "/earnings/splits"]) expect((await portal.visitor().get(path)).statusCode).toBe(401);
  expect((await file("/earnings/statement.csv?month=2026-01")).statusCode).toBe(401);
  expect((await eve.get(`/studio/beats/${beat}/split`)).statusCode).toBe(404);
  expect((await eve.send("POST", "/earnings/splits/1", { accepts: true })).statusCode).toBe(404);
  expect((await ada.get("/admin/payouts")).statusCode).toBe(404);
});

test("a producer sees the balance, and can only set a bank account with a valid IBAN", async () => {
  expect((await ada.get("/earnings")).json()).toMatchObject({ balance: 29.9, due: 29.9, details: null, payouts: [] });
  const refusal = await ada.send("PUT", "/earnings/details", { holder: "Ada", iban: "NL92 ABNA 0417 1643 00" });
  expect(refusal.statusCode).toBe(400);
  expect(refusal.body).toContain("check digits do not fit");
  const saved = await ada.send("PUT", "/earnings/details", { holder: "Ada", iban: "NL91 ABNA 0417 1643 00" });
  expect(saved.json()).toMatchObject({ details: { holder: "Ada", iban: "NL91 … 4300", blocked_reason: null } });
});

test("a statement has the opening balance, the movements and the closing balance of a month", async () => {
  const { body, headers } = await file("/earnings/statement.csv?month=2026-01", ada);
  expect(headers["content-disposition"]).toContain("statement-2026-01.csv");
  expect(body.split("\r\n").slice(1, 4)).toEqual([
    "2026-01,Opening balance,,,0.00,USD",
    expect.stringMatching(/^2026-01-05T12:00:00.000Z,Sale,\d+,"Midnight",29.90,USD$/),
    "2026-01,Closing balance,,,29.90,USD",
  ]);
  expect((await file("/earnings/statement.csv?month=2026-13", ada)).statusCode).toBe(400);
  const pdf = await file("/earnings/statement.pdf?month=2026-01", ada);
  expect([pdf.statusCode, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
});

test("a split applies after all collaborators have accepted, and lists collaborators who have not", async () => {
  const path = `/studio/beats/${beat}/split`;
  const wrong = await ada.send("PUT", path, {
    own_basis_points: 7_000,
    shares: [{ who: "eve@example.com", basis_points: 2_000 }],
  });
  expect(wrong.body).toContain("sum to 9000");
  const twice = [
    { who: "Eve@example.com", basis_points: 2_000 },
    { who: "eve@example.com", basis_points: 1_000 },
  ];
  expect((await ada.send("PUT", path, { own_basis_points: 7_000, shares: twice })).body).toContain("named twice");
  const self = [{ who: "ada@example.com", basis_points: 3_000 }];
  expect((await ada.send("PUT", path, { own_basis_points: 7_000, shares: self })).statusCode).toBe(400);
  const unknownCollaborator = [{ who: "nobody-here", basis_points: 3_000 }];
  expect((await ada.send("PUT", path, { own_basis_points: 7_000, shares: unknownCollaborator })).body).toContain(
    "No account",
  );
  const split = { own_basis_points: 7_000, shares: [{ who: "eve@example.com", basis_points: 3_000 }] };
  expect((await ada.send("PUT", path, split)).json()).toMatchObject({ is_used: false, shares: [{ state: "waiting" }] });
  const [invitation] = (await eve.get("/earnings/splits")).json().invitations;
  expect(invitation).toMatchObject({ title: "Midnight", basis_points: 3_000, state: "waiting" });
  expect((await eve.send("POST", `/earnings/splits/${invitation.id}`, { accepts: true })).statusCode).toBe(204);
  expect((await ada.get(path)).json()).toMatchObject({ is_used: true, shares: [{ state: "accepted" }] });
  expect((await ada.send("PUT", path, split)).json()).toMatchObject({ is_used: true });
  const changed = { own_basis_points: 6_000, shares: [{ who: "eve@example.com", basis_points: 4_000 }] };
  expect((await ada.send("PUT", path, changed)).json()).toMatchObject({ is_used: false });
  expect((await ada.send("PUT", path, { own_basis_points: 10_000, shares: [] })).json()).toMatchObject({ shares: [] });
});

test("an operator starts a payout run, downloads the file, and records that the bank returned a payout", async () => {
  await portal.database.driver`update users set operator = true where id = ${eve.userId}`;
  await eve.addAuthenticator();
  const startedRun = await eve.send("POST", "/admin/payout-runs", { method: "csv" });
  expect(startedRun.json()).toMatchObject({ methods: ["csv"], runs: [{ method: "csv" }] });
  expect((await eve.send("POST", "/admin/payout-runs", { method: "stripe" })).statusCode).toBe(409);
  const { query: db } = portal.database;
  await continueRun({ db, now: () => new Date(), publicUrl: "https://beats.example", transfers: null });
  const [run] = (await eve.get("/admin/payout-runs")).json().runs;
  expect(run).toMatchObject({ awaits_outcome: true, has_outcome: false });
  expect((await file(`/admin/payout-runs/${run.id}/file`, eve)).body).toContain("NL91ABNA0417164300,29.90,USD");
  const [payout] = (await eve.get("/admin/payouts")).json().payouts;
  expect(payout).toMatchObject({ amount: 29.9, status: "sent" });
  await eve.send("POST", `/admin/payout-runs/${run.id}/paid`);
  const failed = await eve.send("POST", `/admin/payouts/${payout.id}/failed`, { reason: "Account closed" });
  expect(failed.statusCode).toBe(204);
  expect((await ada.get("/earnings")).json()).toMatchObject({
    balance: 29.9,
    payouts: [{ status: "failed", failure_reason: "Account closed" }],
    details: { blocked_reason: "Account closed" },
  });
  expect((await eve.get("/admin/payout-runs")).json()).toMatchObject({
    runs: [{ awaits_outcome: false, has_outcome: true }],
    held: [{ because: "refused" }],
  });
  expect((await file(`/admin/payout-runs/${run.id}/file`, eve)).statusCode).toBe(409);
  expect((await file(`/admin/payout-runs/${run.id}/file`, ada)).statusCode).toBe(404);
  expect((await eve.send("POST", `/admin/payouts/${payout.id}/retry`)).statusCode).toBe(200);
});

test("a sale belongs to the producer until a collaborator accepts, and a withdrawn offer cannot be accepted", async () => {
  const path = `/studio/beats/${beat}/split`;
  const { api } = portal;
  const balances = async () =>
    Promise.all([ada, eve].map(async (visitor) => Math.round((await visitor.get("/earnings")).json().balance * 100)));
  const sell = async () => {
    const [before, evesBefore] = await balances();
    const headers = { authorization: `Bearer ${api.key}` };
    const payload = { beat_id: beat, payment_method: "pm_card_visa" };
    const sold = await api.request({ method: "POST", url: "/v1/orders", headers, payload });
    expect(sold.json().data.order.status).toBe("completed");
    const [after, evesAfter] = await balances();
    return { ada: Number(after) - Number(before), eve: Number(evesAfter) - Number(evesBefore) };
  };
  const offer = () =>
    ada.send("PUT", path, { own_basis_points: 7_000, shares: [{ who: "eve@example.com", basis_points: 3_000 }] });
  const withdraw = () => ada.send("PUT", path, { own_basis_points: 10_000, shares: [] });
  const invitations = async () => (await eve.get("/earnings/splits")).json().invitations;

  expect((await offer()).json()).toMatchObject({ is_used: false, shares: [{ state: "waiting" }] });
  const shares = await sell();
  expect(shares.ada).toBeGreaterThan(0);
  expect(shares.eve).toBe(0);
  const [{ id: withdrawn }] = await invitations();
  expect((await withdraw()).json()).toMatchObject({ own_basis_points: 10_000, shares: [] });
  expect(await invitations()).toEqual([]);
  expect((await eve.send("POST", `/earnings/splits/${withdrawn}`, { accepts: true })).statusCode).toBe(404);
  expect(await sell()).toEqual(shares);

  await offer();
  const [{ id }] = await invitations();
  await eve.send("POST", `/earnings/splits/${id}`, { accepts: false });
  expect(await sell()).toEqual(shares);
  await eve.send("POST", `/earnings/splits/${id}`, { accepts: true });
  const shared = await sell();
  expect(shared.ada + shared.eve).toBe(shares.ada);
  expect(shared.eve).toBe(Math.round(shares.ada * 0.3));
  await withdraw();
  expect(await sell()).toEqual(shares);
});
