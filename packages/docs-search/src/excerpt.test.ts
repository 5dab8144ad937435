import { describe, expect, test } from "vitest";
import { excerptOf, marked } from "./excerpt.ts";
import { wordsOf } from "./words.ts";

describe("words", () => {
  test.each([
    ["listBeats", ["list", "beats"]],
    ["/users/me", ["users", "me"]],
    ["F# minor 140 BPM", ["f#", "minor", "140", "bpm"]],
    ["Größe", ["größe"]],
    ["  ", []],
  ])("of %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe("a match", () => {
  const showExcerpt = (text: string, words: string[]) =>
    marked(text, words)
      .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
      .join("");

  test.each([
    ["Verifying a signature", ["sign"], "Verifying a [sign]ature"],
    ["beat, beats, offbeat", ["beat"], "[beat], [beat]s, offbeat"],
    ["a (b) c", ["b"], "a ([b]) c"],
    ["beats", ["beat", "beats"], "[beats]"],
    ["F# minor", ["f#"], "[F#] minor"],
    ["a beat at all", ["a", "beat"], "a [beat] at all"],
    ["nothing", ["zzz"], "nothing"],
    ["nothing", [], "nothing"],
    ["", ["a"], ""],
  ])("in %j of %j", (text, words, expected) => {
    expect(showExcerpt(text, words)).toBe(expected);
  });

  test("in a long text is inside the excerpt; without a match, the excerpt is the beginning of the text", () => {
    const text = `${"word ".repeat(100)}needle ${"more ".repeat(100)}`;
    const excerpt = excerptOf(text, ["needle"]);
    expect(excerpt).toContain("needle");
    expect(excerpt).toMatch(/^… .* …$/);
    expect(excerpt.length).toBeLessThan(150);
    expect(excerptOf(text, ["absent"])).toMatch(/^word/);
    expect(excerptOf("short", ["absent"])).toBe("short");
    expect(excerptOf("x".repeat(500), ["absent"])).toHaveLength(142);
  });
});
