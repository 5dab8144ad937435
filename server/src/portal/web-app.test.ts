import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { languageCodes } from "../../../contract/texts/languages.ts";
import { pages, webAppRoutes } from "./web-app.ts";

let folder: string;
let app: ReturnType<typeof openRoutes>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-web-app-"));
  await mkdir(join(folder, "assets"));
  for (const language of languageCodes)
    for (const page of [...pages, "/missing"]) {
      const file = join(folder, `pages/${language}${page === "/" ? "/index" : page}.html`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `<html lang="${language}"><title>the app of {{SITE_NAME}}</title><!-- ${page} -->`);
    }
  await mkdir(join(folder, "docs/api"), { recursive: true });
  await writeFile(join(folder, "docs/api/beats.md"), "# Beats");
  await writeFile(join(folder, "llms.txt"), "# Beat Marketplace");
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, ".vite/docs.json"), "[]");
  await writeFile(join(folder, ".vite/inline-scripts.json"), `["'sha256-AbC='"]`);
  await writeFile(join(folder, "sources.sha256"), "not for anybody");
  await writeFile(join(folder, "assets/app-1a2b.js"), "console.log('the app')");
  await writeFile(join(folder, "assets/app-1a2b.js.br"), brotliCompressSync("console.log('the app')"));
  app = openRoutes(webAppRoutes(folder, (html) => html.replace("{{SITE_NAME}}", "Acme")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test.each([
  ["/portal", 200],
  ["/portal/", 200],
  ["/portal/keys", 200],
  ["/portal/keys/", 200],
  ["/portal/log?call=7", 200],
  ["/portal/webhooks/17", 200],
  ["/portal/studio/uploads/upl_1", 200],
  ["/portal/no/such/page", 404],
  ["/portal/key", 404],
  ["/portal/keys/1", 404],
  ["/portal/webhooks/seventeen", 404],
  ["/portal/constructor", 404],
  ["/portal/sources.sha256", 404],
])(
  "%s is the app with the status %i, revalidated at each visit, under a policy that allows only the build's inline scripts",
  async (path, status) => {
    const { statusCode, headers, body } = await get(path);
    expect(statusCode).toBe(status);
    expect(body).toContain("the app");
    expect(headers["content-type"]).toContain("text/html");
    expect(headers["cache-control"]).toBe("no-cache");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none';.*script-src 'self' 'sha256-AbC=';.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*|https:)/);
  },
);

test("the path of a guide with .md is the guide as Markdown, and llms.txt is served as text", async () => {
  const guide = await get("/portal/docs/api/beats.md");
  expect(guide).toMatchObject({ statusCode: 200, body: "# Beats" });
  expect(guide.headers).toMatchObject({ "content-type": "text/markdown; charset=utf-8", "cache-control": "no-cache" });
  const list = await get("/llms.txt");
  expect(list).toMatchObject({ statusCode: 200, body: "# Beat Marketplace" });
  expect(list.headers["content-type"]).toBe("text/plain; charset=utf-8");
  for (const path of ["none.md", "api/../../sources.sha256.md", "..%2f..%2fllms.md"])
    expect((await get(`/portal/docs/${path}`)).statusCode, path).toBe(404);
});

test("a page that does not exist is 404, even for a browser that has the app cached", async () => {
  const { headers } = await get("/portal");
  const conditional = { "if-none-match": String(headers.etag), range: "bytes=0-3" };
  expect((await get("/portal", { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
  const missing = await get("/portal/no/such/page", conditional);
  expect(missing.statusCode).toBe(404);
  expect(missing.body).toContain("<title>the app of Acme</title><!-- /missing -->");
  expect(missing.headers.etag).toBeUndefined();
});

test.each([
  ["/portal", "/"],
  ["/portal/keys/", "/keys"],
  ["/portal/webhooks/17", "/webhooks/$endpointId"],
  ["/portal/webhooks/doctor", "/webhooks/doctor"],
  ["/portal/library/3/receipt", "/library/$orderId/receipt"],
])("%s is the HTML file of the page %s", async (path, page) => {
  expect((await get(path)).body).toContain(`<!-- ${page} -->`);
});

test.each([
  [{}, "en"],
  [{ "accept-language": "de-DE,de;q=0.9" }, "de"],
  [{ "accept-language": "de", cookie: "language=en" }, "en"],
  [{ cookie: "language=de" }, "de"],
])("a page is in the chosen language, or in the browser's: %j", async (headers, language) => {
  for (const path of ["/portal/keys", "/portal/no/such/page"]) {
    const page = await get(path, headers as Record<string, string>);
    expect(page.body).toContain(`<html lang="${language}">`);
    expect(page.headers["content-language"]).toBe(language);
    expect(page.headers.vary).toBe("Accept-Encoding, Accept-Language, Cookie");
  }
});

test("the server serves exactly the pages of the app's route table", async () => {
  const table = await readFile(join(import.meta.dirname, "../../../portal/src/routes.tsx"), "utf8");
  const paths = [...table.matchAll(/^ {2}path: "([^"]+)"/gm)].map(([, path]) => path);
  expect([...pages].sort()).toEqual(paths.sort());
});

test("docs/portal.md lists each page of the app with its purpose", async () => {
  const text = await readFile(join(import.meta.dirname, "../../../docs/portal.md"), "utf8");
  const missing = pages.filter((page) => !text.includes(`\n\`/portal${page}\`: `));
  expect(missing).toEqual([]);
});

test("a file whose name contains its hash is cached permanently, and is sent compressed", async () => {
  const plain = await get("/portal/assets/app-1a2b.js", { "accept-encoding": "identity" });
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(plain.headers.vary).toBe("Accept-Encoding");
  const compressed = await get("/portal/assets/app-1a2b.js", { "accept-encoding": "gzip, br" });
  expect(compressed.headers["content-encoding"]).toBe("br");
  expect(compressed.headers["content-type"]).toContain("javascript");
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body);
});

test.each(["/portal/assets/gone-0000.js", "/portal/assets/..%2fsources.sha256"])("%s does not exist", async (path) => {
  const { statusCode, body } = await get(path);
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(body).not.toContain("not for anybody");
});

test("without a build, a page is 503", async () => {
  const empty = openRoutes(webAppRoutes(await mkdtemp(join(tmpdir(), "beatmarket-web-app-")), (html) => html));
  expect((await empty.inject("/portal")).statusCode).toBe(503);
});

test("the app's HTML has no inline script and no inline event handler", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../portal/index.html"), "utf8");
  expect(page.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes("src="))).toBe(true);
  expect(page).not.toMatch(/\son\w+=|javascript:/);
});

describe("Accept: text/markdown", () => {
  test.each([
    ["/portal/docs/api/beats", "text/markdown", "# Beats"],
    ["/portal/docs/api/beats", "text/markdown, text/html;q=0.5", "# Beats"],
    ["/portal/docs", "text/markdown", "# Beat Marketplace"],
  ])("%s with %s is the guide as Markdown", async (path, accept, text) => {
    const { statusCode, body, headers } = await get(path, { accept });
    expect(statusCode).toBe(200);
    expect(body).toBe(text);
    expect(headers.vary).toBe("Accept, Accept-Encoding");
  });

  test.each([["text/html"], ["*/*"], ["text/html, text/markdown"], ["text/markdown;q=0"]])(
    "%s is the page",
    async (accept) => expect((await get("/portal/docs", { accept })).body).toContain("the app"),
  );

  test("is 404 for a guide that does not exist", async () => {
    const { statusCode } = await get("/portal/docs/nothing", { accept: "text/markdown" });
    expect(statusCode).toBe(404);
  });
});
