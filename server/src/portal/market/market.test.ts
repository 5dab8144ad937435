import { beforeAll, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let beat = 0;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  [beat = 0] = await insertBeats(portal.database, [
    { title: "Midnight Drive", producer: "Nightowl", priceCents: 2990 },
  ]);
});

test("terms are 401 without a session, and the currency is public", async () => {
  const stranger = portal.visitor();
  expect((await stranger.get(`/market/beats/${beat}`)).statusCode).toBe(401);
  expect((await stranger.get("/market/options")).json()).toEqual({ currency: "USD", provider: "sandbox" });
});

describe("a beat", () => {
  test("shows price, files and full terms of each license, with the names of beat and producer", async () => {
    const { beat: shown, is_own, licenses } = (await ada.get(`/market/beats/${beat}`)).json();
    expect({ title: shown.title, is_own }).toEqual({ title: "Midnight Drive", is_own: false });
    expect(licenses.map(({ type }: { type: string }) => type)).toEqual(["basic", "premium", "unlimited", "exclusive"]);
    // The only file is the license, because the beat has no recording in this test.
    expect(licenses[0]).toMatchObject({ price: 29.9, available: true, files: ["license"] });
    const { title, version, blocks } = licenses[1].terms;
    expect([title, version]).toEqual(["Premium license", "2026-11-26"]);
    const text = blocks.map((block: { text: string }) => block.text).join("\n");
    expect(text).toContain("Nightowl (the producer) licenses the beat “Midnight Drive”");
    expect(text).toContain("up to 10,000 copies");
    expect(text).not.toMatch(/\{\w+\}/);
    expect((await ada.get("/market/beats/999999")).statusCode).toBe(404);
  });

  test("shows before the purchase which characters the certificate cannot print", async () => {
    const [plain, runes] = await insertBeats(portal.database, [{ title: "สวัสดี 𝕯𝖆𝖗𝖐 नमस्ते" }, { title: "Storm ᚠᚢᚠ" }]);
    expect((await ada.get(`/market/beats/${plain}`)).json().unprintable).toEqual([]);
    expect((await ada.get(`/market/beats/${runes}`)).json().unprintable).toEqual(["ᚠ", "ᚢ"]);
  });
});

test("a person adds and removes a favorite beat, and follows and unfollows its producer", async () => {
  const favoritePath = `/market/beats/${beat}/kept`;
  expect((await ada.get(favoritePath)).json()).toEqual({ favorite: false, following: false });
  expect((await ada.send("PATCH", favoritePath, { favorite: true })).json()).toEqual({
    favorite: true,
    following: false,
  });
  expect((await ada.send("PATCH", favoritePath, { following: true })).json()).toEqual({
    favorite: true,
    following: true,
  });
  expect((await ada.send("PATCH", favoritePath, { favorite: false, following: false })).json()).toEqual({
    favorite: false,
    following: false,
  });
  expect((await portal.visitor().get(favoritePath)).statusCode).toBe(401);
  expect((await ada.get("/market/beats/999999/kept")).statusCode).toBe(404);
});

test("anyone gets the address of a producer's public page, unless the producer has no page", async () => {
  await insertBeats(portal.database, [{ producer: "Seen" }, { producer: "Unseen" }]);
  const idOf = async (username: string) =>
    (await portal.database.driver<{ id: number }[]>`select id::int from users where username = ${username}`)[0]?.id ??
    0;
  const [seen, unseen] = [await idOf("seen"), await idOf("unseen")];
  await portal.database.driver`update users set suspended_at = now(), suspension_reason = 'Spam.' where id = ${unseen}`;
  const readProducers = (ids: string) => portal.visitor().get(`/market/producers?ids=${ids}`);
  expect((await readProducers(`${seen},${unseen},${ada.userId},999999`)).json()).toEqual({
    producers: [{ id: seen, path: "/producers/seen" }],
  });
  for (const ids of ["", "x", Array.from({ length: 101 }, (_, n) => n).join(",")])
    expect((await readProducers(ids)).statusCode, ids).toBe(400);
});

test("a beat of the account is marked as its own", async () => {
  const [ownBeat = 0] = await insertBeats(portal.database, [{ title: "Mine" }]);
  await portal.database.query.updateTable("beats").set({ user_id: ada.userId }).where("id", "=", ownBeat).execute();
  expect((await ada.get(`/market/beats/${ownBeat}`)).json().is_own).toBe(true);
});
