import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/harness/api.ts";
import { branded, contrast, openBrand, shadesOf } from "./brand.ts";

const html = { accept: "text/html" };
const folder = await mkdtemp(join(tmpdir(), "beatmarket-brand-"));
afterAll(() => rm(folder, { recursive: true }));
const logo = join(folder, "logo.svg");
await writeFile(logo, `<svg xmlns="http://www.w3.org/2000/svg"/>`);
const settings = { name: "Acme <Beats>", color: "#1a7f64", logo, pages: undefined };

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ site: settings });
});
const open = (url: string, headers: Record<string, string> = html) => api.request({ url, headers });

describe("the name, the color and the logo of the operator", () => {
  test.each(["/", "/basket", "/terms", "/explorer", "/beats/999999", "/no/such/page"])(
    "are in the title and the header of %s, whose policy allows the style",
    async (url) => {
      const { body, headers } = await open(url);
      expect(body).toMatch(/<title>[^<]*Acme &lt;Beats&gt;[^<]*<\/title>/);
      expect(body).toContain(
        `<a class="brand" href="/"><img src="/site/logo" alt="" height="28"><span class="name">Acme &lt;Beats&gt;</span></a>`,
      );
      const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
      expect(style).toContain("--mantine-color-violet-6:#1a7f64");
      expect(headers["content-security-policy"]).toContain(hashSource(style));
      expect(body).toContain(
        `<a href="/terms">Terms</a>\n<a href="/privacy">Privacy</a>\n<a href="/contact">Contact</a>`,
      );
    },
  );

  test.each(["/licenses/0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921", "/mails/preferences?user=1&signature=x", "/library"])(
    "are in %s, a page outside of the site's layout",
    async (url) => {
      const { body, headers } = await open(url);
      expect(body).toContain(
        `<header class="site"><a href="/"><img src="/site/logo" alt="" height="28"> Acme &lt;Beats&gt;</a>`,
      );
      expect(body).toContain(
        `<a href="/terms">Terms</a>\n<a href="/privacy">Privacy</a>\n<a href="/contact">Contact</a>`,
      );
      const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
      expect(style).toContain("#1a7f64");
      expect(headers["content-security-policy"]).toContain(`style-src ${hashSource(style)}`);
      expect(headers["content-security-policy"]).toContain("img-src data: 'self'");
    },
  );

  test("are in the web app and in its manifest", async () => {
    const { body } = await open("/portal");
    expect(body).toContain(`<meta name="application-name" content="Acme &lt;Beats&gt;"`);
    expect(body).toContain("<title>Acme &lt;Beats&gt;</title>");
    expect(body).not.toMatch(/SITE_|Beat Marketplace/);
    const manifest = await open("/site.webmanifest", {});
    expect(manifest.headers["content-type"]).toBe("application/manifest+json");
    expect(JSON.parse(manifest.body)).toMatchObject({ name: "Acme <Beats>", icons: [{ src: "/site/logo" }] });
  });
});

test("the name is in the title of the API's document", async () => {
  const { body } = await open("/openapi.json", {});
  expect(JSON.parse(body).info.title).toBe("Acme <Beats> API");
});

test("the logo's policy allows no script and no load, and an unchanged logo is answered with 304", async () => {
  const { statusCode, headers, body } = await open("/site/logo", {});
  expect([statusCode, headers["content-type"], body]).toEqual([200, "image/svg+xml", expect.stringContaining("<svg")]);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
  expect((await open("/site/logo", { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
});

test("without settings, the logo is the built-in one", async () => {
  const plain = await testApi();
  const { statusCode, headers } = await plain.request({ url: "/site/logo" });
  expect([statusCode, headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  const { body } = await plain.request({ url: "/terms", headers: html });
  expect(body).toContain("Beat Marketplace</span></a>");
});

test.each([
  ["missing", "none.png", "cannot be read (ENOENT)"],
  ["empty", "empty.png", "has 0 bytes"],
  ["a folder", "folder.png", "cannot be read (EISDIR)"],
  ["too large", "large.png", "has 262145 bytes; it takes 1 to 262144"],
])("a logo that is %s stops the start with a sentence", async (_, name, sentence) => {
  await writeFile(join(folder, "empty.png"), "");
  await writeFile(join(folder, "large.png"), Buffer.alloc(262_145));
  await mkdir(join(folder, "folder.png"), { recursive: true });
  await expect(openBrand({ ...settings, logo: join(folder, name) })).rejects.toThrow(sentence);
});

test("a name is escaped wherever a page of the web app has it", () => {
  const page = `<title>{{SITE_NAME}}</title><!-- SITE_STYLE --><!-- SITE_MARK --><svg/><!-- /SITE_MARK -->{{SITE_NAME}}`;
  expect(branded(page, { name: "$& <b>", style: "", logo: null })).toBe(
    "<title>$&amp; &lt;b&gt;</title><svg/>$&amp; &lt;b&gt;",
  );
});

test.each(["#000000", "#ffffff", "#ffe600", "#1a7f64", "#6840e8", "#ff0000"])(
  "the shades of %s have sufficient contrast with white text, a white page and a dark page",
  (color) => {
    const shades = shadesOf(color);
    expect(shades).toHaveLength(10);
    expect(contrast(shades[6] ?? "", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(shades[3] ?? "", "#17161e")).toBeGreaterThanOrEqual(4.5);
  },
);
