import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ask, type Target } from "@beatmarket/http/testing/raw-bytes.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { consoleType, testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";

// Catalogue responses are cached. For every request, the cached response must equal a newly rendered one.
// Otherwise a caller could get a response from the cache that the service would refuse.

const folder = await mkdtemp(join(tmpdir(), "beatmarket-kept-"));
afterAll(() => rm(folder, { recursive: true }));
const certificate = await ownCertificate(
  { dataDir: folder, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const api = await testApi({ certificate });
await insertBeats(
  api.database,
  Array.from({ length: 30 }, (_, index) => ({ title: `Beat ${index}`, producer: `Producer ${index % 3}` })),
);
await api.app.listen({ port: 0, host: "127.0.0.1" });
const target: Target = {
  port: (api.app.server.address() as AddressInfo).port,
  ca: await readFile(certificate.caFile, "utf8"),
};
const otherKey = await api.makeKey({ permissions: ["genres:read"] });

interface Trick {
  method?: string;
  version?: string;
  key?: string | null;
  /** The header lines after Host and Connection. Default: Authorization with `key`. */
  lines?: string[];
  body?: string;
  /** Appended to the path. */
  suffix?: string;
}

const bearer = `Authorization: Bearer ${api.key}`;
const tricks: Record<string, Trick> = {
  "an ordinary call": {},
  HEAD: { method: "HEAD" },
  "no key": { key: null },
  "a bad key": { key: "bm_nonsense" },
  "a key without the permission": { key: otherKey },
  "a key in small letters": { lines: [bearer.toLowerCase()] },
  "another scheme": { lines: [`Authorization: Basic ${api.key}`] },
  "many spaces before the key": { lines: [`Authorization: Bearer      ${api.key}   `] },
  "a tab before the key": { lines: [`Authorization: Bearer\t${api.key}`] },
  "a comma after the key": { lines: [`${bearer}, Bearer x`] },
  "two keys, the first bad": { lines: ["Authorization: Bearer x", bearer] },
  "two keys, the first good": { lines: [bearer, "Authorization: Bearer x"] },
  "a header's name in odd letters": { lines: [`aUtHoRiZaTiOn: Bearer ${api.key}`] },
  "the console form": { lines: [bearer, `Accept: ${consoleType}`] },
  "no form at all": { lines: [bearer, "Accept: text/html"] },
  "an empty Accept": { lines: [bearer, "Accept:"] },
  "two Accept headers": { lines: [bearer, "Accept: text/html", `Accept: ${consoleType}`] },
  "Accept that is nonsense": { lines: [bearer, "Accept: ;;q=,/"] },
  brotli: { lines: [bearer, "Accept-Encoding: br"] },
  "encodings that are nonsense": { lines: [bearer, "Accept-Encoding: gzip;q=x, br;q=-1, *;q=0"] },
  "only an unknown encoding": { lines: [bearer, "Accept-Encoding: zstd;q=1, identity;q=0"] },
  "any tag": { lines: [bearer, "If-None-Match: *"] },
  "a tag of something else": { lines: [bearer, 'If-None-Match: "x", W/"y"'] },
  "two tag headers": { lines: [bearer, 'If-None-Match: "x"', "If-None-Match: *"] },
  "a range": { lines: [bearer, "Range: bytes=0-3"] },
  "a body": { lines: [bearer, "Content-Type: application/json", "Content-Length: 2"], body: "{}" },
  "a body in chunks": {
    lines: [bearer, "Content-Type: application/json", "Transfer-Encoding: chunked"],
    body: "2\r\n{}\r\n0\r\n\r\n",
  },
  "a body that is too large": {
    lines: [bearer, "Content-Type: application/json", "Content-Length: 100001"],
    body: "x".repeat(100_001),
  },
  "an expectation": { lines: [bearer, "Expect: 100-continue"] },
  "another method by a header": { lines: [bearer, "X-HTTP-Method-Override: DELETE"] },
  "another path by a header": { lines: [bearer, "X-Original-URL: /metrics", "X-Rewrite-URL: /metrics"] },
  "another host": { lines: [bearer, "Host: evil.example", "X-Forwarded-Host: evil.example"] },
  "headers of a proxy": { lines: [bearer, "X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: http"] },
  "a forged explorer's marker": { lines: ["X-Explorer-Key: 1", "Sec-Fetch-Site: same-origin"] },
  "a forged marker next to a key": { lines: [bearer, "X-Explorer-Key: 1", "Sec-Fetch-Site: cross-site"] },
  "HTTP/1.0": { version: "HTTP/1.0" },
  "an unknown method": { method: "PROPFIND" },
  DELETE: { method: "DELETE" },
  OPTIONS: { method: "OPTIONS", lines: [bearer, "Origin: https://evil.example", "Access-Control-Request-Method: GET"] },
  "an origin": { lines: [bearer, "Origin: https://evil.example"] },
  "an unknown parameter": { suffix: "&frobnicate=1" },
  "a repeated parameter": { suffix: "&limit=7" },
  "an empty parameter": { suffix: "&" },
  "a parameter in other letters": { suffix: "&Sort=newest" },
  "a stray percent sign": { suffix: "&sort=%" },
  "a plus for a space": { suffix: "&sort=newest+" },
  "an encoded letter": { suffix: "&sort=n%65west" },
};

let page = 0;

test.each(Object.entries(tricks))(
  "%s has the same response from the cache and newly rendered",
  async (_name, trick) => {
    // No earlier request had this path, so the first response is not cached.
    const path = `/v1/beats?limit=7&producer=${++page}${trick.suffix ?? ""}`;
    const trickBytes = bytesOf(path, trick);
    const firstResponse = await ask(target, trickBytes);
    // The second request admits the response to the cache.
    await ask(target, trickBytes);
    // Two ordinary calls of the same path, whose cached response the trick must not get wrongly.
    const ordinaryBytes = bytesOf(path, {});
    await ask(target, ordinaryBytes);
    expect((await ask(target, ordinaryBytes)).status).toBe(trick.suffix === undefined ? 200 : firstResponse.status);
    const cached = await ask(target, trickBytes);
    expect(stable(cached.head)).toEqual(stable(firstResponse.head));
    expect(cached.body).toBe(firstResponse.body);
  },
);

function bytesOf(
  path: string,
  { method = "GET", version = "HTTP/1.1", key = api.key, lines, body = "" }: Trick,
): string {
  const headerLines = lines ?? (key === null ? [] : [`Authorization: Bearer ${key}`]);
  return [`${method} ${path} ${version}`, "Host: localhost", "Connection: close", ...headerLines, "", body].join(
    "\r\n",
  );
}

/** Status and headers, sorted, without the headers that differ between responses. */
const stable = (head: string): string[] =>
  head
    .split("\r\n")
    .map((line) => line.replace(/^[\w-]+:/, (name) => name.toLowerCase()))
    .filter((line) => !/^(date|x-request-id|keep-alive):/.test(line))
    .sort();
