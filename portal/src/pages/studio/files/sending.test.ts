import "../../../../test/english.ts";
import { expect, test } from "vitest";
import { bytesInWords, kindOf, percentOf, refusalOf } from "./sending.ts";

test.each([
  ["cover.PNG", "cover"],
  ["stems.zip", "stems"],
  ["beat.wav", "audio"],
  ["beat", "audio"],
])("%s has the kind %s", (name, kind) => {
  expect(kindOf({ name })).toBe(kind);
});

test.each([
  [0, 3, 0],
  [1, 3, 33],
  [999_999, 1_000_000, 99],
  [3, 3, 100],
])("%d of %d is %d %%", (part, total, percent) => {
  expect(percentOf(part, total)).toBe(percent);
});

test.each([
  [12, "1 kB"],
  [3_528_044, "3.5 MB"],
  [2_000_000_000, "2.00 GB"],
])("%d bytes are %s", (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words);
});

test("a refusal has the server's message or one of the portal's, and a lost connection has none", () => {
  const responseWith = (status: number, body: string) =>
    refusalOf({ originalResponse: { getStatus: () => status, getBody: () => body } });
  expect(responseWith(413, '{"error":{"details":"Too large."}}')).toBe("Too large.");
  expect(responseWith(401, '{"error":{"details":"No session."}}')).toContain("Sign in again");
  expect(responseWith(502, "<html>")).toContain("502");
  expect(refusalOf({ originalResponse: null })).toBeNull();
});
