import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aiff,
  chunk,
  flac,
  interleave,
  mp3,
  ogg,
  type PcmEncoding,
  wav,
} from "../../../test/harness/media/audio-files.ts";
import { mediaFile, mediaFolder } from "../../../test/harness/media/files.ts";
import { beat, type Signal, signal, sine } from "../../../test/harness/media/signals.ts";
import { openAudio } from "../formats/open-audio.ts";
import { makeRenditions } from "./make-renditions.ts";

async function renditions(original: Uint8Array) {
  const outDir = await mediaFolder();
  const made = await makeRenditions({ input: await mediaFile(original), outDir });
  const [itsWav, itsMp3] = await Promise.all(["master.wav", "master.mp3"].map((name) => readFile(join(outDir, name))));
  return { made, wav: itsWav as Buffer, mp3: itsMp3 as Buffer };
}

const heard = beat(0.3);
const secret = chunk("LIST", Buffer.from("INFOIARTSecret"));

/** The bytes behind the head of the data chunk. */
const samplesOf = (file: Buffer): Buffer => file.subarray(file.indexOf("data") + 8);

const encodings: PcmEncoding[] = ["u8", "s16", "s24", "s32", "f32", "f64"];

test.each(encodings)("the WAV of a WAV of %s has the same samples, bit by bit, and nothing else", async (encoding) => {
  const made = await renditions(wav(heard, { encoding, before: [secret], isExtensible: true }));
  expect(samplesOf(made.wav).equals(interleave(heard, encoding, true))).toBe(true);
  expect(made.wav.includes("Secret")).toBe(false);
  expect(made.made.wav).toMatchObject({ sampleRate: 44_100, channels: 2, bytes: made.wav.length });
});

test("a WAV of format and samples alone is its own rendition", async () => {
  const original = wav(heard, { encoding: "s24" });
  expect((await renditions(original)).wav.equals(original)).toBe(true);
});

test.each([
  ["s8", {}],
  ["s16", {}],
  ["s24", {}],
  ["s32", {}],
  ["s16", { compression: "sowt", isLittleEndian: true }],
  ["f32", { compression: "fl32" }],
  ["f64", { compression: "FL64" }],
] as const)("the WAV of an AIFF of %s %o has the same samples, bit by bit", async (encoding, options) => {
  const { wav: made } = await renditions(aiff(heard, { encoding, ...options }));
  const inWav = encoding === "s8" ? "u8" : encoding;
  expect(samplesOf(made).equals(interleave(heard, inWav, true))).toBe(true);
});

test("the WAV of a FLAC has the same samples, bit by bit, at every level", async () => {
  // Every level once, in an order that looks like no frame.
  const level = (at: number): number => ((at * 40_503) % 65_536) - 32_768;
  const extremes: Signal = {
    sampleRate: 44_100,
    channels: [Float32Array.from({ length: 65_536 }, (_, at) => level(at) / 32_768)],
  };
  for (const audio of [heard, extremes]) {
    const { wav: made } = await renditions(flac(audio, { pictureBytes: 1000 }));
    expect(made.equals(wav(audio))).toBe(true);
  }
});

test("a lossy original is decoded to 16 bits, of its own rate and length", async () => {
  for (const original of [await mp3(heard), await ogg(heard)]) {
    const { made, wav: file } = await renditions(original);
    expect(made.wav).toMatchObject({ sampleRate: 44_100, channels: 2, encoding: "s16le" });
    const input = await openAudio(await mediaFile(original));
    let frames = 0;
    for await (const [left] of input.blocks) frames += left?.length ?? 0;
    expect(samplesOf(file).length).toBe(frames * 4);
  }
});

test("the MP3 is the whole beat at 320 kbit/s and 44.1 or 48 kHz, of frames alone", async () => {
  for (const [sampleRate, expected] of [
    [44_100, 44_100],
    [96_000, 48_000],
    [32_000, 48_000],
  ] as const) {
    const long = signal({ seconds: 1, sampleRate, channels: 1 }, sine(300, -12));
    const { made, mp3: file } = await renditions(wav(long, { before: [secret] }));
    expect(made.mp3).toEqual({ sampleRate: expected, channels: 1, bytes: file.length });
    expect(file.readUInt16BE(0)).toBe(0xfffb);
    // The bit rate of the first frame, and so of all: the size is that of a second.
    expect((file[2] ?? 0) >> 4).toBe(14);
    expect(file.length).toBeGreaterThan(40_000);
    expect(file.length).toBeLessThan(1.1 * 40_000);
    expect(file.includes("Secret")).toBe(false);
    expect(file.subarray(-128, -125).toString("latin1")).not.toBe("TAG");
  }
});

test("the MP3 sounds the same from its first to its last second: there is no tag in it", async () => {
  const steady = signal({ seconds: 4, channels: 1 }, sine(300, -12));
  const { mp3: file } = await renditions(wav(steady));
  const samples: number[] = [];
  for await (const [left] of (await openAudio(await mediaFile(file))).blocks) samples.push(...(left ?? []));
  const level = (second: number): number => {
    const part = samples.slice((second + 0.1) * 44_100, (second + 0.9) * 44_100);
    return Math.sqrt(part.reduce((sum, x) => sum + x * x, 0) / part.length);
  };
  for (const second of [0, 1, 2, 3]) expect(20 * Math.log10(level(second))).toBeCloseTo(-15, 1);
});
