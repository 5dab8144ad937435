import { describe, expect, test } from "vitest";
import { Proxies } from "./forwarded.ts";

const anyPeer = new Proxies({ endTls: true, trusted: null });
const none = new Proxies({ endTls: false, trusted: null });
const trusted = ["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48"];

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
  expect(anyPeer.isHttps({ "x-forwarded-proto": value }, "10.0.0.1")).toBe(expected);
});

test("a request without X-Forwarded-Proto counts as HTTPS only if this server ends TLS", () => {
  expect(anyPeer.isHttps({}, "10.0.0.1")).toBe(false);
  expect(none.isHttps({}, "10.0.0.1")).toBe(true);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:51234", "203.0.113.9"],
  ["2001:db8::7", "2001:db8::7"],
  ["[2001:db8::7]:443", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
])("the client of X-Forwarded-For %j from a proxy is %s", (value, expected) => {
  expect(anyPeer.clientAddress({ "x-forwarded-for": value }, "10.0.0.1")).toBe(expected);
});

test.each(["unknown", "", "203.0.113.9, ", "1.2.3.4.5", "<script>"])(
  "if the last value of X-Forwarded-For %j is no address, the client is the proxy",
  (value) => {
    expect(anyPeer.clientAddress({ "x-forwarded-for": value }, "::ffff:10.0.0.1")).toBe("10.0.0.1");
  },
);

test("without a proxy X-Forwarded-For is ignored", () => {
  expect(none.clientAddress({ "x-forwarded-for": "203.0.113.9" }, "192.0.2.4")).toBe("192.0.2.4");
});

describe.each([true, false])("with TRUSTED_PROXIES (a proxy ends TLS: %s)", (endTls) => {
  const proxies = new Proxies({ endTls, trusted });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["203.0.113.9, 10.1.1.1, 192.0.2.7", "203.0.113.9"],
    ["198.51.100.66, 203.0.113.9, 10.1.1.1", "203.0.113.9"],
    ["10.9.9.9, 203.0.113.9", "203.0.113.9"],
    ["[2001:db8:2::5]:443, 2001:db8:1::9", "2001:db8:2::5"],
    ["203.0.113.9, ::ffff:10.1.1.1", "203.0.113.9"],
    ["198.51.100.66, forged, 10.1.1.1", "10.1.1.1"],
    ["10.1.1.2, 10.1.1.1", "10.1.1.2"],
    ["", "10.0.0.1"],
  ])("the client of X-Forwarded-For %j is %s", (value, expected) => {
    for (const peer of ["10.0.0.1", "::ffff:10.0.0.1"])
      expect(proxies.clientAddress({ "x-forwarded-for": value }, peer)).toBe(expected);
  });

  test("headers of other peers are ignored", () => {
    const headers = { "x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https" };
    for (const peer of ["203.0.113.9", "2001:db8:2::1", "192.0.2.8"]) {
      expect(proxies.clientAddress(headers, peer)).toBe(peer);
      expect(proxies.isHttps(headers, peer)).toBe(!endTls);
    }
    expect(proxies.isHttps(headers, "2001:db8:1::1")).toBe(true);
  });
});
