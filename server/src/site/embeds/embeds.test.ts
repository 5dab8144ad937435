import { systemClock } from "@beatmarket/foundation/clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { takeDownBeat } from "../../resources/takedowns/take-down.ts";

let api: TestApi;
let beat: number;
let larks: number;
let base: string;

beforeAll(async () => {
  api = await testApi();
  [beat = 0] = await insertBeats(
    api.database,
    Array.from({ length: 8 }, () => ({ title: `<b>${"夜".repeat(90)}</b>`, producer: "Nightowl" })),
  );
  [larks = 0] = await insertBeats(api.database, [{ title: "Song", producer: "Lark" }]);
  base = /<loc>(.*?)\/sitemaps/.exec((await open("/sitemap.xml")).body)?.[1] ?? "";
});

const open = (url: string) => api.request({ url, headers: { accept: "text/html" }, remoteAddress: "198.51.100.1" });
const describing = (query: Record<string, string>) => open(`/oembed?${new URLSearchParams(query)}`);

describe("a player for other sites", () => {
  test.each(["small", "medium", "large"])(
    "of size %s has no script, may be framed, and has less than 30 kB",
    async (size) => {
      for (const path of [`/embed/beats/${beat}`, "/embed/producers/nightowl"]) {
        const { statusCode, headers, body } = await open(`${path}?size=${size}`);
        expect(statusCode, path).toBe(200);
        expect(Buffer.byteLength(body)).toBeLessThan(30_000);
        expect(body).not.toMatch(/<script|<b>/);
        expect(body).toContain('target="_blank" rel="noopener"');
        expect(body).toContain("<audio controls");
        expect(String(headers["content-security-policy"])).toMatch(/frame-ancestors \*$/);
        expect(headers).not.toHaveProperty("x-frame-options");
      }
    },
  );

  test("may be framed only by the sites that its producer names", async () => {
    const origins = ["https://a.example", "https://b.example:8443"];
    await api.database.query
      .updateTable("users")
      .set({ embed_origins: origins })
      .where("username", "=", "lark")
      .execute();
    for (const path of [`/embed/beats/${larks}`, "/embed/producers/lark"]) {
      const { headers } = await open(path);
      expect(String(headers["content-security-policy"])).toMatch(
        /frame-ancestors https:\/\/a\.example https:\/\/b\.example:8443$/,
      );
    }
  });

  test("is refused for another size, and 404 for a beat or a producer that does not exist", async () => {
    expect((await open(`/embed/beats/${beat}?size=huge`)).statusCode).toBe(400);
    for (const path of ["/embed/beats/999999", "/embed/beats/x", "/embed/producers/nobody"])
      expect((await open(path)).statusCode, path).toBe(404);
  });

  test("shows a refusal inside the frame, since browsers would show an error page of their own", async () => {
    const [down = 0] = await insertBeats(api.database, [{ title: "Gone", producer: "Lark" }]);
    const parts = { db: api.database.query, clock: systemClock, publicUrl: base };
    await takeDownBeat(parts, { beatId: down, reason: "Stolen.", withdrawFiles: false, author: "operator" });
    for (const [path, status, sentence] of [
      [`/embed/beats/${down}`, 410, "This beat was taken down"],
      ["/embed/beats/999999", 404, "No such beat"],
      ["/embed/producers/nobody", 404, "No such producer"],
      [`/embed/beats/${beat}?size=huge`, 400, "small, medium or large"],
    ] as const) {
      const { statusCode, headers, body } = await open(path);
      expect(statusCode, path).toBe(status);
      expect(body).toContain(sentence);
      expect(body).not.toContain("<script");
      expect(String(headers["content-security-policy"])).toMatch(/frame-ancestors \*$/);
      expect(headers).not.toHaveProperty("x-frame-options");
      const program = await api.request({ url: path, headers: { accept: "application/json" } });
      expect(program.json().status, path).toBe("error");
    }
  });
});

describe("/oembed", () => {
  test("describes the page of a beat in both formats, within the bounds", async () => {
    const url = `${base}/beats/${beat}`;
    const { statusCode, body } = await describing({ url, maxwidth: "500", maxheight: "300" });
    expect(statusCode).toBe(200);
    const oembed = JSON.parse(body);
    expect(oembed).toMatchObject({ type: "rich", version: "1.0", width: 480, height: 280, author_name: "Nightowl" });
    expect(oembed).toMatchObject({ provider_name: "Beat Marketplace", provider_url: base });
    expect(oembed.html).toContain(`src="${base}/embed/beats/${beat}?size=medium"`);
    const xml = await describing({ url, format: "xml", maxwidth: "100" });
    expect(xml.headers["content-type"]).toContain("text/xml");
    expect(xml.body).toContain("<width>100</width>");
    expect(xml.body).toContain("<provider_name>Beat Marketplace</provider_name>");
    expect(xml.body).toContain("<html>&lt;iframe src=");
  });

  test("is linked from the pages that it describes", async () => {
    for (const path of [`/beats/${beat}`, "/producers/nightowl"]) {
      const { body } = await open(path);
      const link = /<link rel="alternate" type="application\/json\+oembed" href="(.*?)">/.exec(body)?.[1] ?? "";
      const { pathname, search } = new URL(link.replaceAll("&amp;", "&"));
      expect(JSON.parse((await open(pathname + search)).body).type).toBe("rich");
      expect(body).toContain('type="text/xml+oembed"');
    }
  });

  test("refuses other addresses and formats", async () => {
    for (const url of ["", "https://other.example/beats/1", `${base}/beats/999999`, `${base}/producers/%E0%A4%A`])
      expect((await describing({ url })).statusCode, url).toBe(404);
    expect((await describing({ url: `${base}/beats/${beat}`, format: "yaml" })).statusCode).toBe(501);
    expect((await describing({ url: `${base}/beats/${beat}`, maxwidth: "-1" })).statusCode).toBe(400);
  });
});
