import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const portal = await testPortal({ clock });
const ada = await portal.signUp("ada@example.com");
const eve = await portal.signUp("eve@example.com");
const [beat = 0, foreign = 0] = await insertBeats(portal.database, [{ title: "Drive" }, { title: "Other" }]);
await portal.database.query.updateTable("beats").set({ user_id: ada.userId }).where("id", "=", beat).execute();

const pack = { name: "Three for two", kind: "pack", pack_size: 3, pack_paid: 2 };
const create = (fields: object) => ada.send("POST", "/studio/discounts", fields);
const list = async () => (await ada.get("/studio/discounts")).json().discounts;

test("a producer creates, lists and ends a discount, which others cannot end", async () => {
  const response = await create({ ...pack, code: "three", beat_ids: [beat], license_types: ["basic"], max_uses: 5 });
  expect(response.statusCode, response.body).toBe(201);
  const { discount } = response.json();
  expect(discount).toMatchObject({ code: "THREE", state: "running", uses_count: 0, beat_ids: [beat], percent: null });
  expect(await list()).toEqual([discount]);
  expect((await eve.get("/studio/discounts")).json().discounts).toEqual([]);
  expect((await eve.send("POST", `/studio/discounts/${discount.id}/end`)).statusCode).toBe(404);
  const discountEnd = await ada.send("POST", `/studio/discounts/${discount.id}/end`);
  expect(discountEnd.json().discount.state).toBe("ended");
  expect((await create({ ...pack, code: "THREE" })).statusCode).toBe(201);
});

test("a code is unique, and at most three discounts have no code", async () => {
  expect((await create({ name: "Off", kind: "percent", percent: 10, code: "twice" })).statusCode).toBe(201);
  const twice = await create({ name: "Off", kind: "percent", percent: 10, code: "TWICE" });
  expect([twice.statusCode, twice.json().error.details]).toEqual([
    409,
    'Your discount "Off" has the code TWICE. End it first, or choose another code.',
  ]);
  for (let count = 0; count < 3; count++) expect((await create(pack)).statusCode).toBe(201);
  expect((await create(pack)).json().error.details).toContain("At most 3 discounts apply without a code");
});

test.each([
  [{ name: "Off", kind: "percent" }, "The percent field is needed"],
  [{ ...pack, percent: 5 }, "The percent field does not go with"],
  [{ ...pack, pack_paid: 3 }, "The pack_paid field must be less than pack_size."],
  [{ ...pack, valid_until: "2026-11-01T00:00:00Z" }, "The valid_until field must be after this moment."],
  [
    { ...pack, code: "FOREIGN", beat_ids: [foreign] },
    `The beat_ids field names beat ${foreign}, which is none of yours.`,
  ],
  [{ ...pack, code: "a b" }, "code"],
  [{ name: "Off", kind: "percent", percent: 101, code: "HIGH" }, "The percent field must be from 1 to 100."],
  [{ ...pack, valid_from: "soon" }, "valid_from"],
  [{ ...pack, license_types: [] }, "license_types"],
  [{ ...pack, max_uses: 0 }, "max_uses"],
])("400 names the field of %j", async (fields, sentence) => {
  const before = await list();
  const refusal = await create(fields);
  expect([refusal.statusCode, refusal.json().error.details]).toEqual([400, expect.stringContaining(sentence)]);
  expect(await list()).toEqual(before);
});

test("the erasure of an account ends its discounts, which are in its export", async () => {
  const erasedVisitor = await portal.signUp("gone@example.com");
  await erasedVisitor.send("POST", "/studio/discounts", { name: "Mine", kind: "percent", percent: 10, code: "MINE" });
  const exported = await portal.api.request({
    method: "POST",
    url: "/portal/api/account/export",
    headers: { origin: "https://localhost:8443", cookie: erasedVisitor.cookie() },
  });
  expect(exported.json().discounts).toMatchObject([{ code: "MINE" }]);
  await erasedVisitor.send("POST", "/account/erasure", { email: "gone@example.com" });
  const [row] = await portal.database
    .driver`select name, code, ended_at from discounts where user_id = ${erasedVisitor.userId}`;
  expect(row).toEqual({ name: "Deleted", code: null, ended_at: expect.anything() });
});
