import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { aiff, chunk, flac, interleave, mp3, ogg, type PcmEncoding, wav } from "../../testing/audio-files.ts";
import { mediaFile, mediaFolder } from "../../testing/files.ts";
import { beat, type Signal, signal, sine } from "../../testing/signals.ts";
import { openAudio } from "../formats/open-audio.ts";
import { mp3BitRates } from "../preview/mp3-file.ts";
import { makeRenditions } from "./make-renditions.ts";

async function renditions(original: Uint8Array) {
  const outDir = await mediaFolder();
  const result = await makeRenditions({ input: await mediaFile(original), outDir, isLossy: false });
  const [wav, mp3] = await Promise.all(["master.wav", "master.mp3"].map((name) => readFile(join(outDir, name))));
  return { result, wav: wav as Buffer, mp3: mp3 as Buffer };
}

/** The only rendition of a lossy original. */
async function lossyMp3(original: Uint8Array, { encodedBytes }: { encodedBytes?: number } = {}) {
  const outDir = await mediaFolder();
  const task = { input: await mediaFile(original), outDir, isLossy: true };
  const result = await makeRenditions(encodedBytes === undefined ? task : { ...task, encodedBytes });
  expect(result.wav).toBeNull();
  expect(await readdir(outDir)).toEqual(["master.mp3"]);
  const file = await readFile(join(outDir, "master.mp3"));
  expect(result.mp3.bytes).toBe(file.length);
  return file;
}

/** The bit rate of the first frame in kbit/s. */
const bitRateOf = (file: Buffer) =>
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][(file[2] ?? 0) >> 4];

const audio = beat(0.3);
const secret = chunk("LIST", Buffer.from("INFOIARTSecret"));

/** The bytes after the head of the data chunk. */
const samplesOf = (file: Buffer): Buffer => file.subarray(file.indexOf("data") + 8);

const encodings: PcmEncoding[] = ["u8", "s16", "s24", "s32", "f32", "f64"];

test.each(encodings)("the WAV of a WAV of %s has exactly the same samples and no metadata", async (encoding) => {
  const files = await renditions(wav(audio, { encoding, before: [secret], isExtensible: true }));
  expect(samplesOf(files.wav).equals(interleave(audio, encoding, true))).toBe(true);
  expect(files.wav.includes("Secret")).toBe(false);
  expect(files.result.wav).toMatchObject({ sampleRate: 44_100, channels: 2, bytes: files.wav.length });
});

test("the WAV of a WAV without metadata is identical to it", async () => {
  const original = wav(audio, { encoding: "s24" });
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
] as const)("the WAV of an AIFF of %s %o has exactly the same samples", async (encoding, options) => {
  const { wav: file } = await renditions(aiff(audio, { encoding, ...options }));
  const wavEncoding = encoding === "s8" ? "u8" : encoding;
  expect(samplesOf(file).equals(interleave(audio, wavEncoding, true))).toBe(true);
});

test("the WAV of a FLAC has exactly the same samples at every level", async () => {
  // Every level once, in an order that does not resemble a frame header.
  const level = (index: number): number => ((index * 40_503) % 65_536) - 32_768;
  const extremes: Signal = {
    sampleRate: 44_100,
    channels: [Float32Array.from({ length: 65_536 }, (_, index) => level(index) / 32_768)],
  };
  for (const source of [audio, extremes]) {
    const { wav: file } = await renditions(flac(source, { pictureBytes: 1000 }));
    expect(file.equals(wav(source))).toBe(true);
  }
});

// Orders of earlier releases include a WAV of a lossy original.
test("the WAV of a lossy original has 16 bits, and the sample rate and length of the original", async () => {
  for (const original of [await mp3(audio), await ogg(audio)]) {
    const { result, wav: file } = await renditions(original);
    expect(result.wav).toMatchObject({ sampleRate: 44_100, channels: 2, encoding: "s16le" });
    const input = await openAudio(await mediaFile(original));
    let frames = 0;
    for await (const [left] of input.blocks) frames += left?.length ?? 0;
    expect(samplesOf(file).length).toBe(frames * 4);
  }
});

test("the MP3 of an MP3 has the same frames, without the bytes around and between them", async () => {
  // The decoder writes errors to the console.
  vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const long = beat(12);
  for (const kbits of [128, 320] as const) {
    const original = await mp3(long, kbits);
    const tag = Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\x02\0", "latin1"), Buffer.alloc(256, "Secret")]);
    const id3v1 = Buffer.concat([Buffer.from("TAGSecret"), Buffer.alloc(119)]);
    const apev2 = Buffer.concat([Buffer.from("APETAGEX"), Buffer.alloc(120_000, "Secret")]);
    const twice = Buffer.concat([original, original]);
    for (const [source, expected] of [
      [original, original],
      [Buffer.concat([tag, original, id3v1]), original],
      [Buffer.concat([Buffer.from("\r\n"), original, apev2, id3v1]), original],
      [Buffer.concat([original, Buffer.from("Secret"), original]), twice],
    ] as const) {
      const file = await lossyMp3(source);
      expect(file.equals(expected)).toBe(true);
      expect(bitRateOf(file)).toBe(kbits);
    }
  }
});

test("the MP3 of another lossy original has the lowest bit rate that is not below the original's", async () => {
  const long = beat(3);
  const vorbis = await ogg(long);
  const vorbisKbits = (8 * vorbis.length) / 3 / 1000;
  const expected = mp3BitRates.find((rate) => rate >= vorbisKbits);
  expect(expected).toBeLessThan(320);
  expect(bitRateOf(await lossyMp3(vorbis))).toBe(expected);
  // Bytes after the stream do not count.
  expect(bitRateOf(await lossyMp3(Buffer.concat([vorbis, Buffer.alloc(500_000)])))).toBe(expected);
  // M4A is decoded before the task, which gets the size of its audio data.
  for (const [kbits, rate] of [
    [100, 112],
    [256, 256],
    [900, 320],
  ] as const)
    expect(bitRateOf(await lossyMp3(wav(long), { encodedBytes: (kbits * 1000 * 3) / 8 }))).toBe(rate);
});

test("the MP3 is the whole beat at 320 kbit/s and 44.1 or 48 kHz, without metadata", async () => {
  for (const [sampleRate, expected] of [
    [44_100, 44_100],
    [96_000, 48_000],
    [32_000, 48_000],
  ] as const) {
    const long = signal({ seconds: 1, sampleRate, channels: 1 }, sine(300, -12));
    const { result, mp3: file } = await renditions(wav(long, { before: [secret] }));
    expect(result.mp3).toEqual({ sampleRate: expected, channels: 1, bytes: file.length });
    expect(file.readUInt16BE(0)).toBe(0xfffb);
    // The bit rate of the first frame. The size shows that all frames have it.
    expect((file[2] ?? 0) >> 4).toBe(14);
    expect(file.length).toBeGreaterThan(40_000);
    expect(file.length).toBeLessThan(1.1 * 40_000);
    expect(file.includes("Secret")).toBe(false);
    expect(file.subarray(-128, -125).toString("latin1")).not.toBe("TAG");
  }
});

test("the MP3 has no tag: its level is constant", async () => {
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
