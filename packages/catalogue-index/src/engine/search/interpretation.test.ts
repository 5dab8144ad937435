import { describe, expect, test } from "vitest";
import { Searchable } from "../../../testing/searchable.ts";
import { namedTraits } from "./interpretation.ts";

const [cMajor, bFlatMajor, aMinor, fSharpMinor, cSharpMinor, gMinor] = [0, 10, 12, 15, 16, 22];

const isOfMusic = (word: string) => ["trap", "drill", "lofi", "piano"].includes(word);

describe("a search text names a tempo, a key or a price:", () => {
  test.each([
    ["140 bpm", { bpm: { min: 140, max: 140 } }, ""],
    ["140BPM trap", { bpm: { min: 140, max: 140 } }, "trap"],
    ["trap bpm 140.4", { bpm: { min: 140, max: 140 } }, "trap"],
    ["150", { bpm: { min: 150, max: 150 } }, ""],
    ["trap 150", { bpm: { min: 150, max: 150 } }, "trap"],
    ["150 dark trap", { bpm: { min: 150, max: 150 } }, "dark trap"],
    ["am 140", { bpm: { min: 140, max: 140 }, keys: [aMinor] }, ""],
    ["140 bpm am", { bpm: { min: 140, max: 140 }, keys: [aMinor] }, ""],
    ["Gm 92", { bpm: { min: 92, max: 92 }, keys: [gMinor] }, ""],
    ["trap under $20", { priceCents: { max: 2000 } }, "trap"],
    ["drill 142 under 25", { bpm: { min: 142, max: 142 }, priceCents: { max: 2500 } }, "drill"],
    ["138-142", { bpm: { min: 138, max: 142 } }, ""],
    ["drill 138 – 142 bpm", { bpm: { min: 138, max: 142 } }, "drill"],
    ["142 to 138 bpm", { bpm: { min: 138, max: 142 } }, ""],
    ["a minor", { keys: [aMinor] }, ""],
    ["8A", { keys: [aMinor] }, ""],
    ["08a", { keys: [aMinor] }, ""],
    ["C#m", { keys: [cSharpMinor] }, ""],
    ["C♯m guitar", { keys: [cSharpMinor] }, "guitar"],
    ["F# minor", { keys: [fSharpMinor] }, ""],
    ["trap in f sharp min", { keys: [fSharpMinor] }, "trap"],
    ["key of Bb maj", { keys: [bFlatMajor] }, ""],
    ["lofi a minor, 8B 80-90", { bpm: { min: 80, max: 90 }, keys: [aMinor, cMajor] }, "lofi"],
  ])("%s", (text, traits, rest) => {
    expect(namedTraits(text, isOfMusic)).toMatchObject({ ...traits, rest });
  });
});

describe("a search text names no tempo, key or price:", () => {
  test.each([
    "blink 182",
    "50 cent",
    "trap 45",
    "trap 808",
    "1999",
    "24K",
    "808",
    "9-5",
    "1-800-273",
    "50-50",
    "142-138",
    "20-400",
    "0 bpm",
    "1000 bpm",
    "7 am",
    "am 9 to 5",
    "i am 140 years",
    "am",
    "ebm",
    "a mi manera",
    "minor",
    "13A",
    "0B",
    "h",
    "in",
    "key",
    "24-7 love",
    "a b c",
  ])("%s", (text) => {
    expect(namedTraits(text, isOfMusic)).toBeUndefined();
  });
});

describe("the interpretation of a text", () => {
  const index = new Searchable().add(
    { title: "Slow", by: "Nova", genre: "Trap", tempo: 70, keyCode: aMinor, plays: 1 },
    { title: "Fast", by: "Nova", genre: "Trap", tempo: 140.2, keyCode: aMinor, plays: 2 },
    { title: "Faster", by: "Nova", genre: "Drill", tempo: 142, keyCode: cSharpMinor, plays: 3 },
    { title: "8A", by: "24K", genre: "Pop", tempo: 100, keyCode: cMajor, plays: 0 },
    { title: "Am I", by: "138", genre: "Pop", tempo: 100, keyCode: cMajor, plays: 0 },
  );

  test("filters the rest of the text, and is in the response", () => {
    const { names, interpretation, totals } = index.result("trap 140 bpm");
    expect(names).toEqual(["Fast"]);
    expect(interpretation).toEqual({ text: "trap", bpm: { min: 140, max: 140 } });
    expect(totals).toEqual({ beats: 1, producers: 0 });
    expect(index.find("nova a minor")).toEqual(["Fast", "Slow"]);
  });

  test("lists all matching beats by popularity if no text is left", () => {
    const { names, interpretation } = index.result("138-142");
    expect(names).toEqual(["Faster", "Fast"]);
    expect(interpretation).toEqual({ text: "", bpm: { min: 138, max: 142 } });
  });

  test("ranks after a beat or producer whose name equals the text", () => {
    // A name in brackets is a producer.
    expect(index.find("8A")).toEqual(["8A", "Fast", "Slow"]);
    expect(index.find("24K")).toEqual(["[24K]", "8A"]);
    expect(index.find("138")).toEqual(["[138]", "Am I"]);
  });

  test("is ignored if it is uncertain and a title contains all words of the search", () => {
    expect(index.result("Am I")).toMatchObject({ names: ["Am I"] });
    expect(index.result("Am I").interpretation).toBeUndefined();
    expect(index.find("nova 8A")).toEqual(["Fast", "Slow"]);
  });

  test("can be switched off", () => {
    expect(index.find("8A", { interpret: false })).toEqual(["8A"]);
    expect(index.result("trap 140 bpm", { interpret: false }).interpretation?.bpm).toBeUndefined();
  });

  test("is combined with the filters of the query", () => {
    expect(index.find("a minor", { filters: { bpm: [{ min: 100 }] } })).toEqual(["Fast"]);
  });
});
