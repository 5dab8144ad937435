/** A waveform as BBC audiowaveform writes it, version 2: a minimum and a maximum of each pixel, channel by channel. */
export interface WaveformData {
  channels: number;
  /** 8 or 16. */
  bits: number;
  data: readonly number[];
}

/** The peaks of a waveform as wavesurfer.js draws them: maxima above the axis, minima below, over all channels, -1 to 1. */
export function peaksOf({ channels, bits, data }: WaveformData): [maxima: number[], minima: number[]] {
  const fullScale = 2 ** (bits - 1);
  const maxima: number[] = [];
  const minima: number[] = [];
  for (let at = 0; at < data.length; at += 2 * channels) {
    const pixel = data.slice(at, at + 2 * channels);
    maxima.push(Math.max(...pixel) / fullScale);
    minima.push(Math.min(...pixel) / fullScale);
  }
  return [maxima, minima];
}
