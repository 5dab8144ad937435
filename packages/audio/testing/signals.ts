/** Synthetic audio: samples between -1 and 1, an array for each channel. */
export interface Signal {
  sampleRate: number;
  channels: Float32Array[];
}

/** A signal whose samples are `sampleAt(seconds, channel)`. */
export function signal(
  { seconds, sampleRate = 44_100, channels = 2 }: { seconds: number; sampleRate?: number; channels?: number },
  sampleAt: (seconds: number, channel: number) => number,
): Signal {
  return {
    sampleRate,
    channels: Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, frame) =>
        sampleAt(frame / sampleRate, channel),
      ),
    ),
  };
}

export const sine = (hertz: number, dbfs: number) => {
  const peak = 10 ** (dbfs / 20);
  return (seconds: number): number => peak * Math.sin(2 * Math.PI * hertz * seconds);
};

/** Random numbers from 0 to 1. The same seed gives the same sequence (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A kick, a bass and hats at 120 BPM: a signal with a pulse, a pitch and noise. */
export function beat(seconds: number, shape: { sampleRate?: number; channels?: number } = {}): Signal {
  const random = seededNumbers(7);
  return signal({ seconds, ...shape }, (time, channel) => {
    const [inBeat, inHalf] = [time % 0.5, time % 0.25];
    const kick = Math.sin(2 * Math.PI * (50 + 90 * Math.exp(-inBeat * 30)) * inBeat) * Math.exp(-inBeat * 9);
    const bass = Math.sin(2 * Math.PI * (time % 4 < 2 ? 55 : 65.41) * time) * 0.3;
    const hat = (random() - 0.5) * Math.exp(-inHalf * 60) * (channel === 0 ? 0.4 : 0.3);
    return 0.5 * kick + bass + hat;
  });
}
