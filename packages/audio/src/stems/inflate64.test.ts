import { constants, deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflate64 } from "./inflate64.ts";

async function inflated(packed: Buffer, partBytes = packed.length): Promise<Buffer> {
  async function* parts() {
    for (let at = 0; at < packed.length; at += partBytes) yield packed.subarray(at, at + partBytes);
  }
  return Buffer.concat(await Array.fromAsync(inflate64(parts())));
}

/** Bits in the order of RFC 1951: numbers from their lowest bit, codes from their highest. */
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
  /** A match: its length code from 280 on, and its distance code, in a block of fixed codes. */
  match(lengthCode: number, extra: number, distanceCode: number, distanceExtra: number, distanceBits: number): this {
    this.code(0b11000000 + lengthCode - 280, 8).number(extra, 16);
    return this.code(distanceCode, 5).number(distanceExtra, distanceBits);
  }
  toBuffer(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [at, bit] of this.#bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
    return bytes;
  }
}
const fixedBlock = () => new Bits().number(1, 1).number(1, 2);
const letterA = (bits: Bits) => bits.code(0x30 + 97, 8);

test("what it has in common with Deflate is read: stored, fixed and dynamic blocks, in parts of any size", async () => {
  // Without matches of 258 bytes, whose code means another length.
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
    expect((await inflated(packed)).equals(text), JSON.stringify(options)).toBe(true);
    expect((await inflated(packed, 777)).equals(text)).toBe(true);
  }
});

test("a match may be 65,538 bytes long, and 65,536 bytes away", async () => {
  const packed = letterA(fixedBlock())
    .match(285, 65_535, 0, 0, 0)
    .code(0x30 + 98, 8)
    .match(285, 65_532, 31, 16_383, 14);
  const output = await inflated(packed.code(0, 7).toBuffer());
  expect(output.length).toBe(1 + 65_538 + 1 + 65_535);
  expect([...output.keys()].filter((at) => output[at] !== 97)).toEqual(
    [65_539, 131_075].filter((at) => output[at] === 98),
  );
});

test.each<[string, RegExp, Buffer]>([
  ["nothing", /end is missing/, Buffer.alloc(0)],
  ["the beginning alone", /end is missing|no code/, deflateRawSync(Buffer.from("a sentence of words")).subarray(0, 8)],
  ["a block of no known type", /no known type/, Buffer.from([0b111])],
  [
    "a match before the beginning",
    /before the beginning/,
    letterA(fixedBlock()).match(285, 0, 4, 0, 1).code(0, 7).toBuffer(),
  ],
  ["a stored block whose length is damaged", /stored block is damaged/, Buffer.from([1, 5, 0, 0, 0])],
])("is refused: %s", async (_what, reason, packed) => {
  await expect(inflated(packed)).rejects.toThrow(reason);
});
