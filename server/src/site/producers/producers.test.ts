import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { freshSeconds } from "../public-reads.ts";

const clock = new FakeClock();
let api: TestApi;
let beats: number[];

beforeAll(async () => {
  api = await testApi({ clock });
  beats = await insertBeats(api.database, [
    { title: "Midnight Drive", producer: "Nightowl", priceCents: 2990, tempo: 140 },
    { title: "夜の雨 & <b>", producer: "Nightowl", tempo: 90, genre: "Drill" },
    { title: "Elsewhere", producer: "Other", tempo: 90, genre: "Phonk" },
    { title: "Gone", producer: "Leaver", tempo: 90 },
  ]);
  await api.database.query
    .updateTable("users")
    .set({ bio: "First line\n</script><i>second", website: "https://nightowl.example/" })
    .where("username", "=", "nightowl")
    .execute();
});

const open = (url: string) => api.request({ url, headers: { accept: "text/html" }, remoteAddress: "198.51.100.1" });

const dataOf = (body: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1] ?? "null");

describe("a producer's page", () => {
  test("has only the producer's texts, links and beats", async () => {
    const { statusCode, body, headers } = await open("/producers/nightowl");
    expect(statusCode).toBe(200);
    expect(body).toContain("<h1><bdi>Nightowl</bdi></h1>");
    expect(body).toContain("First line<br>&lt;/script&gt;&lt;i&gt;second");
    expect(body).toContain('href="https://nightowl.example/"');
    expect(body).toContain("2 beats");
    expect(body).toContain("<bdi>夜の雨 &amp; &lt;b&gt;</bdi>");
    expect(body).not.toContain("Elsewhere");
    expect(body).toMatch(/<link rel="canonical" href="https?:\/\/[^"]+\/producers\/nightowl">/);
    expect(dataOf(body)).toMatchObject({ "@type": "MusicGroup", name: "Nightowl" });
    expect(String(headers["content-security-policy"])).toContain("frame-ancestors 'none'");
  });

  test("has a picture for other sites: the producer's picture, or the cover of the newest beat", async () => {
    const image = async () => {
      clock.advance(freshSeconds * 1_000 + 1);
      return /<meta property="og:image" content="(.*?)">/.exec((await open("/producers/nightowl")).body)?.[1];
    };
    expect(await image()).toMatch(/^https?:\/\/[^/]+\/media\/beats\/\d+\.png$/);
    const picture = "https://images.example/owl.png";
    await api.database.query
      .updateTable("users")
      .set({ avatar_url: picture })
      .where("username", "=", "nightowl")
      .execute();
    expect(await image()).toBe(picture);
    await api.database.query
      .updateTable("users")
      .set({ avatar_url: null })
      .where("username", "=", "nightowl")
      .execute();
  });

  test("has the filters, the orders and the refusals of the API's list", async () => {
    const fast = (await open("/producers/nightowl?bpm_min=100&genre=&key=")).body;
    expect(fast).toContain("Midnight Drive");
    expect(fast).not.toContain("夜の雨");
    expect(fast).toContain('content="noindex"');
    const { body: all } = await open("/producers/nightowl");
    const genres = [...all.matchAll(/<option value="\d+">(.*?)<\/option>/g)].map(([, genre]) => genre);
    expect(genres).toHaveLength(2);
    expect(genres).toContain("Drill");
    const bySlow = (await open("/producers/nightowl?sort=bpm_asc")).body;
    expect(bySlow.indexOf("夜の雨")).toBeLessThan(bySlow.indexOf("Midnight Drive"));
    const refusal = await open("/producers/nightowl?bpm_min=fast");
    expect(refusal.statusCode).toBe(400);
    expect(refusal.body).toContain("bpm_min");
  });

  test("is the target of redirects from other spellings of the username", async () => {
    const { statusCode, headers } = await open("/producers/NightOwl?sort=popular");
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 308,
      location: "/producers/nightowl?sort=popular",
    });
  });

  test("is 404 for an unknown name, and for a suspended producer", async () => {
    expect((await open("/producers/leaver")).statusCode).toBe(200);
    await api.database.query
      .updateTable("users")
      .set({ suspended_at: new Date(), suspension_reason: "Stolen beats" })
      .where("username", "=", "leaver")
      .execute();
    clock.advance(freshSeconds * 1_000 + 1);
    for (const path of ["/producers/leaver", "/producers/leaver/feed.atom", "/producers/nobody"]) {
      const { statusCode, body } = await open(path);
      expect(statusCode, path).toBe(404);
      expect(body).toContain("No producer has this name");
    }
  });

  test("is the target of the producer's name on a beat's page, which also has structured data", async () => {
    const { body } = await open(`/beats/${beats[0]}`);
    expect(body).toContain('<a class="producer" href="/producers/nightowl"><bdi>Nightowl</bdi></a>');
    const recording = dataOf(body);
    expect(recording).toMatchObject({ "@type": "MusicRecording", name: "Midnight Drive" });
    expect(recording.image).toMatch(/\/media\/beats\/\d+\.png$/);
    expect(body).toContain(`<meta property="og:url" content="${recording.url}">`);
    expect(recording.offers).toHaveLength(4);
    expect(recording.offers[0]).toMatchObject({ "@type": "Offer", price: "29.90" });
  });
});

test("the feed has each beat with its id, time and escaped title", async () => {
  const { statusCode, headers, body } = await open("/producers/nightowl/feed.atom");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toContain("application/atom+xml");
  expect(body.match(/<entry>/g)).toHaveLength(2);
  expect(body).toContain("<title>夜の雨 &amp; &lt;b&gt;</title>");
  expect(body).toMatch(/<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/);
  expect(body).toMatch(/<id>https?:\/\/[^<]+\/producers\/nightowl<\/id>/);
});
