import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseKey, parseMode } from "./musical-key.ts";

const majors = ["C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#", "F"];
const minors = ["A", "E", "B", "F#", "C#", "G#", "D#", "A#", "F", "C", "G", "D"];

test("codes follow the circle of fifths, minor keys in the order of their relative majors", () => {
  expect(majors.map((note) => parseKey(`${note} major`).keyCode)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  expect(minors.map((note) => parseKey(`${note} minor`).keyCode)).toEqual(Array.from({ length: 12 }, (_, i) => i + 12));
});

describe("spellings of one key", () => {
  test.each([
    ["C# minor", ["C#m", "c# minor", "C♯ min", "C# Minor", "C#-minor", "C#:min", "C# mi", "C sharp minor", "cis-moll"]],
    [
      "C# minor",
      ["Dbm", "Db minor", "D♭ minor", "D flat minor", "12A", "12a", "5m", "C#min.", "des moll", " C#  minor "],
    ],
    ["C# major", ["Db major", "Db Maj", "DbM", "C# Dur", "Des-Dur", "3B", "8d"]],
    [
      "A minor",
      ["Am", "8A", "08A", "8 A", "8-A", "1 m", "Camelot 8A", "(Am)", "A min", "a moll", "A mineur", "Lá menor"],
    ],
    ["A# major", ["Bb major", "B-Dur", "B♭ major", "6B", "BbM"]],
    ["B minor", ["Bm", "H minor", "h-moll", "Hm", "Cb minor", "10A"]],
    ["D# minor", ["Ebm", "Es moll", "eb minor", "2A"]],
    ["G# major", ["Ab major", "As-Dur", "As Dur", "4B"]],
    [
      "C# minor",
      [
        "C#/Db minor",
        "C# / Db minor",
        "C#m/Dbm",
        "Db minor (12A)",
        "12A - C#m",
        "12A C#m",
        "C#m 12A",
        "12A-C#m",
        "Dbm-12A",
        "D flat minor / C# minor",
        "D flat minor 12A",
        "12A/5m",
        "C＃m",
      ],
    ],
    ["D# major", ["D♯/E♭ Major", "D# / Eb major", "5B | Eb", "Mib majeur", "Re# mayor"]],
    ["A minor", ["8A - Am", "8A (Am)", "Am [8A]", "Am, 8A", "8A = A minor", "8A – Am", "La mineur", "la menor", "Lam"]],
    ["C major", ["C major (8B)", "8B/C", "C (8B)", "C = 8B", "Do majeur", "do maggiore", "do maior"]],
    ["C# minor", ["Do# mineur", "Do dièse mineur", "Réb mineur", "Do diesis minore", "Do sostenido menor"]],
    ["C major", ["B# major", "8B", "1d", "C", "CM"]],
  ])("%s", (key, spellings) => {
    for (const spelling of spellings) {
      const mode = spelling === "C" ? "major" : "";
      expect({ spelling, ...parseKey(spelling, mode) }).toEqual({ spelling, ...parseKey(key) });
      expect(parseKey(spelling, mode).key).toBe(key);
    }
  });
});

describe("a pitch class or a note with a separate mode", () => {
  test.each([
    ["7", "1", "G major", 1],
    ["7.0", "0.0", "G minor", 22],
    ["0", "Major", "C major", 0],
    ["B", "Dur", "A# major", 10],
    ["b", "moll", "A# minor", 19],
    ["Ré", "mineur", "D minor", 23],
    ["11", "minor", "B minor", 14],
    ["1", "", "C#", 24],
    ["6", "0.480965645", "F#", 24],
  ])("%s and %s are parsed as %s", (text, mode, key, keyCode) => {
    expect(parseKey(text, mode)).toEqual({ key, keyCode });
  });
});

test("two spellings of one note are parsed as that note", () => {
  expect(parseKey("C#/Db")).toEqual({ key: "C#", keyCode: 24 });
  expect(parseKey("C#/Db", "minor").key).toBe("C# minor");
});

test("a note without a mode is parsed as the note, with an unknown code", () => {
  expect(parseKey("Eb")).toEqual({ key: "D#", keyCode: 24 });
});

test("a mode within the text takes precedence over the separate mode", () => {
  expect(parseKey("Am", "major").key).toBe("A minor");
});

test.each(["", "-", " – ", "?", "-1", "-1.0", "N/A", "none", "NULL", "Unknown", "nan"])("%j means no key", (text) => {
  expect(parseKey(text, "1")).toEqual({ key: "", keyCode: 24 });
});

test.each([
  "C minor / F# minor",
  "D dorian",
  "12",
  "5.479108635",
  "13A",
  "Am7",
  "X major",
  "Fs",
  "C major / A minor",
  "8A / 9A",
  "C / D",
  "Am (live)",
  "a/b/c/d/e/f",
  "1/2",
])("%j is not a key and is returned unchanged", (text) => {
  expect(parseKey(text, "1")).toEqual({ key: text, keyCode: 24 });
});

test("parsing the name of a parsed key returns the same key", () => {
  const anything = fc.oneof(fc.string(), fc.stringMatching(/^[A-Ha-h0-9][#b♯♭]? ?(m|min|maj|major|minor|dur)?$/));
  fc.assert(
    fc.property(anything, anything, (text, mode) => {
      const once = parseKey(text, mode);
      expect(once.keyCode).toBeGreaterThanOrEqual(0);
      expect(once.keyCode).toBeLessThanOrEqual(24);
      // Only names with a mode: a note without one has no code.
      if (once.keyCode < 24) expect(parseKey(once.key)).toEqual(once);
    }),
  );
});

test.each([
  ["1", "major"],
  ["M", "major"],
  ["dur", "major"],
  ["0.0", "minor"],
  ["m", "minor"],
  ["moll", "minor"],
  ["2", null],
  ["", null],
])("the mode %j is parsed as %s", (text, mode) => {
  expect(parseMode(text)).toBe(mode);
});
