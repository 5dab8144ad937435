import { expect, test } from "vitest";
import { Spectra } from "./spectra.ts";

function spectraOf(samples: Float32Array, { size = 64, hop = 16, block = samples.length } = {}): number[][] {
  const result: number[][] = [];
  const spectra = new Spectra(size, hop, (magnitudes) => result.push([...magnitudes]));
  for (let start = 0; start < samples.length; start += block) spectra.add(samples.subarray(start, start + block));
  return result;
}

const noise = Float32Array.from({ length: 400 }, (_, n) => Math.sin(n * n * 0.37));

test("the magnitudes equal those of a discrete Fourier transform, including the first and last bin", () => {
  const [first = []] = spectraOf(noise);
  expect(first).toHaveLength(33);
  for (let bin = 0; bin <= 32; bin++) {
    let [real, imaginary] = [0, 0];
    for (let n = 0; n < 64; n++) {
      const windowed = (noise[n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / 64));
      real += windowed * Math.cos((2 * Math.PI * bin * n) / 64);
      imaginary -= windowed * Math.sin((2 * Math.PI * bin * n) / 64);
    }
    expect(first[bin]).toBeCloseTo(Math.hypot(real, imaginary), 5);
  }
});

test("frames start at multiples of the hop, whatever the block size", () => {
  const allSpectra = spectraOf(noise);
  expect(allSpectra).toHaveLength(Math.floor((400 - 64) / 16) + 1);
  for (const block of [1, 7, 63, 65, 399]) expect(spectraOf(noise, { block })).toEqual(allSpectra);
});

test("a frame with samples that are not finite is silent, and does not affect later frames", () => {
  const broken = noise.slice();
  broken[3] = Number.NaN;
  broken[70] = Number.POSITIVE_INFINITY;
  const spectra = spectraOf(broken, { hop: 64 });
  expect(spectra[0]).toEqual(new Array(33).fill(0));
  expect(spectra[1]).toEqual(new Array(33).fill(0));
  expect(spectra[2]).toEqual(spectraOf(noise, { hop: 64 })[2]);
});
