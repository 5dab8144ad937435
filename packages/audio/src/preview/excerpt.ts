import type { AudioStream } from "../formats/audio-stream.ts";
import { resample } from "./resample.ts";

const fadeSeconds = 5;
/** The first tag plays early, so that a short beat has a tag, too. */
const firstTagSeconds = 2;
const tagIntervalSeconds = 15;
/** The level of the beat while a tag plays. With the tag's peak of 0.5 the sum stays within full scale. */
const duckedLevel = 0.5;
const rampSeconds = 0.1;

/** The beginning of a beat. `mixTags` changes it in place. */
export interface Excerpt {
  sampleRate: number;
  channels: Float32Array[];
}

/** Reads the first seconds of a beat at `sampleRate`. Fades out the end of a longer beat. */
export async function readExcerpt(audio: AudioStream, sampleRate: number, maxSeconds: number): Promise<Excerpt> {
  const maxFrames = maxSeconds * sampleRate;
  const channels = Array.from({ length: audio.channels }, () => new Float32Array(maxFrames));
  let frames = 0;
  for await (const block of resample(audio, sampleRate)) {
    for (const [index, samples] of block.entries())
      channels[index]?.set(samples.subarray(0, Math.max(0, maxFrames - frames)), Math.min(frames, maxFrames));
    frames += block[0]?.length ?? 0;
    if (frames > maxFrames) break;
  }
  const excerpt = { sampleRate, channels: channels.map((samples) => samples.subarray(0, frames)) };
  if (frames > maxFrames) fadeOut(excerpt);
  return excerpt;
}

/** Mixes the tag in at 2, 17, 32 … seconds, and lowers the level of the beat while the tag plays. */
export function mixTags({ sampleRate, channels }: Excerpt, tag: Float32Array): void {
  const rampFrames = rampSeconds * sampleRate;
  for (const samples of channels)
    for (let start = firstTagSeconds * sampleRate; start < samples.length; start += tagIntervalSeconds * sampleRate)
      for (let frame = 0; frame < tag.length && start + frame < samples.length; frame++) {
        const ramp = Math.min(1, frame / rampFrames, (tag.length - 1 - frame) / rampFrames);
        const level = 1 - ramp * (1 - duckedLevel);
        samples[start + frame] = (samples[start + frame] as number) * level + (tag[frame] as number);
      }
}

function fadeOut({ sampleRate, channels }: Excerpt): void {
  const fadeFrames = fadeSeconds * sampleRate;
  for (const samples of channels) {
    const start = samples.length - fadeFrames;
    for (let frame = 0; frame < fadeFrames; frame++)
      samples[start + frame] = (samples[start + frame] as number) * (1 - frame / fadeFrames);
  }
}
