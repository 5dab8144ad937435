import { describe, expect, test } from "vitest";
import { beat, type Signal, seededNumbers, signal, sine } from "../../../testing/signals.ts";
import { Extremes } from "./extremes.ts";
import { LoudnessMeter } from "./loudness-meter.ts";
import { TruePeakMeter } from "./true-peak-meter.ts";

interface Meter {
  add(block: Float32Array[]): void;
}

/** Adds a signal in blocks of several lengths. */
function feed<M extends Meter>(meter: M, { channels }: Signal): M {
  const random = seededNumbers(1);
  const frames = channels[0]?.length ?? 0;
  for (let from = 0; from < frames; ) {
    const to = from + 1 + Math.floor(random() * 20_000);
    meter.add(channels.map((samples) => samples.subarray(from, to)));
    from = to;
  }
  return meter;
}

const lufs = (audio: Signal) =>
  feed(new LoudnessMeter(audio.sampleRate, audio.channels.length), audio).integratedLufs();
const dbtp = (audio: Signal) => feed(new TruePeakMeter(audio.sampleRate, audio.channels.length), audio).truePeakDbtp();

describe("integrated loudness", () => {
  // EBU Tech 3341, table 1: a stereo sine of 1 kHz in parts [seconds, dBFS], and the expected LUFS, to ±0.1 LU. The
  // test halves the durations, to be fast.
  test.each([
    ["1", [[20, -23]], -23],
    ["2", [[20, -33]], -33],
    [
      "3",
      [
        [10, -36],
        [60, -23],
        [10, -36],
      ],
      -23,
    ],
    [
      "4",
      [
        [10, -72],
        [10, -36],
        [60, -23],
        [10, -36],
        [10, -72],
      ],
      -23,
    ],
    [
      "5",
      [
        [20, -26],
        [20.1, -20],
        [20, -26],
      ],
      -23,
    ],
  ] as [string, [number, number][], number][])(
    "is as expected in test case %s of the EBU",
    (_case, parts, expected) => {
      for (const sampleRate of [8000, 44_100]) {
        const loudness = new LoudnessMeter(sampleRate, 2);
        for (const [seconds, dbfs] of parts)
          feed(loudness, signal({ seconds: seconds / 2, sampleRate }, sine(1000, dbfs)));
        expect(Math.abs(loudness.integratedLufs() - expected)).toBeLessThan(0.1);
      }
    },
  );

  // Measured by `ffmpeg -af ebur128=peak=true` 5.1.9, from 32-bit floating-point WAV files of these signals.
  test.each([
    ["stereo at 44.1 kHz", beat(6), -13.0, -0.6],
    ["mono at 48 kHz", beat(6, { sampleRate: 48_000, channels: 1 }), -16.0, -0.5],
    ["stereo at 96 kHz", beat(4, { sampleRate: 96_000 }), -12.9, -0.3],
    ["mono at 22.05 kHz", beat(6, { sampleRate: 22_050, channels: 1 }), -15.9, -0.8],
  ])("and true peak agree with ffmpeg: %s", (_what, audio, expectedLufs, expectedDbtp) => {
    expect(Math.abs(lufs(audio) - expectedLufs)).toBeLessThan(0.2);
    expect(Math.abs(dbtp(audio) - expectedDbtp)).toBeLessThan(0.3);
  });

  test("is -70 LUFS for silence, and for less than a block", () => {
    expect(lufs(signal({ seconds: 2 }, () => 0))).toBe(-70);
    expect(lufs(signal({ seconds: 0.3 }, sine(1000, -6)))).toBe(-70);
  });
});

describe("true peak", () => {
  test("is measured between the samples: a sine whose samples miss its peaks", () => {
    for (const sampleRate of [44_100, 48_000]) {
      const audio = signal({ seconds: 0.1, sampleRate }, (seconds) =>
        Math.sin(2 * Math.PI * ((sampleRate / 4) * seconds) + Math.PI / 4),
      );
      const samplePeak = Math.max(...(audio.channels[0] ?? []));
      expect(20 * Math.log10(samplePeak)).toBeCloseTo(-3, 1);
      expect(Math.abs(dbtp(audio))).toBeLessThan(0.3);
    }
  });

  test("is the peak of the louder channel", () => {
    expect(
      dbtp(signal({ seconds: 1 }, (seconds, channel) => sine(100, channel === 0 ? -20 : -6)(seconds))),
    ).toBeCloseTo(-6, 1);
  });
});

describe("extremes", () => {
  const measure = (audio: Signal) => feed(new Extremes(audio.channels.length), audio);

  test("samples count as clipped in runs of three or more at full scale", () => {
    const clipped = (...samples: number[]) =>
      measure({ sampleRate: 1, channels: [Float32Array.from(samples)] }).clippedSamples;
    expect(clipped(0.5, 1, 1, 0.5, 1, 0.5)).toBe(0);
    expect(clipped(0.5, 1, 1, 1, 0.5, -1, -1, -1, -1)).toBe(7);
    expect(clipped(1.5, 32_767 / 32_768, -1, 0)).toBe(3);
    const loud = signal({ seconds: 0.5 }, (seconds) => Math.max(-1, Math.min(1, sine(100, 6)(seconds))));
    expect(measure(loud).clippedSamples).toBeGreaterThan(10_000);
  });

  test("silence is before the first and after the last sample above -60 dBFS", () => {
    const audio = signal({ seconds: 3, sampleRate: 8000 }, (seconds) => (seconds >= 1 && seconds < 1.5 ? 0.1 : 0.0009));
    expect(measure(audio).silentFrames).toEqual({ start: 8000, end: 12_000 });
    expect(measure(audio).frames).toBe(24_000);
    expect(measure(signal({ seconds: 1 }, () => 0.0009)).silentFrames).toBeNull();
  });
});
