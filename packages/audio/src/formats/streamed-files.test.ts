import { describe, expect, test } from "vitest";
import { aiff, chunk, wav } from "../../testing/audio-files.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { beat } from "../../testing/signals.ts";

// A program that writes to a pipe does not know the sizes at the start, and cannot go back. So it writes placeholders.

const audio = beat(0.5);
const completeFile = wav(audio);

/** A copy with other bytes at an offset. */
function patched(file: Buffer, offset: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(file);
  bytes.copy(copy, offset);
  return copy;
}

const u32be = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const i64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** A chunk of Sony Wave64. */
function wave64Chunk(name: string, body: Buffer, bytes = BigInt(24 + body.length)): Buffer {
  const [prefix, tail] = name === "riff" ? ["riff", "2e91cf11a5d628db04c10000"] : [name, "f3acd3118cd100c04f8edb8a"];
  const padding = Buffer.alloc((8 - (body.length % 8)) % 8);
  return Buffer.concat([Buffer.from(prefix), Buffer.from(tail, "hex"), i64(bytes), body, padding]);
}

function wave64(bytes?: bigint, before: Buffer[] = []): Buffer {
  const body = Buffer.concat([
    Buffer.from("wave"),
    Buffer.from("f3acd3118cd100c04f8edb8a", "hex"),
    wave64Chunk("fmt ", completeFile.subarray(20, 36)),
    ...before,
    wave64Chunk("data", completeFile.subarray(44), bytes),
  ]);
  return wave64Chunk("riff", body);
}

describe("a placeholder means the rest of the file", () => {
  test.each([
    0, 0x7fffffff, 0x80000000, 0x7ffff000, 0x7fffff00, 0x7fffffdb, 0x7f000008, 0x80000024, 0xffffffff, 0xfffffff0,
    0xffffffdb, 0xff000000,
  ])("a size of %i in WAV", async (dataSize) => {
    expect(difference(await decode(wav(audio, { dataSize })), await decode(completeFile))).toBe(0);
  });

  test.each([0n, 0xffffffffn, 2n ** 63n - 1n, 2n ** 64n - 1n])("a size of %i in RF64", async (size) => {
    const file = wav(audio, { form: "RF64" });
    expect(difference(await decode(patched(file, 28, i64(size))), await decode(completeFile))).toBe(0);
  });

  test.each([undefined, 0n, 2n ** 63n - 1n, 2n ** 64n - 1n, 0x7ffff000n])("a size of %s in Wave64", async (size) => {
    const odd = wave64Chunk("bext", Buffer.alloc(13));
    const decoded = await decode(wave64(size, [odd]));
    expect(decoded).toMatchObject({ format: "wav", bitDepth: 16 });
    expect(difference(decoded, await decode(completeFile))).toBe(0);
  });

  test.each([
    // Written by SoX: about 2 GiB of samples.
    [0x7f000008, 0x7f000000 / 4],
    // Written by ffmpeg.
    [0, 0],
    [0xffffffff, 0xffffffff],
    // A placeholder for the size, and the correct number of frames.
    [0x7f000008, 22_050],
    [0, 22_050],
  ])("a size of %i and %i frames in AIFF", async (size, frames) => {
    const file = aiff(audio);
    const streamed = patched(patched(file, 42, u32be(size)), 22, u32be(frames));
    expect(difference(await decode(streamed), await decode(file))).toBe(0);
  });
});

test("a wrong size that is not a placeholder is refused", async () => {
  for (const dataSize of [200_000, 0x10000000, 0x60000000, 0xa0000000])
    expect(await reason(wav(audio, { dataSize }))).toMatch("The WAV file is cut off or damaged");
  expect(await reason(wave64(3_000_000n))).toMatch("The WAV file is cut off or damaged");
  expect(await reason(patched(wav(audio, { form: "RF64" }), 28, i64(2n ** 40n)))).toMatch("cut off or damaged");
  const longer = patched(patched(aiff(audio), 42, u32be(3_000_008)), 22, u32be(750_000));
  expect(await reason(longer)).toMatch("The AIFF file is cut off or damaged");
});

describe("a chunk of odd size without its byte of padding is accepted", () => {
  const list = (body: string) => chunk("LIST", Buffer.from(body)).subarray(0, 8 + body.length);

  test.each([
    ["before the samples", [list("INFOISFT\x05\0\0\0Lavf\0")]],
    ["twice", [list("INFO1"), list("INFO2")]],
    ["with an unknown name", [chunk("ab1 ", Buffer.alloc(3)).subarray(0, 11)]],
    ["next to a chunk with padding", [chunk("LIST", Buffer.alloc(27)), list("INFO1")]],
  ])("%s", async (_what, before) => {
    expect(difference(await decode(wav(audio, { before })), await decode(completeFile))).toBe(0);
  });

  test("in AIFF", async () => {
    const file = aiff(audio);
    const name = chunk("NAME", Buffer.from("a b"), { isBigEndian: true });
    for (const text of [name, name.subarray(0, 11)])
      expect(
        difference(await decode(Buffer.concat([file.subarray(0, 12), text, file.subarray(12)])), await decode(file)),
      ).toBe(0);
  });
});
