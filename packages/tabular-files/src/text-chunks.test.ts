import fc from "fast-check";
import { expect, test } from "vitest";
import { type Encoding, textChunks } from "./text-chunks.ts";

async function decoded(pieces: readonly Uint8Array[], encoding?: Encoding): Promise<string> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  return (await Array.fromAsync(textChunks(chunks(), encoding, "beats.csv"))).join("");
}

const bytewise = (bytes: Buffer): Buffer[] => Array.from(bytes, (byte) => Buffer.of(byte));

test("UTF-8 is decoded byte by byte, without its byte order mark", async () => {
  const text = "\ufefftitle,né,別𠱁我,👩‍🎤\n\ufeffinside";
  expect(await decoded(bytewise(Buffer.from(text)))).toBe(text.slice(1));
});

test("any text without zeros is decoded, wherever it is cut in two", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.nat(), async (text, cut) => {
      const bytes = Buffer.from(`x${text.replaceAll("\0", "")}`);
      const offset = cut % bytes.length;
      expect(await decoded([bytes.subarray(0, offset), bytes.subarray(offset)])).toBe(bytes.toString());
    }),
  );
});

test("invalid UTF-8 becomes lone surrogates, and the text around it stays unchanged", async () => {
  const bytes = Buffer.concat([Buffer.from("né,"), Buffer.from("Café\n", "latin1"), Buffer.from("über\n")]);
  for (const pieces of [[bytes], bytewise(bytes)]) {
    const text = await decoded(pieces);
    expect(text).toBe("né,Caf\udce9\nüber\n");
    expect(text.isWellFormed()).toBe(false);
  }
});

test("an incomplete character at the end of the file is not lost", async () => {
  expect(await decoded([Buffer.from([0x61, 0xe2, 0x82])])).toBe("a\udce2\udc82");
});

test("the decoded text of any bytes can be converted back to the bytes, except for a byte order mark", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ min: 1 }), fc.nat(), async (array, cut) => {
      const bytes = Buffer.from(array);
      const offset = cut % (bytes.length + 1);
      const text = await decoded([bytes.subarray(0, offset), bytes.subarray(offset)], "utf-8");
      const back = Buffer.concat(
        Array.from(text, (character) =>
          character.isWellFormed() ? Buffer.from(character) : Buffer.of(character.charCodeAt(0) - 0xdc00),
        ),
      );
      const mark = Buffer.from("\ufeff");
      const hasMark = bytes.subarray(0, 3).equals(mark);
      expect(hasMark ? Buffer.concat([mark, back]) : back).toEqual(bytes);
    }),
  );
});

test("Windows-1252 is decoded when it is set", async () => {
  const bytes = Buffer.concat([
    Buffer.from("Caf\xe9 ", "latin1"),
    Buffer.of(0x93),
    Buffer.from("x"),
    Buffer.of(0x94, 0x80),
  ]);
  expect(await decoded(bytewise(bytes), "windows-1252")).toBe("Café “x”€");
});

test("UTF-16 is recognized by its byte order mark", async () => {
  const bytes = Buffer.from("\ufefftitle,né 𠱁\n", "utf16le");
  expect(await decoded([bytes])).toBe("title,né 𠱁\n");
  expect(await decoded([Buffer.from(bytes).swap16()])).toBe("title,né 𠱁\n");
});

test("binary data is refused with the line number of the first zero byte", async () => {
  await expect(decoded([Buffer.from("a,b\n1,2\n\0\x01\x02")])).rejects.toThrow(
    "beats.csv is not a text file: there is a zero byte in line 3.",
  );
});
