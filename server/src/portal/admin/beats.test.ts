import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { markOperator } from "../../resources/users/standing.ts";

const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
let portal: TestPortal;
let olga: SignedInVisitor;
let nora: SignedInVisitor;
let beat = 0;
beforeAll(async () => {
  portal = await testPortal({ clock });
  olga = await portal.signUp("olga@example.com", "Olga Operator", "192.0.2.7");
  nora = await portal.signUp("nora@example.com", "Nora Producer");
  const decision = { author: "operator" as const, now: new Date(clock.nowMs()) };
  await markOperator(portal.database.query, olga.email, true, decision);
  [beat = 0] = await insertBeats(portal.database, [{ title: "100% Ember" }, { title: "Frost", producer: "Lark" }]);
  await portal.database.driver`update beats set user_id = ${nora.userId} where id = ${beat}`;
});

const list = async (query = "") => (await olga.get(`/admin/beats${query}`)).json().beats;
const titles = async (query: string) => (await list(query)).map(({ title }: { title: string }) => title);
const takeDown = (body: object) => olga.send("POST", `/admin/beats/${beat}/takedown`, body);
const restore = () => olga.send("POST", `/admin/beats/${beat}/restore`, { reason: "Cleared." });
const studioBeat = async () => (await nora.get(`/studio/beats/${beat}`)).json();

test("beats are found by id, title and producer, and wildcard characters are literal", async () => {
  expect(await titles("")).toEqual(["Frost", "100% Ember"]);
  expect(await titles(`?q=${beat}`)).toContain("100% Ember");
  expect(await titles("?q=0%25 e")).toEqual(["100% Ember"]);
  expect(await titles("?q=lark")).toEqual(["Frost"]);
  expect(await titles(`?producer=${nora.userId}`)).toEqual(["100% Ember"]);
  expect(await titles("?taken_down=true")).toEqual([]);
});

test("a takedown shows its reason and whether it withdraws the files; the producer can appeal it, and the operator undo it", async () => {
  expect((await takeDown({ reason: " ", withdraw_files: false })).statusCode).toBe(400);
  const takedown = await takeDown({ reason: "A stolen sample", withdraw_files: true });
  expect([takedown.statusCode, takedown.json()]).toEqual([
    200,
    expect.objectContaining({
      is_taken_down: true,
      status: "withdrawn",
      takedowns: [expect.objectContaining({ reason: "A stolen sample.", withdraws_files: true, answer: null })],
    }),
  ]);
  expect((await takeDown({ reason: "Again", withdraw_files: false })).statusCode).toBe(409);
  expect(await studioBeat()).toMatchObject({ takedown: { reason: "A stolen sample.", answer: null } });
  expect((await nora.get("/studio/beats")).json().taken_down).toEqual([beat]);

  const answer = (text: string, visitor = nora) =>
    visitor.send("POST", `/studio/beats/${beat}/takedown-answer`, { text });
  expect((await answer("Mine.", olga)).statusCode).toBe(404);
  expect((await answer("I played it.")).json().takedown.answer).toBe("I played it.");
  expect((await answer("Once more.")).statusCode).toBe(409);
  const [row] = await list("?taken_down=true");
  expect(row.takedowns[0]).toMatchObject({ answer: "I played it.", restored_at: null });

  expect((await restore()).json()).toMatchObject({ is_taken_down: false, status: "published" });
  expect((await restore()).statusCode).toBe(409);
  expect(await studioBeat()).toMatchObject({ takedown: null });
  expect((await olga.send("POST", "/admin/beats/999999/takedown", { reason: "No." })).statusCode).toBe(404);
  const { entries } = (await olga.get(`/admin/audit?account=${nora.userId}&actor=operators`)).json();
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(["beat.restored", "beat.taken_down"]);
});

test("a suspension withdraws the account's beats from sale unless the operator chooses otherwise", async () => {
  const countListed = async () =>
    (await portal.database.driver`select id from beats where user_id = ${nora.userId} and is_listed`).length;
  const suspend = (body: object) => olga.send("POST", `/admin/accounts/${nora.userId}/suspend`, body);
  const lift = () => olga.send("POST", `/admin/accounts/${nora.userId}/unsuspend`, { reason: "Sorted out." });
  await suspend({ reason: "Spam.", keep_beats: true });
  expect(await countListed()).toBe(1);
  await lift();
  await suspend({ reason: "Spam." });
  expect(await countListed()).toBe(0);
  await lift();
  expect(await countListed()).toBe(1);
});
