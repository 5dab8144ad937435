import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { idsPerFile, readAddresses } from "../../resources/beats/queries.ts";

const clock = new FakeClock();
let api: TestApi;
let beats: number[];

beforeAll(async () => {
  api = await testApi({ clock });
  beats = await insertBeats(api.database, [{ title: "First" }, { title: "Second" }, { title: "Draft" }]);
  await api.database.query
    .updateTable("beats")
    .set({ is_listed: false })
    .where("id", "=", beats[2] ?? 0)
    .execute();
});

const open = (url: string, headers: Record<string, string> = {}) =>
  api.request({ url, headers, remoteAddress: "198.51.100.1" });

test("robots.txt has the index, the index has the files, and a file has the listed beats", async () => {
  const [, index = ""] = /^Sitemap: (.*)$/m.exec((await open("/robots.txt")).body) ?? [];
  const { pathname } = new URL(index);
  expect(pathname).toBe("/sitemap.xml");
  const files = [...(await open(pathname)).body.matchAll(/<loc>(.*?)<\/loc>(<lastmod>)?/g)];
  expect(files.map(([, url = "", lastChange]) => [new URL(url).pathname, lastChange !== undefined])).toEqual([
    ["/sitemaps/pages.xml", false],
    ["/sitemaps/beats-0.xml", true],
    ["/sitemaps/producers-0.xml", false],
  ]);
  const file = await open("/sitemaps/beats-0.xml");
  expect(file.headers["content-type"]).toContain("application/xml");
  const shown = [...file.body.matchAll(/<loc>[^<]*\/beats\/(\d+)<\/loc><lastmod>\d{4}-/g)].map(([, id]) => Number(id));
  expect(shown).toEqual(beats.slice(0, 2));
  expect(file.body.endsWith("</urlset>\n")).toBe(true);
});

test("a file has the canonical pages of producers with a listed beat, and no other pages", async () => {
  const { driver } = api.database;
  await insertBeats(
    api.database,
    ["Listed", "Suspended", "Drafts"].map((producer) => ({ producer })),
  );
  await driver`update users set username = 'A&B é' where username = 'listed'`;
  await driver`update users set suspended_at = now(), suspension_reason = 'Spam.' where username = 'suspended'`;
  await driver`update beats set is_listed = false where user_id = (select id from users where username = 'drafts')`;
  await driver`insert into users (username, display_name, is_producer) values ('quiet', 'Quiet', true)`;
  const { body } = await open("/sitemaps/producers-0.xml");
  const paths = [...body.matchAll(/<loc>[^<]*?(\/producers\/[^<]*)<\/loc><\/url>/g)].map(([, path = ""]) => path);
  expect(paths).toContain("/producers/A%26B%20%C3%A9");
  for (const name of ["quiet", "suspended", "drafts"]) expect(paths, name).not.toContain(`/producers/${name}`);
  expect(paths).toContain("/producers/nightowl");
  for (const path of paths) expect((await open(`${path}/feed.atom`)).statusCode, path).toBe(200);
});

test("an unchanged file is 304, and an unknown file is 404", async () => {
  const { headers } = await open("/sitemaps/beats-0.xml");
  expect((await open("/sitemaps/beats-0.xml", { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
  for (const path of [
    "/sitemaps/beats-7.xml",
    "/sitemaps/beats-x.xml",
    "/sitemaps/producers-7.xml",
    "/sitemaps/users-0.xml",
  ])
    expect((await open(path)).statusCode, path).toBe(404);
});

test("the index is created at most once in ten minutes", async () => {
  const lastChange = async () => /beats-0\.xml<\/loc><lastmod>([^<]*)/.exec((await open("/sitemap.xml")).body)?.[1];
  clock.advance(600_001);
  const before = await lastChange();
  await api.database.driver`update beats set updated_at = '2050-01-01' where id = ${beats[0]}`;
  clock.advance(599_000);
  expect(await lastChange()).toBe(before);
  clock.advance(1_001);
  expect(await lastChange()).toBe("2050-01-01T00:00:00.000Z");
});

test("a file is read in chunks with a bounded number of rows, and has each beat once", async () => {
  await insertBeats(
    api.database,
    Array.from({ length: 25 }, (_, n) => ({ title: `More ${n}` })),
  );
  const chunks: number[][] = [];
  for await (const rows of readAddresses(api.database.query, "beats", 0, 10)) chunks.push(rows.map(({ id }) => id));
  expect(chunks.map(({ length }) => length)).toEqual([10, 10, 8]);
  expect(new Set(chunks.flat()).size).toBe(28);
  expect(Math.max(...chunks.flat())).toBeLessThan(idsPerFile);
});
