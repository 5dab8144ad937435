import { expect, test } from "vitest";
import { clientAddress, isForwardedHttps } from "./forwarded.ts";

test.each([
  ["https", true],
  ["HTTPS", true],
  ["http, https", true],
  ["http,https ", true],
  ["https, http", false],
  ["http", false],
  ["", false],
  ["https,", false],
  ["httpsx", false],
])("X-Forwarded-Proto %j is HTTPS: %s", (value, expected) => {
  expect(isForwardedHttps({ "x-forwarded-proto": value })).toBe(expected);
});

test("a request without X-Forwarded-Proto did not come over HTTPS", () => {
  expect(isForwardedHttps({})).toBe(false);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:51234", "203.0.113.9"],
  ["2001:db8::7", "2001:db8::7"],
  ["[2001:db8::7]:443", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
])("behind a proxy the client of X-Forwarded-For %j is %s", (value, expected) => {
  expect(clientAddress({ "x-forwarded-for": value }, "10.0.0.1", true)).toBe(expected);
});

test.each(["unknown", "", "203.0.113.9, ", "1.2.3.4.5", "<script>"])(
  "where X-Forwarded-For %j names no address, the proxy's stands",
  (value) => {
    expect(clientAddress({ "x-forwarded-for": value }, "::ffff:10.0.0.1", true)).toBe("10.0.0.1");
  },
);

test("without a proxy X-Forwarded-For is ignored", () => {
  expect(clientAddress({ "x-forwarded-for": "203.0.113.9" }, "192.0.2.4", false)).toBe("192.0.2.4");
});
