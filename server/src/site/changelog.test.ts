import { expect, test } from "vitest";
import { publicUrl, testApi } from "../../test/harness/api.ts";
import { changelog } from "../resources/changelog/entries.ts";

const site = { name: "Acme & Sons", color: null, logo: undefined, pages: undefined };
const api = await testApi({ site });
const [newest] = changelog;
const getPage = (url: string, headers: Record<string, string> = { accept: "text/html" }) =>
  api.request({ url, headers });

test("the public page has each entry under its date, with links to the reference and to the feed", async () => {
  const { statusCode, headers, body } = await getPage("/changelog");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["cache-control"]).toContain("public, max-age=");
  expect(body).toContain("<title>Changelog of the API · Acme &amp; Sons</title>");
  for (const { id, date, operations } of changelog) {
    expect(body).toContain(`<section id="${id}">`);
    expect(body).toContain(`<h2 id="${date}">`);
    for (const operation of operations) expect(body).toContain(`#${operation}"><code>${operation}</code>`);
  }
  expect(body).toContain(`<link rel="alternate" type="application/atom+xml" href="${publicUrl}/changelog.atom">`);
});

test("each link to an operation leads to its place in the reference", async () => {
  const links = [...(await getPage("/changelog")).body.matchAll(/href="(\/explorer\/[^#"]+)#(\w+)"/g)];
  const anchors = new Map<string, string[]>();
  for (const [, path = "", id = ""] of links) anchors.set(path, [...(anchors.get(path) ?? []), id]);
  expect(links.length).toBeGreaterThan(40);
  for (const [path, ids] of anchors) {
    const { body } = await getPage(path);
    expect(
      ids.filter((id) => !body.includes(`id="${id}"`)),
      path,
    ).toEqual([]);
  }
});

test("the page is Markdown with absolute links for programs that accept Markdown", async () => {
  const { headers, body } = await getPage("/changelog", { accept: "text/markdown" });
  expect(headers).toMatchObject({ "content-type": "text/markdown; charset=utf-8", vary: "Accept, Accept-Encoding" });
  expect(body).toMatch(/^# Changelog of the API\n/);
  expect(body).toContain(`### ${newest?.title}`);
  expect(body).not.toContain("](/");
});

test("the Atom feed has the entries newest first, with their operations as categories", async () => {
  const { headers, body } = await getPage("/changelog.atom");
  expect(headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const ids = [...body.matchAll(/<entry>\n<id>(.*?)<\/id>/g)].map(([, id]) => id);
  expect(ids).toEqual(changelog.map(({ id }) => `${publicUrl}/changelog#${id}`));
  expect(body).toContain("<title>Changes of the API of Acme &amp; Sons</title>");
  expect(body).toContain(`<category scheme="${publicUrl}/changelog#operation" term="createQuote"/>`);
  expect(body).toContain(`<updated>${newest?.date}T00:00:00Z</updated>`);
});

test("the JSON feed names kind, operations and events of each entry", async () => {
  const { headers, body } = await getPage("/changelog.json", { accept: "*/*" });
  expect(headers).toMatchObject({
    "content-type": "application/feed+json",
    "cache-control": "public, max-age=300",
    "access-control-allow-origin": "*",
  });
  const { version, items } = JSON.parse(body);
  expect(version).toBe("https://jsonfeed.org/version/1.1");
  expect(items.map((item: { _api: unknown }) => item._api)).toEqual(
    changelog.map(({ kind, operations, events }) => ({ kind, operations, events })),
  );
});

test.each(["/changelog", "/changelog.atom", "/changelog.json"])("%s is 304 if it has not changed", async (url) => {
  const { headers } = await getPage(url);
  expect((await getPage(url, { accept: "text/html", "if-none-match": String(headers.etag) })).statusCode).toBe(304);
});

test.each(["/", "/sitemaps/pages.xml", "/.well-known/api-catalog"])("%s links to the changelog", async (url) => {
  expect((await getPage(url)).body).toMatch(/\/changelog["<]/);
});
