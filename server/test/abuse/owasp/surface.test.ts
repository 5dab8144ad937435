import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type SecureVersion } from "node:tls";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { apiOperations } from "../../harness/documents/promised-responses.ts";
import { type SignedInVisitor, testPortal } from "../../harness/portal.ts";

// OWASP API7, 8 and 9:2023: the addresses that the service calls, what it reveals, and which routes exist.

const clock = new FakeClock();
const folder = await mkdtemp(join(tmpdir(), "beatmarket-owasp-"));
afterAll(() => rm(folder, { recursive: true }));
const certificate = await ownCertificate(
  { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const portal = await testPortal({ clock, certificate });
const { api } = portal;
const beats = await insertBeats(api.database, [{ title: "One" }, { title: "Two" }]);
await api.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = api.app.server.address() as AddressInfo;

describe("API7:2023 Server side request forgery", () => {
  let dora: SignedInVisitor;
  beforeAll(async () => {
    dora = await portal.signUp();
  });

  // The service checks the address of a name before each call: address/forbidden-addresses.test.ts, sender.test.ts.
  test.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://１２７.０.０.１/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "http://example.com/",
    "https://user:password@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com:22/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "//127.0.0.1/",
  ])("no webhook goes to %s", async (url) => {
    clock.advance(60_000);
    const response = await dora.send("POST", "/webhooks/endpoints", { url, event_types: null });
    expect(response.statusCode).toBe(400);
    expect((await dora.get("/webhooks/endpoints")).json().endpoints).toEqual([]);
  });

  test.each([
    ["packages/webhooks/src/address/forbidden-addresses.test.ts", "alone or among public addresses"],
    ["packages/webhooks/src/address/forbidden-addresses.test.ts", "even if the name later resolves to others"],
    ["packages/webhooks/src/sender.test.ts", "which is not followed"],
  ])("calling an address is tested in %s: %s", (file, guarantee) => {
    const path = join(import.meta.dirname, "../../../..", file);
    expect(existsSync(path) && readFileSync(path, "utf8")).toContain(guarantee);
  });
});

describe("API8:2023 Security misconfiguration", () => {
  test.each([
    "/v1/genres",
    "/v1/beats/0",
    "/v1/nowhere",
    "/nowhere",
    "/portal",
    "/portal/icon.svg",
    "/portal/api/session",
    "/portal/api/nowhere",
    "/explorer",
    "/openapi.json",
    "/healthz",
    "/readyz",
    `/media/beats/${beats[0]}.svg`,
  ])("%s restricts browsers, reveals nothing of the program, and lets no other site read it", async (url) => {
    const { headers, statusCode } = await api.get(url, { headers: { origin: "https://evil.example" } });
    expect(statusCode).toBeLessThan(500);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    for (const name of Object.keys(headers)) expect(name).not.toMatch(/^(server|x-powered-by|access-control-.*)$/);
    if (String(headers["content-type"]).startsWith("text/html"))
      expect(headers["content-security-policy"]).toMatch(/frame-ancestors '(none|self)'/);
  });

  const handshake = (options: { minVersion?: SecureVersion; maxVersion?: SecureVersion; ciphers?: string }) =>
    new Promise<string>((resolve) => {
      const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options }, () => {
        resolve(`${socket.getProtocol()}`);
        socket.destroy();
      });
      socket.on("error", () => resolve("refused"));
    });

  test("TLS before 1.2 and broken ciphers are refused", async () => {
    expect(await handshake({ maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" })).toBe("refused");
    for (const ciphers of ["eNULL", "aNULL", "RC4", "3DES", "EXPORT"].map((name) => `${name}:@SECLEVEL=0`))
      expect(await handshake({ maxVersion: "TLSv1.2", ciphers }).catch(() => "refused")).toBe("refused");
    expect(await handshake({ maxVersion: "TLSv1.2" })).toBe("TLSv1.2");
    expect(await handshake({})).toBe("TLSv1.3");
  });
});

describe("API9:2023 Improper inventory management", () => {
  test("a served route is in a document or in this test's list, and every documented route is served", async () => {
    const otherRoutes = [
      "/",
      "/healthz",
      "/readyz",
      "/metrics",
      "/openapi.json",
      "/llms.txt",
      "/media/beats/:file",
      "/media/beats/:beat_id/:file",
      "/media/uploads/:upload_id/:file",
      "/media/users/:user_id/:file",
      "/pay/:payment_key",
      "/pay/checkouts/:payment_key",
      "/pay/checkouts/:payment_key/files/:order_id/:kind",
      "/basket",
      "/favorites",
      "/favorites/playlists",
      "/playlists/:playlist_id",
      "/producers/:username",
      "/producers/:username/feed.atom",
      "/embed/beats/:beat_id",
      "/embed/producers/:username",
      "/oembed",
      "/robots.txt",
      "/sitemaps/pages.xml",
      "/site.webmanifest",
      "/site/logo",
      "/terms",
      "/privacy",
      "/contact",
      "/sitemap.xml",
      "/sitemaps/:file",
      "/library",
      "/library/:token",
      "/library/:token/end",
      "/library/:token/orders/:order_id",
      "/library/:token/files/:order_id/:kind",
      "/beats/:beat_id/report",
      "/free-downloads",
      "/free-downloads/:token",
      "/free-downloads/:token/withdraw",
      "/free-downloads/:token/file",
      "/basket/items",
      "/language",
      "/basket/checkout",
      "/mails/preferences",
      "/downloads/:order_id/:kind",
      "/downloads/:order_id/invoices/:invoice_id",
      "/downloads/:order_id/copies/:invoice_id",
      "/licenses/:id",
      "/licenses/:id/odrl",
      "/licenses/status/:list",
      "/beats/:beat_id",
      "/site/beats",
      "/site/results",
      "/site/call",
      "/site/similar/:beat_id",
      "/site/v1/beats",
      "/site/v1/beats/:beat_id",
      "/site/v1/beats/:beat_id/similar",
      "/site/v1/search",
      "/.well-known/api-catalog",
      "/.well-known/change-password",
      "/.well-known/security.txt",
      "/favicon.ico",
      ...["buy", "checkout", "events", "mirror", "playlist"].map((name) => `/arazzo/${name}.yaml`),
      "/server.json",
      "/mcp",
      "/changelog",
      "/changelog.atom",
      "/changelog.json",
      "/status",
      "/status.atom",
      "/api/v2/status.json",
      "/api/v2/components.json",
      "/api/v2/incidents.json",
      "/api/v2/summary.json",
      "/.well-known/jwks.json",
      "/portal/api/sales.csv",
      "/portal/api/studio/free-downloads.csv",
      "/portal/api/earnings/statement.csv",
      "/portal/api/earnings/statement.pdf",
      ...["library", "sales", "admin"].map((area) => `/portal/api/${area}/invoices/:invoice_id/pdf`),
      "/library/:token/invoices/:invoice_id",
      "/licenses/log/checkpoint",
      "/licenses/log/key",
      // Level and number of a tile: the number has up to five parts.
      ...["/:c", "/:c/:d", "/:c/:d/:e", "/:c/:d/:e/:f", ""].map((suffix) => `/licenses/log/tile/:a/:b${suffix}`),
      "/portal/api/admin/payout-runs/:run_id/file",
      "/portal/api/calls.csv",
      "/portal/api/admin/imports/:run_id/rejects",
      "/portal/api/account/export",
      "/portal/api/uploads",
      "/portal/api/uploads/:upload_id",
      "/portal",
      "/portal/*",
      "/portal/assets/*",
      "/portal/packages/*",
      "/portal/icon.svg",
    ];
    const portalPaths = Object.keys(
      JSON.parse(readFileSync(new URL("../../../../contract/portal-openapi.json", import.meta.url), "utf8")).paths,
    );
    const documentedPaths = new Set(
      [
        ...["/v1", "/api/v1"].flatMap((prefix) => apiOperations.map(({ path }) => prefix + path)),
        ...portalPaths.map((path) => `/portal/api${path}`),
      ].map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1")),
    );
    const servedPaths = api.app.paths;
    const unknown = servedPaths.filter(
      (path) => !documentedPaths.has(path) && !otherRoutes.includes(path) && !path.startsWith("/explorer"),
    );
    expect(unknown).toEqual([]);
    for (const path of documentedPaths) if (path !== "/portal/api/auth/demo") expect(servedPaths, path).toContain(path);
  });

  test.each([
    "/v0/genres",
    "/v2/genres",
    "/v1.0/genres",
    "/api/genres",
    "/api/v2/genres",
    "/internal/genres",
    "/v1/v1/genres",
    "/api/api/v1/genres",
    "/admin",
    "/debug/pprof",
    "/.env",
    "/swagger.json",
    "/graphql",
  ])("%s is 404, even with a key", async (url) => {
    expect((await api.get(url)).statusCode).toBe(404);
  });

  test.each(apiOperations.filter(({ method }) => method === "GET"))(
    "$operationId has the same response under both prefixes",
    async ({ path }) => {
      // The log contains the calls of this test, so the query asks for an earlier time.
      const queries: Record<string, string> = { "/search": "?q=beat", "/requests": "?to=2020-01-01" };
      const url = `${path.replaceAll(/\{\w+\}/g, String(beats[1]))}${queries[path] ?? ""}`;
      const [response, prefixedResponse] = [await api.get(`/v1${url}`), await api.get(`/api/v1${url}`)];
      expect(prefixedResponse.statusCode).toBe(response.statusCode);
      expect(prefixedResponse.body.replaceAll("/api/v1/", "/v1/")).toBe(response.body);
    },
  );
});
