import FFT from "fft.js";

/** The number of frames in a segment: 12 seconds at the frame rate of onset strength. */
export const segmentFrames = 4_096;

/**
 * The minimum standard deviation of onset strength. A steady sound is below it. Music has 5 to 10, at -60 dB still
 * 0.01.
 */
const minDeviation = 0.005;

/**
 * The autocorrelation of onset strength by lag in frames, normalized to 1 at lag 0: the mean over overlapping segments.
 * Uses magnitudes instead of powers, which sharpens the peaks (generalized autocorrelation, Percival & Tzanetakis
 * 2014). Null if there are no onsets.
 */
export function autocorrelation(onsets: Float32Array): Float64Array | null {
  const fft = new FFT(2 * segmentFrames);
  const segment = new Float64Array(2 * segmentFrames);
  const spectrum = new Float64Array(4 * segmentFrames);
  const magnitudes = new Float64Array(2 * segmentFrames);
  const sum = new Float64Array(segmentFrames);
  let segments = 0;
  for (let start = 0; start + segmentFrames <= onsets.length; start += segmentFrames / 4) {
    const part = onsets.subarray(start, start + segmentFrames);
    const mean = part.reduce((total, onset) => total + onset, 0) / part.length;
    const variance = part.reduce((total, onset) => total + (onset - mean) ** 2, 0) / part.length;
    if (variance < minDeviation ** 2) continue;
    segment.fill(0);
    for (let n = 0; n < part.length; n++) segment[n] = (part[n] ?? 0) - mean;
    fft.realTransform(spectrum, segment);
    for (let bin = 0; bin <= segmentFrames; bin++) {
      const magnitude = Math.hypot(spectrum[2 * bin] ?? 0, spectrum[2 * bin + 1] ?? 0);
      magnitudes[bin] = magnitude;
      magnitudes[(2 * segmentFrames - bin) % magnitudes.length] = magnitude;
    }
    // The magnitudes are real and even, so the forward transform equals the inverse transform except for a factor.
    fft.realTransform(spectrum, magnitudes);
    const energy = spectrum[0] ?? 0;
    for (let lag = 0; lag < segmentFrames; lag++) sum[lag] = (sum[lag] ?? 0) + (spectrum[2 * lag] ?? 0) / energy;
    segments++;
  }
  return segments === 0 ? null : sum.map((value) => value / segments);
}
