import { expect, test } from "vitest";
import { refusalOf } from "./refusal.ts";

test.each([
  [429, "limit:minute", "minute window", "Retry-After"],
  [429, "limit:hour", "hour window", "If-None-Match"],
  [429, "limit:day", "day window", "larger plan"],
  [429, "limit:export", "within the hour", "GET /changes"],
  [429, "limit:downloads", "downloads running", "Let one end"],
  [429, "limit:order-files", "from this network", "Let one end"],
  [429, "limit:streams", "event streams open", "Close a stream"],
  [403, "permission:orders:write", "lacks the permission orders:write", "create one"],
  [403, "mode:live_key_on_test", "another mode", "bm_test_"],
  [403, "mode", "another mode", "bm_test_"],
  [403, "mode:sandbox_full", "maximum size", "create another one"],
  [400, "parameter:genre", "“genre” was refused", "reference"],
  [400, "parameter", "A parameter or field was refused", "reference"],
  [400, null, "not valid", "details"],
  [401, "key", "not accepted", "Bearer"],
  [401, "key:revoked", "was revoked", "still uses the key"],
  [401, "key:expired", "has expired", "still uses the key"],
  [429, "limit:bad-keys", "invalid keys", "mistyped"],
  [404, null, "does not exist", "path"],
  [405, null, "this method", "Allow"],
  [406, null, "Accept", "application/json"],
  [409, null, "present state", "Nothing was changed"],
  [413, null, "too large", "100 kB"],
  [415, null, "Content-Encoding of the body", "application/json"],
  [500, null, "our side", "request id"],
  [503, "overload", "overloaded", "Retry-After"],
])("%d by %s has a reason and advice", (status, refusedBy, reason, advice) => {
  const refusal = refusalOf({ status, refusedBy });
  expect(refusal?.reason).toContain(reason);
  expect(refusal?.advice).toContain(advice);
});

test("the advice for 404 does not mention beats off sale, which the API returns with 200", () => {
  expect(refusalOf({ status: 404, refusedBy: null })?.advice).not.toMatch(/\bsale\b/);
});

test.each([200, 201, 304])("%d has no refusal", (status) => {
  expect(refusalOf({ status, refusedBy: null })).toBeNull();
});
