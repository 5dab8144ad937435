import { expect, test } from "vitest";
import {
  adjacentKey,
  camelotCode,
  compatibleKeys,
  keyName,
  keyPlaces,
  readKey,
  shortKeyName,
} from "./circle-of-fifths.ts";

const place = (text: string): number => {
  const place = readKey(text);
  if (place === undefined) throw new Error(`${text} is not a key.`);
  return place;
};

test("every key can be read from its name and its Camelot code, and a minor key from its short name", () => {
  expect(new Set(keyPlaces.map(keyName)).size).toBe(24);
  expect(new Set(keyPlaces.map(camelotCode)).size).toBe(24);
  for (const keyPlace of keyPlaces)
    expect(
      [keyName(keyPlace), shortKeyName(keyPlace) + (keyPlace < 12 ? " major" : ""), camelotCode(keyPlace)].map(readKey),
    ).toEqual([keyPlace, keyPlace, keyPlace]);
});

test.each([
  ["A minor", "8A", "Am"],
  ["C major", "8B", "C"],
  ["C# minor", "12A", "C#m"],
  ["D# major", "5B", "D#"],
  ["F# major", "2B", "F#"],
  ["F minor", "4A", "Fm"],
])("%s is %s in Camelot notation, and %s for short", (name, code, short) => {
  expect([keyName(place(name)), camelotCode(place(name)), shortKeyName(place(name))]).toEqual([name, code, short]);
});

test.each([
  ["Db minor", "C# minor"],
  ["B♭ maj", "A# major"],
  ["ebm", "D# minor"],
  ["Cb major", "B major"],
  ["B# min", "C minor"],
  ["08a", "A minor"],
])("%s is read as %s", (spelling, name) => {
  expect(keyName(place(spelling))).toBe(name);
});

test.each(["", "H minor", "13A", "0B", "C", "CM", "A minor, 8A", "Amx", "minor"])("%j is no key", (text) => {
  expect(readKey(text)).toBeUndefined();
});

test.each([
  ["A minor", ["A minor", "C major", "E minor", "D minor"]],
  ["C major", ["C major", "A minor", "G major", "F major"]],
  ["D minor", ["D minor", "F major", "A minor", "G minor"]],
])("compatible with %s are %j", (name, names) => {
  expect(compatibleKeys(place(name)).map(keyName).sort()).toEqual([...names].sort());
});

test("compatibility of keys is symmetric", () => {
  for (const keyPlace of keyPlaces)
    for (const other of compatibleKeys(keyPlace)) expect(compatibleKeys(other)).toContain(keyPlace);
});

test("arrow keys, Home and End reach every musical key, and other keys do not move", () => {
  const moves = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"];
  const reached = new Set([0]);
  for (const keyPlace of reached) for (const move of moves) reached.add(adjacentKey(keyPlace, move) ?? -1);
  expect([...reached].sort((a, b) => a - b)).toEqual(keyPlaces);
  expect(keyName(adjacentKey(place("F major"), "ArrowRight") ?? -1)).toBe("C major");
  expect(keyName(adjacentKey(place("A minor"), "ArrowLeft") ?? -1)).toBe("D minor");
  expect(keyName(adjacentKey(place("A minor"), "ArrowUp") ?? -1)).toBe("C major");
  expect(adjacentKey(0, "a")).toBeUndefined();
});
