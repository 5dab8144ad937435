import { expect, it } from "vitest";
import { testApi } from "../harness/api.ts";

const api = await testApi();
const call = (method: string, url: string, key: string | null = api.key) =>
  api.request({ method: method as "GET", url, headers: key === null ? {} : { authorization: `Bearer ${key}` } });

it.each([
  ["GET", "/v1/beats/?limit=1", "/v1/beats"],
  ["GET", "/v1/beats/", "/v1/beats"],
  ["GET", "/v1/beats//", "/v1/beats"],
  ["GET", "/v1//beats", "/v1/beats"],
  ["GET", "/v1/beats/1/", "/v1/beats/1"],
  ["GET", "/v1/beats/1/similar/", "/v1/beats/1/similar"],
  ["GET", "/api/v1/genres/", "/api/v1/genres"],
  ["GET", "/v1/users/me/sales.csv/?month=2026-11", "/v1/users/me/sales.csv"],
  ["POST", "/v1/uploads/", "/v1/uploads"],
  ["POST", "/v1/orders/", "/v1/orders"],
  ["PATCH", "/v1/beats/1/", "/v1/beats/1"],
  ["DELETE", "/v1/uploads/abc/", "/v1/uploads/abc"],
  ["PUT", "/v1/users/profile/", "/v1/users/profile"],
])("%s %s is 404 with the path that was probably meant", async (method, url, meant) => {
  const response = await call(method, url);
  expect(response.statusCode).toBe(404);
  expect(response.json().error.details).toMatch(new RegExp(`Did you mean "?${meant.replaceAll(".", "[.]")}"?\\?$`));
  expect((await call(method, url, null)).statusCode).toBe(401);
});

it.each(["/v1/nothing/", "/v1/", "/v1/beats/1/nothing/"])("%s is 404 without a suggestion", async (url) => {
  const response = await call("GET", url);
  expect(response.statusCode).toBe(404);
  expect(response.json().error.details).not.toContain("Did you mean");
});

it("a path outside of the API is also 404 with the path that was probably meant", async () => {
  for (const [url, meant] of [
    ["/healthz/", "/healthz"],
    ["/openapi.json/", "/openapi.json"],
  ]) {
    const response = await call("GET", url ?? "", null);
    expect(response.statusCode).toBe(404);
    expect(response.json().error.details).toContain(`Did you mean ${meant}?`);
  }
});

it.each(["/openapi.json", "/explorer/openapi.json"])(
  "%s is compressed, and 304 for a client that has it",
  async (url) => {
    const uncompressed = await api.request({ url });
    expect(uncompressed.headers).toMatchObject({ etag: expect.any(String), vary: "Accept-Encoding" });
    const compressed = await api.request({ url, headers: { "accept-encoding": "gzip, br" } });
    expect(compressed.headers["content-encoding"]).toBe("br");
    expect(compressed.rawPayload.length).toBeLessThan(uncompressed.rawPayload.length / 5);
    for (const { headers } of [uncompressed, compressed]) {
      const encoding = headers["content-encoding"] === undefined ? "identity" : "gzip, br";
      const secondResponse = await api.request({
        url,
        headers: { "accept-encoding": encoding, "if-none-match": String(headers.etag) },
      });
      expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, ""]);
    }
  },
);
