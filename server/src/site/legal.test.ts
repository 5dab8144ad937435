import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { openLegalTexts } from "./legal.ts";
import { convertPage } from "./markdown.ts";

const html = { accept: "text/html" };
const folder = await mkdtemp(join(tmpdir(), "beatmarket-pages-"));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(
  join(folder, "terms.md"),
  "# Our terms\n\nBe **kind**. See [privacy](/privacy).\n\n## Law\n\nThat of Austria.\n",
);
const site = { name: "Acme Beats", color: null, logo: undefined, pages: folder };
const api = await testApi({ site });

test("a page of the operator is rendered with its title", async () => {
  const { statusCode, body } = await api.request({ url: "/terms", headers: html });
  expect(statusCode).toBe(200);
  expect(body).toContain("<title>Our terms · Acme Beats</title>");
  expect(body).toContain("<h1>Our terms</h1>");
  expect(body).toContain(`<p>Be <strong>kind</strong>. See <a href="/privacy" rel="noreferrer">privacy</a>.</p>`);
  expect(body).toContain(`<h2 id="law">Law</h2>`);
  expect(body).toContain(`<link rel="canonical" href="https://`);
  expect(body).not.toContain("SITE_PAGES");
});

test.each(["privacy", "contact"])("without its file, /%s says what is missing, and how to add it", async (slug) => {
  const { statusCode, body } = await api.request({ url: `/${slug}`, headers: html });
  expect(statusCode).toBe(200);
  expect(body).toContain("The operator of Acme Beats has not written this page yet.");
  expect(body).toContain(`<code>${slug}.md</code>`);
  expect(body).toContain("<code>SITE_PAGES</code>");
});

test("the sitemap has the front page, the changelog and the operator's pages", async () => {
  expect((await api.request({ url: "/sitemap.xml" })).body).toContain("/sitemaps/pages.xml</loc>");
  const { body, headers } = await api.request({ url: "/sitemaps/pages.xml" });
  expect(headers["content-type"]).toContain("application/xml");
  expect([...body.matchAll(/<loc>https:\/\/[^/]+(\/[^<]*)<\/loc>/g)].map(([, path]) => path)).toEqual([
    "/",
    "/changelog",
    "/terms",
    "/privacy",
    "/contact",
  ]);
});

test.each([
  ["a script", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
  ["an attribute", "text <img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"],
  ["a link that runs", "[a](javascript:alert(1))", "<p>a</p>"],
  ["a link that runs, in another spelling", "[a](JaVaScRiPt:alert(1))", "<p>a</p>"],
  ["a link of data", "[a](data:text/html,x)", "<p>a</p>"],
  ["a link to another host without a scheme", "[a](//evil.example)", "<p>a</p>"],
  ["a picture without TLS", "![a](http://x.example/a.png)", "<p>a</p>"],
  ["quotes in an address", '[a](https://x.example/"onclick=1)', "&quot;onclick=1"],
])("%s in the Markdown has no effect", (_, markdown, shown) => {
  const { html: converted } = convertPage(markdown);
  expect(converted).toContain(shown);
  expect(converted).not.toMatch(/<script|<img|href="(?:javascript|data)|\son\w+=(?!alert)/i);
});

test("links to mail and web addresses, and pictures with https, are kept", () => {
  expect(convertPage("[a](mailto:a@example.com) ![b](https://x.example/b.png)").html).toBe(
    `<p><a href="mailto:a@example.com" rel="noreferrer">a</a> <img src="https://x.example/b.png" alt="b" loading="lazy"></p>`,
  );
});

test.each([
  [
    "folder that does not exist",
    { pages: join(folder, "none") },
    "cannot be read (ENOENT). It takes a folder with terms.md",
  ],
])("SITE_PAGES with the path of a %s is refused", async (_, settings, sentence) => {
  await expect(openLegalTexts(settings)).rejects.toThrow(sentence);
});

test.each([
  [
    "another name",
    "imprint.md",
    "# Imprint",
    "is not a page of the site. SITE_PAGES takes terms.md, privacy.md, contact.md.",
  ],
  ["nothing in it", "contact.md", " \n", "is empty."],
  ["another encoding", "contact.md", Buffer.from([0xe4, 0xf6]), "is not UTF-8"],
])("a file with %s is refused with the reason", async (_, name, content, sentence) => {
  const other = await mkdtemp(join(folder, "other-"));
  await writeFile(join(other, name), content);
  await expect(openLegalTexts({ pages: other })).rejects.toThrow(sentence);
});
