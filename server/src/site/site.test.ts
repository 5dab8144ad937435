import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { publicUrl, type TestApi, testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { freshSeconds } from "./public-reads.ts";

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const clock = new FakeClock();
let api: TestApi;
let beats: number[];

beforeAll(async () => {
  api = await testApi({ clock });
  beats = await insertBeats(api.database, [
    { title: "Midnight Drive", producer: "Nightowl", priceCents: 2990, tempo: 140 },
    { title: "Midnight Rain", producer: "Nightowl", tempo: 141 },
    { title: "<script>alert(1)</script>", producer: '"><img src=x onerror=alert(2)>', tempo: 90 },
  ]);
});

const open = (url: string, headers: Record<string, string> = { accept: html }, remoteAddress = "198.51.100.1") =>
  api.request({ url, headers, remoteAddress });

describe("/", () => {
  test.each([undefined, "*/*", "application/json", "application/json, text/html;q=0.9", "text/html;q=0"])(
    "redirects a program that accepts %s to the portal",
    async (accept) => {
      const { statusCode, headers, body } = await open("/", accept === undefined ? {} : { accept });
      expect({ statusCode, location: headers.location, body }).toEqual({
        statusCode: 302,
        location: "/portal",
        body: "",
      });
      expect(headers).not.toHaveProperty("vary");
    },
  );

  test("has a content security policy that allows no other inline style or script than its own", async () => {
    const { statusCode, headers, body } = await open("/");
    expect(statusCode).toBe(200);
    const policy = String(headers["content-security-policy"]);
    const hashed = (tag: string) => {
      const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body)?.[1] ?? "";
      return hashSource(text);
    };
    expect(policy).toContain(`style-src ${hashed("style")};`);
    expect(policy).toContain(`script-src 'self' ${hashed("script")};`);
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(policy).not.toContain("unsafe");
    expect(body).not.toMatch(/ style=| on\w+="|bm_[A-Za-z0-9]{40}/);
    expect(headers["cache-control"]).toBe(`public, max-age=${freshSeconds}`);
    expect(headers.vary).toBe("Accept, Accept-Encoding, Accept-Language, Cookie");
  });

  test("has one element in the button to the portal, because the button puts a gap between its elements", async () => {
    const { body } = await open("/");
    expect(body).toMatch(/data-signed-in hidden><span>Open <span class="wide">the&nbsp;<\/span>portal<\/span><\/a>/);
  });

  test("escapes titles of beats and names of producers", async () => {
    const { body } = await open("/");
    expect(body).toContain("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>");
    expect(body).not.toContain("<script>alert");
    expect(body).not.toContain("<img src=x");
  });

  test("searches by words and tempo, and shows its interpretation and corrections", async () => {
    const { body } = await open("/?q=midnihgt+140+bpm");
    const results = /<section class="results"[\s\S]*?<\/section>/.exec(body)?.[0] ?? "";
    expect(results).toContain("1 beat<");
    expect(results).toContain(`href="/beats/${beats[0]}"`);
    expect(results).toContain('<li class="chip on">140 BPM</li>');
    expect(results).toContain("<s><bdi>midnihgt</bdi></s> → <bdi>midnight</bdi>");
    const part = await open("/site/results?q=midnihgt+140+bpm");
    expect(part.body).toContain(results);
  });

  test("says that no beat has the tempo, and shows near tempos and ignored words", async () => {
    const { body } = await open("/?q=midnight+drive+zzyzx");
    expect(body).toContain('<li class="chip"><span>without <bdi>zzyzx</bdi></span></li>');
    const near = await open("/?q=midnight+138+bpm");
    expect(near.body).toContain('<li class="chip on">136–140 BPM</li>');
    expect(near.body).toContain("<span>near <bdi>138 bpm</bdi>: nothing has exactly this</span>");
  });

  test.each([
    ["a text that is not UTF-8", "?q=%00%ff&page=x&sort=%3Cscript%3E"],
    ["a page beyond all", "?page=99999999999"],
    ["two searches", "?q=%20&q=a"],
    ["a long search", `?q=${"a".repeat(9_000)}`],
    ["a lone percent sign", "?%"],
  ])("answers %s with a page", async (_, query) => {
    expect((await open(`/${query}`)).statusCode).toBe(200);
  });
});

describe("a beat's page", () => {
  test("has its licenses, similar beats with their reasons, and the producer's other beats", async () => {
    const { statusCode, body } = await open(`/beats/${beats[0]}`);
    expect(statusCode).toBe(200);
    expect(body).toContain("<title>Midnight Drive by Nightowl · Beat Marketplace</title>");
    expect(body).toContain("$29.90");
    expect(body).not.toContain("prints a box");
    for (const type of ["basic", "premium", "unlimited", "exclusive"])
      expect(body).toContain(
        `name="beat_id" value="${beats[0]}"><input type="hidden" name="license_type" value="${type}">`,
      );
    expect(body).toMatch(/141 BPM, 0\.7 % apart/);
    expect(body).toMatch(/More by <a [^>]*><bdi>Nightowl<\/bdi>[\s\S]*Midnight Rain/);
  });

  test("shows which characters of the names the certificate cannot print", async () => {
    const [id = 0] = await insertBeats(api.database, [{ title: "Storm ᚠᚢᚠ" }]);
    expect((await open(`/beats/${id}`)).body).toContain("The PDF certificate prints a box for <bdi>ᚠ ᚢ</bdi>");
  });

  test("is a 404 page for an unknown beat, and a JSON error for a program", async () => {
    for (const id of ["999999", "first", "1e3", "99999999999999999999"]) {
      const page = await open(`/beats/${id}`);
      expect(page.statusCode, id).toBe(404);
      expect(page.headers["content-type"]).toContain("text/html");
      expect(page.headers["cache-control"]).toBe("no-store");
    }
    const { statusCode, body } = await open("/beats/1", { accept: "application/json" });
    expect(statusCode).toBe(404);
    expect(body).toBe(
      '{"status":"error","error":{"code":"not_found","message":"Not found","details":"There is nothing at /beats/1. The API is under /v1, its reference at /explorer."}}',
    );
  });

  test.each([undefined, "*/*", "text/html, */*;q=0.8", "image/*, */*"])(
    "is a page for a program that shows previews of links and accepts %s",
    async (accept) => {
      const [id = 0] = await insertBeats(api.database, [{ title: "Previewed" }]);
      const { statusCode, headers, body } = await open(`/beats/${id}`, accept === undefined ? {} : { accept });
      expect(statusCode).toBe(200);
      expect(headers["content-type"]).toContain("text/html");
      expect(headers.vary).toContain("Accept");
      expect(body).toContain('<meta property="og:image"');
    },
  );

  test.each(["application/json", "application/json, text/plain, */*", "application/json, text/html;q=0.9"])(
    "does not exist for a program that accepts %s: the API is under /v1",
    async (accept) => {
      const [id = 0] = await insertBeats(api.database, [{ title: "Called" }]);
      expect((await open(`/beats/${id}`, { accept })).statusCode).toBe(404);
    },
  );

  test("offers other sites its cover, or a PNG drawing if the cover is an SVG or missing", async () => {
    const [id = 0] = await insertBeats(api.database, [{ title: "Shared" }]);
    const picture = async (cover: string) => {
      await api.database.query.updateTable("beats").set({ cover_image: cover }).where("id", "=", id).execute();
      clock.advance(freshSeconds * 1_000 + 1);
      return /<meta property="og:image" content="(.*?)">/.exec((await open(`/beats/${id}`)).body)?.[1];
    };
    expect(await picture("https://covers.example/shared.jpg?size=640")).toBe(
      "https://covers.example/shared.jpg?size=640",
    );
    const drawing = `${publicUrl}/media/beats/${id}.png`;
    for (const cover of ["https://covers.example/shared.svg", "https://", ""])
      expect(await picture(cover)).toBe(drawing);
  });

  test("inlines a drawn cover without its text, and loads any other cover from its address", async () => {
    const [id = 0] = await insertBeats(api.database, [{ title: 'Grün & "100 %" #1', genre: "Drum & Bass" }]);
    const coverAddress = async () =>
      /<div class="cover"><img src="(.*?)" alt=""/.exec((await open(`/beats/${id}`)).body)?.[1];
    const [type, drawing = ""] = (await coverAddress())?.split(/,(.*)/) ?? [];
    expect(type).toBe("data:image/svg+xml");
    const entities = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'" };
    const uri = drawing.replaceAll(/&(\w+|#39);/g, (_, name: keyof typeof entities) => entities[name]);
    const withText = (await open(`/media/beats/${id}.svg`)).body.replaceAll("\n", "");
    expect(withText).toContain("Grün");
    expect(decodeURIComponent(uri)).toBe(withText.replace(/<g font-family.*<\/g>/, ""));
    await api.database.query
      .updateTable("beats")
      .set({ cover_image: "https://covers.example/a.jpg" })
      .where("id", "=", id)
      .execute();
    clock.advance(freshSeconds * 1_000 + 1);
    expect(await coverAddress()).toBe("https://covers.example/a.jpg");
  });

  test("is 404 for a draft, which is in no list", async () => {
    const [draft = 0] = await insertBeats(api.database, [{ title: "Unheard Secret" }]);
    await api.database.query.updateTable("beats").set({ is_listed: false }).where("id", "=", draft).execute();
    expect((await open(`/beats/${draft}`)).statusCode).toBe(404);
    expect((await open("/site/results?q=unheard+secret")).body).not.toContain(`/beats/${draft}`);
  });
});

test.each(["/nowhere", "/<img src=x onerror=alert(1)>"])(
  "an address like %s is a page with status 404",
  async (url) => {
    const { statusCode, headers, body } = await open(url);
    expect(statusCode).toBe(404);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(body).toContain("<h1>Not found</h1>");
    expect(body).toContain('<a class="brand" href="/">');
    expect(body).not.toMatch(/<img src=x|nowhere/);
  },
);

test("the search dialog gets the first beats of a view without drafts", async () => {
  const [draft = 0] = await insertBeats(api.database, [{ title: "Midnight Unheard" }]);
  await api.database.query.updateTable("beats").set({ is_listed: false }).where("id", "=", draft).execute();
  const { body, headers } = await open("/site/beats?q=midnihgt");
  expect(headers["content-type"]).toContain("application/json");
  const results = JSON.parse(body).beats;
  expect(results.map(({ title }: { title: string }) => title).sort()).toEqual(["Midnight Drive", "Midnight Rain"]);
  expect(results).toContainEqual({
    id: beats[0],
    title: "Midnight Drive",
    producer_name: "Nightowl",
    facts: expect.stringMatching(/^140 BPM/),
  });
});

test("the responses of calls on pages equal those of the API byte for byte", async () => {
  const same = async (site: string, call: string) =>
    expect((await open(site)).body, site).toBe((await api.get(call)).body);
  await same("/site/call?q=midnight", "/v1/search?q=midnight&type=beats&limit=2");
  await same("/site/call?sort=newest", "/v1/beats?sort=newest&limit=2");
  await same(`/site/similar/${beats[0]}`, `/v1/beats/${beats[0]}/similar?limit=2`);
});

describe("strangers", () => {
  test("share a cached page for 30 seconds", async () => {
    const shownName = async () => /<h1><bdi>(.*?)<\/bdi>/.exec((await open(`/beats/${beats[1]}`)).body)?.[1];
    expect(await shownName()).toBe("Midnight Rain");
    await api.database.query
      .updateTable("beats")
      .set({ title: "Morning Rain" })
      .where("id", "=", beats[1] ?? 0)
      .execute();
    clock.advance(freshSeconds * 1_000 - 1);
    expect(await shownName()).toBe("Midnight Rain");
    clock.advance(2);
    expect(await shownName()).toBe("Morning Rain");
  });

  test("get 429 for new pages after too many reads, while other networks and calls with a key are served", async () => {
    clock.advance(60_000);
    await open("/");
    const flood = await Promise.all(
      Array.from({ length: 80 }, (_, n) => open(`/?q=flood${n}`, undefined, "203.0.113.9")),
    );
    const refusal = flood.filter(({ statusCode }) => statusCode === 429);
    expect(refusal).toHaveLength(20);
    expect(refusal[0]?.headers["retry-after"]).toBe("2");
    expect(refusal[0]?.headers["content-type"]).toContain("text/html");
    expect((await open("/", undefined, "203.0.113.9")).statusCode).toBe(200);
    expect((await open("/?q=calm", undefined, "203.0.113.77")).statusCode).toBe(200);
    expect((await api.get("/v1/search?q=flood")).statusCode).toBe(200);
    // Uses up the common budget of all networks.
    const many = await Promise.all(
      Array.from({ length: 60 }, (_, n) => open(`/site/results?q=many${n}`, undefined, `192.0.2.${n}`)),
    );
    expect(many.filter(({ statusCode }) => statusCode === 503).length).toBeGreaterThan(0);
    expect((await api.get("/v1/search?q=many")).statusCode).toBe(200);
  });
});
