import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wav } from "../../testing/audio-files.ts";
import { mediaFile, mediaFolder } from "../../testing/files.ts";
import { beat, signal } from "../../testing/signals.ts";
import { analyse } from "./analyse.ts";

test("the analysis measures a beat and writes both waveforms", async () => {
  const outDir = await mediaFolder();
  const audio = beat(8);
  for (const samples of audio.channels) samples.fill(0, 0, 22_050);
  const analysis = await analyse({ input: await mediaFile(wav(audio)), outDir });
  expect(analysis).toMatchObject({
    format: "wav",
    sampleRate: 44_100,
    channels: 2,
    bitDepth: 16,
    durationSeconds: 8,
    clippedSamples: 0,
    silence: { startSeconds: expect.closeTo(0.5, 2), endSeconds: expect.closeTo(0, 2) },
    loudness: { integratedLufs: expect.closeTo(-13, 0), truePeakDbtp: expect.closeTo(-0.6, 0) },
  });
  for (const [name, points] of [
    ["waveform.json", 1000],
    ["waveform-detail.json", 8000],
  ] as const) {
    const waveform = JSON.parse(await readFile(join(outDir, name), "utf8"));
    expect(waveform).toMatchObject({ version: 2, channels: 1, sample_rate: 44_100, bits: 8 });
    expect(Math.abs(waveform.length - points)).toBeLessThan(points * 0.05);
    expect(waveform.data).toHaveLength(2 * waveform.length);
  }
});

test.each([
  ["silence", /is silent/, signal({ seconds: 2 }, () => 0.0005)],
  ["less than a second", /lasts 0.5 seconds/, beat(0.5)],
  ["no samples", /lasts 0.0 seconds|no samples/, signal({ seconds: 0 }, () => 0)],
])("%s is refused with a reason", async (_what, reason, audio) => {
  const input = await mediaFile(wav(audio));
  await expect(analyse({ input, outDir: await mediaFolder() })).rejects.toMatchObject({
    reason: expect.stringMatching(reason),
    isFinal: true,
  });
});
