import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRoutes } from "../../test/harness/routes.ts";
import { webAppRoutes } from "./web-app.ts";

let folder: string;
let app: ReturnType<typeof openRoutes>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-web-app-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<title>the app</title>");
  await writeFile(join(folder, "sources.sha256"), "not for anybody");
  await writeFile(join(folder, "assets/app-1a2b.js"), "console.log('the app')");
  await writeFile(join(folder, "assets/app-1a2b.js.br"), brotliCompressSync("console.log('the app')"));
  app = openRoutes(webAppRoutes(folder));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test.each(["/portal", "/portal/keys", "/portal/log?call=7", "/portal/no/such/page"])(
  "%s is the app, fresh at each visit, under a policy that lets nothing inline run",
  async (path) => {
    const { statusCode, headers, body } = await get(path);
    expect(statusCode).toBe(200);
    expect(body).toContain("the app");
    expect(headers["content-type"]).toContain("text/html");
    expect(headers["cache-control"]).toBe("no-cache");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none';.*script-src 'self';.*frame-ancestors 'none'/);
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*|https:)/);
  },
);

test("a file whose name holds its hash is kept for good, and comes compressed", async () => {
  const plain = await get("/portal/assets/app-1a2b.js", { "accept-encoding": "identity" });
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(plain.headers.vary).toBe("Accept-Encoding");
  const compressed = await get("/portal/assets/app-1a2b.js", { "accept-encoding": "gzip, br" });
  expect(compressed.headers["content-encoding"]).toBe("br");
  expect(compressed.headers["content-type"]).toContain("javascript");
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body);
});

test.each(["/portal/assets/gone-0000.js", "/portal/assets/..%2fsources.sha256"])("%s is not there", async (path) => {
  const { statusCode, body } = await get(path);
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(body).not.toContain("not for anybody");
});

test("only what the app is made of is served, nothing beside it", async () => {
  expect((await get("/portal/sources.sha256")).body).toContain("the app");
});

test("before it was built, it says how to build it", async () => {
  const empty = openRoutes(webAppRoutes(await mkdtemp(join(tmpdir(), "beatmarket-web-app-"))));
  expect((await empty.inject("/portal")).statusCode).toBe(503);
});

test("its page starts by files alone", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../portal/index.html"), "utf8");
  expect(page.match(/<script\b[^>]*>/g)?.every((tag) => tag.includes("src="))).toBe(true);
  expect(page).not.toMatch(/\son\w+=|javascript:/);
});
