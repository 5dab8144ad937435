import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { testPortal } from "../../test/harness/portal.ts";

const clock = new FakeClock();
let api: TestApi;
let beats: number[];

beforeAll(async () => {
  api = await testApi({ clock });
  beats = await insertBeats(api.database, [
    { title: "Midnight Drive", producer: "Nightowl", tempo: 140 },
    { title: "Midnight Rain", producer: "Nightowl", tempo: 141 },
  ]);
});

const ownPage = { "sec-fetch-site": "same-origin" };

const readAsPage = (path: string, headers: Record<string, string> = ownPage, remoteAddress = "198.51.100.1") =>
  api.request({ url: `/site/v1${path}`, headers, remoteAddress });

describe("a page of this server, without key and session,", () => {
  test.each([
    () => `/beats/${beats[0]}`,
    () => `/beats/${beats[0]}/similar?limit=3`,
    () => "/beats?limit=24&bpm_min=139",
    () => "/search?q=midnihgt&type=beats&limit=2",
  ])("gets the same responses as with a key (%#)", async (pathOf) => {
    const [page, called] = [await readAsPage(pathOf()), await api.get(`/v1${pathOf()}`)];
    expect(page.statusCode).toBe(200);
    expect(page.body).toBe(called.body);
  });

  test("gets the counts of values, and links to the next page below the same path", async () => {
    const { data } = JSON.parse((await readAsPage("/beats?limit=1&facets=genre,key,bpm,price,tag")).body);
    expect(Object.keys(data.facets)).toEqual(["genre", "key", "bpm", "price", "tag"]);
    const next = new URL(data.pagination.next_page_url);
    expect(next.pathname).toBe("/site/v1/beats");
    const second = JSON.parse((await readAsPage(`/beats${next.search}`)).body).data;
    expect(second.pagination.current_page).toBe(2);
    expect(second.beats).not.toEqual(data.beats);
  });

  test("gets 304 for an unchanged response", async () => {
    const { headers } = await readAsPage("/beats?limit=2");
    expect((await readAsPage("/beats?limit=2", { ...ownPage, "if-none-match": String(headers.etag) })).statusCode).toBe(
      304,
    );
  });

  test("gets the API's refusals", async () => {
    expect((await readAsPage("/beats/999999")).statusCode).toBe(404);
    const { statusCode, body } = await readAsPage("/beats?bpm_min=150&bpm_max=140");
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).error.details).toContain("bpm_min");
  });

  test("sees no draft of any account", async () => {
    const [draft = 0] = await insertBeats(api.database, [{ title: "Unheard Secret" }]);
    await api.database.query.updateTable("beats").set({ is_listed: false }).where("id", "=", draft).execute();
    expect((await readAsPage(`/beats/${draft}`)).statusCode).toBe(404);
  });
});

describe("bounds:", () => {
  test.each(["/beats?limit=25", "/beats?page=41", "/beats?ids=1,2", "/search?q=a&limit=25", "/search?q=a&page=41"])(
    "%s is refused",
    async (path) => {
      expect((await readAsPage(path)).statusCode).toBe(400);
    },
  );

  test.each<Record<string, string>>([
    {},
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin", origin: "https://elsewhere.example" },
  ])("a request that is not from a page of this server is 403: %j", async (headers) => {
    const { statusCode, body } = await readAsPage("/beats", headers);
    expect(statusCode).toBe(403);
    expect(JSON.parse(body).error.details).toContain("API key");
  });

  test.each(["/orders", "/users/me/beats", "/genres", "/changes", "/exports/beats.ndjson.gz"])(
    "%s is not among the reads",
    async (path) => {
      expect((await readAsPage(path)).statusCode).toBe(404);
    },
  );

  test("requests that change something are refused", async () => {
    for (const method of ["POST", "PATCH", "DELETE"] as const)
      expect((await api.request({ method, url: `/site/v1/beats/${beats[0]}`, headers: ownPage })).statusCode).toBe(405);
  });

  test("a network has one budget for these reads and the public pages, and calls with a key have a separate one", async () => {
    clock.advance(60_000);
    const flood = await Promise.all(
      Array.from({ length: 70 }, (_, n) => readAsPage(`/search?q=flood${n}&type=beats`, ownPage, "203.0.113.9")),
    );
    const refusal = flood.filter(({ statusCode }) => statusCode === 429);
    expect(refusal).toHaveLength(10);
    expect(refusal[0]?.headers["retry-after"]).toBe("2");
    const page = await api.request({
      url: "/?q=afterwards",
      headers: { accept: "text/html" },
      remoteAddress: "203.0.113.9",
    });
    expect(page.statusCode).toBe(429);
    expect((await api.get("/v1/search?q=flood")).statusCode).toBe(200);
  });
});

test("signed-in people share a budget that strangers do not use up, and each person has a separate limit", async () => {
  const portal = await testPortal({ clock: new FakeClock(Date.now()) });
  await insertBeats(portal.database, [{ title: "Midnight Drive" }]);
  const [buyer, other] = [await portal.signUp(), await portal.signUp()];
  const search = (text: string, remoteAddress: string, cookie = "") =>
    portal.api.request({ url: `/site/v1/search?q=${text}&type=beats`, headers: { ...ownPage, cookie }, remoteAddress });
  for (let network = 0; network < 100; network++) await search(`stranger${network}`, `203.0.113.${network}`);
  expect((await search("refused", "203.0.113.200")).statusCode).toBe(503);
  expect((await search("forged", "203.0.113.200", buyer.cookie().replace(/=[^;]{8}/g, "=00000000"))).statusCode).toBe(
    503,
  );
  for (let count = 0; count < 60; count++)
    expect((await search(`buyer${count}`, "203.0.113.200", buyer.cookie())).statusCode).toBe(200);
  const refusal = await search("buyer", "203.0.113.200", buyer.cookie());
  expect(refusal.statusCode).toBe(429);
  expect(refusal.json().error.details).toMatch(/^Your account/);
  expect((await search("other", "203.0.113.200", other.cookie())).statusCode).toBe(200);
});
