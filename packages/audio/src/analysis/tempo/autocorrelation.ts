import FFT from "fft.js";

/** Frames of a segment: 12 seconds at the frame rate of onset strength. */
export const segmentFrames = 4_096;

/** Onsets that vary less than this are what is left of a steady sound: music has 5 to 10, at -60 dB still 0.01. */
const leastDeviation = 0.005;

/**
 * The autocorrelation of onset strength by lag in frames, 1 at lag 0: the mean over overlapping segments. It is generalised
 * as in Percival & Tzanetakis 2014: of the magnitudes instead of the powers, which sharpens the peaks. Null where nothing is
 * struck.
 */
export function autocorrelation(onsets: Float32Array): Float64Array | null {
  const fft = new FFT(2 * segmentFrames);
  const segment = new Float64Array(2 * segmentFrames);
  const spectrum = new Float64Array(4 * segmentFrames);
  const powers = new Float64Array(2 * segmentFrames);
  const sum = new Float64Array(segmentFrames);
  let segments = 0;
  for (let start = 0; start + segmentFrames <= onsets.length; start += segmentFrames / 4) {
    const part = onsets.subarray(start, start + segmentFrames);
    const mean = part.reduce((total, onset) => total + onset, 0) / part.length;
    const variance = part.reduce((total, onset) => total + (onset - mean) ** 2, 0) / part.length;
    if (variance < leastDeviation ** 2) continue;
    segment.fill(0);
    for (let n = 0; n < part.length; n++) segment[n] = (part[n] ?? 0) - mean;
    fft.realTransform(spectrum, segment);
    for (let bin = 0; bin <= segmentFrames; bin++) {
      const magnitude = Math.hypot(spectrum[2 * bin] ?? 0, spectrum[2 * bin + 1] ?? 0);
      powers[bin] = magnitude;
      powers[(2 * segmentFrames - bin) % powers.length] = magnitude;
    }
    // The powers are real and even, so this forward transform is the inverse one but for its scale.
    fft.realTransform(spectrum, powers);
    const energy = spectrum[0] ?? 0;
    for (let lag = 0; lag < segmentFrames; lag++) sum[lag] = (sum[lag] ?? 0) + (spectrum[2 * lag] ?? 0) / energy;
    segments++;
  }
  return segments === 0 ? null : sum.map((value) => value / segments);
}
