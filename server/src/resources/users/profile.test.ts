import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../test/harness/documents/promised-responses.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;

beforeEach(() => driver`delete from events`);

const updateProfile = (payload: unknown, options: { key?: string; accept?: string; prefix?: string } = {}) =>
  api.request({
    method: "PUT",
    url: `${options.prefix ?? "/v1"}/users/profile`,
    headers: {
      authorization: `Bearer ${options.key ?? api.key}`,
      "content-type": "application/json",
      ...(options.accept !== undefined && { accept: options.accept }),
    },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
const payloads = async () =>
  (await db.selectFrom("events").selectAll().execute()).map(({ payload }) => JSON.parse(payload));

describe("PUT /users/profile", () => {
  it("returns the profile, under both prefixes and in both forms", async () => {
    const fields = {
      display_name: "Ada Quint",
      bio: "Line one.\nLine two.",
      location: "Tromsø 🎧",
      website: "https://example.com/~ada?x=1#top",
      avatar_url: "http://images.example.com/ada.png",
    };
    const profile = { id: api.userId, username: "tester", is_producer: false, beats_count: 0, ...fields };
    for (const prefix of ["/v1", "/api/v1"]) {
      const reference = await updateProfile(fields, { prefix });
      expect(reference.statusCode).toBe(200);
      expect(reference.json()).toEqual({
        status: "success",
        data: { user: { ...profile, created_at: expect.stringMatching(/Z$/) } },
      });
      const console = await updateProfile(fields, { prefix, accept: consoleType });
      expect(console.json()).toEqual({ success: true, data: reference.json().data.user });
    }
    expect((await api.get(`/v1/users/${api.userId}`)).json().data.user).toMatchObject(profile);
  });

  it("does not change absent fields, and clears fields with null", async () => {
    await updateProfile({ bio: "Kept", location: "Cleared" });
    expect((await updateProfile({ location: null })).json().data.user).toMatchObject({ bio: "Kept", location: null });
    expect((await updateProfile({})).json().data.user).toMatchObject({ bio: "Kept", location: null });
  });

  it("trims names, and encodes web addresses", async () => {
    const { user } = (await updateProfile({ display_name: "  Ada ", website: "https://müller.example/a b" })).json()
      .data;
    expect(user).toMatchObject({ display_name: "Ada", website: "https://xn--mller-kva.example/a%20b" });
  });

  it.each([
    ["https://example.com/a?b[]=c|d#e#f", "https://example.com/a?b%5B%5D=c%7Cd#e%23f"],
    ["https://example.com/100%", "https://example.com/100%25"],
    ["http://[::1]:8080/%C3%A9?a=b#c", "http://[::1]:8080/%C3%A9?a=b#c"],
    ['https://example.com/ſ"<>', "https://example.com/%C5%BF%22%3C%3E"],
    ["https://user:pass^word@example.com", "https://user:pass%5Eword@example.com/"],
  ])("stores the web address %s as the URI %s", async (website, uri) => {
    const answer = await updateProfile({ website });
    expect(unpromised("updateProfile", answer)).toBeNull();
    expect(answer.json().data.user.website).toBe(uri);
  });

  it("changes cached responses immediately", async () => {
    await api.get(`/v1/users/${api.userId}`);
    await updateProfile({ bio: "Fresh" });
    expect((await api.get(`/v1/users/${api.userId}`)).json().data.user.bio).toBe("Fresh");
  });

  it("emits an event with the changed fields, and no event without changes", async () => {
    const { user } = (await updateProfile({ bio: "Old", location: "Oslo", website: null })).json().data;
    await driver`delete from events`;
    const answer = await updateProfile({ bio: "New", location: "Oslo", website: null });
    const [event] = await payloads();
    expect(await driver`select request_id from events`).toEqual([{ request_id: answer.headers["x-request-id"] }]);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      created: clock.nowMs() / 1000,
      type: "user.updated",
      data: { ...user, bio: "New", changed: ["bio"] },
    });
    await updateProfile({ bio: "New", location: "Oslo" });
    await updateProfile({});
    expect(await payloads()).toHaveLength(1);
  });

  it("makes search find a renamed producer and all beats by the new name only", async () => {
    await insertBeats(api.database, [
      { title: "Lanterns", producer: "Velvet Ostrich" },
      { title: "Embers", producer: "Velvet Ostrich" },
    ]);
    const [producer] = await driver<{ id: number }[]>`select id from users where display_name = 'Velvet Ostrich'`;
    const key = await api.makeKey({ email: "ostrich@example.com" });
    await driver`update api_keys set user_id = ${producer?.id ?? 0}
      where user_id = (select id from users where email = 'ostrich@example.com')`;
    const { user } = (await updateProfile({ display_name: "Marble Heron" }, { key })).json().data;
    expect(user).toMatchObject({ id: producer?.id, display_name: "Marble Heron", beats_count: 2 });
    const totals = async (q: string) => (await api.get(`/v1/search?q=${q}`)).json().data.pagination.total;
    expect(await totals("ostrich")).toBe(0);
    expect(await totals("heron")).toBe(3);
    expect(await totals("lanterns+heron")).toBe(1);
    expect(await totals("marbel+heron")).toBe(3);
  });

  const controls = ["\u0000", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\t"];
  test.each<[string, unknown, string]>([
    ["an empty name", { display_name: " " }, "display_name"],
    ["no name", { display_name: null }, "display_name"],
    ["a number as name", { display_name: 7 }, "display_name field must be a string"],
    ["a name of 101 characters", { display_name: "é".repeat(101) }, "at most 100 characters; it has 101"],
    ["a bio of 2001 characters", { bio: "x".repeat(2001) }, "2000"],
    ["an empty bio", { bio: "" }, "null clears it"],
    ["a location of 101 characters", { location: "x".repeat(101) }, "location"],
    ["a line break in a location", { location: "Oslo\nNorway" }, "control characters"],
    ...controls.map((control): [string, unknown, string] => ["a control character", { bio: `a${control}b` }, "bio"]),
    ["half a surrogate pair", '{"bio":"\\udc00"}', "bio"],
    ...[
      "example.com",
      "ftp://example.com",
      "javascript:alert(1)",
      "https://",
      "https:example.com",
      "//example.com",
    ].map((website): [string, unknown, string] => [website, { website }, "website field must be an http or https URL"]),
    ["a script as avatar", { avatar_url: "data:image/svg+xml,<svg/>" }, "avatar_url"],
    ["a web address of 2001 characters", { website: `https://example.com/${"x".repeat(1981)}` }, "website"],
    [
      "a web address that has too many characters as a URI",
      { website: `https://example.com/${"é".repeat(1900)}` },
      "website",
    ],
    ["an unknown field", { dispaly_name: "x" }, "Did you mean display_name?"],
    ["a field that is not the account's to change", { email: "a@example.com" }, "email"],
    ["is_producer", { is_producer: true }, "is_producer"],
    ["__proto__", '{"__proto__":{"bio":"x"}}', "__proto__"],
    ["a repeated field", '{"bio":"a","bio":"b"}', "more than once"],
    ["an object as bio", { bio: { text: "x" } }, "bio field must be a string"],
  ])("answers 400 to %s: %j", async (_, payload, details) => {
    const before = await driver`select * from users order by id`;
    const answer = await updateProfile(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      status: "error",
      error: { code: "invalid_request", details: expect.stringContaining(details) },
    });
    expect(await driver`select * from users order by id`).toEqual(before);
    expect(await payloads()).toEqual([]);
  });

  test("answers 403 to a key without profile:write", async () => {
    const answer = await updateProfile({ bio: "x" }, { key: await api.makeKey({ permissions: ["users:read"] }) });
    expect(answer.statusCode).toBe(403);
  });

  test("answers 405 to GET", async () => {
    const answer = await api.get("/v1/users/profile");
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe("PUT");
  });
});

test("a new account causes one event with its public profile", async () => {
  await api.makeKey({ email: "newcomer@example.com" });
  await api.makeKey({ email: "Newcomer@example.com" });
  const events = await payloads();
  const [user] = await driver<{ id: number }[]>`select id from users where email = 'newcomer@example.com'`;
  expect(events).toEqual([
    {
      id: expect.any(String),
      created: expect.any(Number),
      type: "user.registered",
      data: (await api.get(`/v1/users/${user?.id}`)).json().data.user,
    },
  ]);
  expect(JSON.stringify(events)).not.toContain("@example.com");
});
