import { describe, expect, test } from "vitest";
import { genreReader } from "./genre-field.ts";

test("without settings a genre is used as written", () => {
  expect(genreReader({ column: "genre" })("pop/dance pop")).toBe("pop/dance pop");
});

test("split takes the first part, a list its first member", () => {
  const read = genreReader({ column: "genre", split: "/" });
  expect(read(" pop / dance pop")).toBe("pop");
  expect(read("['italian hip hop', 'rap']")).toBe("italian hip hop");
  expect(read("[]")).toBe("");
  expect(read("//")).toBe("");
});

test("capitalize does not change a name that has a capital letter", () => {
  const read = genreReader({ column: "genre", capitalize: true });
  expect(read("dance pop")).toBe("Dance Pop");
  expect(read("hip-hop")).toBe("Hip-Hop");
  expect(read("EDM")).toBe("EDM");
  expect(read("drum 'n' bass")).toBe("Drum 'n' Bass");
});

describe("groups", () => {
  const read = genreReader({
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
    expect(read(text)).toBe(group);
  });
});
