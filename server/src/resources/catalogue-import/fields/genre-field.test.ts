import { describe, expect, test } from "vitest";
import { genreReader } from "./genre-field.ts";

test("a field without settings returns the text unchanged", () => {
  expect(genreReader({ column: "genre" })("pop/dance pop")).toBe("pop/dance pop");
});

test("the first part of a split text, or the first member of a list, is the genre", () => {
  const genreOf = genreReader({ column: "genre", split: "/" });
  expect(genreOf(" pop / dance pop")).toBe("pop");
  expect(genreOf("['italian hip hop', 'rap']")).toBe("italian hip hop");
  expect(genreOf("[]")).toBe("");
  expect(genreOf("//")).toBe("");
});

test("capitalize changes only names without a capital letter", () => {
  const genreOf = genreReader({ column: "genre", capitalize: true });
  expect(genreOf("dance pop")).toBe("Dance Pop");
  expect(genreOf("hip-hop")).toBe("Hip-Hop");
  expect(genreOf("EDM")).toBe("EDM");
  expect(genreOf("drum 'n' bass")).toBe("Drum 'n' Bass");
});

describe("groups", () => {
  const genreOf = genreReader({
    column: "genre",
    split: "/",
    groups: { House: [], "Deep House": [], "Hip Hop": ["rap", "trap"], "K-Pop": [], Pop: [] },
    ungrouped: "Other",
  });

  test.each([
    ["house", "House"],
    ["Deep-House", "Deep House"],
    ["tropical house", "House"],
    ["hip hop", "Hip Hop"],
    ["HIP_HOP", "Hip Hop"],
    ["pop rap", "Hip Hop"],
    ["k-pop", "K-Pop"],
    ["popular", "Other"],
    ["weirdcore/dance pop", "Pop"],
    ["['big room', 'dance pop']", "Pop"],
    ["weirdcore", "Other"],
  ])("%s belongs to %s", (text, group) => {
    expect(genreOf(text)).toBe(group);
  });
});
