import { describe, expect, test } from "vitest";
import { clippedWithoutSecrets, hasCardNumber, quoted, redactionMargin, withoutSecrets } from "./secrets.ts";

const key = "bm_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";

describe("the redaction of a text", () => {
  test.each([
    [`/v1/${key}/beats`, `/v1/…${key.slice(-4)}/beats`],
    [`api_key=${key}&page=2`, "api_key=…&page=2"],
    ["page=2&user[password]=hunter2", "page=2&user[password]=…"],
    ["client_secret=a%20b&q=dark", "client_secret=…&q=dark"],
    ["expires=1795176900&signature=E7bluMdikKVtbQ0hneQzegg76Bnrwwi7", "expires=1795176900&signature=…"],
    ['{"password": "hun\\"ter2", "name":"Ada"}', '{"password": "…", "name":"Ada"}'],
    ['{"access_token":"cut of', '{"access_token":"…"'],
    ['{"cvc":123,"beat_id":1}', '{"cvc":"…","beat_id":1}'],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "…LaSw"],
    ["sk_live_51Habcdef", "…cdef"],
    ['{"payment_method":"4242 4242 4242 4242"}', '{"payment_method":"…4242"}'],
    ["card=4242+4242%204242-4242&page=2", "card=…4242&page=2"],
    ["4242.4242.4242.4242", "…4242"],
    ['{"payment_method":"4242/4242/4242/4242"}', '{"payment_method":"…"}'],
    ['{"password":"a line\\\nand more"}', '{"password":"…"}'],
    ['{"password":"cut of\\', '{"password":"…"'],
    [
      "The payment_method field must be a string. Given: 4242424242424242.",
      "The payment_method field must be a string. Given: …4242.",
    ],
  ])("of %s is %s", (text, redacted) => {
    expect(withoutSecrets(text)).toBe(redacted);
  });

  test.each([
    "genre=3&sort=price_asc&after=bm_short",
    "/v1/beats/9223372036854775807",
    '{"beat_id":1,"payment_method":"pm_card_visa"}',
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
    "musical_key=a&q=monkey",
    "",
  ])("of %s changes nothing", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});

describe("a clipped text", () => {
  test.each([
    ["a key", key, "bm_"],
    ["a card number", "4242 4242 4242 4242", "4242 4"],
    ["a password", '"password": "hunter2 hunter2"', "hunter"],
  ])("shows no part of %s, wherever the text is cut", (_, secret, part) => {
    for (let before = 0; before <= 80; before++)
      for (const after of [10, 1_000]) {
        const excerpt = quoted(`${"x".repeat(before)} ${secret} ${"y".repeat(after)}`);
        expect(excerpt.length).toBeLessThanOrEqual(61);
        expect(excerpt).not.toContain(part);
      }
  });

  test("shows no part of a secret after the limit, however much was redacted before it", () => {
    for (let offset = 0; offset < 60; offset++) {
      const text = `${"-".repeat(offset)}${`${key} `.repeat(20)}`;
      for (const excerpt of [quoted(text), clippedWithoutSecrets(text.slice(0, 60 + redactionMargin), 60)])
        expect(excerpt).not.toContain("bm_");
    }
  });

  test("equals a short text, and ends with an ellipsis for a long one", () => {
    expect(quoted("dark trap")).toBe("dark trap");
    expect(quoted("x".repeat(60))).toBe("x".repeat(60));
    expect(quoted("x".repeat(61))).toBe(`${"x".repeat(60)}…`);
    expect(quoted(`${"x".repeat(59)}🎵🎵`).isWellFormed()).toBe(true);
  });
});

describe("a card number", () => {
  test.each([
    "4242424242424242",
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "4242.4242.4242.4242",
    "４２４２４２４２４２４２４２４２",
    "4242/4242/4242/4242",
    "card 378282246310005, please",
    "6304000000000000",
    "501800000009",
  ])("is detected in %s", (text) => {
    expect(hasCardNumber(text)).toBe(true);
  });

  test.each([
    "pm_card_visa",
    "pm_1PmQ2r2eZvKYlo2C4242424242424242",
    "4242424242424241",
    "42424242424",
    "42424242424242424242424242424242",
    "",
  ])("is not detected in %s", (text) => {
    expect(hasCardNumber(text)).toBe(false);
  });
});
