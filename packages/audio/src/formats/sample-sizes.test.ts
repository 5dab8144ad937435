import { describe, expect, test } from "vitest";
import { aiff, wav } from "../../testing/audio-files.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { beat, type Signal, signal } from "../../testing/signals.ts";

const audio = beat(0.5);

/** A WAV whose samples are in larger containers: in the high or in the low bytes. */
function inContainers(
  content: Signal,
  {
    bits,
    bytes,
    at,
    isExtensible = false,
  }: { bits: 16 | 24; bytes: number; at: "high" | "low"; isExtensible?: boolean },
): Buffer {
  const original = wav(content, { encoding: `s${bits}`, isExtensible });
  const start = original.indexOf("data") + 8;
  const size = bits / 8;
  const samples: Buffer[] = [];
  for (let from = start; from + size <= original.length; from += size) {
    const sample = original.subarray(from, from + size);
    const isNegative = (sample[size - 1] as number) >= 0x80;
    const filler = Buffer.alloc(bytes - size, at === "low" && isNegative ? 0xff : 0);
    samples.push(...(at === "high" ? [filler, sample] : [sample, filler]));
  }
  const head = Buffer.from(original.subarray(0, start));
  head.writeUInt16LE(bytes * content.channels.length, 32);
  const body = Buffer.concat(samples);
  head.writeUInt32LE(body.length, start - 4);
  return Buffer.concat([head, body]);
}

describe("samples in larger containers", () => {
  const plain = async (bits: 16 | 24, content: Signal) => decode(wav(content, { encoding: `s${bits}` }));

  test.each([
    [24, 4, "high"],
    [24, 4, "low"],
    [16, 4, "high"],
    [16, 4, "low"],
    [16, 3, "high"],
    [24, 8, "high"],
  ] as const)("are decoded: %i bits in %i bytes, in the %s bytes", async (bits, bytes, position) => {
    for (const content of [audio, beat(0.5, { channels: 1 })]) {
      const decoded = await decode(inContainers(content, { bits, bytes, at: position }));
      expect(decoded.bitDepth).toBe(bits);
      expect(difference(decoded, await plain(bits, content))).toBe(0);
    }
  });

  test("are decoded if the file begins with quiet samples, which fit both positions", async () => {
    const content = signal({ seconds: 3 }, (seconds) => (seconds < 2.5 ? 1e-3 : 0.5) * Math.sin(seconds * 900));
    for (const position of ["high", "low"] as const)
      expect(
        difference(await decode(inContainers(content, { bits: 24, bytes: 4, at: position })), await plain(24, content)),
      ).toBe(0);
  });

  test("are refused if they are in neither position, or if the size of a frame is wrong", async () => {
    const noise = inContainers(audio, { bits: 24, bytes: 4, at: "high" });
    for (let offset = 44; offset < noise.length; offset += 4) noise[offset] = offset % 251;
    expect(await reason(noise)).toBe(
      "The WAV file has samples of 24 bits somewhere within 4 bytes in it, which cannot be read here: export it as PCM with 16 or 24 bits, or as FLAC or MP3.",
    );
    for (const blockAlign of [1, 2, 3, 5, 7]) {
      const file = wav(audio);
      file.writeUInt16LE(blockAlign, 32);
      expect(await reason(file)).toMatch(
        `The WAV file is damaged (it says that 2 samples of 16 bits are ${blockAlign} bytes)`,
      );
    }
  });

  test("are not expected in a file whose header has a frame size of 0", async () => {
    const file = wav(audio, { encoding: "s24" });
    file.writeUInt16LE(0, 32);
    expect(difference(await decode(file), await plain(24, audio))).toBe(0);
  });
});

describe("samples that do not fill whole bytes are decoded from the high bits", () => {
  test.each([
    [20, "s24"],
    [12, "s16"],
    [18, "s24"],
  ] as const)("WAV with %i bits", async (bits, encoding) => {
    const file = wav(audio, { encoding });
    file.writeUInt16LE(bits, 34);
    const decoded = await decode(file);
    expect(decoded.bitDepth).toBe(bits);
    expect(difference(decoded, await decode(wav(audio, { encoding })))).toBe(0);
  });

  test.each([
    [20, 20],
    [24, 24],
    // 0, and more bits than the container has, are ignored.
    [0, 24],
    [32, 24],
  ])("extensible WAV with %i valid bits has %i bits", async (valid, expectedBits) => {
    const file = wav(audio, { encoding: "s24", isExtensible: true });
    file.writeUInt16LE(valid, 38);
    expect((await decode(file)).bitDepth).toBe(expectedBits);
  });

  test.each([
    [20, "s24"],
    [12, "s16"],
  ] as const)("AIFF with %i bits", async (bits, encoding) => {
    const file = aiff(audio, { encoding });
    file.writeUInt16BE(bits, 26);
    const decoded = await decode(file);
    expect(decoded.bitDepth).toBe(bits);
    expect(difference(decoded, await decode(aiff(audio, { encoding })))).toBe(0);
  });
});

test.each([
  ["42n1", "s24"],
  ["42ni", "s24"],
  ["23ni", "s32"],
] as const)("AIFC %s is little-endian", async (compression, encoding) => {
  const file = aiff(audio, { encoding, compression, isLittleEndian: true });
  expect(difference(await decode(file), await decode(aiff(audio, { encoding })))).toBe(0);
});

describe("the reason names unsupported content:", () => {
  const wavOf = (tag: number, bits = 16) => {
    const file = wav(audio);
    file.writeUInt16LE(tag, 20);
    file.writeUInt16LE(bits, 34);
    return file;
  };
  test.each<[string, Buffer]>([
    ["The WAV file has Microsoft ADPCM in it", wavOf(2, 4)],
    ["The WAV file has A-law in it", wavOf(6, 8)],
    ["The WAV file has IMA ADPCM in it", wavOf(17, 4)],
    ["The WAV file has MP3 in it", wavOf(0x55, 0)],
    ["The WAV file has audio compressed by codec 0x0123 in it", wavOf(0x0123)],
    ["The WAV file has samples of 64 bits in it", wavOf(1, 64)],
    ["The WAV file has floating-point samples of 16 bits in it", wavOf(3, 16)],
    ["The AIFF file has A-law in it", aiff(audio, { compression: "alaw" })],
    ["The AIFF file has IMA ADPCM in it", aiff(audio, { compression: "ima4" })],
    ['The AIFF file has audio compressed as "xyz?" in it', aiff(audio, { compression: "xyz\x01" })],
    ["The file is Sun audio (AU)", Buffer.from(".snd\0\0\0\x20")],
    ["The file is Core Audio (CAF)", Buffer.from("caff\0\x01\0\0desc")],
    ["The file is Monkey's Audio (APE)", Buffer.from("MAC \x96\x0f\0\0")],
    ["The file is WavPack", Buffer.from("wvpk\0\0\0\0")],
    ["The file is Windows Media (WMA)", Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex")],
    ["The file is a ZIP archive", Buffer.from("PK\x03\x04\x14\0\0\0")],
    ["The file is a picture (JPEG)", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["The file is MPEG audio of layer I or II", Buffer.from("fffd94c400000000", "hex")],
  ])("%s", async (expected, file) => {
    const refusal = await reason(file);
    expect(refusal).toMatch(expected);
    expect(refusal).toMatch(/, which cannot be read here: export /);
  });
});
