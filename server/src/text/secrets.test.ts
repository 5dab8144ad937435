import { describe, expect, test } from "vitest";
import { generateKey } from "../resources/api-keys/key-format.ts";
import { withoutSecrets } from "./secrets.ts";

const key = generateKey();

describe("the redaction of a text", () => {
  test.each([
    [`/v1/${key}/beats`, `/v1/…${key.slice(-4)}/beats`],
    [`api_key=${key}&page=2`, "api_key=…&page=2"],
    ["page=2&user[password]=hunter2", "page=2&user[password]=…"],
    ["client_secret=a%20b&q=dark", "client_secret=…&q=dark"],
    ['{"password": "hun\\"ter2", "name":"Ada"}', '{"password": "…", "name":"Ada"}'],
    ['{"access_token":"cut of', '{"access_token":"…"'],
    ['{"cvc":123,"beat_id":1}', '{"cvc":"…","beat_id":1}'],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "…LaSw"],
    ["sk_live_51Habcdef", "…cdef"],
    ['{"payment_method":"4242 4242 4242 4242"}', '{"payment_method":"…4242"}'],
    [
      "The payment_method field must be a string. Given: 4242424242424242.",
      "The payment_method field must be a string. Given: …4242.",
    ],
  ])("of %s: %s", (text, kept) => {
    expect(withoutSecrets(text)).toBe(kept);
  });

  test.each([
    "genre=3&sort=price_asc&after=bm_short",
    "/v1/beats/9223372036854775807",
    '{"beat_id":1,"payment_method":"pm_card_visa"}',
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
    "musical_key=a&q=monkey",
    "",
  ])("all of %s", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});
