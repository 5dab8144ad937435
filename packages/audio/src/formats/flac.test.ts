import { beforeEach, describe, expect, test, vi } from "vitest";
import { flac } from "../../testing/audio-files.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { beat, seededNumbers } from "../../testing/signals.ts";

// The decoder writes errors to the console.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const audio = beat(0.5);
const completeFile = flac(audio);

function noise(bytes: number): Buffer {
  const random = seededNumbers(11);
  return Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));
}

const id3v1 = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125, "x")]);
const apev2 = Buffer.concat([Buffer.from("APETAGEX"), Buffer.alloc(300, 7), Buffer.from("APETAGEX"), Buffer.alloc(24)]);

/** A copy without the number of samples, which an encoder that writes to a pipe does not know. */
function withUnknownLength(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy[21] = (copy[21] as number) & 0xf0;
  return copy.fill(0, 22, 26);
}

describe("all samples are decoded if the last frame is followed by", () => {
  test.each<[string, Buffer]>([
    ["an ID3v1 tag", id3v1],
    ["an enhanced ID3v1 tag", Buffer.concat([Buffer.from("TAG+"), Buffer.alloc(223, "y"), id3v1])],
    ["an APEv2 tag", apev2],
    ["Lyrics3 and ID3v1", Buffer.concat([Buffer.from("LYRICSBEGININD0000200LYRICS200"), id3v1])],
    ["an ID3v2 tag", Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\x02\0", "latin1"), Buffer.alloc(256)])],
    ["one zero", Buffer.alloc(1)],
    ["zeros", Buffer.alloc(70_000)],
    ["2 MB of noise", noise(2_000_000)],
    ["a false frame header", Buffer.from("fff8c9a8", "hex")],
  ])("%s", async (_what, after) => {
    const plain = await decode(completeFile);
    for (const file of [completeFile, withUnknownLength(completeFile)])
      expect(difference(await decode(Buffer.concat([file, after])), plain)).toBe(0);
  });
});

test("a truncated file is refused, even if a tag follows or the length is unknown", async () => {
  const truncated = completeFile.subarray(0, -2000);
  for (const file of [truncated, Buffer.concat([truncated, id3v1])])
    expect(await reason(file)).toMatch(/The FLAC file is cut off or damaged: .* 9\d %/);
  expect(await reason(withUnknownLength(truncated))).toBe(
    "The FLAC file is damaged (a frame is incomplete): export it again.",
  );
});

test("samples of 32 bits are decoded", async () => {
  const decoded = await decode(flac(audio, { bits: 32 }));
  expect(decoded.bitDepth).toBe(32);
  expect(difference(decoded, audio)).toBeLessThan(2 ** -23);
});

test("frames without sample rate and bit depth use the values in the file's header", async () => {
  const signal = beat(0.5, { sampleRate: 44_101 });
  const decoded = await decode(flac(signal, { isBare: true }));
  expect(decoded).toMatchObject({ sampleRate: 44_101, bitDepth: 16 });
  expect(difference(decoded, signal)).toBeLessThan(2 / 32_768);
});

describe("a frame whose checksum ends with a zero byte is decoded", () => {
  const samples = (audio.channels[0] as Float32Array).slice(0, 4096);
  const oneFrame = { sampleRate: audio.sampleRate, channels: [samples] };
  while (flac(oneFrame).at(-1) !== 0) samples[4095] = (samples[4095] as number) + 1 / 32_768;

  test.each<[string, Buffer]>([
    ["at the end of the file", Buffer.alloc(0)],
    ["before a zero", Buffer.alloc(1)],
    ["before zeros", Buffer.alloc(3_000_000)],
    ["before a tag", id3v1],
  ])("%s", async (_where, after) => {
    expect(difference(await decode(Buffer.concat([flac(oneFrame), after])), oneFrame)).toBeLessThan(2 / 32_768);
  });

  test("before other frames", async () => {
    const more = { ...oneFrame, channels: [Float32Array.of(...samples, ...samples, ...samples)] };
    expect(difference(await decode(flac(more)), more)).toBeLessThan(2 / 32_768);
  });
});

test("zeros after the last frame are ignored if that frame is decoded together with others", async () => {
  const silence = beat(20, { sampleRate: 8000 });
  for (const channel of silence.channels) channel.fill(0, 80_000);
  const decoded = await decode(Buffer.concat([flac(silence), Buffer.alloc(3_000_000)]));
  expect(difference(decoded, silence)).toBeLessThan(2 / 32_768);
});
