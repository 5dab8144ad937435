import fc from "fast-check";
import { expect, test } from "vitest";
import { readList } from "./list.ts";

test.each([
  ["['Uli']", ["Uli"]],
  [`["King Oliver's Creole Jazz Band", 'X']`, ["King Oliver's Creole Jazz Band", "X"]],
  ["[]", []],
  [
    String.raw`['It\'s', "a \"b\"", 'caf\xe9', 'na\u00efve', 'back\\slash']`,
    ["It's", 'a "b"', "café", "naïve", "back\\slash"],
  ],
  ["['a, b', 'c']", ["a, b", "c"]],
  ["[1, 2.5]", ["1", "2.5"]],
  ['["Юрий","別"]', ["Юрий", "別"]],
])("%s is a list", (text, parts) => {
  expect(readList(text)).toEqual(parts);
});

test.each(["[:SITD:]", "[ingenting]", "['a'", "'a', 'b'", "['a' 'b']", "", "[a, b]"])("%s is plain text", (text) => {
  expect(readList(text)).toBeNull();
});

test("a list formatted as JSON is parsed to the same list", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (parts) => {
      expect(readList(JSON.stringify(parts))).toEqual(parts);
    }),
  );
});
