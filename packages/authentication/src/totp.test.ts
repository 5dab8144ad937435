import { expect, test } from "vitest";
import { newRecoveryCode, newTotpSecret, stepOfCode, totpCode, totpUri } from "./totp.ts";

/** `12345678901234567890` in Base32. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at %i s equals that of RFC 6238, Appendix B", (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
  expect(stepOfCode(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("a clock may differ by one period, but not by two", () => {
  const nowMs = 1_234_567_890_000;
  const step = Math.floor(nowMs / 30_000);
  const steps = [-2, -1, 0, 1, 2].map((difference) => stepOfCode(secret, totpCode(secret, step + difference), nowMs));
  expect(steps).toEqual([null, step - 1, step, step + 1, null]);
});

test("secrets have 160 bits; recovery codes have 80, and each code is different", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newRecoveryCode()).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
  expect(new Set(Array.from({ length: 100 }, newRecoveryCode)).size).toBe(100);
});

test("the URI in the QR code contains the service and the account", () => {
  const uri = new URL(totpUri(secret, "ada+1@example.com", "Beat Marketplace"));
  expect(decodeURIComponent(uri.pathname)).toBe("/Beat Marketplace:ada+1@example.com");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret,
    issuer: "Beat Marketplace",
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
