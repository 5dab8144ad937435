import { describe, expect, test } from "vitest";
import { beat, seededNumbers } from "../../testing/signals.ts";
import { WaveformMeter } from "./waveform.ts";

function measure(samples: Float32Array, sampleRate = 44_100): WaveformMeter {
  const meter = new WaveformMeter(sampleRate);
  const random = seededNumbers(2);
  for (let from = 0; from < samples.length; ) {
    const to = from + 1 + Math.floor(random() * 50_000);
    meter.add(samples.subarray(from, to));
    from = to;
  }
  return meter;
}

describe("a waveform", () => {
  test("has the documented fields, and a minimum and maximum of 8 bits for each point", () => {
    const { data, ...waveform } = measure(Float32Array.of(0, 0.5, -0.5, 1, -1, 2, -2, 0.999)).waveform(4);
    expect(waveform).toEqual({
      version: 2,
      channels: 1,
      sample_rate: 44_100,
      samples_per_pixel: 2,
      bits: 8,
      length: 4,
    });
    expect(data).toEqual([0, 64, -64, 127, -128, 127, -128, 127]);
  });

  test.each([1.2, 30, 200])(
    "of %s seconds has about the requested number of points, each with the extremes of its samples",
    (seconds) => {
      const samples = beat(seconds, { sampleRate: 11_025, channels: 1 }).channels[0] as Float32Array;
      const meter = measure(samples, 11_025);
      for (const points of [1000, 8000]) {
        const { length, samples_per_pixel: size, data } = meter.waveform(points);
        expect(data.length).toBe(2 * length);
        // Each point has a whole number of samples, so there are not more points than samples.
        const expected = Math.min(points, samples.length);
        expect(Math.abs(length - expected) / expected).toBeLessThan(seconds < 2 && points === 8000 ? 0.7 : 0.1);
        expect(Math.ceil(samples.length / size)).toBe(length);
        for (const point of [0, 1, length >> 1, length - 1]) {
          const part = [...samples.subarray(point * size, (point + 1) * size)].map(
            (sample) => Math.trunc(sample * 128) + 0,
          );
          expect(data.slice(2 * point, 2 * point + 2)).toEqual(
            [Math.min(...part), Math.max(...part)].map((level) => level + 0),
          );
        }
      }
    },
  );
});
