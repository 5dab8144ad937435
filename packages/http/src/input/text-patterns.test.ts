import Type from "typebox";
import { expect, test } from "vitest";
import { notBlank, visibleLine, visibleText } from "./text-patterns.ts";
import { readParameters, readValues } from "./validate.ts";

const fields = Type.Object({
  line: Type.Optional(Type.String({ minLength: 1 })),
  text: Type.Optional(Type.String({ minLength: 1, "x-multiline": true })),
});
const query = Type.Object({ q: Type.String({ minLength: 1 }) });

const accepts = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

/**
 * Every code point up to U+FFFF except surrogates. A class with higher code points needs the flag `u`, which not every
 * validator sets.
 */
const characters = Array.from({ length: 0x10000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

test.each<[string, RegExp, (text: string) => boolean]>([
  ["visibleLine", new RegExp(visibleLine), (line) => accepts(() => readValues("field", fields, [["line", line]]))],
  ["visibleText", new RegExp(visibleText), (text) => accepts(() => readValues("field", fields, [["text", text]]))],
  ["notBlank", new RegExp(notBlank), (q) => accepts(() => readParameters(query, [["q", q]]))],
])(
  "%s matches a character, alone and between letters, exactly if the server accepts it",
  (_name, pattern, isAccepted) => {
    // The ranges with special characters, and a sample of the rest: all characters would take a second.
    const sample = characters.filter(
      (_, index) => index < 0x3200 || (index > 0xf000 && index < 0x10000) || index % 97 === 0,
    );
    const differing = [...sample, "\r\n", "\r", "\n", " \n "].filter(
      (character) =>
        pattern.test(character) !== isAccepted(character) ||
        pattern.test(`a${character}b`) !== isAccepted(`a${character}b`),
    );
    expect(differing.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  },
);
