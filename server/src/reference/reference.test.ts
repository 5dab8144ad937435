import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../../test/harness/browser.ts";
import { openRoutes, unlimitedConnections } from "../../test/harness/routes.ts";
import { jsonResponse } from "../http/pipeline/http-response.ts";
import { openRoute } from "../http/pipeline/open-route.ts";
import { createServer, drain, listen } from "../http/transport/server.ts";
import { referenceRoutes } from "./reference.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Beat Marketplace API", version: "1.0.0", description: "A small document." },
  servers: [{ url: "/v1" }],
  security: [{ apiKey: [] }],
  tags: [{ name: "Beats" }],
  paths: {
    "/beats": {
      get: {
        operationId: "listBeats",
        tags: ["Beats"],
        summary: "List beats",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", default: 20 } }],
        responses: { 200: { description: "Success.", content: { "application/json": { example: { beats: [] } } } } },
      },
    },
    "/beats/{beat_id}": {
      get: {
        operationId: "getBeat",
        tags: ["Beats"],
        summary: "Get one beat",
        parameters: [{ name: "beat_id", in: "path", required: true, schema: { type: "integer" } }],
        responses: { 200: { description: "Success." } },
      },
    },
  },
  components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
};

const framing = `<iframe src="FRAMED" style="width:100%;height:90vh"></iframe>`;
const app = openRoutes([
  ...referenceRoutes(document),
  openRoute("/portal/explorer", ({ url }) => jsonResponse(JSON.stringify({ portal: url }))),
  openRoute("/framing", () => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: framing.replace("FRAMED", "/explorer"),
  })),
]);
const server = createServer(null, app.handle, unlimitedConnections());

let origin = "";
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  await listen(server, { port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await drain(server);
});

/** Opens a page and records its requests and errors. */
async function open(path: string, colorScheme: "light" | "dark" = "light") {
  context = await browser.newContext({ colorScheme });
  const requested: string[] = [];
  const errors: string[] = [];
  context.on("request", (request) => requested.push(request.url()));
  const page = await context.newPage();
  page.on("websocket", (socket) => requested.push(socket.url()));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${origin}${path}`);
  return { page, requested, errors };
}

const brightness = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const pixel = document.createElement("canvas").getContext("2d");
    pixel.fillStyle = getComputedStyle(document.querySelector("main") ?? document.body).getPropertyValue("--scalar-background-1");
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b] = pixel.getImageData(0, 0, 1, 1).data;
    return (r + g + b) / 3;
  })()`);

test("the page has a title, a notice and a policy that allows only our own origin", async () => {
  const { statusCode, headers, body } = await app.inject("/explorer");
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["x-frame-options"]).toBe("SAMEORIGIN");
  expect(body).toContain("<title>Beat Marketplace API</title>");
  expect(body).toContain("Pre-release demo");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/default-src 'none';.*script-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
});

test("its scripts are compressed and immutable, under names that change with their content", async () => {
  const { body } = await app.inject("/explorer");
  const urls = [...body.matchAll(/<script src="([^"]+)"/g)].map(([, url]) => url ?? "");
  expect(urls).toEqual([
    expect.stringMatching(/^\/explorer\/scalar-[0-9a-f]{16}\.js$/),
    expect.stringMatching(/^\/explorer\/start-[0-9a-f]{16}\.js$/),
  ]);
  for (const url of urls) {
    const fetched = async (accepted: string) => app.inject({ url, headers: { "accept-encoding": accepted } });
    const plain = await fetched("identity");
    expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(plain.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(plain.headers.vary).toBe("Accept-Encoding");
    const br = await fetched("gzip, deflate, br");
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    const gzip = await fetched("gzip, br;q=0");
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
});

test("a script of another version is 404", async () => {
  expect((await app.inject("/explorer/scalar-0000000000000000.js")).statusCode).toBe(404);
});

test.each([
  ["light", 200, 255],
  ["dark", 0, 60],
] as const)("in %s mode it shows the operations and requests nothing from other origins", async (mode, from, to) => {
  const { page, requested, errors } = await open("/explorer", mode);
  for (const summary of ["List beats", "Get one beat"])
    await page.getByRole("heading", { name: summary }).first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.title()).toContain("Beat Marketplace API");
  expect(await brightness(page)).toBeGreaterThanOrEqual(from);
  expect(await brightness(page)).toBeLessThanOrEqual(to);
  expect(requested).toContain(`${origin}/explorer/openapi.json`);
  expect(requested.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin)).toEqual([]);
  expect(errors).toEqual([]);
});

test("each operation links to the portal's explorer, also from a frame; the page itself sends no calls and asks for no key", async () => {
  const { page } = await open("/explorer");
  await page.getByRole("link", { name: "Try it" }).first().waitFor();
  expect(await page.getByPlaceholder("Token").count()).toBe(0);
  expect(await page.getByRole("button", { name: /Test Request|Send/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Try it" }).first().click();
  await page.waitForURL(({ href }) => href === `${origin}/portal/explorer?operation=listBeats`);

  await page.goto(`${origin}/framing`);
  const framed = page.frameLocator("iframe");
  await framed
    .getByRole("link", { name: /List beats/ })
    .first()
    .click();
  await framed.getByRole("link", { name: "Try it" }).first().click();
  await page.waitForURL(({ href }) => href === `${origin}/portal/explorer?operation=listBeats`);
});

test("it takes the colour scheme from the portal", async () => {
  const { page } = await open("/explorer?scheme=dark", "light");
  await page.getByRole("heading", { name: "List beats" }).first().waitFor();
  expect(await brightness(page)).toBeLessThan(60);
});

test("a page of our own origin may frame it, another may not", async () => {
  const { page } = await open("/framing");
  await page.frameLocator("iframe").getByRole("heading", { name: "Beat Marketplace API" }).first().waitFor();

  const headers = { "content-type": "text/html" };
  const body = framing.replace("FRAMED", `${origin}/explorer`);
  const stranger = createServer(
    null,
    openRoutes([openRoute("/", () => ({ status: 200, headers, body }))]).handle,
    unlimitedConnections(),
  );
  await listen(stranger, { port: 0, host: "127.0.0.1" });
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const refused = page.waitForEvent("console", (message) => /frame-ancestors|X-Frame-Options/.test(message.text()));
  await page.goto(elsewhere);
  await refused;
  await drain(stranger);
});
