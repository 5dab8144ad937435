import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { loggedCall } from "@beatmarket/request-log/testing/log-entries.ts";
import { describe, expect, it } from "vitest";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
await insertBeats(
  api.database,
  Array.from({ length: 30 }, (_, index) => ({ producer: "Nightowl", genre: "Trap", title: `Beat ${index}` })),
);

/** The third response comes from the cache: the second request admits it, and nothing is written in between. */
async function cachedResponse(url: string, options: Parameters<typeof api.get>[1] = {}) {
  await api.get(url, options);
  await api.get(url, options);
  return api.get(url, options);
}

const logged = async (requestId: unknown) => expect.poll(() => loggedCall(api.database, requestId)).toBeTruthy();

describe("a cached response", () => {
  it("equals the first, except for the request id and the date", async () => {
    const url = "/v1/beats?sort=popular";
    const first = await api.get(url);
    const secondResponse = await cachedResponse(url);
    expect(secondResponse.body).toBe(first.body);
    const stable = ({
      date,
      "x-request-id": id,
      connection,
      "keep-alive": keepAlive,
      ...stableHeaders
    }: typeof first.headers) => stableHeaders;
    expect(stable(secondResponse.headers)).toEqual(stable(first.headers));
    expect(secondResponse.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  it("counts towards the limits, shows them, and is logged", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const secondResponse = await cachedResponse("/v1/beats", { key });
    expect(secondResponse.headers["x-ratelimit-remaining"]).toBe("7");
    await logged(secondResponse.headers["x-request-id"]);
  });

  it("is not sent to callers that admission refuses", async () => {
    const url = "/v1/beats?limit=7";
    await cachedResponse(url);
    expect((await api.get(url, { key: null })).statusCode).toBe(401);
    expect((await api.get(url, { key: "bm_nonsense" })).statusCode).toBe(401);
    const other = await api.makeKey({ permissions: ["genres:read"] });
    expect((await api.get(url, { key: other })).statusCode).toBe(403);
    const standard = await api.makeKey({ plan: "standard" });
    for (let count = 0; count < 10; count++) expect((await api.get(url, { key: standard })).statusCode).toBe(200);
    const limited = await api.get(url, { key: standard });
    expect(limited.statusCode).toBe(429);
    expect(limited.headers["retry-after"]).toBe("60");
    await logged(limited.headers["x-request-id"]);
  });

  it("is rendered again after a change of the catalogue", async () => {
    const url = "/v1/beats?limit=3";
    const before = await cachedResponse(url);
    await insertBeats(api.database, [{ producer: "Nightowl", genre: "Trap", title: "Brand New" }]);
    await expect.poll(async () => (await api.get(url)).body).not.toBe(before.body);
  });

  it("has no body for HEAD, and none for 304", async () => {
    const url = "/v1/genres";
    const full = await cachedResponse(url);
    const head = await api.request({ method: "HEAD", url, headers: { authorization: `Bearer ${api.key}` } });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(full.headers["content-length"]);
    const same = await api.get(url, { headers: { "if-none-match": String(full.headers.etag) } });
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, "", full.headers.etag]);
  });
});

describe("compression", () => {
  const url = "/v1/beats?sort=price_asc";
  it.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.9", "gzip"],
    ["gzip;q=0, *;q=0.1", "br"],
    ["identity", undefined],
    ["br;q=0", undefined],
    ["deflate", undefined],
    ["gzip;q=0.2, identity;q=0.8", undefined],
  ])("Accept-Encoding %s is answered with %s, cached or not", async (accepted, encoding) => {
    const plain = await cachedResponse(url);
    for (const response of [
      await api.get(`${url}&limit=20`, { headers: { "accept-encoding": accepted } }),
      await cachedResponse(url, { headers: { "accept-encoding": accepted } }),
    ]) {
      expect(response.headers["content-encoding"]).toBe(encoding);
      expect(response.headers.vary).toBe("Accept, Accept-Encoding, Beat-Version");
      const { rawPayload } = response;
      const body =
        encoding === "br"
          ? brotliDecompressSync(rawPayload)
          : encoding === "gzip"
            ? gunzipSync(rawPayload)
            : rawPayload;
      expect(JSON.parse(body.toString()).data.beats).toEqual(plain.json().data.beats);
      expect(Number(response.headers["content-length"])).toBe(rawPayload.length);
    }
  });

  it("gives a response a separate ETag, which If-None-Match matches", async () => {
    const plain = await cachedResponse(url);
    const headers = { "accept-encoding": "gzip" };
    const zipped = await cachedResponse(url, { headers });
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    const etag = String(zipped.headers.etag);
    expect((await api.get(url, { headers: { ...headers, "if-none-match": etag } })).statusCode).toBe(304);
  });

  it("does not compress small responses", async () => {
    const response = await api.get("/v1/beats?limit=1", { headers: { "accept-encoding": "gzip" } });
    expect(response.headers["content-encoding"]).toBeUndefined();
  });
});
