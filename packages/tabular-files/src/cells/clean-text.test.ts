import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, nameKey } from "./clean-text.ts";

describe("a text", () => {
  test.each([
    ["  Get Stupid \t", "Get Stupid"],
    ["Sandlo\u0301a", "Sandlóa"],
    ["+", "+"],
    ["-M-", "-M-"],
    ["=SUM(A1)", "=SUM(A1)"],
    ["@home", "@home"],
    ["17", "17"],
    ["המוסד", "המוסד"],
    ["✝✝✝ (Crosses)", "✝✝✝ (Crosses)"],
    ["👩‍🎤", "👩‍🎤"],
    ["a\u200eb", "a\u200eb"],
    ["\ufeffTitle\u200b", "Title"],
    ["AC/DC | \\o/", "AC/DC | \\o/"],
    ["Vol.1 &amp; 2", "Vol.1 &amp; 2"],
    ["\u00a0", ""],
    ["\u200b\u200d", ""],
    ["\u3164", ""],
  ])("%j becomes %j, without a repair", (input, text) => {
    expect(cleanText(input)).toEqual({ text, hadControls: false });
  });

  test.each([
    ["Children\u0092s Stocking", "Children’s Stocking"],
    ["one\ntwo\r\nthree", "one two three"],
    ["nul\0l", "nul l"],
    ["bell\u0007", "bell"],
    ["\u202eevil\u202c Title", "evil Title"],
    ["\u2066isolated\u2069", "isolated"],
    ["\u202e", ""],
    ["undefined\u0081there", "undefined there"],
  ])("%j becomes %j, with a repair", (input, text) => {
    expect(cleanText(input)).toEqual({ text, hadControls: true });
  });

  test("has no control characters and no outer spaces after cleaning, is in NFC, and stays the same when cleaned again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (input) => {
        const { text } = cleanText(input);
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(text).toBe(text.trim());
        expect(text).toBe(text.normalize("NFC"));
        expect(cleanText(text)).toEqual({ text, hadControls: false });
      }),
    );
  });
});

test("names that differ in case, spacing, composition or invisible characters have the same key", () => {
  const names = ["Sandlóa  Band", "sandlo\u0301a band", " SANDLÓA BAND ", "Sandlóa\u200b Band"];
  expect(new Set(names.map(nameKey)).size).toBe(1);
  expect(nameKey("Sandloa Band")).not.toBe(nameKey("Sandlóa Band"));
});
