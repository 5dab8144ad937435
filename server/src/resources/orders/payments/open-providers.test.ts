import { expect, test } from "vitest";
import { paymentMode } from "./open-providers.ts";

test.each([
  [null, "sandbox"],
  ["sk_test_1", "test"],
  ["rk_test_1", "test"],
  ["sk_live_1", "live"],
  ["rk_live_1", "live"],
  ["something else", "live"],
])("a server with the key %s charges orders in mode %s", (secretKey, mode) => {
  expect(paymentMode(secretKey === null ? null : { secretKey })).toBe(mode);
});
