import { expect, test } from "vitest";
import { isOfThread } from "./thread-handler.ts";

const authorization = "Bearer bm_key";
const live = { authorization };

test.each([
  ["/v1/beats", live],
  ["/v1/beats?limit=5&genre=3", live],
  ["/v1/beats/17", { authorization: "bearer   bm_key  " }],
  ["/v1/beats/17/similar?limit=2", live],
  ["/v1/users/3", { ...live, "content-length": "0" }],
  ["/v1/genres", live],
  ["/v1/producers?page=2", live],
  ["/v1/search?q=trap", live],
  ["/api/v1/beats/17?fields=title", live],
])("a thread answers GET and HEAD of %s, and no other method", (url, headers) => {
  expect(isOfThread({ method: "GET", url, headers })).toBe(true);
  expect(isOfThread({ method: "HEAD", url, headers })).toBe(true);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    expect(isOfThread({ method, url, headers })).toBe(false);
});

test.each([
  ["without a key", "/v1/beats", {}],
  ["with a key of test mode", "/v1/beats", { authorization: "Bearer bm_test_key" }],
  ["with another scheme", "/v1/beats", { authorization: "Basic bm_key" }],
  ["with a body", "/v1/beats", { ...live, "content-length": "2" }],
  ["with a body of unknown length", "/v1/beats", { ...live, "transfer-encoding": "chunked" }],
  ["with another method in a header", "/v1/beats", { ...live, "x-http-method-override": "DELETE" }],
  ["of an id that is not a number", "/v1/beats/first", live],
  ["of a path that only writes have", "/v1/users/profile", live],
  ["of an account's own beats", "/v1/users/me/beats", live],
  ["of a longer path", "/v1/beats/17/similar/more", live],
  ["of a path that only begins like one", "/v1/beatsx", live],
  ["under a prefix that does not exist", "/api/v2/beats", live],
  ["that waits for changes", "/v1/changes?wait=30", live],
  ["of an order", "/v1/orders", live],
  ["of a page", "/portal", live],
  ["in absolute form", "https://localhost/v1/beats", live],
])("the main thread answers a request %s", (_, url, headers) => {
  expect(isOfThread({ method: "GET", url, headers })).toBe(false);
});
