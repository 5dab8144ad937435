import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chunk, mp3, wav } from "../../testing/audio-files.ts";
import { mediaFile, mediaFolder } from "../../testing/files.ts";
import { type Signal, signal, sine } from "../../testing/signals.ts";
import { openAudio } from "../formats/open-audio.ts";
import type { Preview } from "../media-task.ts";
import { makePreview } from "./make-preview.ts";
import { resample } from "./resample.ts";

type Tag = Parameters<typeof makePreview>[0]["tag"];

/** Creates a preview. Returns it with the samples of the left channel at 8 kHz. */
async function preview(bytes: Uint8Array, tag: Tag): Promise<Preview & { mp3: Buffer; leftSamples: number[] }> {
  const outDir = await mediaFolder();
  const result = await makePreview({ input: await mediaFile(bytes), outDir, tag });
  const file = join(outDir, "preview.mp3");
  const leftSamples: number[] = [];
  for await (const [samples] of resample(await openAudio(file), 8000)) leftSamples.push(...(samples ?? []));
  return { ...result, mp3: await readFile(file), leftSamples };
}

const quiet = (seconds: number, sampleRate = 8000, channels = 1): Signal =>
  signal({ seconds, sampleRate, channels }, sine(200, -40));

/** The root mean square of the seconds from `from` to `to`. */
const level = (samples: number[], from: number, to: number): number =>
  Math.sqrt(samples.slice(from * 8000, to * 8000).reduce((sum, x) => sum + x * x, 0) / ((to - from) * 8000));

test("a preview is an MP3 of 128 kbit/s at 44.1 or 48 kHz, with the beat's channels and without metadata", async () => {
  for (const [sampleRate, expected] of [
    [44_100, 44_100],
    [22_050, 44_100],
    [96_000, 48_000],
    [8000, 48_000],
  ] as const)
    for (const channels of [1, 2]) {
      const secret = chunk("LIST", Buffer.from("INFOIARTSecret"));
      const result = await preview(wav(quiet(1.5, sampleRate, channels), { before: [secret] }), "none");
      expect(result).toMatchObject({ durationSeconds: 1.5, sampleRate: expected, channels, bytes: result.mp3.length });
      expect(result.mp3.length).toBeGreaterThan(1.5 * 16_000);
      expect(result.mp3.length).toBeLessThan(1.6 * 16_000);
      // Begins with a frame of layer III at 128 kbit/s. Has no ID3 tags and no metadata of the original.
      expect(result.mp3.readUInt16BE(0)).toBe(0xfffb);
      expect((result.mp3[2] ?? 0) >> 4).toBe(9);
      expect(result.mp3.subarray(-128, -125).toString("latin1")).not.toBe("TAG");
      expect(result.mp3.includes("Secret")).toBe(false);
    }
});

test("a preview has the whole of a short beat, or the first 90 seconds of a longer beat with a fade", async () => {
  const completeFile = await preview(wav(quiet(20)), "none");
  expect(completeFile.durationSeconds).toBe(20);
  expect(level(completeFile.leftSamples, 19, 20) / level(completeFile.leftSamples, 5, 6)).toBeCloseTo(1, 1);
  const long = await preview(wav(quiet(95), { encoding: "u8" }), "none");
  expect(long.durationSeconds).toBe(90);
  expect(level(long.leftSamples, 87, 88) / level(long.leftSamples, 50, 51)).toBeCloseTo(0.5, 1);
  expect(level(long.leftSamples, 89.5, 90)).toBeLessThan(0.1 * level(long.leftSamples, 50, 51));
});

test("the default tag plays at 2, 17 and 32 seconds; before and between, only the beat plays", async () => {
  const { leftSamples: left } = await preview(wav(quiet(35)), "default");
  for (const start of [2, 17, 32]) expect(level(left, start + 0.1, start + 0.6)).toBeGreaterThan(0.05);
  for (const [from, to] of [
    [0, 1.9],
    [4, 16.9],
    [19, 31.9],
  ] as const)
    expect(level(left, from, to)).toBeCloseTo(0.01 / Math.SQRT2, 3);
});

test("a tag may be any audio but silence; its first ten seconds play at the level of the default tag", async () => {
  const spoken = await mediaFile(await mp3(signal({ seconds: 12, sampleRate: 44_100 }, sine(1000, -30))));
  const { leftSamples: left } = await preview(wav(quiet(16)), { file: spoken });
  expect(level(left, 3, 11)).toBeCloseTo(0.5 / Math.SQRT2, 1);
  expect(level(left, 12.5, 16)).toBeLessThan(0.02);
  const silent = await mediaFile(wav(signal({ seconds: 1 }, () => 0)));
  await expect(preview(wav(quiet(3)), { file: silent })).rejects.toThrow("tag is silent");
});

test("the sum of beat and tag stays within full scale", async () => {
  const loud = wav(signal({ seconds: 4, sampleRate: 44_100, channels: 1 }, sine(200, 0)));
  const { leftSamples: left } = await preview(loud, "default");
  // MP3 may exceed full scale slightly. A sum beyond full scale would be clipped and louder.
  expect(left.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)).toBeLessThan(1.1);
  expect(level(left, 2.2, 3)).toBeLessThan(level(left, 1, 1.9));
});

test("resampling keeps frequencies below the lower Nyquist frequency, and removes higher frequencies", async () => {
  for (const [from, to] of [
    [44_100, 48_000],
    [96_000, 44_100],
    [11_025, 44_100],
  ] as const) {
    const through = async (hertz: number): Promise<number> => {
      const audio = await openAudio(await mediaFile(wav(signal({ seconds: 1, sampleRate: from }, sine(hertz, -6)))));
      const samples: number[] = [];
      for await (const [left] of resample(audio, to)) samples.push(...(left ?? []));
      expect(Math.abs(samples.length - to)).toBeLessThan(3);
      const error = samples.slice(2000, -2000).map((sample, index) => sample - sine(hertz, -6)((index + 2000) / to));
      return Math.sqrt(error.reduce((sum, x) => sum + x * x, 0) / error.length);
    };
    expect(await through(1000)).toBeLessThan(0.001);
    if (from > to) {
      const audio = await openAudio(await mediaFile(wav(signal({ seconds: 1, sampleRate: from }, sine(30_000, -6)))));
      let peak = 0;
      for await (const [left] of resample(audio, to))
        for (const sample of (left ?? []).slice(100)) peak = Math.max(peak, Math.abs(sample));
      expect(peak).toBeLessThan(0.001);
    }
  }
});
