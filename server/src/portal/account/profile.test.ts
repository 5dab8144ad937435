import { expect, test } from "vitest";
import { testPortal } from "../../../test/harness/portal.ts";

const portal = await testPortal();

test("a change of the profile changes the API's profile, emits user.updated, and renames the account", async () => {
  const ada = await portal.signUp("ada@example.com", "Ada");
  const response = await ada.send("PATCH", "/account/profile", { display_name: "Ada Lovelace", bio: "Hooks." });
  expect(response.json()).toMatchObject({
    username: "ada",
    display_name: "Ada Lovelace",
    bio: "Hooks.",
    website: null,
  });
  expect((await ada.get("/account/profile")).json()).toEqual(response.json());
  expect((await ada.get("/session")).json().account.name).toBe("Ada Lovelace");
  const events = await portal.database.query
    .selectFrom("events")
    .select("payload")
    .where("type", "=", "user.updated")
    .execute();
  expect(events.map(({ payload }) => JSON.parse(payload).data)).toEqual([
    expect.objectContaining({ id: ada.userId, changed: ["display_name", "bio"] }),
  ]);
  expect((await portal.api.get(`/v1/users/${ada.userId}`)).json().data.user).toEqual(response.json());
});

test("the mail preferences are the time zone, whether sales are mailed, and the language; an unknown zone or language is 400", async () => {
  const grace = await portal.signUp("grace@example.com", "Grace");
  const zoneOf = async () => (await grace.get("/session")).json().account.time_zone;
  expect((await grace.get("/account/mails")).json()).toEqual({ time_zone: null, sale_mails: true, language: "en" });
  expect(await zoneOf()).toBeNull();
  await grace.send("PATCH", "/account/mails", { time_zone: "Asia/Tokyo" });
  const changed = await grace.send("PATCH", "/account/mails", { sale_mails: false });
  expect(changed.json()).toEqual({ time_zone: "Asia/Tokyo", sale_mails: false, language: "en" });
  expect(await zoneOf()).toBe("Asia/Tokyo");
  const refusal = await grace.send("PATCH", "/account/mails", { time_zone: "Berlin" });
  expect(refusal.statusCode).toBe(400);
  expect(refusal.body).toContain("There is no time zone");
  expect((await grace.send("PATCH", "/account/mails", { language: "de" })).json().language).toBe("de");
  expect((await grace.send("PATCH", "/account/mails", { language: "xx" })).statusCode).toBe(400);
});

test.each([{ website: "example.com" }, { display_name: "" }, { username: "root" }])(
  "a change of the profile to %j is 400",
  async (body) => {
    const visitor = await portal.signUp();
    expect((await visitor.send("PATCH", "/account/profile", body)).statusCode).toBe(400);
  },
);
