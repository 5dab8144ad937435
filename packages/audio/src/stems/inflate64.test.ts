import { constants, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflate64 } from "./inflate64.ts";

async function inflate(packed: Buffer, partBytes = packed.length): Promise<Buffer> {
  async function* parts() {
    for (let offset = 0; offset < packed.length; offset += partBytes) yield packed.subarray(offset, offset + partBytes);
  }
  return Buffer.concat(await Array.fromAsync(inflate64(parts())));
}

/** Writes bits in the order of RFC 1951: numbers from the lowest bit, codes from the highest bit. */
class Bits {
  readonly #bits: number[] = [];
  number(value: number, count: number): this {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >> bit) & 1);
    return this;
  }
  code(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push((value >> bit) & 1);
    return this;
  }
  /** Writes a match in a block of fixed codes. The length code is at least 280. */
  match(lengthCode: number, extra: number, distanceCode: number, distanceExtra: number, distanceBits: number): this {
    this.code(0b11000000 + lengthCode - 280, 8).number(extra, 16);
    return this.code(distanceCode, 5).number(distanceExtra, distanceBits);
  }
  toBuffer(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [offset, bit] of this.#bits.entries())
      bytes[offset >> 3] = (bytes[offset >> 3] ?? 0) | (bit << (offset & 7));
    return bytes;
  }
}
const fixedBlock = () => new Bits().number(1, 1).number(1, 2);
const letterA = (bits: Bits) => bits.code(0x30 + 97, 8);

test("stored, fixed and dynamic blocks of Deflate are unpacked, in one chunk or in many", async () => {
  // Without matches of 258 bytes, whose code has another meaning in Deflate64.
  let state = 1;
  const text = Buffer.from(
    Array.from({ length: 300_000 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return 97 + ((state >>> 16) % 5);
    }),
  );
  const kinds = [
    { level: 0 },
    { strategy: constants.Z_FIXED, level: 6 },
    { strategy: constants.Z_HUFFMAN_ONLY },
    { level: 9 },
  ];
  for (const options of kinds) {
    const packed = deflateRawSync(text, options);
    expect((await inflate(packed)).equals(text), JSON.stringify(options)).toBe(true);
    expect((await inflate(packed, 777)).equals(text)).toBe(true);
  }
});

test("a match may have a length of 65,538 bytes and a distance of 65,536 bytes", async () => {
  const packed = letterA(fixedBlock())
    .match(285, 65_535, 0, 0, 0)
    .code(0x30 + 98, 8)
    .match(285, 65_532, 31, 16_383, 14);
  const output = await inflate(packed.code(0, 7).toBuffer());
  expect(output.length).toBe(1 + 65_538 + 1 + 65_535);
  expect([...output.keys()].filter((offset) => output[offset] !== 97)).toEqual(
    [65_539, 131_075].filter((offset) => output[offset] === 98),
  );
});

test.each<[string, RegExp, Buffer]>([
  ["an empty stream", /is incomplete/, Buffer.alloc(0)],
  [
    "a truncated stream",
    /is incomplete|undefined code/,
    deflateRawSync(Buffer.from("a sentence of words")).subarray(0, 8),
  ],
  ["an unknown block type", /unknown block type/, Buffer.from([0b111])],
  [
    "a match before the beginning",
    /before the beginning/,
    letterA(fixedBlock()).match(285, 0, 4, 0, 1).code(0, 7).toBuffer(),
  ],
  ["a stored block whose length is damaged", /stored block is damaged/, Buffer.from([1, 5, 0, 0, 0])],
])("%s is refused", async (_what, reason, packed) => {
  await expect(inflate(packed)).rejects.toThrow(reason);
});
